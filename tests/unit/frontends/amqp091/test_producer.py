"""Messages that a peer publishes over AMQP 0-9-1."""

from collections.abc import Callable
from typing import Any

import pytest
from amqp091_peer import Peer, closed, declared
from pamqp import commands, frame
from pamqp.body import ContentBody
from pamqp.header import ContentHeader

from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import StoreFaultError
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.subscription import ANY, Mode, Subscriber

Basic, Queue, Exchange, Tx = commands.Basic, commands.Queue, commands.Exchange, commands.Tx


class NullReceiver(Subscriber):
    def wake(self) -> None:
        pass


def test_a_message_is_delivered_as_it_was_published(peer: Peer) -> None:
    declared(peer)
    peer.publish(b"body", "q", headers={"ticker": "ACME"}, priority=3, message_id="m")
    peer.say(Basic.Consume(queue="q", consumer_tag="c"))
    assert peer.expect(Basic.ConsumeOk).consumer_tag == "c"
    method, properties, body = peer.content(Basic.Deliver)
    assert (method.consumer_tag, method.delivery_tag, method.redelivered) == ("c", 1, False)
    assert (method.exchange, method.routing_key, body) == ("", "q", b"body")
    assert (properties.headers, properties.priority, properties.message_id) == ({"ticker": "ACME"}, 3, "m")


def test_a_last_value_queue_keeps_the_newest_message_of_a_key(peer: Peer) -> None:
    declared(peer, **{"qpid.last_value_queue_key": "ticker"})
    for number in range(3):
        peer.publish(b"%d" % number, "q", headers={"ticker": "A"})
    peer.publish(b"b", "q", headers={"ticker": "B"})
    peer.say(Basic.Consume(queue="q", no_ack=True))
    peer.expect(Basic.ConsumeOk)
    assert peer.bodies() == [b"2", b"b"]


def test_a_message_of_amqp_10_is_read_here_and_the_other_way_round(broker: Broker, peer: Peer) -> None:
    declared(peer)
    content = MessageContent(
        subject="key", application_properties={"n": 1}, body=b"x", body_kind=BodyKind.DATA
    )
    hosted = broker.lookup("q")
    broker.publish(broker.queue_target("q"), read_message(encode_content(content)), 0)
    peer.say(Basic.Get(queue="q", no_ack=True))
    method, told, body = peer.content(Basic.GetOk)
    assert (method.routing_key, told.headers, body) == ("key", {"n": 1}, b"x")
    peer.publish(b"y", "q", headers={"n": 2})
    entry = hosted.queue.next(hosted.queue.subscribe(Mode.CONSUME, NullReceiver(), ANY, 0), 0)
    assert entry is not None
    read = decode_content(entry.message.encoded)
    assert (read.subject, read.application_properties, read.body) == ("q", {"n": 2}, b"y")


def test_an_unroutable_message_is_returned_where_it_is_mandatory(peer: Peer) -> None:
    peer.publish(b"x", "nowhere", mandatory=True, message_id="m")
    method, properties, body = peer.content(Basic.Return)
    assert (method.reply_code, method.routing_key, properties.message_id, body) == (312, "nowhere", "m", b"x")
    assert peer.publish(b"x", "nowhere").silent()


def test_publishing_to_an_exchange_that_is_not_there_closes_the_channel(peer: Peer) -> None:
    peer.publish(b"x", "key", "nowhere")
    code, text = closed(peer)
    assert (code, "no exchange named 'nowhere'" in text) == (404, True)


def test_a_full_queue_closes_the_channel_of_who_asked_for_no_confirms(peer: Peer) -> None:
    declared(peer, max_messages=1)
    peer.publish(b"1", "q")
    assert peer.silent()
    peer.publish(b"2", "q")
    assert closed(peer)[0] == 506


def test_a_full_queue_refuses_by_a_nack_where_there_are_confirms(peer: Peer) -> None:
    declared(peer, max_messages=1)
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.publish(b"1", "q").publish(b"2", "q")
    assert peer.expect(Basic.Ack).delivery_tag == 1
    assert peer.expect(Basic.Nack).delivery_tag == 2


