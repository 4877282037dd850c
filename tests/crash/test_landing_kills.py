"""Landing a history is killed while it lands; every record is in the tables, and once."""

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lastvalue.client import Message, connect
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.lookback import look_back
from lastvalue.history.tables import HistoryTables
from lastvalue.server.broker_server import BrokerServer, ServerOptions

KILLS = int(os.environ.get("LASTVALUE_KILLS", "4"))
KEYS = 50


@asynccontextmanager
async def landing(url: str, directory: Path) -> AsyncIterator[None]:
    """`lastvalue pipeline history` at work, and killed at the end."""
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("lastvalue")), "pipeline", "history", "q",
        "--tables", str(directory), "--every", "10ms", "--url", url,
    )  # fmt: skip
    try:
        yield
        assert process.returncode is None
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def publish(url: str, stop: asyncio.Event) -> int:
    """Keep the queue changing; the number of messages sent."""
    sent = 0
    async with connect(url) as connection:
        while not stop.is_set():
            await connection.queue("q").send_many(
                [Message(sent + number, {"k": str((sent + number) % KEYS)}) for number in range(20)]
            )
            sent += 20
            # Few enough that the tables are read in a test's time.
            await asyncio.sleep(0.02)
    return sent


async def until_landed(directory: Path, offset: int) -> int:
    """Wait until something behind an offset has landed; up to where."""
    async with asyncio.timeout(30):
        while True:
            landed = HistoryTables(directory).manifest.landed.get("h")
            if landed is not None and landed.offset > offset:
                return landed.offset
            await asyncio.sleep(0.01)


@pytest.mark.timeout(60 + 20 * KILLS)
async def test_a_landing_that_is_killed_neither_loses_nor_repeats(tmp_path: Path) -> None:
    chance = random.Random(7)
    async with BrokerServer(ServerOptions(port=0)) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url) as connection:
            await connection.declare("q", lvq_key="k", history="h")
        stop = asyncio.Event()
        publishing = asyncio.create_task(publish(url, stop))
        offset = 0
        for _ in range(KILLS):
            async with landing(url, tmp_path):
                offset = await until_landed(tmp_path, offset)
                # A kill at any moment of a write, not always behind the same one.
                await asyncio.sleep(chance.random() / 10)
        stop.set()
        sent = await publishing
        await land_history(url, tmp_path, ["q"], LandingOptions(until_now=True))
        landed = await look_back("q", directory=tmp_path)
        live = await look_back("q", url=url)
    assert [record.offset for record in landed.records] == list(range(1, 2 * sent - KEYS + 2))
    assert landed.records == live.records
    now_ms = landed.known_to_ms
    assert [each.record.sequence for each in landed.as_of(now_ms).in_order()] == list(
        range(sent - KEYS + 1, sent + 1)
    )
