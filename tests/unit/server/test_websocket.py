"""AMQP and MQTT over WebSocket, by a foreign WebSocket client and by hand [OASIS AMQP WSB 1.0]."""

import asyncio
import gc
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import trustme
from logged_events import names
from waiting import until
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import Source, Target
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.sender import DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.queues.spec import QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.input_queue import PIECE_BYTES
from lastvalue.server.websocket import MAX_MESSAGE_BYTES, WebSocketConnection

AMQP = [Subprotocol("amqp")]


@asynccontextmanager
async def serving(**options: Any) -> AsyncIterator[BrokerServer]:
    settings = {"port": 0, "ws_port": 0} | options
    async with BrokerServer(ServerOptions(**settings)) as server:
        server.broker.declare(QueueSpec("q"))
        yield server


@pytest.fixture
async def server() -> AsyncIterator[BrokerServer]:
    async with serving() as server:
        yield server


def url(server: BrokerServer) -> str:
    return f"ws://127.0.0.1:{server.ws_port}/"


class Talk:
    """An AMQP client engine whose bytes go through a WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.engine = Connection(Role.CLIENT, ConnectionOptions("web", max_message_size=1 << 26), 0)
        self.engine.open()
        self._events: list[Event] = []

    async def until(self, happened: Callable[[], object], piece: int = 1 << 16) -> None:
        async with asyncio.timeout(120):
            await self.say(piece)
            while not happened():
                data = await self.socket.recv()
                assert isinstance(data, bytes)
                self.engine.receive(data, 0)
                self._events += self.engine.events()
                await self.say(piece)

    async def say(self, piece: int) -> None:
        while data := self.engine.data_to_send():
            for start in range(0, len(data), piece):
                await self.socket.send(data[start : start + piece])

    def took(self, kind: type[Event]) -> list[Event]:
        return [event for event in self._events if isinstance(event, kind)]


async def begun(socket: ClientConnection, piece: int = 1 << 16) -> tuple[Talk, SenderLink]:
    talk = Talk(socket)
    await talk.until(lambda: talk.engine.opened, piece)
    link = talk.engine.begin().attach_sender("s", Target(address="q"))
    await talk.until(lambda: link.credit, piece)
    return talk, link


@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
async def test_messages_go_both_ways_however_the_stream_is_cut(server: BrokerServer, piece: int) -> None:
    async with connect(url(server), subprotocols=AMQP) as socket:
        assert socket.subprotocol == "amqp"
        talk, link = await begun(socket, piece)
        link.send(encode_content(MessageContent(body="hello")), settled=False)
        await talk.until(lambda: talk.took(DeliverySettled), piece)
        reader = talk.engine.sessions[0].attach_receiver("r", Source(address="q"))
        reader.add_credit(1)
        await talk.until(lambda: talk.took(Delivery), piece)


async def test_a_large_message_goes_both_ways(server: BrokerServer) -> None:
    content = encode_content(MessageContent(body=b"x" * 5_000_000))
    async with connect(url(server), subprotocols=AMQP, max_size=None) as socket:
        talk, link = await begun(socket)
        link.send(content, settled=False)
        await talk.until(lambda: talk.took(DeliverySettled))
        reader = talk.engine.sessions[0].attach_receiver("r", Source(address="q"))
        reader.add_credit(1)
        await talk.until(lambda: talk.took(Delivery))
        (delivery,) = talk.took(Delivery)
        assert isinstance(delivery, Delivery)
        assert delivery.payload == content


async def test_a_large_message_is_passed_on_piece_by_piece_where_rounds_are_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The connection has taken time by the real clock before.
    seconds = count(time.monotonic(), 1.0)
    content = encode_content(MessageContent(body=b"x" * 10 * PIECE_BYTES))
    async with serving() as server, connect(url(server), subprotocols=AMQP, max_size=None) as socket:
        assert server._runtime is not None
        monkeypatch.setattr(server._runtime.inputs, "clock_s", lambda: next(seconds))
        talk, link = await begun(socket, MAX_MESSAGE_BYTES)
        began_s = next(seconds)
        link.send(content, settled=False)
        await talk.until(lambda: talk.took(DeliverySettled), MAX_MESSAGE_BYTES)
        # Each piece ends a round, which takes several looks at the clock.
        assert next(seconds) - began_s > 3 * 10


async def test_an_amqp_close_is_followed_by_that_of_the_websocket(server: BrokerServer) -> None:
    async with connect(url(server), subprotocols=AMQP) as socket:
        talk, _ = await begun(socket)
        talk.engine.close()
        await talk.until(lambda: talk.engine.finished)
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1000


async def test_a_close_behind_a_message_is_answered_when_the_disk_has_that(tmp_path: Path) -> None:
    async with serving(store=tmp_path / "store") as server, connect(url(server), subprotocols=AMQP) as socket:
        server.broker.declare(QueueSpec("kept", durable=True))
        talk, _ = await begun(socket)
        link = talk.engine.sessions[0].attach_sender("kept", Target(address="kept"))
        await talk.until(lambda: link.credit)
        link.send(encode_content(MessageContent(body="hello", durable=True)), settled=False)
        talk.engine.close()
        await talk.until(lambda: talk.engine.finished)
        assert server.broker.lookup("kept").queue.depth == 1


async def test_what_a_client_held_is_available_when_its_websocket_is_gone(server: BrokerServer) -> None:
    async with connect(url(server), subprotocols=AMQP) as socket:
        talk, link = await begun(socket)
        link.send(encode_content(MessageContent(body="hello")), settled=True)
        reader = talk.engine.sessions[0].attach_receiver("r", Source(address="q"))
        reader.add_credit(1)
        await talk.until(lambda: talk.took(Delivery))
        queue = server.broker.lookup("q").queue
        assert (queue.depth, queue.available) == (1, 0)
    await until(lambda: queue.available > 0)


async def test_a_broker_that_stops_says_so_to_web_clients() -> None:
    async with serving() as server, connect(url(server), subprotocols=AMQP) as socket:
        talk, _ = await begun(socket)
        stopping = asyncio.create_task(server.stop())
        await talk.until(lambda: talk.engine.finished)
        assert talk.engine.remote is not None
        await stopping


@pytest.mark.parametrize(
    ("message", "code"),
    [("AMQP in text", 1003), (b"x" * (MAX_MESSAGE_BYTES + 1), 1009)],
    ids=["text", "too large"],
)
async def test_what_is_no_amqp_closes_the_websocket_with_the_reason(
    server: BrokerServer, message: str | bytes, code: int
) -> None:
    async with connect(url(server), subprotocols=AMQP) as socket:
        await begun(socket)
        await socket.send(message)
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


async def test_binary_nonsense_is_answered_as_on_any_other_port(server: BrokerServer) -> None:
    async with connect(url(server), subprotocols=AMQP) as socket:
        await socket.send(b"GET / HTTP/1.1\r\n")
        assert await socket.recv() == b"AMQP\x03\x01\x00\x00"


async def test_pings_are_answered(server: BrokerServer) -> None:
    async with connect(url(server), subprotocols=AMQP) as socket, asyncio.timeout(120):
        await (await socket.ping())


@pytest.mark.parametrize("name", ["mqtt", "mqttv3.1"])
async def test_mqtt_is_spoken_in_binary_messages_that_divide_it_anywhere(
    server: BrokerServer, name: str
) -> None:
    """[MQTT-6.0.0-1, MQTT-6.0.0-2, MQTT-6.0.0-4]."""
    async with connect(url(server), subprotocols=[Subprotocol(name)]) as socket, asyncio.timeout(120):
        assert socket.subprotocol == name
        await socket.send(b"\x10\x0c\0\4MQ")
        await socket.send(b"TT\4\2\0\0\0\0\xc0\0")
        heard = b""
        while len(heard) < 6:
            piece = await socket.recv()
            assert isinstance(piece, bytes)
            heard += piece
        assert heard == b"\x20\2\0\0\xd0\0"
        await socket.send(b"\xe0\0")
        with pytest.raises(ConnectionClosed):
            await socket.recv()


async def test_mqtt_in_text_messages_is_refused(server: BrokerServer) -> None:
    """[MQTT-6.0.0-1]."""
    async with connect(url(server), subprotocols=[Subprotocol("mqtt")]) as socket, asyncio.timeout(120):
        await socket.send("\x10\x0c\0\4MQTT\4\2\0\0\0\0")
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1003


@pytest.mark.parametrize("subprotocols", [None, [Subprotocol("stomp")]], ids=["none", "stomp"])
async def test_another_subprotocol_is_refused(
    server: BrokerServer, subprotocols: list[Subprotocol] | None
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(url(server), subprotocols=subprotocols)
    assert refused.value.response.status_code == 400
    assert b"subprotocol" in refused.value.response.body


@pytest.mark.parametrize(
    ("allowed", "origin", "status"),
    [
        ((), "http://127.0.0.1:8000", 403),
        ((), "https://evil.example", 403),
        ((), "null", 403),
        (("https://app.example",), "https://app.example", 101),
        (("https://app.example",), "https://evil.example", 403),
        (("*",), "https://evil.example", 101),
        (("*",), "null", 403),
        ((), "http://[", 403),
    ],
)
async def test_web_pages_of_others_and_of_other_ports_connect_only_where_they_are_let(
    allowed: tuple[str, ...], origin: str, status: int
) -> None:
    async with serving(ws_origins=allowed) as server:
        try:
            async with connect(url(server), subprotocols=AMQP, origin=Origin(origin)) as socket:
                await begun(socket)
                got = 101
        except InvalidStatus as refused:
            got = refused.response.status_code
    assert got == status


UPGRADE = (
    b"GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: amqp\r\n"
)


@pytest.mark.parametrize(
    "headers",
    [
        b"Host: evil.example\r\nOrigin: http://evil.example\r\n",
        b"Host: evil.example\r\n",
        b"Origin: null\r\n",
        b"Host: 127.0.0.1\r\nHost: evil.example\r\n",
        b"Host: [\r\n",
        b"Host: 127.0.0.1\r\nOrigin: http://[\r\n",
    ],
)
async def test_a_request_to_an_unknown_host_or_with_a_malformed_one_is_refused_without_a_trace(
    server: BrokerServer, headers: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.ws_port)
    writer.write(UPGRADE + headers + b"\r\n")
    async with asyncio.timeout(120):
        answer = await reader.read()
    writer.close()
    assert answer.split()[1] == b"403"
    assert names(caplog) == ["connection.refused"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"426"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", b"405"),
        (b"AMQP\x00\x01\x00\x00\r\n\r\n", b"400"),
        (b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\n\r\n", b"414"),
    ],
    ids=["no upgrade", "no GET", "AMQP", "too long"],
)
async def test_what_is_no_upgrade_is_answered_in_http_and_left(
    server: BrokerServer, said: bytes, status: bytes
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.ws_port)
    writer.write(said)
    async with asyncio.timeout(120):
        answer = await reader.read()
    writer.close()
    assert answer.split()[1] == status


async def test_a_peer_that_does_not_finish_its_request_is_left() -> None:
    async with serving(open_timeout_ms=50) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.ws_port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        async with asyncio.timeout(120):
            assert await reader.read() == b""
        writer.close()


async def test_a_websocket_may_be_encrypted(tmp_path: Path) -> None:
    authority = trustme.CA()
    pem = tmp_path / "broker.pem"
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(pem)
    context = ssl.create_default_context()
    authority.configure_trust(context)
    async with serving(tls_certificate=pem, tls_port=0, wss_port=0) as server:
        address = f"wss://localhost:{server.wss_port}/"
        async with connect(address, subprotocols=AMQP, ssl=context) as socket:
            await begun(socket)


ASKED = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: amqp\r\n\r\n"
)
BEGUN_FRAME = b"\x82\xff" + (500_000).to_bytes(8, "big") + bytes(4) + bytes(60_000)
"""A masked binary message of which a part has come."""


async def begin_frame(port: int, said: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(ASKED)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(said + BEGUN_FRAME)
    return reader, writer


def logged_in() -> bytes:
    """A masked message that opens AMQP as nobody."""
    engine = Connection(Role.CLIENT, ConnectionOptions("web"), 0)
    engine.open()
    opening = engine.data_to_send()
    assert len(opening) < 126
    return bytes((0x82, 0x80 | len(opening))) + bytes(4) + opening


async def test_a_peer_that_has_not_logged_in_has_little_memory_and_is_told_so(server: BrokerServer) -> None:
    reader, writer = await begin_frame(server.ws_port, b"")
    answer = await reader.read()
    assert (1009).to_bytes(2, "big") in answer
    assert b"log in first" in answer
    assert server.broker.memory.used_bytes <= 30 * 1024
    writer.close()


async def test_a_head_that_is_too_long_is_refused_before_it_is_whole(server: BrokerServer) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.ws_port)
    writer.write(ASKED.removesuffix(b"\r\n") + b"X-A: " + b"x" * 1000 + (b"\r\nX-A: " + b"x" * 1000) * 20)
    async with asyncio.timeout(120):
        assert (await reader.read()).split()[1] == b"431"
    writer.close()


async def test_a_frame_that_has_not_arrived_whole_counts_as_memory_until_its_peer_is_gone(
    server: BrokerServer,
) -> None:
    reader, writer = await begin_frame(server.ws_port, logged_in())
    await until(lambda: server.broker.memory.used_bytes >= 60_000)
    writer.close()
    await until(lambda: server.broker.memory.used_bytes == 0)
    await reader.read()


async def test_a_frame_for_which_there_is_no_memory_closes_its_connection(server: BrokerServer) -> None:
    server.broker.memory.limit_bytes = 50_000
    reader, writer = await begin_frame(server.ws_port, logged_in())
    assert b"memory" in await reader.read()
    writer.close()
    await until(lambda: server.broker.memory.used_bytes == 0)


REQUEST = (
    "GET / HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: {}\r\n\r\n"
)


@pytest.mark.parametrize(
    "said",
    [
        b"AMQP\x00\x01\x00\x00\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        REQUEST.format("localhost", "chat").encode(),
        REQUEST.format("evil.example", "amqp").encode(),
        REQUEST.format("localhost", "amqp").encode(),
        REQUEST.format("localhost", "amqp").encode() + b"\xff" * 100,
    ],
    ids=["no HTTP", "half", "no upgrade", "no subprotocol", "another host", "connected", "no frames"],
)
async def test_a_connection_that_has_gone_is_freed_at_once(server: BrokerServer, said: bytes) -> None:
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.ws_port)
            writer.write(said)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.1):
                    await reader.read()
            writer.transport.abort()
        await until(lambda: not any(isinstance(each, OF_A_PEER) for each in gc.get_objects()))
    finally:
        gc.enable()


OF_A_PEER = (ServerProtocol, WebSocketConnection)