def test_a_durable_message_is_confirmed_when_the_journal_has_it_and_others_at_once(peer: Peer) -> None:
    declared(peer, "kept", flags="durable")
    declared(peer, "passing")
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.hold_flushes()
    peer.publish(b"1", "kept", delivery_mode=2).publish(b"2", "kept", delivery_mode=2)
    peer.publish(b"3", "passing", delivery_mode=2).publish(b"4", "kept", delivery_mode=1)
    for tag in (3, 4):
        ack = peer.expect(Basic.Ack)
        assert (ack.delivery_tag, ack.multiple) == (tag, False)
    assert peer.silent()
    peer.flush()
    assert peer.expect(Basic.Ack).delivery_tag == 1
    assert peer.expect(Basic.Ack).delivery_tag == 2


@pytest.mark.parametrize("mandatory", [False, True])
@pytest.mark.parametrize("exchange", ["", "amq.fanout", "others"])
def test_a_durable_message_is_confirmed_when_the_journal_has_it_however_it_is_routed(
    broker: Broker, peer: Peer, exchange: str, mandatory: bool
) -> None:
    declared(peer, "kept", flags="durable")
    peer.say(Queue.Bind(queue="kept", exchange="amq.fanout")).expect(Queue.BindOk)
    broker.declare_exchange(ExchangeSpec("others", ExchangeType.DIRECT, alternate="kept"))
    peer.say(commands.Confirm.Select()).expect(commands.Confirm.SelectOk)
    peer.hold_flushes().publish(b"x", "kept", exchange, delivery_mode=2, mandatory=mandatory)
    assert broker.lookup("kept").queue.depth == 1
    assert peer.silent()
    assert peer.flush().expect(Basic.Ack).delivery_tag == 1


def test_confirms_of_one_turn_are_one_where_nothing_before_them_is_open(peer: Peer) -> None:
    declared(peer, "kept", flags="durable")
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.hold_flushes()
    for _ in range(3):
        peer.publish(b"x", "kept", delivery_mode=2)
    peer.flush()
    acks = [peer.expect(Basic.Ack) for _ in range(3)]
    assert [(ack.delivery_tag, ack.multiple) for ack in acks] == [(1, False), (2, False), (3, False)]


def test_what_waited_behind_an_answer_takes_part_in_the_next_turn(peer: Peer) -> None:
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.hold_flushes()
    peer.say(Queue.Declare(queue="kept", durable=True)).publish(b"1", "kept", delivery_mode=2)
    assert peer.silent()
    peer.write_scheduled = False
    peer.conversation.confirm(peer.position, peer.now)
    assert peer.write_scheduled
    peer.flush()
    peer.expect(Queue.DeclareOk)
    assert peer.expect(Basic.Ack).delivery_tag == 1


def test_a_broken_disk_refuses_durable_messages_by_a_nack(broker: Broker, peer: Peer) -> None:
    declared(peer, "kept", flags="durable")
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    broker.alarms.set_fault(StoreFaultError("the disk is full", full=True))
    peer.publish(b"1", "kept", delivery_mode=2)
    assert peer.expect(Basic.Nack).delivery_tag == 1


def in_pieces(peer: Peer, payload: bytes) -> Peer:
    """Publish a message that takes no fast path."""
    return peer.publish_in_pieces(payload, "q", 1)


def mandatory(peer: Peer, payload: bytes) -> Peer:
    """Publish a message that is returned if no queue gets it."""
    return peer.publish(payload, "q", mandatory=True)


def plain(peer: Peer, payload: bytes) -> Peer:
    """Publish a message of the usual form."""
    return peer.publish(payload, "q")


FORMS = [plain, mandatory, in_pieces]


@pytest.mark.parametrize("publish", FORMS)
def test_what_is_published_while_memory_is_short_waits_and_is_taken_later(
    broker: Broker, peer: Peer, publish: Callable[[Peer, bytes], Peer]
) -> None:
    declared(peer)
    publish(peer, b"11")
    broker.alarms.set_memory(True)
    publish(peer, b"22")
    peer.expect(commands.Connection.Blocked, channel=0)
    conversation = peer.conversation
    waiting = conversation.reading_paused, conversation.busy, broker.lookup("q").queue.depth
    assert waiting == (True, True, 1)
    broker.alarms.set_memory(False)
    peer.turn().expect(commands.Connection.Unblocked, channel=0)
    assert (conversation.reading_paused, conversation.busy) == (False, False)
    peer.say(Basic.Consume(queue="q", no_ack=True)).expect(Basic.ConsumeOk)
    assert peer.bodies() == [b"11", b"22"]


