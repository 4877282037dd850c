"""lastvalue.http.bounded_protocol: what a peer may cost before a request of it is served, over sockets."""

import asyncio
import logging
import socket
import threading
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest
import uvicorn

from lastvalue.client import Connection
from lastvalue.gateway import gateway_server
from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http import bounded_protocol
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.model.admission import CONNECTIONS_OF_ADDRESS, FIRST_BYTES, IDLE_MS, OPENING_MS

ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection may wait for its next request for no time."""
    monkeypatch.setattr(gateway_server, "IDLE_MS", replace(IDLE_MS, most=0))


@pytest.fixture
async def gateway() -> AsyncIterator[GatewayServer]:
    server = GatewayServer(GatewaySettings(url="amqp://127.0.0.1:1", port=0))
    serving = asyncio.create_task(server.serve())
    async with httpx.AsyncClient(timeout=120) as client:
        assert (await client.get(f"{server.url}/healthz", timeout=60)).status_code == 200
    yield server
    server.stop()
    await serving


async def answer_to(gateway: GatewayServer, said: bytes) -> bytes:
    """What comes until the gateway closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.write(said)
    async with asyncio.timeout(60):
        answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize("said", [b"", b"GET /healthz HTTP/1.1\r\nHost: loc", ASKED + b"GET /he"])
async def test_a_peer_that_sends_no_whole_head_in_time_is_left(
    gateway: GatewayServer, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_protocol, "OPENING_MS", replace(OPENING_MS, most=100))
    await answer_to(gateway, said)


@pytest.mark.usefixtures("idle")
async def test_a_peer_that_sends_no_next_request_in_time_is_left(gateway: GatewayServer) -> None:
    assert (await answer_to(gateway, ASKED)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("before", [b"", ASKED], ids=["first", "second"])
async def test_a_head_that_is_too_long_is_refused_before_it_is_whole(
    gateway: GatewayServer, before: bytes
) -> None:
    answer = await answer_to(gateway, before + ASKED[:-2] + b"X: " + b"x" * 3 * FIRST_BYTES.most)
    assert b"HTTP/1.1 431 " in answer


async def test_a_large_head_that_comes_at_once_is_refused(gateway: GatewayServer) -> None:
    head = ASKED[:-2] + (b"X: " + b"x" * 1000 + b"\r\n") * 60
    assert b"HTTP/1.1 431 " in await answer_to(gateway, head + b"\r\n")


async def test_what_a_peer_does_wrong_is_no_warning(
    gateway: GatewayServer, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await answer_to(gateway, b"\x16\x03\x01" + bytes(40) + b"\r\n\r\n")).startswith(b"HTTP/1.1 400 ")
    assert [each for each in caplog.records if each.levelno > logging.DEBUG] == []


async def test_one_address_has_a_bounded_number_of_connections(
    gateway: GatewayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_protocol, "CONNECTIONS_OF_ADDRESS", replace(CONNECTIONS_OF_ADDRESS, most=2))
    kept = [await asyncio.open_connection("127.0.0.1", gateway.port) for _ in range(2)]
    for reader, writer in kept:
        writer.write(ASKED)
        assert (await reader.readline()).split()[1] == b"200"
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    kept.append((reader, writer))
    async with asyncio.timeout(60):
        [dropped] = await asyncio.gather(reader.read(), return_exceptions=True)
    assert dropped == b"" or isinstance(dropped, ConnectionError)
    for _, writer in kept:
        writer.close()


UPGRADE = (
    b"GET /queues/q/follow HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
POST = (
    b"POST /queues/q/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: %b\r\nContent-Length: 99\r\n\r\n{"
)


@pytest.mark.parametrize(
    ("asked", "then"),
    [
        (b"GET /queues/q/follow HTTP/1.1\r\nHost: localhost\r\n\r\n", b""),
        (POST % b"application/json", b""),
        (POST % b"text/plain", b""),
        (UPGRADE, b""),
        (UPGRADE.replace(b"/q/", b"/missing/"), b""),
        (UPGRADE.replace(b"\r\nUp", b"\r\nOrigin: http://elsewhere\r\nUp"), b""),
        (UPGRADE, b"\x82\x81" + bytes(5)),
        (UPGRADE, b"\x81\x81" + bytes(4) + b"\xff"),
        (UPGRADE, b"\x81\x01x"),
        (UPGRADE, b"\x8f\x80" + bytes(4)),
        (UPGRADE, b"\xf1\x80" + bytes(4)),
        (UPGRADE, b"\x81\xfe\x20\x00" + bytes(4 + 0x2000)),
        (UPGRADE, b"\x88\x82" + bytes(4) + b"\x00\x01"),
        (UPGRADE, b"\x81\xfe\x01\x00" + bytes(9)),
    ],
    ids=[
        "events", "json", "text", "upgrade", "no queue", "another site", "binary", "no UTF-8", "unmasked",
        "no opcode", "reserved bits", "large", "no close code", "part",
    ],
)  # fmt: skip
async def test_who_goes_away_or_sends_odd_frames_leaves_no_trace_in_the_log(
    connection: Connection, url: str, asked: bytes, then: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    await connection.declare("q")
    server = GatewayServer(GatewaySettings(url=url, port=0))
    serving = asyncio.create_task(server.serve())
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(asked)
    if not asked.startswith(b"POST"):
        await reader.readuntil(b"\r\n\r\n")
    writer.write(then)
    # Whatever it was, the gateway has taken it when it answers another one.
    async with httpx.AsyncClient(timeout=120) as client:
        assert (await client.get(f"{server.url}/queues/q", timeout=60)).status_code == 200
    writer.transport.abort()
    server.stop()
    await serving
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    "asked",
    [
        POST % b"application/json",
        POST % b"text/plain",
        b"GET /queues/q/follow HTTP/1.1\r\nHost: localhost\r\n\r\n",
        UPGRADE,
    ],
    ids=["json", "text", "events", "upgrade"],
)
async def test_a_request_that_does_not_end_before_the_gateway_leaves_no_trace_in_the_log(
    connection: Connection,
    url: str,
    asked: bytes,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await connection.declare("q")
    monkeypatch.setattr(gateway_server, "STOP_WITHIN_S", 0)
    server = GatewayServer(GatewaySettings(url=url, port=0))
    serving = asyncio.create_task(server.serve())
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(asked)
    if not asked.startswith(b"POST"):
        await reader.readuntil(b"\r\n\r\n")
    # Whatever it was, the gateway has begun it when it answers another one.
    async with httpx.AsyncClient(timeout=120) as client:
        assert (await client.get(f"{server.url}/queues/q", timeout=60)).status_code == 200
    server.stop()
    await serving
    writer.close()
    told = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert [each.getMessage() for each in told if "Cancel" not in each.getMessage()] == []
    assert [each for each in told if each.exc_info] == []


async def test_a_stream_that_ends_before_its_connection_does_leaves_no_trace_in_the_log(
    connection: Connection, url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streams look themselves whether the gateway ends."""
    await connection.declare("q")
    # The library has one watcher for a thread; it may be in the loop of another test, which stands still.
    monkeypatch.setattr("sse_starlette.sse._thread_state", threading.local())
    server = GatewayServer(GatewaySettings(url=url, port=0))
    shut_down = uvicorn.Server.shutdown

    async def late(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        await reader.read()
        await shut_down(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "shutdown", late)
    serving = asyncio.create_task(server.serve())
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /queues/q/follow HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    server.stop()
    await serving
    writer.close()
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING] == []
