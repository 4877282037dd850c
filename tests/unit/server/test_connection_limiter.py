"""lastvalue.server.connection_limiter."""

import asyncio
import itertools
import logging
from pathlib import Path

import pika
import pytest
from logged_events import logged

from lastvalue.client import connect
from lastvalue.client.errors import AuthenticationError
from lastvalue.codec.amqp010.command_layouts import (
    CONNECTION_OPEN,
    CONNECTION_OPEN_OK,
    CONNECTION_START_OK,
    CONNECTION_TUNE_OK,
    CONTROLS,
)
from lastvalue.codec.amqp010.decoder import decode_record
from lastvalue.codec.amqp010.encoder import encode_fields
from lastvalue.codec.amqp010.frames import (
    CONTROL,
    FIRST_SEGMENT,
    LAST_SEGMENT,
    PROTOCOL_HEADER,
    FrameReader,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Layout, Record
from lastvalue.model.errors import LastvalueError
from lastvalue.server import listener
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.connection_limiter import ConnectionLimiter, ConnectionSlot
from lastvalue.server.connection_log import PeerAddress
from lastvalue.server.users import Users


def test_an_address_comes_as_often_as_the_rate_and_again_after_a_while() -> None:
    limiter = ConnectionLimiter(0, rate=10)
    assert [limiter.admits("a", 0, 0) for _ in range(12)] == [True] * 10 + [False] * 2
    assert limiter.admits("b", 0, 0)
    assert [limiter.admits("a", 0, 200) for _ in range(3)] == [True, True, False]
    assert [limiter.admits("a", 0, 60_000) for _ in range(11)] == [True] * 10 + [False]


def test_who_comes_too_often_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    limiter = ConnectionLimiter(0, rate=1)
    with caplog.at_level(logging.WARNING):
        assert [limiter.admits("10.0.0.1", 0, 0) for _ in range(100)].count(True) == 1
    cause = "more than 1 new connections a second"
    assert logged(caplog) == [("connection.dropped", {"peer": "10.0.0.1", "cause": cause})]


def test_the_newest_beyond_the_limit_are_refused_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    limiter = ConnectionLimiter(most=3)
    assert [limiter.admits("a", number, 0) for number in (0, 2, 3, 4, 3)] == [True, True, False, False, False]
    assert logged(caplog) == [("connection.dropped", {"peer": "a", "cause": "there are 3 connections"})]
    assert limiter.admits("a", 2, 0)


def test_without_a_rate_anybody_comes_as_often_as_they_like() -> None:
    limiter = ConnectionLimiter(0, rate=0)
    assert all(limiter.admits("a", 0, 0) for _ in range(1000))


async def test_a_user_has_so_many_connections_and_another_one_when_one_has_ended() -> None:
    options = ServerOptions(port=0, users={"alice": "a", "bob": "b"}, max_connections_per_user=2)
    async with BrokerServer(options) as server:
        alice, bob = (f"amqp://{user}@127.0.0.1:{server.port}" for user in ("alice:a", "bob:b"))
        async with connect(alice):
            async with connect(alice):
                with pytest.raises(LastvalueError, match="user 'alice' has 2 connections"):
                    await connect(alice).open()
                async with connect(bob):
                    pass
            async with connect(alice):
                pass


async def closed_010(port: int, opened: asyncio.Event | None = None) -> str:
    """Why a connection of alice's by AMQP 0-10 was closed, which waits for that."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(PROTOCOL_HEADER)
    said: tuple[tuple[Layout, dict[str, object]], ...] = (
        (CONNECTION_START_OK, {"mechanism": "PLAIN", "response": b"\0alice\0a", "locale": "en_US"}),
        (CONNECTION_TUNE_OK, {"channel_max": 10, "max_frame_size": 65535}),
        (CONNECTION_OPEN, {"virtual_host": "/"}),
    )
    for layout, fields in said:
        payload = layout.code.to_bytes(2, "big") + encode_fields(Record(layout, fields))
        writer.write(encode_segment(FIRST_SEGMENT | LAST_SEGMENT, CONTROL, 0, payload, 65535))
    assert await reader.readexactly(8) == PROTOCOL_HEADER
    frames = FrameReader(65535)
    try:
        while True:
            frames.feed(await reader.read(65535))
            while (frame := frames.next()) is not None:
                layout = CONTROLS[int.from_bytes(frame.payload[:2], "big")]
                if layout is CONNECTION_OPEN_OK and opened is not None:
                    opened.set()
                if layout.name == "connection.close":
                    return decode_record(frame.payload, 2, len(frame.payload), layout)[0].text("reply_text")
    finally:
        writer.close()
        await writer.wait_closed()


async def test_connections_of_every_protocol_are_counted_together() -> None:
    refused = "user 'alice' has 2 connections, and may have no more; close one"
    options = ServerOptions(port=0, users={"alice": "a"}, max_connections_per_user=2)
    async with BrokerServer(options) as server, asyncio.TaskGroup() as tasks:
        url = f"amqp://alice:a@127.0.0.1:{server.port}"
        by_091 = pika.URLParameters(f"{url}/%2F")
        first = await asyncio.to_thread(pika.BlockingConnection, by_091)
        opened = asyncio.Event()
        second = tasks.create_task(closed_010(server.port, opened))
        await opened.wait()
        assert await closed_010(server.port) == refused
        with pytest.raises(pika.exceptions.ProbableAccessDeniedError, match=refused):
            await asyncio.to_thread(pika.BlockingConnection, by_091)
        with pytest.raises(LastvalueError, match=refused):
            await connect(url).open()
        await asyncio.to_thread(first.close)
        async with connect(url):
            assert await closed_010(server.port) == refused
        second.cancel()


async def test_connections_beyond_the_rate_are_dropped() -> None:
    async with BrokerServer(ServerOptions(port=0, connection_rate=1)) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url) as first:
            with pytest.raises(LastvalueError):
                await connect(url).open()
            assert await first.queues() == []


@pytest.fixture
def peers_of_one_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every connection comes from another address of one network of IPv6."""
    addresses = (PeerAddress(f"2001:db8::{number:x}", 1) for number in itertools.count(1))
    monkeypatch.setattr(listener, "PeerAddress", lambda host, port: next(addresses))


@pytest.mark.usefixtures("peers_of_one_network")
async def test_the_addresses_of_a_network_share_its_rate() -> None:
    async with BrokerServer(ServerOptions(port=0, connection_rate=1)) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url):
            with pytest.raises(LastvalueError):
                await connect(url).open()