def test_who_publishes_for_the_first_time_while_memory_is_short_waits_and_others_go_on(
    broker: Broker, peer: Peer
) -> None:
    declared(peer)
    consumer = Peer(broker).open()
    broker.alarms.set_memory(True)
    peer.publish(b"1", "q", also=[Queue.Declare(queue="behind")])
    peer.expect(commands.Connection.Blocked, channel=0)
    consumer.say(Basic.Get(queue="q", no_ack=True)).expect(Basic.GetEmpty)
    assert not broker.has_queue("behind")
    broker.alarms.set_memory(False)
    peer.turn().expect(Queue.DeclareOk)
    consumer.say(Basic.Get(queue="q", no_ack=True)).expect(Basic.GetOk)


def test_a_message_that_has_begun_before_memory_is_short_is_taken(broker: Broker, peer: Peer) -> None:
    declared(peer)
    parts: list[Any] = [commands.Basic.Publish(routing_key="q"), ContentHeader(body_size=1)]
    peer.raw(b"".join(frame.marshal(part, 1) for part in parts))
    broker.alarms.set_memory(True)
    peer.raw(frame.marshal(ContentBody(b"1"), 1))
    assert broker.lookup("q").queue.depth == 1
    peer.expect(commands.Connection.Blocked, channel=0)


def test_a_message_that_waits_for_memory_is_dropped_with_its_connection(broker: Broker, peer: Peer) -> None:
    declared(peer)
    broker.alarms.set_memory(True)
    peer.publish(b"1", "q")
    peer.conversation.lost(peer.now, peer.now)
    broker.alarms.set_memory(False)
    assert (broker.lookup("q").queue.depth, broker.alarms.producers) == (0, 0)


def test_a_connection_that_a_fault_ends_while_its_message_waits_for_memory_is_read_again(
    broker: Broker, peer: Peer
) -> None:
    declared(peer)
    broker.alarms.set_memory(True)
    peer.publish(b"1", "q")
    assert peer.conversation.busy
    peer.conversation.end_by_fault(peer.conversation.number)
    peer.turn()
    assert (peer.conversation.busy, peer.conversation.reading_paused) == (False, False)
    assert broker.lookup("q").queue.depth == 0


def test_a_shutdown_asks_who_publishes_to_wait_and_reads_on(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.publish(b"1", "q")
    broker.alarms.set_memory(True)
    peer.publish(b"2", "q")
    peer.expect(commands.Connection.Blocked, channel=0)
    broker.quiesce()
    broker.alarms.set_memory(False)
    peer.turn()
    peer.expect(commands.Connection.Unblocked, channel=0)
    assert peer.expect(commands.Connection.Blocked, channel=0).reason == "the broker is shutting down"
    assert not peer.conversation.reading_paused
    peer.publish(b"3", "q")
    assert broker.lookup("q").queue.depth == 3


def test_flow_control_of_a_queue_asks_the_channel_to_wait(peer: Peer) -> None:
    declared(peer, flow_stop_messages=2, flow_resume_messages=1)
    for _ in range(3):
        peer.publish(b"x", "q")
    assert peer.expect(commands.Channel.Flow).active is False
    peer.say(commands.Channel.FlowOk(False), Queue.Purge(queue="q"))
    peer.expect(Queue.PurgeOk)
    assert peer.expect(commands.Channel.Flow).active is True


def test_a_capacity_with_a_size_to_resume_at_asks_the_channel_to_wait_and_refuses_nothing(peer: Peer) -> None:
    arguments: dict[str, Any] = {"x-qpid-capacity": 100, "x-qpid-flow-resume-capacity": 60}
    declared(peer, **arguments)
    peer.publish(b"x" * 200, "q")
    assert peer.expect(commands.Channel.Flow).active is False
    peer.publish(b"y", "q")
    peer.say(commands.Channel.FlowOk(False), Queue.Purge(queue="q"))
    assert peer.expect(Queue.PurgeOk).message_count == 2
    assert peer.expect(commands.Channel.Flow).active is True
