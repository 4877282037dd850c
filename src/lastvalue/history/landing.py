"""Landing histories: what the broker's history queues tell, into tables, each record once."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from lastvalue.client import Connection, QueueNotFoundError, connect
from lastvalue.client.errors import AuthenticationError, ConnectFailedError, ConnectionLostError, NotOpenError
from lastvalue.history.errors import HistoryGapError, HistoryUnavailableError
from lastvalue.history.history_reader import began_anew, coming_records, history_of, range_of, stored_records
from lastvalue.history.manifest import Gap
from lastvalue.history.records import Record
from lastvalue.history.tables import TableWriter

OnGap = Literal["fail", "record"]
_MAINTENANCE_S: Final = 60.0
_GONE: Final = (ConnectFailedError, ConnectionLostError, NotOpenError)
_FIRST_WAIT_S: Final = 0.25


@dataclass(frozen=True, slots=True)
class LandingOptions:
    """How histories land.

    Attributes:
        every_s: how long records wait at most before they are written.
        most_records: so many are written at once even if they waited less.
        retention_days: older days are forgotten but for what the queues held at their end; None keeps all.
        on_gap: what to do where the broker has dropped records that had not landed: "fail", or "record" it
            and go on behind it.
        until_now: end with what is there, instead of going on with what comes.
        longest_wait_s: a broker that went away is tried again at once, and each time later, up to so long.
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
        fault: why the broker is not there, while it is tried again; empty while it is.
        reconnects: how often the connection was made again.
    """

    records: dict[str, int] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    times_ms: dict[str, int] = field(default_factory=dict)
    fault: str = ""
    reconnects: int = 0


Told = Callable[[Progress], None]


async def land_history(
    url: str,
    directory: Path | str,
    queues: Iterable[str],
    options: LandingOptions | None = None,
    told: Told | None = None,
) -> Progress:
    """Land the histories of queues in a directory of tables, each record exactly once.

    A run goes on where the last one ended, however that ended: which records have landed is written with the
    files that hold them, in one step. A record lands when it is safe in the broker's store.
    A broker that was there and goes away is waited for, unless `until_now` is set.

    Args:
        url: the broker's.
        directory: made where it does not exist.
        queues: names of queues that have a history, or of history queues.
        options: when to write, what to forget, whether to go on.
        told: called after each write, and when the broker goes away or comes back.

    Raises:
        HistoryUnavailableError: a queue has no history.
        HistoryGapError: the broker has dropped records that had not landed, and `on_gap` is "fail".
        HistoryTablesError: another process lands in the directory, or what is there is none of ours.
        QueueNotFoundError, ClientError: what the broker says.
    """
    chosen = LandingOptions() if options is None else options
    writer = TableWriter(directory)
    work = _Work(writer, chosen, Progress(), told, _Maintenance(writer, chosen))
    try:
        await _land(url, queues, work)
        work.maintenance.run()
    finally:
        writer.close()
    return work.progress


async def _land(url: str, queues: Iterable[str], work: "_Work") -> None:
    """Land over one connection after the other."""
    landings: list[_Landing] = []
    wait_s = _FIRST_WAIT_S
    while True:
        try:
            async with connect(url) as connection:
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
                raise HistoryUnavailableError(
                    f"queue {queue!r} has no history; give it one: lastvalue queue set {queue} "
                    f"--history {queue}.history"
                )
            history = queue
        found[history] = None
    return list(found)


async def _is_history(connection: Connection, name: str) -> bool:
    return any(info.options.get("history") == name for info in await connection.queues())


class _Maintenance:
    """Puts small files together and forgets old days, now and then."""

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
        self._last_s = time.monotonic()


@dataclass(frozen=True, slots=True)
class _Work:
    """What the histories of a run have in common."""

    writer: TableWriter
    options: LandingOptions
    progress: Progress
    told: Told | None
    maintenance: _Maintenance

    def tell(self) -> None:
        """Tell how far it is."""
        if self.told is not None:
            self.told(self.progress)

    def tell_gone(self, fault: str) -> None:
        """The broker is not there."""
        self.progress.fault = fault
        self.tell()

    def tell_back(self) -> None:
        """It is there again."""
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
        """What came before the connection broke, and may not be in the broker's store."""

    async def run(self, connection: Connection) -> None:
        """Land what the broker has and what comes, until the connection ends."""
        after = await self._resume(connection)
        batches = (
            self._stored(connection, after) if self._options.until_now else self._coming(connection, after)
        )
        async with aclosing(batches):
            async for batch in batches:
                self._unsafe = batch
                await _until_safe(connection)
                self._check(batch, after)
                after = batch[-1].offset
                self._land(batch)
                self._work.maintenance.run_when_due()

    def _land(self, batch: list[Record]) -> None:
        self._writer.append(self._history, self._epoch, batch, self._gaps)
        self._gaps = []
        self._unsafe = []
        progress = self._work.progress
        progress.records[self._history] = progress.records.get(self._history, 0) + len(batch)
        progress.offsets[self._history] = batch[-1].offset
        progress.times_ms[self._history] = batch[-1].time_ms
        self._work.tell()

    async def _resume(self, connection: Connection) -> int:
        """Where to go on; decides whether the history is the one that landed before."""
        landed = self._writer.manifest.landed.get(self._history)
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
        if reach.first > landed.offset + 1:
            self._note_gap(landed.offset + 1, reach.first - 1)
        return landed.offset

    async def _began_anew(self, connection: Connection, offset: int, time_ms: int) -> bool:
        """Whether the broker has forgotten the history; then what came of it and did not land lands now."""
        try:
            if not await began_anew(connection, self._history, offset, time_ms):
                return False
        except QueueNotFoundError:
            if self._unsafe:
                self._land(self._unsafe)
            raise
        if self._unsafe:
            self._land(self._unsafe)
        return True

    def _check(self, batch: list[Record], after: int) -> None:
        """Notice what the broker dropped between two records."""
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
        records = await stored_records(connection, self._history, after)
        for start in range(0, len(records), self._options.most_records):
            yield records[start : start + self._options.most_records]

    async def _coming(self, connection: Connection, after: int) -> AsyncGenerator[list[Record]]:
        """What comes, gathered for as long as it may wait."""
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
    """Wait until everything that has come is safe in the broker's store, if it has one.

    A transaction is confirmed when that is true of all that happened before its end.
    """
    async with connection.transaction():
        pass


class _Gathering:
    """Records that have come and wait to be written; no more are read where it is full."""

    def __init__(self, most: int) -> None:
        self.records: list[Record] = []
        self._most = most
        self._changed = asyncio.Event()

    async def read(self, batches: AsyncGenerator[list[Record]]) -> None:
        """Gather until the batches end."""
        async with aclosing(batches):
            async for batch in batches:
                self.records += batch
                self._changed.set()
                while len(self.records) >= self._most:
                    self._changed.clear()
                    await self._changed.wait()

    async def wait(self, reading: asyncio.Task[None], number: int, most_s: float | None) -> None:
        """Wait until so many are there, the time is over or nothing more comes."""
        due = None if most_s is None else time.monotonic() + most_s
        while len(self.records) < number and not reading.done():
            self._changed.clear()
            changed = asyncio.create_task(self._changed.wait())
            left_s = None if due is None else max(0.0, due - time.monotonic())
            await asyncio.wait({changed, reading}, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
            if due is not None and time.monotonic() >= due:
                return

    def take(self) -> list[Record]:
        """What has gathered."""
        records, self.records = self.records, []
        self._changed.set()
        return records


async def _all(works: Iterable[Coroutine[object, object, None]]) -> None:
    """Do all at once; the first that fails ends the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