@pytest.mark.usefixtures("peers_of_one_network")
async def test_the_addresses_of_a_network_share_its_wrong_passwords(tmp_path: Path) -> None:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "right", ("all *",))
    options = ServerOptions(
        port=0, users_file=tmp_path / "users.toml", anonymous=False, wrong_passwords_per_address=2
    )
    async with BrokerServer(options) as server:
        for name in ("bob", "carol"):
            with pytest.raises(AuthenticationError):
                await connect(f"amqp://{name}:wrong@127.0.0.1:{server.port}").open()
        with pytest.raises(AuthenticationError):
            await connect(f"amqp://ann:right@127.0.0.1:{server.port}").open()


def test_a_connection_that_becomes_another_users_counts_for_that_one_alone() -> None:
    limiter = ConnectionLimiter(per_user=1)
    first, second = ConnectionSlot(limiter), ConnectionSlot(limiter)
    assert first.enter("anonymous") is None
    assert first.enter("ann") is None
    assert first.enter("ann") is None
    assert second.enter("anonymous") is None
    assert second.enter("ann") == "user 'ann' has 1 connections, and may have no more; close one"
    assert ConnectionSlot(limiter).enter("anonymous") is not None
    first.leave()
    assert second.enter("ann") is None
    assert ConnectionSlot(limiter).enter("anonymous") is None
