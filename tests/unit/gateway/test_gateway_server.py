"""A gateway that listens."""

import asyncio
import socket
from urllib.parse import urlsplit

import httpx
import pytest
from served_gateway import served_gateway

from lastvalue.client import Connection, Message
from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.gateway_socket import listen

UPDATES = 500
MOST_WAITING_BYTES = 128 * 1024


async def test_a_gateway_says_when_it_answers_and_serves_until_it_is_stopped(url: str) -> None:
    listening = listen(GatewaySettings(url=url, port=0))
    server = GatewayServer(GatewaySettings(url=url, port=0), listening)
    started = asyncio.Event()
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
        asking = asyncio.create_task(client.get("/healthz"))
        serving = asyncio.create_task(server.serve(started.set))
        await asyncio.wait_for(started.wait(), 120)
        answers = [await asking, await client.get("/readyz")]
        assert [(each.status_code, "server" in each.headers) for each in answers] == [(200, False)] * 2
        server.stop()
        await asyncio.wait_for(serving, 120)
        with pytest.raises(httpx.ConnectError):
            await client.get("/healthz")


async def test_little_waits_for_a_follower_that_does_not_read_and_then_it_gets_the_newest_value(
    url: str, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    loop = asyncio.get_running_loop()
    async with served_gateway(GatewaySettings(url=url, port=0)) as gateway:
        with socket.socket() as follower:
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
