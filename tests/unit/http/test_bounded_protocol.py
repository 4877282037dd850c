"""lastvalue.http.bounded_protocol: what a peer may cost before a request of it is served, over sockets."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest

from lastvalue.http import bounded_protocol
from lastvalue.http.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.model.admission import CONNECTIONS_OF_ADDRESS, FIRST_BYTES, OPENING_MS

ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
async def server() -> AsyncIterator[GatewayServer]:
    server = GatewayServer(GatewaySettings(url="amqp://127.0.0.1:1", port=0))
    serving = asyncio.create_task(server.serve())
    async with httpx.AsyncClient() as client:
        assert (await client.get(f"{server.url}/healthz", timeout=60)).status_code == 200
    yield server
    server.stop()
    await serving


async def answer_to(server: GatewayServer, said: bytes) -> bytes:
    """What comes until the gateway closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(said)
    async with asyncio.timeout(60):
        answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize("said", [b"", b"GET /healthz HTTP/1.1\r\nHost: loc", ASKED + b"GET /he"])
async def test_a_peer_that_sends_no_whole_head_in_time_is_left(
    server: GatewayServer, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_protocol, "OPENING_MS", replace(OPENING_MS, most=100))
    await answer_to(server, said)


@pytest.mark.parametrize("before", [b"", ASKED], ids=["first", "second"])
async def test_a_head_that_is_too_long_is_refused_before_it_is_whole(
    server: GatewayServer, before: bytes
) -> None:
    answer = await answer_to(server, before + ASKED[:-2] + b"X: " + b"x" * 3 * FIRST_BYTES.most)
    assert b"HTTP/1.1 431 " in answer


async def test_a_large_head_that_comes_at_once_is_refused(server: GatewayServer) -> None:
    head = ASKED[:-2] + (b"X: " + b"x" * 1000 + b"\r\n") * 60
    assert b"HTTP/1.1 431 " in await answer_to(server, head + b"\r\n")


async def test_what_a_peer_does_wrong_is_no_warning(
    server: GatewayServer, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await answer_to(server, b"\x16\x03\x01" + bytes(40) + b"\r\n\r\n")).startswith(b"HTTP/1.1 400 ")
    assert [each for each in caplog.records if each.levelno > logging.DEBUG] == []


async def test_one_address_has_a_bounded_number_of_connections(
    server: GatewayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_protocol, "CONNECTIONS_OF_ADDRESS", replace(CONNECTIONS_OF_ADDRESS, most=2))
    kept = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(2)]
    for reader, writer in kept:
        writer.write(ASKED)
        assert (await reader.readline()).split()[1] == b"200"
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    kept.append((reader, writer))
    async with asyncio.timeout(60):
        [dropped] = await asyncio.gather(reader.read(), return_exceptions=True)
    assert dropped == b"" or isinstance(dropped, ConnectionError)
    for _, writer in kept:
        writer.close()
