"""Whatever a peer sends, an engine raises nothing, stays within the standard, and takes little memory."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from amqp10_material import mutated
from amqp10_peers import names, performatives, property_test, sources, states, targets
from frame_auditor import FrameAuditor
from hypothesis import event, given
from hypothesis import strategies as st
from scripted_peer import ScriptedPeer, client, in_session, sending, server

from lastvalue.codec.amqp10.frames import AMQP_HEADER, SASL_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    Performative,
    SaslInit,
    Source,
    Target,
    Transfer,
    encode_performative,
)
from lastvalue.model.conditions import CONDITION_BY_SYMBOL
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed
from lastvalue.protocols.amqp10.options import Role
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import Link, LinkAttached, LinkDetached, Session, SessionBegun
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.protocols.engine import UsageError
from lastvalue.protocols.sasl import Authenticator

# ---- Bytes

Frames = list[bytes]


def conversation(*performatives: Performative) -> Frames:
    return [AMQP_HEADER, *[encode_frame(encode_performative(said), 0) for said in performatives]]


BEGIN = Begin(next_outgoing_id=0, incoming_window=100, outgoing_window=100)
ORDINARY = b"".join(
    conversation(
        Open(container_id="peer", idle_time_out=1000),
        BEGIN,
        Attach(name="up", handle=0, role=False, initial_delivery_count=0),
        Attach(name="down", handle=1, role=True),
        Transfer(handle=0, delivery_id=0, delivery_tag=b"0", message_format=0, more=True),
        Transfer(handle=0),
        Flow(
            next_incoming_id=0,
            incoming_window=9,
            next_outgoing_id=2,
            outgoing_window=9,
            handle=1,
            delivery_count=0,
            link_credit=10,
        ),
        Detach(handle=0, closed=True),
        End(),
        Close(),
    )
)
AUTHENTICATED = SASL_HEADER + encode_frame(encode_performative(SaslInit("PLAIN", b"\0user\0secret")), 0, 1)


def accept_anyone(user: str, password: str) -> bool:
    return bool(user and password)


AUTHENTICATOR = Authenticator(anonymous=True, check=accept_anyone)


@property_test
@given(
    st.binary(max_size=80) | mutated(st.sampled_from([ORDINARY, AUTHENTICATED + ORDINARY])),
    st.lists(st.integers(1, 200), max_size=20),
    st.sampled_from([Role.SERVER, Role.CLIENT]),
)
def test_broken_bytes_raise_nothing(data: bytes, sizes: list[int], role: Role) -> None:
    options = {"authenticator": AUTHENTICATOR} if role is Role.SERVER else {}
    peer = server(**options) if role is Role.SERVER else client()
    peer.engine.open()
    for size in [*sizes, len(data)]:
        peer.send(data[:size])
        data = data[size:]
        accept_everything(peer)
    peer.engine.receive_eof(0)
    assert peer.engine.finished
    assert [type(happened) for happened in peer.events()].count(ConnectionClosed) <= 1
    with pytest.raises(UsageError):
        peer.engine.begin()


def accept_everything(peer: ScriptedPeer) -> None:
    for happened in peer.engine.events():
        if isinstance(happened, LinkAttached) and peer.engine.role is Role.SERVER:
            happened.link.accept(None, None)
            if isinstance(happened.link, ReceiverLink):
                happened.link.add_credit(10)


# ---- Performatives

small = st.integers(0, 5)
rare = st.integers(0, 2**32 - 1)
handles = st.sampled_from([0, 1, 2, 3])
flows = st.builds(
    Flow,
    next_incoming_id=st.none() | small | rare,
    incoming_window=small | rare,
    next_outgoing_id=small,
    outgoing_window=small,
    handle=st.sampled_from([None, 0, 0, 1, 1, 1, 1, 1, 1, 2]),
    delivery_count=st.none() | small | small | rare,
    link_credit=small | small | rare,
    drain=st.booleans(),
    echo=st.booleans(),
)
attaches = st.builds(
    Attach,
    name=st.sampled_from(["a", "b", "c", "d", "ours"]),
    handle=st.sampled_from([2, 3, 4, 5] * 3 + [0]),
    role=st.booleans(),
    snd_settle_mode=st.integers(0, 2),
    rcv_settle_mode=st.integers(0, 1),
    source=st.none() | sources,
    target=st.none() | targets,
    initial_delivery_count=st.none() | small,
)
begins = st.builds(
    Begin,
    remote_channel=st.none(),
    next_outgoing_id=small,
    incoming_window=small,
    outgoing_window=small,
    handle_max=small | rare,
)
transfers = st.builds(
    Transfer,
    handle=st.sampled_from([0] * 12 + [1, 2, 3]),
    delivery_id=st.none() | small,
    delivery_tag=st.none() | st.binary(max_size=4),
    message_format=st.none() | st.just(0),
    settled=st.none() | st.booleans(),
    more=st.booleans(),
    state=st.none() | states,
    aborted=st.booleans(),
)
dispositions = st.builds(
    Disposition,
    role=st.booleans(),
    first=small,
    last=st.none() | small,
    settled=st.booleans(),
    state=st.none() | states,
)
detaches = st.builds(Detach, handle=handles, closed=st.booleans())
told = st.sampled_from(
    [attaches] * 4
    + [flows] * 8
    + [transfers] * 8
    + [dispositions] * 5
    + [detaches, begins, st.builds(End), performatives]
).flatmap(lambda kind: kind)
said = st.tuples(st.just("say"), told, st.sampled_from([0] * 8 + [1] * 8 + [2]), st.binary(max_size=40))
owned = st.tuples(
    st.sampled_from(
        ["accept"] * 4
        + ["credit"] * 3
        + ["send"] * 4
        + ["refuse", "drain", "settle", "settle", "drained", "detach", "end"]
    ),
    st.integers(0, 3),
    st.integers(0, 10) | st.integers(0, 1500),
    st.booleans(),
)
opens = st.builds(
    Open,
    container_id=names,
    max_frame_size=st.integers(512, 600),
    channel_max=st.integers(1, 3),
    idle_time_out=st.none() | st.integers(20, 100),
)


class Owner:
    """Does to an engine whatever the test says, whether it makes sense or not."""

    def __init__(self, engine: Connection, max_frame_size: int) -> None:
        self.engine = engine
        self.auditor = FrameAuditor(max_frame_size)
        self.links: list[Link] = []
        self.sessions: list[Session] = []
        self.deliveries: list[Delivery] = []
        self.happened: list[Event] = []
        self.refused = 0

    def look(self) -> None:
        for happened in self.engine.events():
            self.happened.append(happened)
            if isinstance(happened, LinkAttached):
                self.links.append(happened.link)
            elif isinstance(happened, SessionBegun):
                self.sessions.append(happened.session)
            elif isinstance(happened, Delivery):
                self.deliveries += happened.each()
        self.auditor.hear(self.engine.data_to_send())

    def do(self, action: str, which: int, size: int, flag: bool) -> None:
        try:
            if action == "end" and self.sessions:
                self.sessions[which % len(self.sessions)].end(AmqpError("amqp:x") if flag else None)
            elif action == "settle" and self.deliveries:
                done = self.deliveries[which % len(self.deliveries)]
                done.link.settle(done.delivery_id, done.delivery_id, Accepted())
            elif self.links and action not in ("end", "settle"):
                self._do_to_link(self.links[which % len(self.links)], action, size, flag)
        except UsageError:
            self.refused += 1

    def _do_to_link(self, link: Link, action: str, size: int, flag: bool) -> None:
        match link, action:
            case _, "accept":
                link.accept(None, None)
            case _, "refuse":
                link.refuse(AmqpError("amqp:not-found", "x" * min(size, 200)))
            case _, "detach":
                link.detach(closed=flag)
            case ReceiverLink(), "credit":
                link.credit_window = which_window(size)
                link.add_credit(size)
            case ReceiverLink(), "drain":
                link.request_drain()
            case SenderLink(), "send":
                link.send(bytes(size), flag, size)
            case SenderLink(), "drained":
                link.drained()


def which_window(size: int) -> int:
    return size % 5


@property_test
@given(
    opens,
    st.lists(said | owned, min_size=10, max_size=50),
    st.sampled_from([Role.SERVER, Role.CLIENT]),
)
def test_nonsense_in_order_raises_nothing_and_is_answered_within_the_standard(
    first: Open, script: list[tuple[Any, ...]], role: Role
) -> None:
    peer = server(max_message_size=1000, incoming_window=8, channel_max=3, handle_max=5, max_unsettled=3)
    if role is Role.CLIENT:
        peer = client(max_message_size=1000, incoming_window=8, channel_max=3, handle_max=5)
    owner = Owner(peer.engine, first.max_frame_size)
    peer.engine.open()
    peer.send(AMQP_HEADER).say(first)
    if role is Role.CLIENT:
        ours = peer.engine.begin()
        owner.sessions.append(ours)
        owner.links.append(ours.attach_receiver("ours", Source(address="ours")))
        owner.links.append(ours.attach_sender("ours", Target(address="ours")))
        peer.say(replace(BEGIN, remote_channel=0))
    else:
        peer.say(BEGIN)
    peer.say(BEGIN, channel=1)
    for channel in (0, 1):
        peer.attach(False, f"up{channel}", 0, channel).attach(True, f"down{channel}", 1, channel)
    owner.look()
    for link in owner.links[-4:]:
        owner.do("accept", owner.links.index(link), 0, False)
        owner.do("credit", owner.links.index(link), 4, False)
    for now, step in enumerate(script):
        if step[0] == "say":
            _, performative, channel, payload = step
            body = encode_performative(performative)
            peer.send(encode_frame(body, channel, 0, payload if isinstance(performative, Transfer) else b""))
        else:
            owner.do(*step)
        peer.at(now * 3)
        owner.look()
    _note(owner)
    peer.engine.receive_eof(0)
    owner.look()
    closed = [happened for happened in owner.happened if isinstance(happened, ConnectionClosed)]
    assert len(closed) == 1
    assert len(owner.happened) == len({id(happened) for happened in owner.happened})
    detached = [happened.link for happened in owner.happened if isinstance(happened, LinkDetached)]
    assert len(detached) == len({id(link) for link in detached}), "a link's end is told once"


def _note(owner: Owner) -> None:
    for happened in owner.happened:
        event(type(happened).__name__)
        if isinstance(happened, ConnectionClosed) and happened.error is not None:
            event(f"closed for {CONDITION_BY_SYMBOL.get(happened.error.condition)}")
    for kind in {type(said).__name__ for said in owner.auditor.performatives}:
        event(f"said {kind}")
    for said in owner.auditor.performatives:
        if isinstance(said, Detach | End) and said.error is not None:
            event(f"said {CONDITION_BY_SYMBOL.get(said.error.condition)}")


# ---- Memory

MOST_KEPT = 1 << 18
"""Bytes after an abuse, which is of so many steps that some bytes for each would be more."""


def frames_without_end(peer: ScriptedPeer) -> None:
    """The head of a frame as large as allowed, then its bytes one by one."""
    peer.send(b"\x00\x01\x00\x00\x02\x00\x00\x00")
    for _ in range(5_000):
        peer.send(b"x")


def a_message_in_tiny_frames(peer: ScriptedPeer) -> None:
    peer.transfer(0, b"x", more=True)
    frame = encode_frame(encode_performative(Transfer(handle=0, more=True)), 0, 0, b"x")
    for _ in range(50):
        peer.send(frame * 100)
        peer.engine.data_to_send()


def a_message_of_empty_frames(peer: ScriptedPeer) -> None:
    peer.transfer(0, b"x", more=True)
    frame = encode_frame(encode_performative(Transfer(handle=0, more=True)), 0)
    for _ in range(50):
        peer.send(frame * 100)
        peer.engine.data_to_send()


def links_that_come_and_go(peer: ScriptedPeer) -> None:
    for number in range(500):
        peer.attach(role=True, name=f"{number}", handle=1)
        for happened in peer.events():
            if isinstance(happened, LinkAttached):
                happened.link.refuse(AmqpError("amqp:not-found"))
        peer.detach(1)
        peer.frames()


def sessions_that_come_and_go(peer: ScriptedPeer) -> None:
    for _ in range(500):
        peer.begin(channel=1)
        peer.say(End(), channel=1)
        peer.frames()
        peer.events()


@pytest.mark.parametrize(
    "abuse",
    [
        frames_without_end,
        a_message_in_tiny_frames,
        a_message_of_empty_frames,
        links_that_come_and_go,
        sessions_that_come_and_go,
    ],
)
def test_memory_does_not_grow(abuse: Callable[[ScriptedPeer], None]) -> None:
    peer, _ = sending(credit=10)
    abuse(peer)
    other, _ = sending(credit=10)
    tracemalloc.start()
    try:
        abuse(other)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < MOST_KEPT


def test_a_message_over_the_limit_is_forgotten_at_once() -> None:
    peer = in_session(max_message_size=100_000).attach(role=False)
    link = peer.receiver_of_engine(credit=5)
    peer.transfer(0, bytes(60_000), more=True)
    peer.transfer(None, bytes(60_000), more=True)
    assert peer.condition(Detach) == "amqp:link:message-size-exceeded"
    assert peer.event(LinkDetached).link is link
    tracemalloc.start()
    try:
        for _ in range(20):
            peer.transfer(None, bytes(50_000), more=True)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 200_000
