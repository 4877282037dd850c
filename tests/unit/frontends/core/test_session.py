"""A session: answers, transactions, and what ends with it."""

from typing import Any

from core_peer import SESSION, Peer

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import (
    DUPLICATE_METADATA,
    TRANSACTION_ROLLED_BACK,
    UNSUPPORTED_PACKET,
)
from lastvalue.codec.core.packets import NO_CORRELATION

TRANSACTED = {"auto_commit_sends": False, "auto_commit_acks": False}


def transacted(broker: Broker) -> Peer:
    return Peer(broker).open(**TRANSACTED).declare()


def test_an_answer_names_the_command_that_it_answers(peer: Peer) -> None:
    peer.declare().send("x")
    assert peer.expect(packets.NULL_RESPONSE).number("correlation") == 7
    assert peer.ask(packets.STOP).number("correlation") == NO_CORRELATION


def test_a_durable_message_is_answered_when_the_journal_has_it(peer: Peer) -> None:
    peer.declare(durable=True).hold_flushes().send("x", durable=True)
    peer.say(packets.QUEUE_QUERY, queue="q")
    assert peer.silent()
    peer.flush().expect(packets.NULL_RESPONSE)
    assert peer.expect(packets.QUEUE_QUERIED).number("messages") == 1


def test_a_commit_publishes_and_acknowledges_together(broker: Broker) -> None:
    peer = transacted(broker).declare("out")
    Peer(broker).open().send("in").vanish()
    peer.read()
    message = peer.received()
    peer.say(packets.ACKNOWLEDGE, consumer=1, message=message.number)
    peer.send("out", "out", answered=False)
    assert [broker.lookup(name).queue.depth for name in ("q", "out")] == [1, 0]
    peer.ask(packets.COMMIT, correlation=3)
    assert [broker.lookup(name).queue.depth for name in ("q", "out")] == [0, 1]


def test_a_rollback_gives_back_what_was_acknowledged_and_what_was_only_sent(broker: Broker) -> None:
    peer = transacted(broker)
    Peer(broker).open().send("first").send("second").vanish()
    peer.read()
    first, second = peer.received(), peer.received()
    assert [first.deliveries, second.deliveries] == [1, 1]
    peer.say(packets.ACKNOWLEDGE, consumer=1, message=first.number).ask(packets.STOP)
    peer.ask(packets.ROLLBACK)
    peer.say(packets.START)
    again = [peer.received(), peer.received()]
    assert [each.number for each in again] == [first.number, second.number]
    # [Artemis] What the client had not acknowledged it had not seen.
    assert [each.deliveries for each in again] == [2, 1]


def test_a_rollback_may_count_the_last_message_as_delivered(broker: Broker) -> None:
    peer = transacted(broker)
    Peer(broker).open().send("x").vanish()
    peer.read().received()
    peer.ask(packets.STOP)
    peer.ask(packets.ROLLBACK, last_delivered=True)
    assert peer.say(packets.START).received().deliveries == 2


def test_a_message_that_is_refused_without_an_answer_fails_the_transaction(broker: Broker) -> None:
    peer = transacted(broker).declare("small", ring_size=None)
    peer.say(packets.ACKNOWLEDGE, consumer=9, message=1)
    assert peer.refused(packets.COMMIT) != TRANSACTION_ROLLED_BACK - 1
    assert peer.ask(packets.COMMIT).type is packets.NULL_RESPONSE


def test_a_command_of_the_broker_is_refused(peer: Peer) -> None:
    assert peer.refused(packets.REATTACHED) == UNSUPPORTED_PACKET


def test_two_sessions_cannot_have_one_unique_text(broker: Broker, peer: Peer) -> None:
    client_id: dict[str, Any] = {"key": "jms-client-id", "value": "me", "wants_response": True}
    peer.ask(packets.ADD_UNIQUE_METADATA, **client_id)
    peer.create("other", 11).expect(packets.SESSION_CREATED, 1)
    peer.say(packets.ADD_UNIQUE_METADATA, 11, **client_id)
    assert peer.expect(packets.EXCEPTION, 11).number("code") == DUPLICATE_METADATA
    peer.ask(packets.CLOSE)
    peer.say(packets.ADD_UNIQUE_METADATA, 11, **client_id).expect(packets.NULL_RESPONSE, 11)


def test_a_session_that_is_closed_gives_back_what_it_held(broker: Broker, peer: Peer) -> None:
    peer.declare().send("x").expect(packets.NULL_RESPONSE)
    peer.read().received()
    assert broker.lookup("q").queue.available == 0
    peer.ask(packets.CLOSE)
    entry = broker.lookup("q").queue.entries()[0]
    assert (broker.lookup("q").queue.available, entry.delivery_count) == (1, 0)


def test_what_a_lost_connection_held_counts_as_delivered(broker: Broker, peer: Peer) -> None:
    peer.declare().send("x").expect(packets.NULL_RESPONSE)
    peer.read().received()
    peer.vanish()
    entry = broker.lookup("q").queue.entries()[0]
    assert (broker.lookup("q").queue.available, entry.delivery_count) == (1, 1)


def test_a_session_s_statistics_name_it_and_its_links(broker: Broker, peer: Peer) -> None:
    peer.declare().send("x", answered=False).read()
    (connection,) = broker.connections.visible(BROKER)
    (session,) = connection.sessions
    assert (connection.protocol, session.name, session.unsettled) == ("CORE 136", "session", 1)
    assert sorted(link.role for link in session.links) == ["consumer", "producer"]
    assert session.channel == SESSION
