"""Connections that have not logged in: an address has a bounded number of them at the broker's doors."""

import asyncio
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme
from logged_events import logged

from lastvalue.client import connect
from lastvalue.model.admission import FIRST_BYTES, UNKNOWN_OF_ADDRESS
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.connection_limiter import ConnectionLimiter, ConnectionSlot

STRANGER = "127.0.0.2"
SMALL_MEMORY = 16_000_000
"""Its half, which is for unfinished work, is enough for what one address may have before the login."""

MORE_THAN_FIT = 600
"""What so many have before the login would not fit into that half."""

WAITING = b"\x00\x00\x3f\xf0\x02\x01\x00\x00" + bytes(FIRST_BYTES.most - 1000)
"""Nearly all of a frame that never comes whole."""

SASL = b"AMQP\x03\x01\x00\x00"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: amqp\r\n\r\n"
)
PART_OF_MESSAGE = b"\x82\xfe" + (FIRST_BYTES.most - 400).to_bytes(2, "big") + bytes(FIRST_BYTES.most - 1000)
AMQP_0_9_1 = b"AMQP\x00\x00\x09\x01"
PART_OF_FRAME = b"\x01\x00\x00" + (FIRST_BYTES.most - 400).to_bytes(4, "big") + bytes(FIRST_BYTES.most - 1000)

Peer = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Waiting:
    """A connection without a login."""

    def __init__(self, *, checking: bool = False) -> None:
        self.checking = checking
        self.cause = ""

    def give_way(self, cause: str) -> None:
        self.cause = cause


def added(
    limiter: ConnectionLimiter, address: str, *, checking: bool = False
) -> tuple[ConnectionSlot, Waiting]:
    slot, connection = ConnectionSlot(limiter, address), Waiting(checking=checking)
    slot.await_login(connection)
    return slot, connection


def test_the_oldest_of_an_address_gives_way() -> None:
    limiter = ConnectionLimiter(unknown=2)
    other = added(limiter, "b")[1]
    first, second, third, fourth = (added(limiter, "a")[1] for _ in range(4))
    cause = "a has more than 2 connections that have not logged in"
    assert [each.cause for each in (first, second, third, fourth, other)] == [cause, cause, "", "", ""]


def test_one_that_has_logged_in_or_ended_does_not_count() -> None:
    limiter = ConnectionLimiter(unknown=1)
    slot, known = added(limiter, "a")
    assert slot.enter("ann") is None
    slot.known()
    slot, ended = added(limiter, "a")
    slot.leave()
    last = added(limiter, "a")[1]
    assert [each.cause for each in (known, ended, last)] == ["", "", ""]


def test_one_whose_password_is_being_checked_is_spared_while_there_are_others() -> None:
    limiter = ConnectionLimiter(unknown=1)
    first = added(limiter, "a", checking=True)[1]
    newest = added(limiter, "a")[1]
    assert (first.cause == "", newest.cause == "") == (True, False)
    assert added(limiter, "a", checking=True)[1].cause == ""
    assert first.cause != ""


def test_without_a_limit_an_address_has_any_number() -> None:
    limiter = ConnectionLimiter()
    assert not any(added(limiter, "a")[1].cause for _ in range(1000))


@pytest.fixture
def descriptors() -> Iterator[None]:
    """Enough for both sides of the connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def stranger(port: int, first: bytes, then: bytes) -> Peer:
    """A peer that has said its first bytes, which the broker answers unless there are newer ones."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(STRANGER, 0))
    writer.write(first)
    if first:
        await asyncio.gather(reader.read(1), return_exceptions=True)
    writer.write(then)
    return reader, writer


@asynccontextmanager
async def strangers(port: int, first: bytes, then: bytes, number: int) -> AsyncIterator[list[Peer]]:
    made: list[Peer] = []
    try:
        made += [await stranger(port, first, then) for _ in range(number)]
        yield made
    finally:
        for _, writer in made:
            writer.transport.abort()


@pytest.mark.usefixtures("descriptors")
@pytest.mark.parametrize("number", [190, MORE_THAN_FIT])
@pytest.mark.parametrize(
    ("first", "then"),
    [(SASL, WAITING), (AMQP_0_9_1, PART_OF_FRAME), (UPGRADE, PART_OF_MESSAGE)],
    ids=["amqp 1.0", "amqp 0-9-1", "websocket"],
)
async def test_strangers_of_one_address_do_not_make_anothers_login_fail(
    first: bytes, then: bytes, number: int
) -> None:
    options = ServerOptions(port=0, ws_port=0, users={"ann": "right"}, memory_limit=SMALL_MEMORY)
    async with asyncio.timeout(120), BrokerServer(options) as server:
        port = server.ws_port if first == UPGRADE else server.port
        async with strangers(port, first, then, number):
            for _ in range(3):
                async with connect(f"amqp://ann:right@127.0.0.1:{server.port}") as connection:
                    assert await connection.queues() == []


async def test_who_has_logged_in_stays_while_others_of_the_address_do_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    options = ServerOptions(port=0, users={"ann": "right"}, max_unknown_per_address=2)
    async with asyncio.timeout(60), BrokerServer(options) as server:
        url = f"amqp://ann:right@127.0.0.1:{server.port}"
        async with connect(url) as connection:
            made = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await made[0][0].readexactly(1)
            async with connect(url):
                assert await connection.queues() == []
            refused = [fields["cause"] for name, fields in logged(caplog) if name == "connection.refused"]
        for _, writer in made:
            writer.close()
    assert refused == ["127.0.0.1 has more than 2 connections that have not logged in"] * 2


@pytest.mark.parametrize("first", [b"", b"\x16\x03\x01\x02\x00"], ids=["silent", "begun"])
async def test_peers_before_their_tls_handshake_count(tmp_path: Path, first: bytes) -> None:
    pem = tmp_path / "broker.pem"
    trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(pem)
    options = ServerOptions(
        port=0, tls_port=0, tls_certificate=pem, tls_handshake_timeout_ms=50_000, max_unknown_per_address=1
    )
    async with asyncio.timeout(60), BrokerServer(options) as server:
        (reader, writer), newest = [await stranger(server.tls_port, b"", first) for _ in range(2)]
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(1)
        assert not newest[0].at_eof()
        for each in (writer, newest[1]):
            each.close()


async def test_the_limit_can_change() -> None:
    async with asyncio.timeout(60), BrokerServer(ServerOptions(port=0)) as server:
        assert server.options.max_unknown_per_address == UNKNOWN_OF_ADDRESS.most
        server.settings.change(ServerOptions(port=0, max_unknown_per_address=1))
        (reader, writer), newest = [await stranger(server.port, b"", b"") for _ in range(2)]
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(1)
        for each in (writer, newest[1]):
            each.close()
