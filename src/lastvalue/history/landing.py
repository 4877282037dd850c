"""Landing histories: writes the records of the broker's history queues to tables, each record once."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeVar

from lastvalue.client import Connection, QueueNotFoundError, Wanted, connect
from lastvalue.client.errors import AuthenticationError, ConnectFailedError, ConnectionLostError, NotOpenError
from lastvalue.history.data_files import Gap, Landed
from lastvalue.history.errors import HistoryGapError, HistoryTablesError
from lastvalue.history.history_reader import (
    StoredRecords,
    began_anew,
    coming_records,
    history_of,
    present_records,
    range_of,
    with_base,
)
from lastvalue.history.recorded_history import no_history
from lastvalue.history.records import Record
from lastvalue.history.table_writer import TableWriter
from lastvalue.model.errors import LastvalueError

_T = TypeVar("_T")
OnGap = Literal["fail", "record"]
_MAINTENANCE_S: Final = 60.0
_GONE: Final = (ConnectFailedError, ConnectionLostError, NotOpenError)
_FIRST_WAIT_S: Final = 0.25


@dataclass(frozen=True, slots=True)
class LandingOptions:
    """How histories land.

    Attributes:
        every_s: the longest time that records wait before they are written, in seconds.
        most_records: the number of records that are written without waiting.
        retention_days: older days are deleted, except the queues' content at their end; None keeps all.
        on_gap: what to do if the broker dropped records that had not landed: "fail", or "record" the gap
            and continue after it.
        until_now: end after the records that exist now, instead of waiting for more.
        longest_wait_s: the longest wait before the next attempt to reconnect, in seconds; the first attempt
            is at once, and the waits grow.
    """

    every_s: float = 5.0
    most_records: int = 100_000
    retention_days: float | None = None
    on_gap: OnGap = "fail"
    until_now: bool = False
    longest_wait_s: float = 10.0


@dataclass
class Progress:
    """What has landed so far in this run, by history.

    Attributes:
        fault: why the connection was lost, while it is tried again; otherwise empty.
        reconnects: how often it has reconnected.
    """

    records: dict[str, int] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    times_ms: dict[str, int] = field(default_factory=dict)
    fault: str = ""
    reconnects: int = 0


OnProgress = Callable[[Progress], None]


async def land_history(
    url: str,
    tables: Path | str,
    queues: Iterable[str],
    options: LandingOptions | None = None,
    on_progress: OnProgress | None = None,
) -> Progress:
    """Land the histories of queues in a directory of tables, each record exactly once.

    A run continues where the last one ended, even if that was killed: each commit has both the files and the
    landed offsets. A record lands when it is safe in the broker's store.
    If the connection is lost, a run without `until_now` waits for the broker.

    Args:
        url: the broker's URL.
        tables: the directory of the tables, which is created if it does not exist, or the URL of an object
            store.
        queues: names of queues that have a history, or of history queues.
        options: when to write, what to delete, when to end.
        on_progress: called after each write, and when the connection is lost or made again.

    Raises:
        HistoryUnavailableError: a queue has no history.
        HistoryGapError: the broker has dropped records that had not landed, and `on_gap` is "fail".
        HistoryTablesError: the tables cannot be used, or are not of this version.
        QueueNotFoundError, ClientError: the broker has no such queue, or the connection failed.
    """
    chosen = LandingOptions() if options is None else options
    try:
        writer = await asyncio.to_thread(TableWriter, tables)
        work = _Work(writer, chosen, Progress(), on_progress, _Maintenance(writer, chosen))
        await _land(url, queues, work)
        await work.write(work.maintenance.run)
    except LastvalueError:
        # A timeout of the client is an OSError, too.
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise HistoryTablesError(f"{error.filename or tables} cannot be written: {reason}") from error
    return work.progress


async def _land(url: str, queues: Iterable[str], work: "_Work") -> None:
    """Land over one connection after another."""
    landings: list[_Landing] = []
    wait_s = _FIRST_WAIT_S
    while True:
        try:
            async with connect(url, reconnect=False) as connection:
                landings = landings or [_Landing(name, work) for name in await _histories(connection, queues)]
                if work.progress.fault:
                    work.tell_back()
                    wait_s = _FIRST_WAIT_S
                await _all([landing.run(connection) for landing in landings])
                return
        except _GONE as error:
            if not landings or work.options.until_now or isinstance(error, AuthenticationError):
                raise
            work.tell_gone(str(error))
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, work.options.longest_wait_s)


async def _histories(connection: Connection, queues: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for queue in queues:
        history = await history_of(connection, queue)
        if history is None:
            info = await connection.queue(queue).info()
            if not await _is_history(connection, info.name):
                raise no_history(queue)
            history = queue
        found[history] = None
    return list(found)


async def _is_history(connection: Connection, name: str) -> bool:
    return any(info.options.get("history") == name for info in await connection.queues())


class _Maintenance:
    """Compacts small files and deletes old days, at intervals."""

    def __init__(self, writer: TableWriter, options: LandingOptions) -> None:
        self._writer = writer
        self._options = options
        self._last_s = time.monotonic()

    def run_when_due(self) -> None:
        if time.monotonic() - self._last_s >= _MAINTENANCE_S:
            self.run()

    def run(self) -> None:
        self._writer.compact()
        days = self._options.retention_days
        if days is not None:
            self._writer.retain(time.time_ns() // 1_000_000 - round(days * 86_400_000))
        self._writer.delete_unread()
        self._writer.delete_old_versions()
        self._last_s = time.monotonic()


@dataclass(frozen=True, slots=True)
class _Work:
    """The state that the histories of a run share."""

    writer: TableWriter
    options: LandingOptions
    progress: Progress
    on_progress: OnProgress | None
    maintenance: _Maintenance
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def write(self, do: Callable[[], _T]) -> _T:
        """Read or write the tables in a thread, because disks and object stores may be slow; one at a time.

        A cancellation waits for the end: what is under way must not run at the same time as the next one.
        """
        async with self.writing:
            doing = asyncio.ensure_future(asyncio.to_thread(do))
            try:
                return await asyncio.shield(doing)
            except asyncio.CancelledError:
                await asyncio.wait([doing])
                if not doing.cancelled():
                    # Nobody else hears of it.
                    doing.exception()
                raise

    def tell(self) -> None:
        """Report the progress."""
        if self.on_progress is not None:
            self.on_progress(self.progress)

    def tell_gone(self, fault: str) -> None:
        """Report that the connection is lost."""
        self.progress.fault = fault
        self.tell()

    def tell_back(self) -> None:
        """Report that the connection is back."""
        self.progress.fault = ""
        self.progress.reconnects += 1
        self.tell()


class _Landing:
    """Lands one history."""

    def __init__(self, history: str, work: _Work) -> None:
        self._history = history
        self._work = work
        self._writer = work.writer
        self._options = work.options
        self._epoch = 1
        self._gaps: list[Gap] = []
        self._unsafe: list[Record] = []
        """Records that came before the connection broke and may not be in the broker's store."""

    async def run(self, connection: Connection) -> None:
        """Land the records that the broker has and those that come, until the connection ends."""
        after = await self._resume(connection)
        reach = await range_of(connection, self._history)
        if after < reach.base_end == reach.last:
            after = await self._land_rest(connection, [], after)
        begin = max(after, reach.base_end)
        batches = (
            self._stored(connection, begin) if self._options.until_now else self._coming(connection, begin)
        )
        async with aclosing(batches):
            async for batch in batches:
                self._unsafe = batch
                await _until_safe(connection)
                following = sum(record.offset == after + index for index, record in enumerate(batch, 1))
                if following:
                    await self._land(batch[:following])
                    after = batch[following - 1].offset
                if following < len(batch):
                    after = await self._land_rest(connection, batch[following:], after)
                await self._work.write(self._work.maintenance.run_when_due)

    async def _land_rest(self, connection: Connection, records: list[Record], after: int) -> int:
        """Land records between which and an offset some are missing; returns the last offset.

        What the broker still knows of those lands as a base: what the queues held before the others.
        """
        stored = await with_base(connection, self._history, records, after)
        if stored.base_end:
            await self._land_base(stored, after)
            after = stored.base_end
        if stored.records:
            self._unsafe = stored.records
            self._check(stored.records, after)
            await self._land(stored.records)
            after = stored.records[-1].offset
        return after

    async def _land_base(self, stored: StoredRecords, after: int) -> None:
        if after and self._options.on_gap == "fail":
            raise HistoryGapError(self._history, after, stored.base_end + 1)
        # The base is at the offset of the last record that it stands for.
        if 0 < after < stored.base_end - 1:
            self._note_gap(after + 1, stored.base_end - 1)
        landed = Landed(self._epoch, stored.base_end, stored.base[0].time_ms)
        gaps = self._gaps
        await self._work.write(lambda: self._writer.append_base(self._history, landed, stored.base, gaps))
        self._gaps = []

    async def _land(self, batch: list[Record]) -> None:
        epoch, gaps = self._epoch, self._gaps
        await self._work.write(lambda: self._writer.append(self._history, epoch, batch, gaps))
        self._gaps = []
        self._unsafe = []
        progress = self._work.progress
        progress.records[self._history] = progress.records.get(self._history, 0) + len(batch)
        progress.offsets[self._history] = batch[-1].offset
        progress.times_ms[self._history] = batch[-1].time_ms
        self._work.tell()

    async def _resume(self, connection: Connection) -> int:
        """The offset to continue after; begins a new epoch if the history is a new queue."""
        landed = await self._work.write(lambda: self._writer.landed(self._history))
        known = landed or next(iter(self._unsafe), None)
        if known is None:
            return 0
        self._epoch = 1 if landed is None else landed.epoch
        if await self._began_anew(connection, known.offset, known.time_ms):
            self._epoch += 1
            return 0
        self._unsafe = []
        if landed is None:
            return 0
        reach = await range_of(connection, self._history)
        if reach.first > landed.offset + 1 and not reach.base_end:
            self._note_gap(landed.offset + 1, reach.first - 1)
        return landed.offset

    async def _began_anew(self, connection: Connection, offset: int, time_ms: int) -> bool:
        """Whether the history is a new queue; the old one's records that have not landed are landed first."""
        try:
            if not await began_anew(connection, self._history, offset, time_ms):
                return False
        except QueueNotFoundError:
            if self._unsafe:
                await self._land(self._unsafe)
            raise
        if self._unsafe:
            await self._land(self._unsafe)
        return True

    def _check(self, batch: list[Record], after: int) -> None:
        """Note a gap if the broker dropped records between two that came."""
        expected = after + 1
        begins = after == 0
        for record in batch:
            if record.offset != expected and not begins:
                self._note_gap(expected, record.offset - 1)
            begins = False
            expected = record.offset + 1

    def _note_gap(self, first: int, last: int) -> None:
        if self._options.on_gap == "fail":
            raise HistoryGapError(self._history, first - 1, last + 1)
        self._gaps.append(Gap(self._history, self._epoch, first, last))

    async def _stored(self, connection: Connection, after: int) -> AsyncGenerator[list[Record]]:
        records = await present_records(connection, self._history, Wanted(after=after))
        for start in range(0, len(records), self._options.most_records):
            yield records[start : start + self._options.most_records]

    async def _coming(self, connection: Connection, after: int) -> AsyncGenerator[list[Record]]:
        """Batches of the records that come, each collected for as long as records may wait."""
        options = self._options
        gathering = _Gathering(2 * options.most_records)
        reading = asyncio.create_task(gathering.read(coming_records(connection, self._history, after)))
        try:
            while not reading.done() or gathering.records:
                await gathering.wait(reading, 1, None)
                await gathering.wait(reading, options.most_records, options.every_s)
                if gathering.records:
                    yield gathering.take()
            reading.result()
        finally:
            reading.cancel()


