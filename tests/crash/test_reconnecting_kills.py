"""A broker is killed again and again under a program that only sends, and others that only read.

None of them knows of it: each message is taken once, and each reader gets each of them once.
"""

import asyncio
import os
import random
from pathlib import Path
from typing import Any

import pytest
from forked_broker import ForkedBroker
from waiting import SOON_S, any_moment

from lastvalue.client import Connection, Message, Reconnection, Wanted, WatchOptions, connect

KILLS = int(os.environ.get("LASTVALUE_KILLS", "4"))
AGAIN = Reconnection(first_wait_s=0.05, longest_wait_s=0.2)
LAST = -1
DURABLE: dict[str, Any] = {"durable": True}


async def send(connection: Connection, ended: asyncio.Event) -> int:
    """Send numbers until it ends, then LAST; how many."""
    sent = 0
    async with connection.queue("orders").sender(max_outstanding=100) as sender:
        while not ended.is_set():
            await sender.post(Message(sent, durable=True))
            sent += 1
            await any_moment(random.Random(sent), 0.002)
        await sender.post(Message(LAST, durable=True))
    return sent


async def put(connection: Connection, ended: asyncio.Event) -> int:
    """Send one value after the other to a last-value queue, each when the one before is confirmed.

    One confirmation may take the starts of several brokers, as some are killed before the client is back.
    """
    sent = 0
    prices = connection.queue("prices")
    while not ended.is_set():
        await prices.send(Message(sent, {"k": f"k{sent % 7}"}, durable=True), timeout_s=None)
        sent += 1
    await prices.send(Message(LAST, {"k": "end"}, durable=True), timeout_s=None)
    return sent


async def browse(connection: Connection, queue: str, wanted: Wanted) -> list[int]:
    bodies: list[int] = []
    async for message in connection.queue(queue).browse(follow=True, wanted=wanted):
        if message.body == LAST:
            break
        if message.snapshot is None:
            bodies.append(int(str(message.body)))
    return bodies


async def consume(connection: Connection) -> list[int]:
    bodies: list[int] = []
    async for delivery in connection.queue("jobs").receive(credit=20):
        bodies.append(int(str(delivery.message.body)))
        delivery.accept()
        if delivery.message.body == LAST:
            break
    return bodies[:-1]


async def forward(connection: Connection, ended: asyncio.Event) -> int:
    sent = 0
    while not ended.is_set():
        sent += await connection.queue("jobs").send_many(
            Message(number, durable=True) for number in range(sent, sent + 10)
        )
    await connection.queue("jobs").send(Message(LAST, durable=True), timeout_s=None)
    return sent


@pytest.mark.interop
@pytest.mark.timeout(600 + 30 * KILLS)
async def test_programs_that_know_nothing_of_it_lose_nothing_and_get_nothing_twice(tmp_path: Path) -> None:
    chance = random.Random(os.environ.get("LASTVALUE_SEED", "1"))
    store = str(tmp_path / "store")
    ended = asyncio.Event()
    everything, selected, watched = Wanted(), Wanted(selector="k IS NULL"), Wanted(watch=WatchOptions())
    with ForkedBroker(store) as broker:
        port, url = broker.port, broker.url
        async with connect(url, reconnect=AGAIN) as connection:
            await connection.declare("orders", **DURABLE)
            await connection.declare("prices", lvq_key="k", tombstone_ms=3_600_000, **DURABLE)
            await connection.declare("jobs", **DURABLE)
        connections = [connect(url, reconnect=AGAIN) for _ in range(7)]
        for each in connections:
            await each.open()
        sending = [
            asyncio.create_task(each)
            for each in (
                send(connections[0], ended),
                put(connections[1], ended),
                forward(connections[2], ended),
            )
        ]
        reading = [
            asyncio.create_task(each)
            for each in (
                browse(connections[3], "orders", everything),
                browse(connections[3], "orders", selected),
                browse(connections[4], "prices", everything),
                browse(connections[5], "prices", watched),
                consume(connections[6]),
            )
        ]
        await any_moment(chance, 1.0)
        await asyncio.to_thread(broker.kill)
    for _ in range(KILLS - 1):
        with ForkedBroker(store, port) as broker:
            await any_moment(chance, 1.5)
            await asyncio.to_thread(broker.kill)
    with ForkedBroker(store, port) as broker:
        await any_moment(chance, 1.0)
        ended.set()
        orders, prices, jobs = await asyncio.wait_for(asyncio.gather(*sending), SOON_S)
        got = await asyncio.wait_for(asyncio.gather(*reading), SOON_S)
        for each in connections:
            await each.close()
        print(
            f"{KILLS} kills: {orders} orders, {prices} values, {jobs} jobs; {len(got[3])} values were watched"
        )
        assert orders > KILLS
        assert got[0] == list(range(orders))
        assert got[1] == list(range(orders))
        assert got[2] == sorted(set(got[2]))
        newest = list(range(max(0, prices - 7), prices))
        assert [value for value in got[2] if value in newest] == newest
        # Who watches is told that it starts over where the broker has lost what it had seen.
        assert sorted(got[3][-7:]) == newest
        assert got[4] == list(range(jobs))
        async with connect(url) as connection:
            held = [each.body async for each in connection.queue("orders").browse(prefetch=5000)]
        assert held == [*range(orders), LAST]
