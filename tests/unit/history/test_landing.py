"""Histories from a broker into tables, and looked back at from both."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from waiting import until, until_answer

from lastvalue.client import Connection, Message, connect
from lastvalue.history.data_files import Gap, Landed
from lastvalue.history.errors import (
    HistoryGapError,
    HistoryTablesError,
    HistoryUnavailableError,
    InvalidTimeError,
)
from lastvalue.history.landing import LandingOptions, Progress, land_history
from lastvalue.history.recorded_history import RecordedHistory, read_history
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.tables import HistoryTables
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.clock import Clock

NOW = LandingOptions(until_now=True)


async def time_has_passed() -> None:
    """Return when what happens next has a later time."""
    clock = Clock()
    now_ms = clock.now_ms()
    await until(lambda: clock.now_ms() > now_ms + 1)


def bodies(recorded_history: RecordedHistory, time_ms: int | None = None) -> list[tuple[str | None, int]]:
    at = recorded_history.known_to_ms if time_ms is None else time_ms
    return [(each.record.key, each.updates) for each in recorded_history.as_of(at).in_order(at)]


def offsets(directory: Path, queue: str = "q") -> list[int]:
    return [record.offset for record in HistoryTables(directory).records(queue)]


async def send(connection: Connection, *keys: str, queue: str = "q") -> None:
    await connection.queue(queue).send_many([Message("x", {"k": key}) for key in keys])


async def declared(connection: Connection) -> None:
    await connection.declare("q", lvq_key="k", history="h")


async def test_a_history_lands_once_however_often_it_is_landed(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await declared(connection)
    await send(connection, "a", "b", "a")
    first = await land_history(url, tmp_path, ["q"], NOW)
    assert first.records == {"h": 5}
    assert (await land_history(url, tmp_path, ["q"], NOW)).records == {}
    await send(connection, "c")
    assert (await land_history(url, tmp_path, ["h"], NOW)).records == {"h": 1}
    assert offsets(tmp_path) == [1, 2, 3, 4, 5, 6]


async def test_what_comes_lands_while_it_comes(connection: Connection, url: str, tmp_path: Path) -> None:
    await declared(connection)
    landed = asyncio.Event()
    wanted = 0

    def told(progress: Progress) -> None:
        if progress.offsets.get("h", 0) >= wanted:
            landed.set()

    wanted = 1
    task = asyncio.create_task(land_history(url, tmp_path, ["q"], LandingOptions(every_s=0.05), told))
    await asyncio.wait_for(landed.wait(), 120)
    landed.clear()
    wanted = 4
    await send(connection, "a", "b", "c")
    await asyncio.wait_for(landed.wait(), 120)
    task.cancel()
    await asyncio.wait({task})
    assert offsets(tmp_path) == [1, 2, 3, 4]


async def test_what_two_land_at_once_is_landed_once(connection: Connection, url: str, tmp_path: Path) -> None:
    await declared(connection)
    options = LandingOptions(every_s=0.01)
    told = [Progress(), Progress()]
    landings = [
        asyncio.create_task(land_history(url, tmp_path, ["q"], options, partial(told.__setitem__, number)))
        for number in range(2)
    ]
    for _ in range(30):
        await send(connection, "a")
    # The declaration, the first message, and two records for each that replaces it.
    await until(lambda: [each.offsets.get("h") for each in told] == [60, 60])
    for landing in landings:
        landing.cancel()
    await asyncio.wait(landings)
    assert offsets(tmp_path) == list(range(1, 61))


async def test_a_broker_that_comes_back_is_landed_from_again(tmp_path: Path) -> None:
    told: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    async def until_told(wanted: Callable[[tuple[str, int]], bool]) -> None:
        async with asyncio.timeout(120):
            while not wanted(await told.get()):
                pass

    async with (
        BrokerServer(ServerOptions(port=0)) as server,
        connect(f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        await declared(connection)
        await send(connection, "a", "b")
        landing = asyncio.create_task(
            land_history(
                f"amqp://127.0.0.1:{server.port}",
                tmp_path,
                ["q"],
                LandingOptions(every_s=0.01),
                lambda progress: told.put_nowait((progress.fault, progress.records.get("h", 0))),
            )
        )
        await until_told(lambda each: each == ("", 3))
    await until_told(lambda each: "cannot connect" in each[0])
    # Without a store it has forgotten its queues; these are others.
    again = BrokerServer(ServerOptions(port=server.port))
    again.broker.declare(spec_from_arguments("q", {"lvq_key": "k", "history": "h"}))
    async with again, connect(f"amqp://127.0.0.1:{server.port}") as connection:
        await send(connection, "c")
        await until_told(lambda each: each == ("", 5))
    landing.cancel()
    await asyncio.wait({landing})
    assert offsets(tmp_path) == [1, 2, 3, 1, 2]


async def test_tables_and_broker_are_one_answer(connection: Connection, url: str, tmp_path: Path) -> None:
    await declared(connection)
    await send(connection, "a", "b", "a")
    await land_history(url, tmp_path, ["q"], NOW)
    await send(connection, "b", "c")
    both = await read_history("q", url=url, tables=tmp_path)
    assert [record.offset for record in both.records] == list(range(1, 9))
    assert bodies(both) == [("a", 2), ("b", 2), ("c", 1)]
    assert bodies(both) == bodies(await read_history("q", url=url))
    landed = await read_history("q", tables=tmp_path)
    assert bodies(landed) == [("b", 1), ("a", 2)]


async def test_tables_alone_answer_for_what_has_landed(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await declared(connection)
    await send(connection, "a")
    await land_history(url, tmp_path, ["q"], NOW)
    landed = await read_history("q", tables=tmp_path)
    early = landed.records[0].time_ms
    alone = await read_history("q", url="amqp://127.0.0.1:1", tables=tmp_path, until_ms=early - 1)
    with pytest.raises(HistoryUnavailableError, match="begins after"):
        alone.as_of(early - 1)
    with pytest.raises(InvalidTimeError, match="later than the records of"):
        landed.as_of(landed.known_to_ms + 1)


async def test_what_the_broker_dropped_before_it_landed_is_never_passed_over(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await connection.declare("h", max_messages=8, when_full="drop-oldest")
    await declared(connection)
    await send(connection, "a")
    await land_history(url, tmp_path, ["q"], NOW)
    await send(connection, *["b"] * 6)
    with pytest.raises(HistoryGapError, match="landed up to 2, and the broker has it from 6 on"):
        await land_history(url, tmp_path, ["q"], NOW)
    await land_history(url, tmp_path, ["q"], LandingOptions(until_now=True, on_gap="record"))
    # At 5 is what stands for the records up to there: the queue's declaration and messages.
    assert offsets(tmp_path) == [1, 2, 5, 5, 5, *range(6, 14)]
    assert HistoryTables(tmp_path).gaps == [Gap("h", 1, 3, 4)]


async def test_what_a_queue_held_is_known_again_behind_records_that_were_dropped(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await connection.declare("h", max_messages=8, when_full="drop-oldest")
    await declared(connection)
    await send(connection, "a")
    await land_history(url, tmp_path, ["q"], NOW)
    landed_ms = (await read_history("q", tables=tmp_path)).records[-1].time_ms
    await time_has_passed()
    await send(connection, "c")
    await time_has_passed()
    await send(connection, *["b"] * 6)
    both = await read_history("q", url=url, tables=tmp_path)
    await land_history(url, tmp_path, ["q"], LandingOptions(until_now=True, on_gap="record"))
    for history in (both, await read_history("q", tables=tmp_path)):
        assert bodies(history) == [("a", 1), ("c", 1), ("b", 6)]
        assert bodies(history, landed_ms) == [("a", 1)]
        with pytest.raises(HistoryUnavailableError, match="is known from"):
            history.as_of(landed_ms + 1)
        with pytest.raises(HistoryUnavailableError, match=r"was dropped by|is kept since"):
            history.published(landed_ms, history.known_to_ms)


async def test_a_bounded_history_is_known_from_its_oldest_record_on(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await connection.declare("h", max_messages=4, when_full="drop-oldest")
    await declared(connection)
    await send(connection, "a", "b")
    before_ms = Clock().now_ms()
    await time_has_passed()
    await send(connection, *["c"] * 6)
    recent = await read_history("q", url=url)
    assert (await land_history(url, tmp_path, ["q"], NOW)).records == {"h": 4}
    for history in (recent, await read_history("q", tables=tmp_path)):
        assert bodies(history) == [("a", 1), ("b", 1), ("c", 6)]
        first_ms = history.records[0].time_ms
        assert bodies(history, first_ms)[:2] == [("a", 1), ("b", 1)]
        assert [each.effect for each in history.timeline("c")][:2] == ["declared", "present"]
        assert len(history.published(first_ms + 1, history.known_to_ms + 1)) <= 4
        with pytest.raises(HistoryUnavailableError, match="begins after"):
            history.as_of(before_ms)
        with pytest.raises(HistoryUnavailableError, match="is kept since"):
            history.published(before_ms, history.known_to_ms)


async def test_a_history_whose_records_have_all_expired_lands_what_the_queue_holds(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await connection.declare("h", maximum_ttl_ms=1)
    await declared(connection)
    await send(connection, "a", "b")

    async def all_are_dropped() -> bool:
        info = await connection.queue("h").info()
        return info.depth == info.statistics["base_depth"]

    await until_answer(all_are_dropped)
    await land_history(url, tmp_path, ["q"], NOW)
    for history in (await read_history("q", url=url), await read_history("q", tables=tmp_path)):
        assert bodies(history) == [("a", 1), ("b", 1)]


async def test_a_base_is_landed_once_and_its_history_goes_on(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await connection.declare("h", max_messages=4, when_full="drop-oldest")
    await declared(connection)
    await send(connection, *["a"] * 9)
    await land_history(url, tmp_path, ["q"], NOW)
    once = offsets(tmp_path)
    assert (await land_history(url, tmp_path, ["q"], NOW)).records == {}
    assert offsets(tmp_path) == once
    await send(connection, "b")
    await land_history(url, tmp_path, ["q"], NOW)
    assert bodies(await read_history("q", tables=tmp_path)) == [("a", 9), ("b", 1)]


async def test_a_history_that_began_anew_is_another_one(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await declared(connection)
    await send(connection, "a", "b", "c")
    await land_history(url, tmp_path, ["q"], NOW)
    await connection.delete("q")
    await connection.delete("h")
    await time_has_passed()
    await declared(connection)
    await send(connection, "d", "e", "f", "g")
    await land_history(url, tmp_path, ["q"], NOW)
    both = await read_history("q", url=url, tables=tmp_path)
    assert bodies(both) == [("d", 1), ("e", 1), ("f", 1), ("g", 1)]
    assert HistoryTables(tmp_path).landed("h") == Landed(2, both.records[-1].offset, both.records[-1].time_ms)


async def test_several_queues_may_share_a_history(connection: Connection, url: str, tmp_path: Path) -> None:
    await declared(connection)
    await connection.declare("p", history="h")
    await send(connection, "a")
    await send(connection, "b", queue="p")
    progress = await land_history(url, tmp_path, ["p", "q"], NOW)
    assert progress.records == {"h": 4}
    assert len(offsets(tmp_path, "p")) == len(offsets(tmp_path, "q")) == 2


async def test_a_queue_without_a_history_is_told_how_to_get_one(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await connection.declare("q")
    with pytest.raises(HistoryUnavailableError, match="lastvalue queue set q --history"):
        await land_history(url, tmp_path, ["q"], NOW)
    with pytest.raises(HistoryUnavailableError, match="lastvalue queue set q --history"):
        await read_history("q", url=url)


async def test_a_deleted_queue_is_still_looked_back_at(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await declared(connection)
    await send(connection, "a")
    await land_history(url, tmp_path, ["q"], NOW)
    before = (await read_history("q", url=url)).known_to_ms
    await time_has_passed()
    await connection.delete("q")
    both = await read_history("q", url=url, tables=tmp_path)
    assert bodies(both, before) == [("a", 1)]
    assert bodies(both) == []
    assert not both.as_of(both.known_to_ms).exists


async def test_a_directory_that_cannot_be_written_is_one_error(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    await connection.declare("q", history="h")
    (tmp_path / "file").touch()
    with pytest.raises(HistoryTablesError, match=r"file cannot be written: Not a directory"):
        await land_history(url, tmp_path / "file" / "tables", ["q"], NOW)


class Slow:
    """Tables on a slow object store: landing continues when `release` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = threading.Event()
        self.release = threading.Event()
        append = TableWriter.append

        def slow(*arguments: Any) -> None:
            self.begun.set()
            assert self.release.wait(120)
            append(*arguments)

        monkeypatch.setattr(TableWriter, "append", slow)


async def test_a_slow_store_does_not_stop_the_loop(
    connection: Connection, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await declared(connection)
    await send(connection, "a")
    slow = Slow(monkeypatch)
    landing = asyncio.create_task(land_history(url, tmp_path, ["q"], NOW))
    await until(slow.begun.is_set)
    # Where landing stopped the loop, nobody could do this.
    slow.release.set()
    await landing
    assert offsets(tmp_path) == [1, 2]


async def test_a_cancelled_landing_ends_when_what_it_writes_is_written(
    connection: Connection, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await declared(connection)
    await send(connection, "a")
    slow = Slow(monkeypatch)
    landing = asyncio.create_task(land_history(url, tmp_path, ["q"], LandingOptions(every_s=0.01)))
    await until(slow.begun.is_set)
    landing.cancel()
    done, _ = await asyncio.wait({landing}, timeout=0.05)
    assert not done
    slow.release.set()
    await asyncio.wait({landing})
    assert landing.cancelled()
    assert offsets(tmp_path) == [1, 2]
