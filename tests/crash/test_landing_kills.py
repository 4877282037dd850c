"""What lands a history, or the broker, is killed meanwhile; every record is in the tables, and once."""

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from served_broker import ServedBroker
from waiting import any_moment, until

from lastvalue.client import Message, connect
from lastvalue.client.errors import ConnectFailedError, ConnectionLostError, NotOpenError
from lastvalue.client.message_codec import decode_message
from lastvalue.history.landing import LandingOptions, Progress, land_history
from lastvalue.history.recorded_history import read_history
from lastvalue.history.records import Record
from lastvalue.history.tables import HistoryTables
from lastvalue.server.broker_server import BrokerServer, ServerOptions

KILLS = int(os.environ.get("LASTVALUE_KILLS", "2"))
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
    async with connect(url, reconnect=False) as connection:
        while not stop.is_set():
            await connection.queue("q").send_many(
                [Message(sent + number, {"k": str((sent + number) % KEYS)}) for number in range(20)]
            )
            sent += 20
            # Few enough that the tables are read in a test's time.
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), 0.02)
    return sent


class Told:
    """What a landing tells, awaited."""

    def __init__(self) -> None:
        self.progress = Progress()
        self._changed = asyncio.Event()

    def __call__(self, progress: Progress) -> None:
        self.progress = progress
        self._changed.set()

    async def until(self, happened: Callable[[Progress], bool]) -> None:
        async with asyncio.timeout(300):
            while not happened(self.progress):
                self._changed.clear()
                await self._changed.wait()


def landed_offset(directory: Path) -> int:
    """Up to where the history has landed; 0 where nothing has."""
    landed = HistoryTables(directory).landed("h")
    return 0 if landed is None else landed.offset


async def until_landed(directory: Path, offset: int) -> int:
    """Wait until something behind an offset has landed; up to where."""
    await until(lambda: landed_offset(directory) > offset, every_s=0.2)
    return landed_offset(directory)


@pytest.mark.timeout(1200 + 60 * KILLS)
async def test_a_landing_that_is_killed_neither_loses_nor_repeats(tmp_path: Path) -> None:
    chance = random.Random(7)
    async with BrokerServer(ServerOptions(port=0)) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url, reconnect=False) as connection:
            await connection.declare("q", lvq_key="k", history="h")
        stop = asyncio.Event()
        publishing = asyncio.create_task(publish(url, stop))
        offset = 0
        for _ in range(KILLS):
            async with landing(url, tmp_path):
                offset = await until_landed(tmp_path, offset)
                # A kill at any moment of a write, not always behind the same one.
                await any_moment(chance, 0.1)
        stop.set()
        sent = await publishing
        await land_history(url, tmp_path, ["q"], LandingOptions(until_now=True))
        landed = await read_history("q", tables=tmp_path)
        live = await read_history("q", url=url)
    assert [record.offset for record in landed.records] == list(range(1, 2 * sent - KEYS + 2))
    assert landed.records == live.records
    now_ms = landed.known_to_ms
    assert [each.record.sequence for each in landed.as_of(now_ms).in_order()] == list(
        range(sent - KEYS + 1, sent + 1)
    )


WRITING = """
import sys
from lastvalue.history.records import Record
from lastvalue.history.table_writer import TableWriter

writer = TableWriter(sys.argv[1])
landed = writer.landed("h")
offset = 0 if landed is None else landed.offset
while True:
    for _ in range(3):
        offset += 1
        writer.append("h", 1, [Record(offset, "declared", "q", 1000 + offset, declaration={})])
    print(offset, flush=True)
    writer.compact(most=1)
    writer.checkpoint()
    writer.delete_unread(after_hours=0)
    writer.delete_old_versions()
"""


@pytest.mark.timeout(1200 + 60 * KILLS)
async def test_a_writer_that_is_killed_while_it_compacts_leaves_a_whole_table(tmp_path: Path) -> None:
    chance = random.Random(11)
    told = 0
    for _ in range(2 * KILLS):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITING, str(tmp_path), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        told = int(await process.stdout.readline())
        # A kill at any moment of compaction, checkpoint and clean-up.
        await any_moment(chance, 0.3)
        process.kill()
        rest = (await process.stdout.read()).split()
        await process.wait()
        told = int(rest[-1]) if rest else told
        offsets = [record.offset for record in HistoryTables(tmp_path).records("q")]
        assert offsets == list(range(1, len(offsets) + 1))
        assert told <= len(offsets) <= told + 3


async def publish_durably(url: str, confirmed: list[int], stop: asyncio.Event) -> None:
    """Keep a queue changing that comes and goes with its broker; what it has confirmed."""
    number = 0
    while not stop.is_set():
        try:
            async with connect(url, reconnect=False) as connection:
                while not stop.is_set():
                    number += 1
                    message = Message(number, {"k": str(number % KEYS)}, durable=True)
                    await connection.queue("q").send(message)
                    confirmed.append(number)
        except (ConnectFailedError, ConnectionLostError, NotOpenError):
            # The broker comes back.
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), 0.05)


def numbers_added(records: Iterable[Record]) -> list[int]:
    return [int(str(decode_message(record.message).body)) for record in records if record.effect == "added"]


@pytest.mark.interop
@pytest.mark.timeout(1200 + 60 * KILLS)
async def test_a_landing_outlives_the_broker_and_neither_loses_nor_repeats(tmp_path: Path) -> None:
    chance = random.Random(os.environ.get("LASTVALUE_SEED", "1"))
    tables, confirmed, stop, told = tmp_path / "tables", list[int](), asyncio.Event(), Told()
    options = LandingOptions(every_s=0.01, longest_wait_s=0.5)
    store = ("--store", str(tmp_path / "store"))
    with ServedBroker(*store) as broker:
        url, served = broker.url, (*store, "--port", str(broker.port))
        async with connect(url, reconnect=False) as connection:
            await connection.declare("q", lvq_key="k", durable=True, history="h")
        landing = asyncio.create_task(land_history(url, tables, ["q"], options, told))
        publishing = asyncio.create_task(publish_durably(url, confirmed, stop))
        await until_landed(tables, 0)
        broker.process.kill()
    for kill in range(1, KILLS):
        with ServedBroker(*served) as broker:
            await told.until(lambda progress, kill=kill: progress.reconnects == kill)  # type: ignore[misc]  # mypy cannot tell the type of a default
            await until_landed(tables, told.progress.offsets["h"])
            # At any moment of a write, not always behind the same one.
            await any_moment(chance, 0.1)
            broker.process.kill()
    with ServedBroker(*served):
        await told.until(lambda progress: progress.reconnects == KILLS)
        stop.set()
        await publishing
        live = await read_history("q", url=url)
        await told.until(lambda progress: progress.offsets["h"] == live.records[-1].offset)
        landing.cancel()
        await asyncio.wait({landing})
    landed = await read_history("q", tables=tables)
    assert {file.epoch for file in HistoryTables(tables).files} == {1}
    assert [record.offset for record in landed.records] == list(range(1, len(live.records) + 1))
    assert landed.records == live.records
    added = numbers_added(landed.records)
    assert len(added) == len(set(added))
    assert set(confirmed) <= set(added)
