"""lastvalue.client.driver, against an engine of the server's side that each test scripts."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

import pytest

from lastvalue.client import (
    Connection,
    ConnectionLostError,
    DetachedError,
    Message,
    QueueNotFoundError,
    RefusedError,
    SendRejectedError,
    TimedOutError,
    connect,
)
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.frames import EMPTY_FRAME
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Modified,
    Rejected,
    Released,
    Source,
    Target,
)
from lastvalue.protocols.amqp10.connection import Connection as Engine
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import CreditChanged, DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import LinkAttached, LinkDetached, SessionBegun
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.protocols.sasl import Authenticator

GONE = AmqpError("amqp:resource-deleted", "it is gone")


class Peer(asyncio.Protocol):
    """The broker's side of one connection: hands each event to the test's script, and keeps them."""

    def __init__(self, script: Callable[["Peer", Event], None], idle_timeout_ms: int = 0) -> None:
        options = ConnectionOptions(
            container_id="peer", authenticator=Authenticator(), idle_timeout_ms=idle_timeout_ms
        )
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.engine = Engine(Role.SERVER, options, 0)
        self.events: list[Event] = []
        self.left = asyncio.Event()
        self._script = script
        self.transport = cast("asyncio.Transport", None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.heard.put_nowait(data)
        self.engine.receive(data, 0)
        for event in self.engine.events():
            self.events.append(event)
            self._script(self, event)
        self.transport.write(self.engine.data_to_send())

    def connection_lost(self, exc: Exception | None) -> None:
        self.left.set()

    def seen(self, kind: type[Event]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


Script = Callable[[Peer, Event], None]


@asynccontextmanager
async def connected(
    script: Script, *, peer_idle_timeout_ms: int = 0, idle_timeout_s: float = 60
) -> AsyncIterator[tuple[Connection, Peer]]:
    peer = Peer(script, peer_idle_timeout_ms)
    server = await asyncio.get_running_loop().create_server(lambda: peer, "127.0.0.1", 0)
    async with server:
        url = f"amqp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with connect(url, idle_timeout_s=idle_timeout_s, reconnect=False) as connection:
            yield connection, peer
        await peer.left.wait()


def take_messages(peer: Peer, event: Event) -> None:
    """Accept every link and give it credit."""
    match event:
        case LinkAttached(link=ReceiverLink() as link):
            link.accept(Source(), Target(address="q"))
            link.add_credit(1000)
        case LinkAttached(link=SenderLink() as link):
            link.accept(Source(address="q"), Target())
        case _:
            pass


def answering(state: DeliveryState | None) -> Script:
    def script(peer: Peer, event: Event) -> None:
        take_messages(peer, event)
        if isinstance(event, Delivery):
            event.link.settle(event.delivery_id, event.delivery_id + event.left, state)

    return script


@pytest.mark.parametrize(
    ("state", "outcome", "description"),
    [
        (Released(), "released", "does not take it now"),
        (Modified(delivery_failed=True), "modified", "does not take it now"),
        (Rejected(), "rejected", "gave no reason"),
        (Rejected(AmqpError("example:odd")), "rejected", "example:odd"),
        (None, "released", "does not take it now"),
    ],
)
async def test_every_outcome_but_accepted_is_an_error(
    state: DeliveryState | None, outcome: str, description: str
) -> None:
    async with connected(answering(state)) as (connection, _):
        with pytest.raises(SendRejectedError, match=description) as caught:
            await connection.queue("q").send(Message("a"))
    assert caught.value.outcome == outcome


def refusing(error: AmqpError) -> Script:
    def script(peer: Peer, event: Event) -> None:
        if isinstance(event, LinkAttached):
            event.link.refuse(error)

    return script


@pytest.mark.parametrize(
    ("condition", "error"),
    [
        ("amqp:not-found", QueueNotFoundError),
        ("amqp:unauthorized-access", RefusedError),
        ("amqp:resource-limit-exceeded", RefusedError),
    ],
)
async def test_a_refused_link_is_told(condition: str, error: type[Exception]) -> None:
    async with connected(refusing(AmqpError(condition, "no"))) as (connection, _):
        queue = connection.queue("q")
        with pytest.raises(error):
            await queue.send(Message("a"))
        with pytest.raises(error):
            await anext(queue.browse())


async def test_a_link_that_the_broker_ends_is_told() -> None:
    def script(peer: Peer, event: Event) -> None:
        take_messages(peer, event)
        if isinstance(event, Delivery):
            event.link.detach(GONE)

    async with connected(script) as (connection, _):
        with pytest.raises(DetachedError, match="it is gone"):
            await connection.queue("q").send(Message("a"))


async def test_a_session_that_the_broker_ends_loses_the_connection() -> None:
    def script(peer: Peer, event: Event) -> None:
        if isinstance(event, LinkAttached):
            event.session.end(GONE)

    async with connected(script) as (connection, _):
        with pytest.raises(ConnectionLostError, match="ended the session: it is gone"):
            await connection.queue("q").send(Message("a"))


async def test_bytes_that_are_no_frames_lose_the_connection() -> None:
    def script(peer: Peer, event: Event) -> None:
        if isinstance(event, LinkAttached):
            peer.transport.write(b"\x00\x00\x00\x01garbage")

    async with connected(script) as (connection, _):
        with pytest.raises(ConnectionLostError, match="frame"):
            await connection.queue("q").send(Message("a"))


async def test_a_connection_cut_off_names_the_cause() -> None:
    def script(peer: Peer, event: Event) -> None:
        if isinstance(event, LinkAttached):
            peer.transport.abort()

    async with connected(script) as (connection, _):
        with pytest.raises(ConnectionLostError):
            await connection.queue("q").send(Message("a"))


async def test_links_that_the_broker_begins_are_refused() -> None:
    def script(peer: Peer, event: Event) -> None:
        answering(Accepted())(peer, event)
        if isinstance(event, SessionBegun):
            event.session.attach_sender("unasked", Target(address="here"))
            event.session.attach_receiver("unasked", Source(address="here"))

    async with connected(script) as (connection, peer):
        await connection.queue("q").send(Message("a"))
    assert [
        event.error.condition for event in peer.events if isinstance(event, LinkDetached) and event.error
    ] == ["amqp:not-allowed"] * 2


async def test_sessions_that_the_broker_begins_are_ended() -> None:
    begun: list[object] = []

    def script(peer: Peer, event: Event) -> None:
        answering(Accepted())(peer, event)
        if isinstance(event, SessionBegun) and not begun:
            begun.append(peer.engine.begin())

    async with connected(script) as (connection, _):
        await connection.queue("q").send(Message("a"))


async def test_copies_that_the_broker_sends_unsettled_are_accepted() -> None:
    def script(peer: Peer, event: Event) -> None:
        take_messages(peer, event)
        if isinstance(event, CreditChanged) and event.link.delivery_count < 3:
            event.link.send(encode_message(Message("a")), settled=False)

    async with connected(script) as (connection, peer):
        browser = connection.queue("q").browse(follow=True, prefetch=1)
        assert [(await anext(browser)).body for _ in range(3)] == ["a"] * 3
        browser.close()
    assert peer.seen(DeliverySettled) == 3


async def test_a_drain_gives_the_credit_back() -> None:
    def script(peer: Peer, event: Event) -> None:
        take_messages(peer, event)
        if isinstance(event, LinkAttached) and isinstance(event.link, ReceiverLink):
            event.link.request_drain()

    async with connected(script) as (connection, peer):
        sender = connection.queue("q").sender()
        await sender.open()
        with pytest.raises(TimedOutError):
            await sender.send(Message("a"), timeout_s=0.05)
    assert peer.seen(Delivery) == 0


async def test_a_broker_that_does_not_read_makes_senders_wait() -> None:
    def script(peer: Peer, event: Event) -> None:
        take_messages(peer, event)
        if isinstance(event, LinkAttached):
            peer.transport.pause_reading()

    messages = iter([Message(bytes(1024 * 1024))] * 200)
    async with connected(script) as (connection, peer):
        sender = connection.queue("q").sender()
        await sender.open()
        with pytest.raises(TimedOutError):
            await sender.send_many(messages, timeout_s=0.5)
        peer.transport.resume_reading()
    # The others are with the kernel, the transport and the outbox.
    assert len(list(messages)) > 160


async def test_a_broker_that_falls_silent_is_lost() -> None:
    async with connected(take_messages, idle_timeout_s=1) as (connection, _):
        with pytest.raises(ConnectionLostError, match="nothing was heard"):
            await anext(connection.queue("q").browse(follow=True))


async def test_a_client_with_nothing_to_say_shows_that_it_is_there() -> None:
    async with connected(take_messages, peer_idle_timeout_ms=200) as (_, peer):
        while await asyncio.wait_for(peer.heard.get(), 60) != EMPTY_FRAME:
            pass
