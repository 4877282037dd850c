"""lastvalue.server.tls_handshakes: so many at a time, and none for a silent peer."""

import asyncio
import gc
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trustme
from waiting import until

from lastvalue.client import connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions

HEAD = b"\x16\x03\x01\x02\x00"
"""The head of a record of 512 bytes."""


def client_hello() -> bytes:
    """The first record of a client, which is whole."""
    sent = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), sent, server_hostname="localhost")
    with suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return sent.read()


BEGUN = client_hello()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def context(authority: trustme.CA) -> ssl.SSLContext:
    made = ssl.create_default_context()
    authority.configure_trust(made)
    return made


@asynccontextmanager
async def serving(authority: trustme.CA, directory: Path, **options: Any) -> AsyncIterator[BrokerServer]:
    pem = directory / "broker.pem"
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(pem)
    settings = ServerOptions(port=0, tls_port=0, tls_certificate=pem, **options)
    async with asyncio.timeout(60), BrokerServer(settings) as server:
        yield server


class StuckPeer:
    """A peer that sends so much and then nothing."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def dropped(self) -> None:
        """Wait until the broker has closed the connection."""
        with suppress(ConnectionResetError):
            await self._reader.read()

    def leave(self) -> None:
        self._writer.close()


async def peers(server: BrokerServer, number: int, first: bytes = b"") -> list[StuckPeer]:
    made = []
    for _ in range(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.tls_port)
        writer.write(first)
        made.append(StuckPeer(reader, writer))
    return made


def left(made: list[StuckPeer]) -> None:
    for peer in made:
        peer.leave()


async def test_silent_peers_count_as_connections_and_take_no_place(
    authority: trustme.CA, context: ssl.SSLContext, tmp_path: Path
) -> None:
    async with serving(authority, tmp_path, tls_handshakes=1, max_connections=6) as server:
        silent = [*await peers(server, 2), *await peers(server, 3, HEAD)]
        await until(lambda: server.connections == 5)
        async with connect(f"amqps://localhost:{server.tls_port}", tls=context) as connection:
            assert await connection.queues() == []
            (beyond,) = await peers(server, 1)
            await beyond.dropped()
        left([*silent, beyond])
        await until(lambda: server.connections == 0)


async def test_a_handshake_that_does_not_go_on_gives_way_to_one_that_waits(
    authority: trustme.CA, context: ssl.SSLContext, tmp_path: Path
) -> None:
    async with serving(authority, tmp_path, tls_handshakes=2, tls_handshake_timeout_ms=50_000) as server:
        stuck = await peers(server, 2, BEGUN)
        await until(lambda: server.connections == 2)
        async with connect(f"amqps://localhost:{server.tls_port}", tls=context):
            await stuck[0].dropped()
        left(stuck)


@pytest.mark.parametrize("first", [b"", HEAD, HEAD + bytes(512), BEGUN], ids=len)
async def test_a_peer_whose_handshake_takes_too_long_is_dropped(
    authority: trustme.CA, tmp_path: Path, first: bytes
) -> None:
    async with serving(authority, tmp_path, tls_handshake_timeout_ms=100) as server:
        (slow,) = await peers(server, 1, first)
        await slow.dropped()
        await until(lambda: server.connections == 0)
        left([slow])


@pytest.mark.parametrize("first", [b"AMQP\x00\x01\x00\x00", b"GET / HTTP/1.1\r\n\r\n"])
async def test_a_peer_that_speaks_no_tls_is_dropped(
    authority: trustme.CA, tmp_path: Path, first: bytes
) -> None:
    async with serving(authority, tmp_path) as server:
        (plain,) = await peers(server, 1, first)
        await plain.dropped()
        await until(lambda: server.connections == 0)
        left([plain])


@pytest.mark.parametrize("first", [b"", HEAD, BEGUN], ids=len)
async def test_unfinished_handshakes_end_with_the_broker(
    authority: trustme.CA, tmp_path: Path, first: bytes
) -> None:
    async with serving(authority, tmp_path) as server:
        made = await peers(server, 3, first)
        await until(lambda: server.connections == 3)
    for peer in made:
        await peer.dropped()
    assert server.connections == 0
    left(made)


async def test_a_peer_waits_for_one_handshake_of_another_address_not_for_all_that_wait_there(
    authority: trustme.CA, context: ssl.SSLContext, tmp_path: Path
) -> None:
    async with serving(authority, tmp_path, tls_handshakes=1, tls_handshake_timeout_ms=50_000) as server:
        stuck = await peers(server, 6, BEGUN)
        await until(lambda: server.connections == 6)
        _, writer = await asyncio.open_connection(
            "localhost", server.tls_port, ssl=context, local_addr=("127.0.0.2", 0)
        )
        assert server.connections >= 5
        writer.close()
        left(stuck)


async def of_no_sense(server: BrokerServer, context: ssl.SSLContext) -> None:
    del context
    for peer in await peers(server, 3, b"\x16\x03\x01\x00\x10" + bytes(16)):
        await peer.dropped()
        peer.leave()


async def that_trust_nobody(server: BrokerServer, context: ssl.SSLContext) -> None:
    del context
    for _ in range(3):
        with pytest.raises(ssl.SSLError):
            await asyncio.open_connection("localhost", server.tls_port, ssl=ssl.create_default_context())


async def that_vanish(server: BrokerServer, context: ssl.SSLContext) -> None:
    del context
    for _ in range(3):
        reader, writer = await asyncio.open_connection("localhost", server.tls_port)
        writer.write(BEGUN)
        assert await reader.read(1)
        writer.transport.abort()


async def that_take_too_long(server: BrokerServer, context: ssl.SSLContext) -> None:
    del context
    made = await peers(server, 3, BEGUN)
    for peer in made:
        await peer.dropped()
    left(made)


async def that_succeed(server: BrokerServer, context: ssl.SSLContext) -> None:
    for _ in range(3):
        _, writer = await asyncio.open_connection("localhost", server.tls_port, ssl=context)
        writer.close()


@pytest.mark.parametrize(
    "come_and_go", [of_no_sense, that_trust_nobody, that_vanish, that_take_too_long, that_succeed]
)
async def test_what_a_handshake_took_is_free_when_its_connection_has_gone(
    authority: trustme.CA,
    context: ssl.SSLContext,
    tmp_path: Path,
    come_and_go: Callable[[BrokerServer, ssl.SSLContext], Awaitable[None]],
) -> None:
    async with serving(authority, tmp_path, tls_handshake_timeout_ms=300) as server:
        gc.collect()
        gc.disable()
        try:
            await come_and_go(server, context)
            await until(lambda: server.connections == 0 and not any(map(is_server_side, gc.get_objects())))
        finally:
            gc.enable()


def is_server_side(each: object) -> bool:
    return isinstance(each, ssl.SSLObject) and each.server_side
