"""Connections that have gone give their memory back at once, without the garbage collector."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from core_peer import Peer as CorePeer
from core_peer import head, message
from pamqp import commands

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.statistics.removal_log import Removal
from lastvalue.codec.amqp010.command_layouts import DTX_XID
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.frames import AMQP_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Attach,
    Begin,
    Close,
    Coordinator,
    Declare,
    Flow,
    Open,
    Performative,
    Source,
    Target,
    Transfer,
    encode_performative,
)
from lastvalue.codec.core import packets
from lastvalue.delivery.protocol_connection import ConnectionContext, ProtocolConnection
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp10.connection import Amqp10Connection
from lastvalue.frontends.core.suspension import LONGEST_MS
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import QueueSpec

XID = {"xid": Record(DTX_XID, {"format": 1, "global_id": b"g", "branch_id": b"b"})}


def over_1_0(state: BrokerState, orderly: bool) -> None:
    """Publish, read, transact and manage; leave a delivery unsettled and a message unfinished."""
    context = ConnectionContext(state.broker, Authenticator(), lambda: None, lambda _: None)
    connection = Amqp10Connection(context, ConnectionOptions("broker"), False, 0)

    def attach(handle: int, role: bool, **fields: Any) -> Attach:
        count = 0 if role == ROLE_SENDER else None
        return Attach(
            name=str(handle),
            handle=handle,
            role=role,
            initial_delivery_count=count,
            **fields,
        )

    def send(handle: int, number: int, body: object, more: bool = False) -> bytes:
        transfer = Transfer(
            handle=handle, delivery_id=number, delivery_tag=bytes((number,)), message_format=0, more=more
        )
        payload = encode_content(MessageContent(body=body, to="nowhere", reply_to="replies"))
        return encode_frame(encode_performative(transfer), 0, payload=payload)

    connection.receive(
        AMQP_HEADER
        + framed(
            Open(container_id="peer"),
            Begin(next_outgoing_id=0, incoming_window=99, outgoing_window=99),
            attach(0, ROLE_SENDER, source=Source(), target=Target(address="q")),
            attach(1, ROLE_RECEIVER, source=Source(address="q"), target=Target()),
            attach(2, ROLE_SENDER, source=Source(), target=Coordinator()),
            attach(3, ROLE_SENDER, source=Source(), target=Target(address="$management")),
            attach(4, ROLE_RECEIVER, source=Source(address="$management"), target=Target(address="replies")),
            attach(5, ROLE_RECEIVER, source=Source(dynamic=True), target=Target()),
            Flow(
                next_incoming_id=0,
                incoming_window=99,
                next_outgoing_id=0,
                outgoing_window=99,
                handle=1,
                delivery_count=0,
                link_credit=9,
            ),
        ),
        0,
        0,
    )
    connection.receive(
        send(0, 0, "whole") + send(2, 1, decomposed(Declare())) + send(3, 2, {}) + send(0, 3, "part", True),
        0,
        0,
    )
    turn(state.broker, connection)
    if orderly:
        connection.receive(framed(Close()), 0, 0)
        turn(state.broker, connection)
    connection.lost(0, 0)


def framed(*performatives: Performative) -> bytes:
    return b"".join(encode_frame(encode_performative(each), 0) for each in performatives)


def turn(broker: Broker, connection: ProtocolConnection) -> None:
    broker.pump(0)
    broker.drain(0)
    connection.seal(1, 0)
    connection.confirm(1, 0)
    connection.data_to_send()
    connection.resume()


def over_0_9_1(state: BrokerState, orderly: bool) -> None:
    """Publish, consume, get and transact; leave deliveries unacknowledged and a content unfinished."""
    peer = Amqp091Peer(state.broker).open(channels=3)
    peer.say(commands.Basic.Consume(queue="q"))
    peer.publish(b"whole", "q").publish(b"more", "q")
    peer.say(commands.Basic.Get(queue="q"), commands.Confirm.Select())
    peer.publish(b"confirmed", "q")
    peer.say(commands.Tx.Select(), channel=2)
    peer.publish(b"uncommitted", "q", channel=2)
    peer.say(commands.Basic.Publish(routing_key="q"), channel=3)
    if orderly:
        peer.say(commands.Connection.Close(200, "", 0, 0), channel=0)
    peer.conversation.lost(peer.now, peer.now)
    vars(peer).clear()


def over_0_10(state: BrokerState, orderly: bool) -> None:
    """Publish, subscribe and transact; leave a delivery that is not accepted and a branch open."""
    peer = Amqp010Peer(state)
    peer.subscribe("q")
    peer.send("q", b"whole")
    peer.do("tx.select")
    peer.send("q", b"uncommitted")
    peer.do("dtx.select")
    peer.do("dtx.start", **XID)
    peer.send("q", b"in a branch")
    if orderly:
        peer.control("connection.close", reply_code=200, reply_text="")
    peer.conversation.lost(peer.now, peer.now)
    state.branches.roll_back((1, b"g", b"b"), Owner(principal="anonymous"), peer.now)
    vars(peer).clear()


def over_core(state: BrokerState, orderly: bool) -> None:
    """Publish, read and transact; leave deliveries unacknowledged, a large message unfinished, a session."""
    peer = CorePeer(state.broker).open(window=-1 if orderly else 1000)
    peer.send("whole").expect(packets.NULL_RESPONSE)
    peer.send("more").expect(packets.NULL_RESPONSE)
    peer.read()
    peer.create("transacted", 11, auto_commit_sends=False, auto_commit_acks=False)
    peer.say(packets.SEND, 11, message=message(b"", "q"))
    peer.say(packets.SEND_LARGE, head=head("q"))
    peer.say(packets.SEND_CONTINUATION, body=b"part", continues=True)
    if orderly:
        peer.say(packets.CLOSE).say(packets.CLOSE, 11)
    peer.vanish()
    # Nobody attaches the session.
    state.broker.advance(peer.now + LONGEST_MS)
    vars(peer).clear()


@contextmanager
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def objects() -> Counter[str]:
    """The objects of the broker's side by their type."""
    types = (type(each) for each in gc.get_objects())
    return Counter(each.__qualname__ for each in types if str(each.__module__).startswith("lastvalue."))


@pytest.mark.parametrize("orderly", [True, False])
@pytest.mark.parametrize("connect", [over_1_0, over_0_9_1, over_0_10, over_core])
def test_a_connection_that_has_gone_leaves_nothing(
    connect: Callable[[BrokerState, bool], None], orderly: bool
) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    state = BrokerState(broker)

    def come_and_go() -> Counter[str]:
        connect(state, orderly)
        broker.purge("q")
        broker.pump(0)
        broker.drain(0)
        # As every turn does: deadlines that were taken back leave their heap then.
        broker.deadlines.next()
        broker.authorization.take_audit()
        return objects()

    come_and_go()
    with uncollected():
        before = come_and_go()
        more = come_and_go() - before
    # What the queue remembers of messages that left, FEW at most.
    del more[Removal.__name__]
    assert more == Counter()
    assert broker.memory.used_bytes == 0
