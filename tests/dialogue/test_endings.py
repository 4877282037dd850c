"""What a peer asks for is answered before its close, though both came together."""

import pytest
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from broker_desk import enqueue, made
from connected_peer import ConnectedPeer
from core_peer import Peer as CorePeer
from core_peer import message
from pamqp import body, commands, frame, header

from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.frames import AMQP_HEADER
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Accepted,
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    Source,
    Target,
    Transfer,
)
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import write_packet
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

DURABLE = QueueSpec("q", durable=True)
MESSAGE = encode_content(MessageContent(body="m", durable=True))
ENDS = pytest.mark.parametrize("end", [Detach(handle=0, closed=True), End(), Close()])


def producing() -> ConnectedPeer:
    peer = ConnectedPeer(made(DURABLE)).connect().attach(ROLE_SENDER, target=Target(address="q"))
    assert peer.said() == [Attach, Flow]
    return peer


def test_a_link_is_answered_before_the_close_of_its_connection_in_amqp_1_0() -> None:
    peer = ConnectedPeer(made(DURABLE)).together()
    peer.send(AMQP_HEADER).open().begin().attach(ROLE_RECEIVER, source=Source(address="q"))
    peer.say(End()).say(Close()).write().heard_header()
    assert peer.said() == [Open, Begin, Attach, End, Close]
    assert peer.conversation.finished


def test_a_refused_link_is_answered_before_the_end_of_its_session_in_amqp_1_0() -> None:
    peer = ConnectedPeer(made(DURABLE)).connect().together()
    peer.attach(ROLE_RECEIVER, source=Source(address="missing")).say(End()).write()
    assert peer.said() == [Attach, Detach, End]


@ENDS
def test_a_message_gets_its_outcome_before_the_end_in_amqp_1_0(end: Detach | End | Close) -> None:
    peer = producing().together().transfer(0, MESSAGE).say(end).write()
    told = peer.heard(Disposition)
    assert (told.first, told.settled, told.state) == (0, True, Accepted())
    peer.heard(type(end))


@ENDS
def test_an_end_waits_until_the_journal_has_what_came_before_in_amqp_1_0(end: Detach | End | Close) -> None:
    peer = producing()
    peer.flushes = False
    peer.together().transfer(0, MESSAGE).say(end).write()
    assert peer.said() == []
    peer.flushes = True
    assert peer.turn().said() == [Disposition, type(end)]


def test_a_link_is_attached_again_behind_its_detach_in_amqp_1_0() -> None:
    peer = producing().together().transfer(0, MESSAGE).detach()
    peer.attach(ROLE_SENDER, target=Target(address="q")).write()
    assert peer.said() == [Disposition, Detach, Attach, Flow]


def test_messages_behind_an_end_are_taken_when_the_peer_is_gone_in_amqp_1_0() -> None:
    peer = producing().attach(ROLE_SENDER, "other", 1, target=Target(address="q"))
    peer.flushes = False
    peer.together().transfer(0, MESSAGE).detach().transfer(1, MESSAGE, handle=1).say(Close()).write()
    peer.conversation.lost(0, 0)
    assert peer.broker.lookup("q").queue.depth == 2


def test_an_empty_queue_is_drained_before_the_close_in_amqp_1_0() -> None:
    peer = ConnectedPeer(made(DURABLE)).connect()
    enqueue(peer.broker, "q", "m")
    peer.attach(ROLE_RECEIVER, source=Source(address="q")).together()
    peer.said()
    peer.flow(handle=0, delivery_count=0, credit=1).write().together().say(Close()).write()
    (sent,) = [each for each in peer.frames() if isinstance(each.performative, Transfer)]
    assert decode_content(sent.payload).body == "m"


def confirming() -> Peer091:
    peer = Peer091(made(DURABLE)).open()
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    return peer


PUBLISH = (commands.Basic.Publish(routing_key="q"), header.ContentHeader(body_size=1), body.ContentBody(b"m"))
PERSISTENT = (
    commands.Basic.Publish(routing_key="q"),
    header.ContentHeader(body_size=1, properties=commands.Basic.Properties(delivery_mode=2)),
    body.ContentBody(b"m"),
)
CLOSE = commands.Channel.Close(200, "", 0, 0)
CLOSE_ALL = frame.marshal(commands.Connection.Close(200, "", 0, 0), 0)


def on_channel(*frames: frame.FrameTypes) -> bytes:
    return b"".join(frame.marshal(each, 1) for each in frames)


