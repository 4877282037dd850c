"""Landing histories: what the broker's history queues tell, into tables, each record once."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from lastvalue.client import Connection, connect
from lastvalue.history.errors import HistoryGapError, HistoryUnavailableError
from lastvalue.history.manifest import Gap
from lastvalue.history.reading import began_anew, coming_records, history_of, reach_of, stored_records
from lastvalue.history.records import Record
from lastvalue.history.tables import TableWriter

OnGap = Literal["fail", "record"]
_MAINTENANCE_S: Final = 60.0


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
    """

    every_s: float = 5.0
    most_records: int = 100_000
    retention_days: float | None = None
    on_gap: OnGap = "fail"
    until_now: bool = False


@dataclass
class Progress:
    """What has landed so far in this run, by history."""

    records: dict[str, int] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    times_ms: dict[str, int] = field(default_factory=dict)


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
    files that hold them, in one step.

    Args:
        url: the broker's.
        directory: made where it does not exist.
        queues: names of queues that have a history, or of history queues.
        options: when to write, what to forget, whether to go on.
        told: called after each write.

    Raises:
        HistoryUnavailableError: a queue has no history.
        HistoryGapError: the broker has dropped records that had not landed, and `on_gap` is "fail".
        HistoryTablesError: another process lands in the directory, or what is there is none of ours.
        QueueNotFoundError, ClientError: what the broker says.
    """
    chosen = LandingOptions() if options is None else options
    writer = TableWriter(directory)
    progress = Progress()
    try:
        async with connect(url) as connection:
            histories = await _histories(connection, queues)
            maintenance = _Maintenance(writer, chosen)
            landings = [
                _Landing(connection, name, writer, chosen, progress, told, maintenance) for name in histories
            ]
            await _all([landing.run() for landing in landings])
            maintenance.run()
    finally:
        writer.close()
    return progress


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


class _Landing:
    """Lands one history."""

    def __init__(  # noqa: PLR0913, PLR0917 - private: what one run has in common
        self,
        connection: Connection,
        history: str,
        writer: TableWriter,
        options: LandingOptions,
        progress: Progress,
        told: Told | None,
        maintenance: _Maintenance,
    ) -> None:
        self._connection = connection
        self._history = history
        self._writer = writer
        self._options = options
        self._progress = progress
        self._told = told
        self._maintenance = maintenance
        self._epoch = 1
        self._gaps: list[Gap] = []

    async def run(self) -> None:
        after = await self._resume()
        batches = self._stored(after) if self._options.until_now else self._coming(after)
        async with aclosing(batches):
            async for batch in batches:
                self._check(batch, after)
                after = batch[-1].offset
                self._writer.append(self._history, self._epoch, batch, self._gaps)
                self._gaps = []
                self._report(batch)
                self._maintenance.run_when_due()

    async def _resume(self) -> int:
        """Where to go on; decides whether the history is the one that landed before."""
        landed = self._writer.manifest.landed.get(self._history)
        if landed is None:
            return 0
        if await began_anew(self._connection, self._history, landed.offset, landed.time_ms):
            self._epoch = landed.epoch + 1
            return 0
        self._epoch = landed.epoch
        reach = await reach_of(self._connection, self._history)
        if reach.first > landed.offset + 1:
            self._note_gap(landed.offset + 1, reach.first - 1)
        return landed.offset

    def _check(self, batch: list[Record], after: int) -> None:
        """Notice what the broker dropped between two records."""
        expected = after + 1
        begins = after == 0 and self._history not in self._progress.offsets
        for record in batch:
            if record.offset != expected and not begins:
                self._note_gap(expected, record.offset - 1)
            begins = False
            expected = record.offset + 1

    def _note_gap(self, first: int, last: int) -> None:
        if self._options.on_gap == "fail":
            raise HistoryGapError(self._history, first - 1, last + 1)
        self._gaps.append(Gap(self._history, self._epoch, first, last))

    async def _stored(self, after: int) -> AsyncGenerator[list[Record]]:
        records = await stored_records(self._connection, self._history, after)
        for start in range(0, len(records), self._options.most_records):
            yield records[start : start + self._options.most_records]

    async def _coming(self, after: int) -> AsyncGenerator[list[Record]]:
        """What comes, gathered for as long as it may wait."""
        options = self._options
        gathering = _Gathering(2 * options.most_records)
        reading = asyncio.create_task(gathering.read(coming_records(self._connection, self._history, after)))
        try:
            while not reading.done() or gathering.records:
                await gathering.wait(reading, 1, None)
                await gathering.wait(reading, options.most_records, options.every_s)
                if gathering.records:
                    yield gathering.take()
            reading.result()
        finally:
            reading.cancel()

    def _report(self, batch: list[Record]) -> None:
        progress = self._progress
        progress.records[self._history] = progress.records.get(self._history, 0) + len(batch)
        progress.offsets[self._history] = batch[-1].offset
        progress.times_ms[self._history] = batch[-1].time_ms
        if self._told is not None:
            self._told(progress)


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
