"""Consumers and their acknowledgements."""

from core_peer import Peer, keyed

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import (
    ILLEGAL_STATE,
    INVALID_FILTER_EXPRESSION,
    MAX_CONSUMERS,
    QUEUE_DOES_NOT_EXIST,
)


def depth(broker: Broker) -> int:
    return int(broker.lookup("q").queue.depth)


def sent(peer: Peer, *texts: str) -> Peer:
    for text in texts:
        peer.send(text, answered=False, properties=keyed(text))
    return peer


def test_an_acknowledgement_is_of_all_messages_up_to_one(broker: Broker, peer: Peer) -> None:
    sent(peer.declare(), "1", "2", "3").read()
    numbers = [peer.received().number for _ in range(3)]
    peer.ask(packets.ACKNOWLEDGE, consumer=1, message=numbers[1])
    assert depth(broker) == 1


def test_an_individual_acknowledgement_is_of_one_message(broker: Broker, peer: Peer) -> None:
    sent(peer.declare(), "1", "2", "3").read()
    numbers = [peer.received().number for _ in range(3)]
    peer.ask(packets.ACKNOWLEDGE_ONE, consumer=1, message=numbers[1])
    assert depth(broker) == 2
    assert peer.refused(packets.ACKNOWLEDGE_ONE, consumer=1, message=numbers[1]) == ILLEGAL_STATE


def test_a_consumer_reads_what_its_filter_selects(peer: Peer) -> None:
    sent(peer.declare(), "a", "b").read(filter="k = 'b'")
    assert peer.texts() == ["b"]


def test_a_filter_that_is_none_is_refused(peer: Peer) -> None:
    peer.declare()
    code = peer.refused(packets.CREATE_CONSUMER, consumer=1, queue="q", filter="k ===")
    assert code == INVALID_FILTER_EXPRESSION


def test_a_queue_that_is_missing_cannot_be_read(peer: Peer) -> None:
    assert peer.refused(packets.CREATE_CONSUMER, consumer=1, queue="q") == QUEUE_DOES_NOT_EXIST


def test_a_queue_has_no_more_consumers_than_it_may(peer: Peer) -> None:
    peer.declare(max_consumers=1).read()
    assert peer.refused(packets.CREATE_CONSUMER, consumer=2, queue="q") == MAX_CONSUMERS
    assert peer.refused(packets.CREATE_CONSUMER, consumer=1, queue="q") == ILLEGAL_STATE


def test_a_consumer_of_a_higher_priority_is_served_first(peer: Peer) -> None:
    peer.declare().read(number=1).read(number=2, priority=5)
    assert sent(peer, "x").received().consumer == 2


def test_a_message_that_a_client_finds_expired_is_not_acknowledged(broker: Broker, peer: Peer) -> None:
    sent(peer.declare(), "x").read()
    message = peer.received()
    peer.ask(packets.STOP)
    peer.say(packets.EXPIRED, consumer=1, message=message.number)
    assert broker.lookup("q").queue.available == 1


def test_a_consumer_that_is_closed_gives_back_what_it_held(broker: Broker, peer: Peer) -> None:
    sent(peer.declare(), "x").read().received()
    peer.ask(packets.CLOSE_CONSUMER, consumer=1)
    assert broker.lookup("q").queue.available == 1
    peer.ask(packets.CLOSE_CONSUMER, consumer=1)