@pytest.mark.parametrize(
    ("end", "answer", "channel"),
    [(on_channel(CLOSE), commands.Channel.CloseOk, 1), (CLOSE_ALL, commands.Connection.CloseOk, 0)],
)
def test_a_message_is_confirmed_before_the_close_in_amqp_0_9_1(
    end: bytes, answer: type[commands.Channel.CloseOk | commands.Connection.CloseOk], channel: int
) -> None:
    peer = confirming().hold_flushes().raw(on_channel(*PERSISTENT) + end)
    assert peer.silent()
    peer.flush()
    assert [type(heard) for _, heard in peer.frames] == [commands.Basic.Ack, answer]
    peer.expect(commands.Basic.Ack)
    peer.expect(answer, channel)


def test_methods_are_answered_before_the_close_of_the_connection_in_amqp_0_9_1() -> None:
    peer = Peer091(made(QueueSpec("q"))).open()
    enqueue(peer.broker, "q", "m")
    asked = (commands.Queue.Declare(queue="new", durable=True), commands.Basic.Get(queue="q", no_ack=True))
    peer.raw(on_channel(*asked, CLOSE) + CLOSE_ALL)
    peer.expect(commands.Queue.DeclareOk)
    assert peer.content(commands.Basic.GetOk)[2] == b"m"
    peer.expect(commands.Channel.CloseOk)
    peer.expect(commands.Connection.CloseOk, 0)
    assert peer.silent()


def test_closes_of_a_channel_that_cross_are_both_answered_in_amqp_0_9_1() -> None:
    """[0-9-1 channel.close] The peer closes the channel before it hears that the broker has closed it."""
    peer = Peer091(made(QueueSpec("q"))).open()
    peer.raw(on_channel(commands.Queue.Declare(queue="missing", passive=True), CLOSE))
    assert peer.expect(commands.Channel.Close).reply_code == 404
    peer.expect(commands.Channel.CloseOk)
    peer.say(commands.Channel.CloseOk())
    peer.say(commands.Channel.Open()).expect(commands.Channel.OpenOk)
    peer.say(commands.Queue.Declare(queue="q", passive=True)).expect(commands.Queue.DeclareOk)
    assert not peer.conversation.finished


def test_a_fault_of_what_came_before_ends_the_connection_in_order_in_amqp_0_9_1() -> None:
    wrong = commands.Basic.Publish(routing_key="q", immediate=True)
    peer = Peer091(made(QueueSpec("q"))).open().raw(on_channel(wrong, *PUBLISH[1:]) + CLOSE_ALL)
    peer.expect(commands.Connection.CloseOk, 0)
    assert peer.conversation.finished


def test_messages_behind_a_close_are_taken_when_the_peer_is_gone_in_amqp_0_9_1() -> None:
    peer = confirming().hold_flushes()
    peer.say(commands.Channel.Open(), channel=2)
    peer.raw(on_channel(*PERSISTENT, CLOSE) + b"".join(frame.marshal(each, 2) for each in PUBLISH))
    peer.conversation.lost(peer.now, peer.now)
    assert peer.broker.lookup("q").queue.depth == 2


def test_a_command_is_complete_before_its_session_ends_in_amqp_0_10() -> None:
    peer = Peer010(BrokerState(made(DURABLE)))
    peer.controls.clear()
    peer.flushed = 0
    declare = peer.command_bytes("queue.declare", queue="new", durable=True)
    detach = peer.control_bytes("session.detach", 1, name=b"test")
    peer.exchange(declare + detach + peer.control_bytes("connection.close", reply_code=200))
    assert peer.controls == []
    peer.flushed = 1
    peer.exchange()
    names = [control.layout.name for control in peer.controls]
    assert names == ["session.completed", "session.detached", "connection.close-ok"]
    assert peer.completed == {0}


def test_a_query_is_answered_before_the_connection_closes_in_amqp_0_10() -> None:
    peer = Peer010(BrokerState(made(DURABLE)))
    query = peer.command_bytes("queue.query", queue="q")
    peer.exchange(query + peer.control_bytes("connection.close", reply_code=200))
    assert list(peer.results) == [0]
    assert peer.conversation.finished


def test_a_send_is_answered_before_its_session_closes_in_core() -> None:
    peer = CorePeer(made(DURABLE)).open().hold_flushes()
    values = {"message": message(b"", "q", durable=True), "wants_response": True, "correlation": 7}
    send = write_packet(packets.SEND, 10, peer.version, values)
    query = write_packet(packets.QUEUE_QUERY, 10, peer.version, {"queue": "q"})
    peer.raw(send + query + write_packet(packets.CLOSE, 10, peer.version, {}))
    assert peer.silent()
    peer.flush()
    assert peer.expect(packets.NULL_RESPONSE).number("correlation") == 7
    peer.expect(packets.QUEUE_QUERIED)
    peer.expect(packets.NULL_RESPONSE)
    assert peer.silent()
