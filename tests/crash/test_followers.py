"""A leader and a follower as processes of their own, over one replicated log."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import pytest
from broker_process import LEASE_MS, BrokerProcess, serving
from waiting import until, until_answer

from lastvalue.client import (
    ConnectFailedError,
    Connection,
    ConnectTimedOutError,
    Message,
    RefusedError,
    connect,
)
from lastvalue.client.wanted import Wanted, WatchOptions
from lastvalue.cluster.log_records import FORMAT_VERSION, Kind, LogRecord, encode_record

FAILOVERS = int(os.environ.get("LASTVALUE_FAILOVERS", "2"))
STARTS = int(os.environ.get("LASTVALUE_STARTS", "2"))
WITHIN_S = 300


@asynccontextmanager
async def leader_and_follower(address: str) -> AsyncIterator[tuple[BrokerProcess, BrokerProcess]]:
    async with serving(address, "--follow") as leader:
        await until_role(leader.url, "leader")
        async with serving(address, "--follow") as follower:
            await until_role(follower.url, "follower")
            yield leader, follower


async def cluster_state(url: str) -> dict[str, Any]:
    async with connect(url, reconnect=False) as connection:
        state = await connection.manage("READ", kind="cluster")
    assert isinstance(state, dict)
    return state


async def leads(url: str) -> bool:
    return bool((await cluster_state(url))["role"] == "leader")


async def until_role(url: str, role: str) -> dict[str, Any]:
    states: list[dict[str, Any]] = []

    async def has_it() -> bool:
        states.append(await cluster_state(url))
        return bool(states[-1]["role"] == role)

    await until_answer(has_it, limit_s=WITHIN_S)
    return states[-1]


async def one_leads(brokers: Sequence[BrokerProcess]) -> bool:
    roles = [(await cluster_state(each.url))["role"] for each in brokers]
    return sorted(roles) == ["follower"] * (len(brokers) - 1) + ["leader"]


async def until_depth(connection: Connection, name: str, depth: int) -> None:
    async def has_it() -> bool:
        return any((each.name, each.depth) == (name, depth) for each in await connection.queues())

    await until_answer(has_it, limit_s=WITHIN_S)


async def bodies(connection: Connection, name: str) -> list[object]:
    return [message.body async for message in connection.queue(name).browse()]


async def until_bodies(connection: Connection, name: str, wanted: list[object]) -> None:
    async def has_them() -> bool:
        return await bodies(connection, name) == wanted

    await until_answer(has_them, limit_s=WITHIN_S)


async def test_a_follower_shows_what_the_leader_has_and_sends_the_rest_there(log_address: str) -> None:
    async with leader_and_follower(log_address) as (leader, follower):
        async with connect(leader.url) as writing, connect(follower.url, reconnect=False) as reading:
            await writing.declare("q", durable=True)
            for body in ("one", "two"):
                await writing.queue("q").send(Message(body, durable=True))
            await until_depth(reading, "q", 2)
            assert await bodies(reading, "q") == ["one", "two"]
            with pytest.raises(RefusedError, match=r"cannot publish: ask 127\.0\.0\.1:"):
                await reading.queue("q").send(Message("three", durable=True))
            with pytest.raises(RefusedError, match="cannot declare a queue") as refused:
                await reading.declare("other")
            assert refused.value.symbol == "amqp:link:redirect"
        # A connection that reconnects goes there by itself.
        async with connect(follower.url) as sent_on:
            await sent_on.queue("q").send(Message("three", durable=True))
            await sent_on.declare("other", durable=True)
            assert await bodies(sent_on, "q") == ["one", "two", "three"]
        state = await cluster_state(leader.url)
        assert state["term"] == 1


async def test_of_brokers_that_start_at_once_on_an_empty_log_one_leads_and_the_others_follow(
    log_address: str,
) -> None:
    for round_ in range(STARTS):
        async with AsyncExitStack() as stack:
            starting = [serving(f"{log_address}{round_}", "--follow") for _ in range(3)]
            brokers = await asyncio.gather(*map(stack.enter_async_context, starting))
            assert all(each.url for each in brokers), [await each.ended() for each in brokers if not each.url]
            await until_answer(partial(one_leads, brokers), limit_s=WITHIN_S)


async def test_a_reader_that_resumes_goes_on_at_the_follower(log_address: str) -> None:
    async with (
        leader_and_follower(log_address) as (leader, follower),
        connect(leader.url) as writing,
        connect(follower.url) as reading,
    ):
        await writing.declare("q", durable=True, lvq_key="k", tombstone_ms=60_000)
        for key in ("a", "b"):
            await writing.queue("q").send(Message(key, properties={"k": key}, durable=True))
        asked = Wanted(watch=WatchOptions(removals=True, snapshot=True))
        token = None
        async for message in writing.queue("q").browse(wanted=asked, follow=True):
            token = message.token or token
            if message.snapshot == "fresh":
                break
        assert token is not None
        await writing.queue("q").delete("a")
        await writing.queue("q").send(Message("new", properties={"k": "b"}, durable=True))
        await until_bodies(reading, "q", ["new"])
        asked = Wanted(watch=WatchOptions(removals=True, snapshot=True, token=token))
        told: list[object] = []
        async for message in reading.queue("q").browse(wanted=asked, follow=True):
            told.append(message.snapshot or message.removed or message.body)
            if message.snapshot is not None:
                break
        assert told[-1] == "resumed"
        assert "new" in told
        assert len(told) == 3


async def test_the_one_that_slept_past_its_lease_ends_before_it_serves_again(log_address: str) -> None:
    async with leader_and_follower(log_address) as (leader, follower):
        async with connect(leader.url) as writing:
            await writing.declare("q", durable=True)
        leader.signal(signal.SIGSTOP)
        assert (await until_role(follower.url, "leader"))["term"] == 2
        async with connect(follower.url) as writing:
            await writing.queue("q").send(Message("x", durable=True))
        leader.signal(signal.SIGCONT)
        code, told = await leader.ended()
        assert code == 1
        assert "another broker has taken over the log" in told


async def test_a_follower_that_a_later_version_has_overtaken_waits_and_says_what_would_be_right(
    log_address: str,
) -> None:
    servers, _, stream = log_address.removeprefix("nats://").rpartition("/")
    later = bytearray(encode_record(LogRecord(Kind.TERM, 9, 9, 1, LEASE_MS)))
    later[4] = FORMAT_VERSION + 1
    async with leader_and_follower(log_address) as (_, follower):
        nats = pytest.importorskip("nats")
        client = await nats.connect([f"nats://{each}" for each in servers.split(",")])
        await client.jetstream().publish(f"lastvalue.{stream}", bytes(later))
        await client.close()
        await until_answer(lambda: is_refused(follower.url), limit_s=WITHIN_S)
        # Another start would not help: it stays, and can be stopped.
        assert follower.process.returncode is None
        follower.signal(signal.SIGTERM)
        code, told = await follower.ended()
    assert code == 0
    assert "store.newer" in told
    assert f"has the format {FORMAT_VERSION + 1}; this lastvalue reads formats up to {FORMAT_VERSION}" in told
    assert "store.led" not in told


async def is_refused(url: str) -> bool:
    try:
        async with connect(url, reconnect=False):
            return False
    except (ConnectFailedError, ConnectTimedOutError):
        return True


async def test_a_leader_that_steps_down_is_followed_at_once(log_address: str) -> None:
    async with leader_and_follower(log_address) as (leader, follower):
        async with connect([leader.url, follower.url]) as writing:
            await writing.declare("q", durable=True)
            await until_followed(leader.url)
            began_s = time.monotonic()
            async with connect(leader.url, reconnect=False) as asking:
                await asking.manage("STEP_DOWN", kind="cluster")
            await until_answer(lambda: leads(follower.url), limit_s=WITHIN_S, every_s=0.01)
            await writing.queue("q").send(Message("after", durable=True))
            assert time.monotonic() - began_s < LEASE_MS / 1000
        assert (await leader.ended())[0] == 0
        assert (await until_role(follower.url, "leader"))["followers"] == []
        async with connect(follower.url, reconnect=False) as asking:
            with pytest.raises(RefusedError, match="no broker follows this one"):
                await asking.manage("STEP_DOWN", kind="cluster")


async def until_followed(url: str) -> None:
    async def is_followed() -> bool:
        return bool((await cluster_state(url))["followers"])

    await until_answer(is_followed, limit_s=WITHIN_S)


class Load:
    """Sends numbered messages through both brokers, and notes which are confirmed."""

    def __init__(self, urls: list[str]) -> None:
        self.urls = urls
        self.confirmed: list[int] = []
        self.longest_s = 0.0
        self.stopped = False

    async def run(self) -> None:
        async with connect(self.urls) as connection:
            number = 0
            last_s = time.monotonic()
            while not self.stopped:
                message = Message(number, properties={"k": str(number % 10)}, durable=True)
                await connection.queue("all").send(message)
                await connection.queue("values").send(message)
                self.confirmed.append(number)
                number += 1
                now_s = time.monotonic()
                self.longest_s, last_s = max(self.longest_s, now_s - last_s), now_s


class Reader:
    """Browses at one broker, on one connection that must not break."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.seen: list[int] = []

    async def run(self) -> None:
        async with connect(self.url, reconnect=False) as connection:
            async for message in connection.queue("all").browse(follow=True):
                assert isinstance(message.body, int)
                self.seen.append(message.body)


