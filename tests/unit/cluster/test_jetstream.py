import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from log_servers import LogServers
from nats.aio.client import Client
from nats.errors import NoRespondersError

from lastvalue.cluster import jetstream
from lastvalue.cluster.jetstream import JetStream, LogUnavailableError
from lastvalue.store.log_address import read_log_address
from lastvalue.store.log_settings import LogSettings

Told = tuple[int, int | None, int | None]


@asynccontextmanager
async def connected(settings: LogSettings, told: list[Told]) -> AsyncIterator[JetStream]:
    def answered(token: int, position: int | None, fault: LogUnavailableError | None) -> None:
        told.append((token, position, None if fault is None else fault.errno))

    stream = JetStream(settings, answered)
    await stream.connect()
    try:
        yield stream
    finally:
        await stream.close()


async def answers(told: list[Told], count: int) -> None:
    async with asyncio.timeout(120):
        while len(told) < count:
            await asyncio.to_thread(lambda: None)


async def test_a_message_is_stored_only_where_it_expects_to_be(log_address: str) -> None:
    told: list[Told] = []
    async with connected(LogSettings(read_log_address(log_address)), told) as stream:
        assert not await stream.exists()
        assert await stream.open_stream() == []
        assert await stream.exists()
        await stream.publish(1, 0, b"first")
        await stream.publish(2, 7, b"nowhere")
        await stream.publish(3, 1, b"second")
        await answers(told, 3)
        assert sorted(told) == [(1, 1, None), (2, None, None), (3, 2, None)]
        assert [each async for each in stream.read(1, 2)] == [(1, b"first"), (2, b"second")]
        await stream.trim(2)
        state = await stream.state()
        assert (state.first, state.last, await stream.message(1)) == (2, 2, None)
        await stream.delete(2)
        await stream.delete(2)
        assert await stream.message(2) is None


async def test_a_message_between_others_that_is_gone_is_deleted_again(log_address: str) -> None:
    told: list[Told] = []
    async with connected(LogSettings(read_log_address(log_address)), told) as stream:
        await stream.open_stream()
        for token in range(3):
            await stream.publish(token, token, b"x")
        await answers(told, 3)
        for _ in range(2):
            await stream.delete(2)
        assert [position async for position, _ in stream.read(1, 3)] == [1, 3]


async def test_a_stream_that_the_servers_do_not_know_yet_is_waited_for(log_address: str) -> None:
    settings = LogSettings(read_log_address(log_address))
    async with connected(settings, []) as early, connected(settings, []) as maker:
        with pytest.raises(LogUnavailableError, match=f"have no stream {settings.address.name}"):
            await early.state()
        asking = asyncio.create_task(early.patiently(early.state))
        await maker.open_stream()
        assert (await asking).last == 0


async def test_a_connection_that_the_servers_close_meanwhile_is_closed(
    log_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = Client.close

    async def refuse(client: Client) -> None:
        await close(client)
        raise RuntimeError("unable to perform operation; the handler is closed")

    async with connected(LogSettings(read_log_address(log_address)), []):
        monkeypatch.setattr(Client, "close", refuse)


async def test_servers_that_nobody_hears_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jetstream, "CONNECT_WITHIN_S", 1.0)
    stream = JetStream(LogSettings(read_log_address("nats://127.0.0.1:1/NAME")), lambda *_: None)
    with pytest.raises(
        LogUnavailableError, match=r"no server of nats://127\.0\.0\.1:1/NAME lets the broker in"
    ):
        await stream.connect()


async def test_monitors_tell_whether_servers_sync(log_servers: LogServers, log_address: str) -> None:
    known = LogSettings(read_log_address(log_address), monitors=tuple(log_servers.monitors()))
    async with connected(known, []) as stream:
        always = log_servers.servers[0].monitor("jsz?config=true").get("config", {}).get("sync_always")
        assert (await stream.sync_doubts() == []) is bool(always)
    deaf = LogSettings(read_log_address(log_address), monitors=("http://127.0.0.1:1",))
    async with connected(deaf, []) as stream:
        assert "does not tell" in (await stream.sync_doubts())[0]
    async with connected(LogSettings(read_log_address(log_address)), []) as stream:
        assert len(await stream.sync_doubts()) == 1


async def test_a_full_stream_says_so(log_address: str) -> None:
    told: list[Told] = []
    async with connected(LogSettings(read_log_address(log_address)), told) as stream:
        await stream.open_stream()
        info = await stream._client.jetstream().stream_info(log_address.rpartition("/")[2])
        await stream._client.jetstream().update_stream(info.config.evolve(max_bytes=1000))
        await stream.publish(1, 0, bytes(5000))
        await answers(told, 1)
        assert told == [(1, None, errno.ENOSPC)]
        assert (await stream.state()).limit_bytes == 1000


class CutOff:
    """A connection to a server that reaches none of the others."""

    def __init__(self) -> None:
        self.left = 0

    def jetstream(self) -> object:
        raise NoRespondersError

    async def force_reconnect(self) -> None:
        self.left += 1


async def test_a_server_that_does_not_reach_the_others_is_left_after_a_while(
    log_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(LogSettings(read_log_address(log_address)), []) as stream:
        await stream.open_stream()
        client, cut_off = stream._client, CutOff()
        monkeypatch.setattr(stream, "_client", cut_off)
        monkeypatch.setattr("lastvalue.cluster.jetstream.ELSEWHERE_S", 0.0)
        for left in (0, 1, 2):
            with pytest.raises(LogUnavailableError):
                await stream.state()
            assert cut_off.left == left
        monkeypatch.setattr(stream, "_client", client)
        await stream.state()
        monkeypatch.setattr(stream, "_client", cut_off)
        with pytest.raises(LogUnavailableError):
            await stream.state()
        assert cut_off.left == 2
        monkeypatch.setattr(stream, "_client", client)
