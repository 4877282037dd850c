"""A gateway that listens."""

import asyncio
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from lastvalue.client import Connection, Message
from lastvalue.http.gateway_server import GatewayPortError, GatewayServer, GatewayThread
from lastvalue.http.gateway_settings import GatewaySettings

UPDATES = 500
MOST_WAITING_BYTES = 128 * 1024


def test_a_gateway_in_a_thread_serves_until_the_end_of_the_block() -> None:
    settings = GatewaySettings(url="amqp://127.0.0.1:1", port=0)
    with GatewayThread(settings) as thread:
        answer = httpx.get(f"{thread.url}/healthz", timeout=30)
        assert (answer.status_code, "server" in answer.headers) == (200, False)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{thread.url}/healthz", timeout=30)


async def test_a_gateway_serves_until_it_is_stopped(url: str) -> None:
    server = GatewayServer(GatewaySettings(url=url, port=0))
    serving = asyncio.create_task(server.serve())
    async with httpx.AsyncClient() as client:
        assert (await client.get(f"{server.url}/readyz", timeout=30)).status_code == 200
    server.stop()
    await asyncio.wait_for(serving, 30)


def test_a_port_that_is_taken_is_said() -> None:
    first = GatewayServer(GatewaySettings(url="amqp://127.0.0.1:1", port=0))
    with pytest.raises(GatewayPortError, match="is taken"):
        GatewayServer(GatewaySettings(url="amqp://127.0.0.1:1", port=first.port))
    first.close()


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "http://127.0.0.1:"), ("::1", "http://[::1]:")])
def test_the_url_is_one_that_a_caller_can_use(host: str, shown: str) -> None:
    with GatewayThread(GatewaySettings(url="amqp://127.0.0.1:1", host=host, port=0)) as thread:
        assert thread.url.startswith(shown)


async def test_little_waits_for_a_follower_that_does_not_read_and_then_it_gets_the_newest_value(
    url: str, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    loop = asyncio.get_running_loop()
    with (
        GatewayThread(GatewaySettings(url=url, port=0)) as gateway,
        socket.socket() as follower,
    ):
        follower.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
        follower.setblocking(False)
        parts = urlsplit(gateway.url)
        await loop.sock_connect(follower, (parts.hostname, parts.port))
        asking = f"GET /queues/prices/follow HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n"
        await loop.sock_sendall(follower, asking.encode())
        assert b"snapshot-end" in await read_to(follower, b"snapshot-end")
        for number in range(UPDATES):
            await prices.send(Message(f"{number:06}" + "x" * 4000, {"symbol": "A"}))
        read = await read_to(follower, f'"{UPDATES - 1:06}x'.encode())
    # What a socket takes without a bound is all of it.
    assert len(read) < MOST_WAITING_BYTES < UPDATES * 4000 // 4


async def read_to(follower: socket.socket, text: bytes) -> bytes:
    read = b""
    async with asyncio.timeout(60):
        while text not in read:
            read += await asyncio.get_running_loop().sock_recv(follower, 1 << 16)
    return read