@pytest.mark.parametrize("harm", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_killed_or_stopped_leader_is_followed_nothing_confirmed_is_lost_and_browsers_go_on(
    log_address: str, harm: signal.Signals
) -> None:
    pauses: list[float] = []
    for round_ in range(FAILOVERS):
        async with leader_and_follower(f"{log_address}{round_}") as (leader, follower):
            async with connect(leader.url) as writing:
                await writing.declare("all", durable=True)
                await writing.declare("values", durable=True, lvq_key="k")
            async with connect(follower.url) as reading:
                await until_depth(reading, "values", 0)
            load, reader = Load([leader.url, follower.url]), Reader(follower.url)
            sending, browsing = asyncio.create_task(load.run()), asyncio.create_task(reader.run())
            await until_count(load, 300)
            leader.signal(harm)
            before = len(load.confirmed)
            await until_count(load, before + 300)
            load.stopped = True
            await sending
            await until(
                lambda: browsing.done() or set(load.confirmed) <= set(reader.seen),  # noqa: B023 - awaited here
                limit_s=WITHIN_S,
                every_s=0.05,
            )
            assert not browsing.done()
            browsing.cancel()
            async with connect(follower.url) as reading:
                held = await bodies(reading, "all")
                values = await bodies(reading, "values")
            assert set(load.confirmed) <= set(held)
            assert set(load.confirmed[-10:]) <= set(values)
            # One that was sent again, because its confirmation was lost, may be there twice.
            assert list(dict.fromkeys(reader.seen)) == sorted(set(reader.seen))
            pauses.append(load.longest_s)
    told = [round(each, 2) for each in pauses]
    print(f"\nthe longest pause of a producer at each fail-over after {harm.name}, in s: {told}")
    assert max(pauses) < 4 * LEASE_MS / 1000


async def until_count(load: Load, count: int) -> None:
    await until(lambda: len(load.confirmed) >= count, limit_s=WITHIN_S)