async def _until_safe(connection: Connection) -> None:
    """Wait until all records that have come are safe in the broker's store, if it has one.

    The commit of a transaction is confirmed after everything before it is safe.
    """
    async with connection.transaction():
        pass


class _Gathering:
    """A buffer of records that wait to be written; while it is full, no more are read."""

    def __init__(self, most: int) -> None:
        self.records: list[Record] = []
        self._most = most
        self._changed = asyncio.Event()

    async def read(self, batches: AsyncGenerator[list[Record]]) -> None:
        """Collect records until the batches end."""
        async with aclosing(batches):
            async for batch in batches:
                self.records += batch
                self._changed.set()
                while len(self.records) >= self._most:
                    self._changed.clear()
                    await self._changed.wait()

    async def wait(self, reading: asyncio.Task[None], number: int, most_s: float | None) -> None:
        """Wait until there are this many records, the time is over, or the batches have ended."""
        due = None if most_s is None else time.monotonic() + most_s
        while len(self.records) < number and not reading.done():
            self._changed.clear()
            changed = asyncio.create_task(self._changed.wait())
            left_s = None if due is None else max(0.0, due - time.monotonic())
            try:
                await asyncio.wait({changed, reading}, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
            finally:
                changed.cancel()
            if due is not None and time.monotonic() >= due:
                return

    def take(self) -> list[Record]:
        """Remove and return the collected records."""
        records, self.records = self.records, []
        self._changed.set()
        return records


async def _all(works: Iterable[Coroutine[object, object, None]]) -> None:
    """Run all concurrently; the first failure cancels the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
