"""The recorded history of a queue: its content at a time, its changes between two times, a key's timeline.

Older records come from tables, recent ones from the broker's history queue, as one sequence without gaps or
duplicates. Either of the two may be absent.
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastvalue.client import Connection, QueueNotFoundError, RefusedError, connect
from lastvalue.history.base_records import base_records
from lastvalue.history.data_files import BASE, DataFile, Landed
from lastvalue.history.errors import (
    HistoryGapError,
    HistoryTablesError,
    HistoryUnavailableError,
    InvalidTimeError,
)
from lastvalue.history.history_reader import (
    StoredRecords,
    began_anew,
    history_of,
    key_records,
    range_of,
    records_in_force,
    records_until,
    stored_records,
)
from lastvalue.history.moment import Moment, QueuedMessage
from lastvalue.history.records import DECLARED, ENDED, OF_THE_QUEUE, REMOVED, WITH_CONTENT, Record
from lastvalue.history.times import print_time

if TYPE_CHECKING:
    from lastvalue.history.tables import HistoryTables

IN: Final = "added"
OUT: Final = "removed"
REPLACED: Final = "replaced"


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between a queue's content at two times.

    Attributes:
        kind: REPLACED if a key has another message, otherwise IN or OUT.
        before, after: the message at each time, or None.
        reason: why `before` left the queue.
    """

    kind: str
    before: QueuedMessage | None
    after: QueuedMessage | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class RecordedHistory:
    """The records of one queue's past in order, and their gaps.

    Attributes:
        queue: the queue's name.
        records: the records, oldest first.
        known_to_ms: the time up to which they are complete.
        gaps: indices of records before which some were lost; that record may say what the queue held then.
        forgotten_to_ms: the time up to which single records were deleted or not read, or -1.
        begins_ms: the time of the oldest record that can be read, if that is not the first of these.
    """

    queue: str
    records: list[Record]
    known_to_ms: int
    gaps: frozenset[int] = frozenset()
    forgotten_to_ms: int = -1
    begins_ms: int | None = None

    @property
    def from_ms(self) -> int | None:
        """The time of the oldest record that can be read; None if there is none."""
        first = self.records[0].time_ms if self.records else None
        return first if self.begins_ms is None else self.begins_ms

    def as_of(self, time_ms: int) -> Moment:
        """The queue at the end of that millisecond.

        Raises:
            InvalidTimeError: the time is in the future.
            HistoryUnavailableError: the queue's content at that time is not known.
        """
        self._check(time_ms)
        moment = Moment()
        for number, record in enumerate(self.records):
            if record.time_ms > time_ms:
                if number in self.gaps and number and self.records[number - 1].time_ms < time_ms:
                    moment.complete = False
                break
            if number in self.gaps:
                moment.complete = False
            moment.apply(record)
        self._check_moment(moment, time_ms)
        return moment

    def diff(self, first_ms: int, second_ms: int) -> list[Change]:
        """The changes between two times, in the order of delivery at the second; removed messages come first.

        Raises:
            InvalidTimeError: a time is in the future, or the second is before the first.
            HistoryUnavailableError: the queue's content at one of the times is not known.
        """
        if second_ms < first_ms:
            raise InvalidTimeError(
                f"the second time, {print_time(second_ms)}, is before the first, {print_time(first_ms)}"
            )
        before = self.as_of(first_ms).in_order(first_ms)
        after = self.as_of(second_ms).in_order(second_ms)
        reasons = {
            record.sequence: record.reason
            for record in self.records
            if record.effect == REMOVED and first_ms < record.time_ms <= second_ms
        }
        return changes(before, after, reasons)

    def timeline(self, key: str) -> list[Record]:
        """The records of a key's messages and of the queue itself, oldest first."""
        return [record for record in self.records if record.key == key or record.effect in OF_THE_QUEUE]

    def published(self, start_ms: int, end_ms: int) -> list[Record]:
        """The messages that the queue took from one time until before another, oldest first.

        Raises:
            InvalidTimeError: a time is in the future.
            HistoryUnavailableError: records of the period are missing.
        """
        self._check(end_ms - 1)
        if start_ms <= self.forgotten_to_ms:
            raise HistoryUnavailableError(
                f"the history of {self.queue!r} is kept since {print_time(self.forgotten_to_ms)}; "
                f"{print_time(start_ms)} is before"
            )
        if self.records and self.records[0].time_ms > start_ms and self.records[0].effect not in OF_THE_QUEUE:
            self._refuse(start_ms)
        for number in self.gaps:
            if start_ms <= self.records[number].time_ms < end_ms:
                raise HistoryUnavailableError(
                    f"part of the history of {self.queue!r} before "
                    f"{print_time(self.records[number].time_ms)} was dropped by the broker before it landed"
                )
        return [
            record
            for record in self.records
            if record.effect in WITH_CONTENT and record.arrival_ms is not None
            if start_ms <= record.time_ms < end_ms and record.effect != "present"
        ]

    def _check(self, time_ms: int) -> None:
        if time_ms > self.known_to_ms:
            raise InvalidTimeError(
                f"{print_time(time_ms)} is later than the records of {self.queue!r}, which end at "
                f"{print_time(self.known_to_ms)}"
            )

    def _check_moment(self, moment: Moment, time_ms: int) -> None:
        if moment.complete and not moment.recorded and moment.exists:
            ended = max(
                record.time_ms
                for record in self.records
                if record.effect == ENDED and record.time_ms <= time_ms
            )
            raise HistoryUnavailableError(f"the history of {self.queue!r} ended at {print_time(ended)}")
        if not moment.complete:
            self._refuse(time_ms)

    def _refuse(self, time_ms: int) -> None:
        """Raise the error that says from which time on the content is known."""
        if not self.records or self.records[0].time_ms > time_ms:
            raise HistoryUnavailableError(
                f"the history of {self.queue!r} begins after {print_time(time_ms)}{self._began()}"
            )
        known = self._known_from(time_ms)
        if known is None:
            raise HistoryUnavailableError(
                f"the history of {self.queue!r} does not include its beginning, so the content at "
                f"{print_time(time_ms)} is not known; land histories, or restart it by setting `history` "
                "to nothing and then to the queue again"
            )
        raise HistoryUnavailableError(
            f"the history of {self.queue!r} is known from {print_time(known)} on; {print_time(time_ms)} is "
            "before"
        )

    def _began(self) -> str:
        return f", at {print_time(self.records[0].time_ms)}" if self.records else ""

    def _known_from(self, after_ms: int) -> int | None:
        for record in self.records:
            if record.time_ms > after_ms and record.effect == DECLARED:
                return record.time_ms
        return None


def changes(
    before: Iterable[QueuedMessage], after: Iterable[QueuedMessage], reasons: dict[int | None, str | None]
) -> list[Change]:
    """The changes between two lists of messages; a key with one message in each that differ is REPLACED."""
    first = {_identity(queued_message): queued_message for queued_message in before}
    second = {_identity(queued_message): queued_message for queued_message in after}
    gone = [queued_message for identity, queued_message in first.items() if identity not in second]
    come = [queued_message for identity, queued_message in second.items() if identity not in first]
    by_key = _singles(come)
    matched = _singles(gone)
    differences = [
        Change(OUT, queued_message, None, reasons.get(queued_message.record.sequence))
        for queued_message in gone
        if not (queued_message.record.key in matched and queued_message.record.key in by_key)
    ]
    for queued_message in come:
        key = queued_message.record.key
        previous = matched.get(key) if key is not None and key in by_key else None
        reason = None if previous is None else reasons.get(previous.record.sequence)
        differences.append(Change(IN if previous is None else REPLACED, previous, queued_message, reason))
    return differences


def _identity(queued_message: QueuedMessage) -> tuple[int | None, int | None]:
    """The identity of a message; the arrival distinguishes it from messages of a new queue of that name."""
    return queued_message.record.sequence, queued_message.record.arrival_ms


def _singles(queued_message: Iterable[QueuedMessage]) -> dict[str | None, QueuedMessage]:
    """Messages by key, for keys that only one message has."""
    messages: dict[str | None, QueuedMessage] = {}
    twice: set[str] = set()
    for each in queued_message:
        key = each.record.key
        if key is None:
            continue
        if key in messages:
            twice.add(key)
        messages[key] = each
    return {key: each for key, each in messages.items() if key not in twice}


async def read_history(
    queue: str,
    *,
    url: str | Connection | None = None,
    tables: Path | str | None = None,
    until_ms: int | None = None,
    since_ms: int | None = None,
    key: str | None = None,
) -> RecordedHistory:
    """Read the recorded history of a queue.

    If the broker knows what the queue held at `since_ms`, only that and what followed is read.

    Args:
        queue: the queue's name; a deleted queue is read from tables.
        url: the broker's URL, or a connection to it; None reads only tables.
        tables: the directory of the tables; None reads only from the broker.
        until_ms: the latest time that is needed; if the tables reach it, the broker is not asked.
        since_ms: the earliest time that is needed; its own records are not single ones.
        key: of the broker's records read only those of this key's messages and of the queue, for `timeline`.

    Raises:
        HistoryUnavailableError: neither has the queue's history.
        QueueNotFoundError: there is no such queue, and none has landed.
        HistoryGapError: the broker dropped records after those in the tables.
        HistoryTablesError, ClientError: they cannot be read.
    """
    if since_ms is not None and url is not None:
        since = await history_since(url, queue, since_ms, until_ms)
        if since is not None:
            landed_ms = await asyncio.to_thread(landed_from_ms, queue, tables)
            begins_ms = [each for each in (since.begins_ms, landed_ms) if each is not None]
            return replace(since, begins_ms=min(begins_ms))
    landed = LandedHistory(queue, None if tables is None else open_tables(tables))
    await asyncio.to_thread(landed.load, until_ms)
    if url is None or (until_ms is not None and landed.reaches(until_ms)):
        if tables is None or not landed.files:
            raise HistoryUnavailableError(f"the tables in {tables} hold no history of {queue!r}")
        return RecordedHistory(
            queue, landed.records, landed.known_to_ms, frozenset(landed.gaps), landed.forgotten_to_ms
        )
    recent = await recent_records(url, landed, key)
    gaps = landed.gaps if recent.gap_from_ms is None else {*landed.gaps, len(landed.records)}
    return RecordedHistory(
        queue,
        [*landed.records, *recent.records],
        recent.known_to_ms,
        frozenset(gaps),
        max(landed.forgotten_to_ms, recent.forgotten_to_ms),
    )


async def history_since(
    broker: str | Connection, queue: str, since_ms: int, until_ms: int | None = None
) -> RecordedHistory | None:
    """What a queue held at a moment, and its records after that; None if the broker does not know it.

    Raises:
        ClientError: the connection or a request failed.
    """
    if isinstance(broker, str):
        async with connect(broker, reconnect=False) as connection:
            return await history_since(connection, queue, since_ms, until_ms)
    now_ms = time.time_ns() // 1_000_000
    try:
        found = await records_in_force(broker, queue, since_ms)
    except (QueueNotFoundError, RefusedError):
        # Tables may have it, and else say so.
        return None
    if found is None:
        return None
    moment = Moment().apply_all(found.records)
    base = base_records(moment, queue, found.until, since_ms)
    if not moment.recorded or not base:
        return None
    records: list[Record] = []
    last_ms = now_ms if until_ms is None else until_ms
    if last_ms > since_ms:
        records = await records_until(broker, found.extent.history, found.until, last_ms)
        if records and records[0].offset != found.until + 1:
            # They were dropped meanwhile.
            return None
    known_to_ms = max(now_ms, found.extent.last_ms, *(record.time_ms for record in records[-1:]))
    mine = [record for record in records if record.queue == queue]
    return RecordedHistory(
        queue,
        [*base, *mine],
        known_to_ms,
        forgotten_to_ms=since_ms,
        begins_ms=found.extent.first_ms,
    )


class LandedHistory:
    """The history of a queue in tables."""

    def __init__(self, queue: str, tables: "HistoryTables | None") -> None:
        self.queue = queue
        self.tables = tables
        self.files = [] if tables is None else tables.files_of(queue)
        self.records: list[Record] = []
        self.gaps: set[int] = set()
        bases = [file.last_ms for file in self.files if file.kind == BASE]
        self.forgotten_to_ms = max(bases, default=-1)
        # The queue's last records are in its present history.
        self.history = self.files[-1].history if self.files else None
        self.known_to_ms = self.landed(self.history).time_ms if self.history is not None else -1

    def load(self, until_ms: int | None) -> None:
        """Read the records up to a time.

        Raises:
            HistoryTablesError: a file cannot be read.
        """
        tables = self.tables
        if tables is None:
            return
        streams: dict[tuple[str, int], list[DataFile]] = {}
        for file in tables.files_of(self.queue, until_ms):
            streams.setdefault(file.stream, []).append(file)
        for stream, files in streams.items():
            before = 0
            lost = [gap.last for gap in tables.gaps if (gap.history, gap.epoch) == stream]
            for record in tables.records_in(files):
                if any(before <= last < record.offset for last in lost):
                    self.gaps.add(len(self.records))
                before = record.offset
                self.records.append(record)

    def landed(self, history: str) -> Landed:
        """The position up to which a history has landed, or None."""
        none = Landed(1, 0, -1)
        return none if self.tables is None else self.tables.landed(history) or none

    def reaches(self, time_ms: int) -> bool:
        """Whether the tables are complete up to that time."""
        # Later records of the last record's millisecond may not have landed.
        return time_ms < self.known_to_ms


@dataclass(frozen=True, slots=True)
class Recent:
    """The broker's records of a queue after those in the tables.

    Attributes:
        history, epoch: the stream of the records.
        records: oldest first; if some that have not landed were dropped, they begin with what the queue held
            when the last of these was.
        known_to_ms: the time up to which the records are complete.
        gap_from_ms: the time of the last landed record, if those between it and these were dropped.
        forgotten_to_ms: the time up to which there are no single records, because none have landed; or -1.
    """

    history: str
    epoch: int
    records: list[Record]
    known_to_ms: int
    gap_from_ms: int | None = None
    forgotten_to_ms: int = -1


async def recent_records(broker: str | Connection, landed: LandedHistory, key: str | None = None) -> Recent:
    """Read the records of a queue after those that have landed from a broker, by its URL or a connection.

    With a key only those of its messages and of the queue.

    Raises:
        HistoryUnavailableError: the queue has no history.
        QueueNotFoundError: there is no such queue, and none has landed.
        HistoryGapError: the broker dropped records after those in the tables, and does not know what the
            queue held then.
        ClientError: the connection or a request failed.
    """
    if isinstance(broker, str):
        async with connect(broker, reconnect=False) as connection:
            return await recent_records(connection, landed, key)
    queue = landed.queue
    history = landed.history
    try:
        history = await history_of(broker, queue) or history
    except QueueNotFoundError:
        if history is None:
            raise
    if history is None:
        raise no_history(queue)
    last = landed.landed(history)
    after, epoch = last.offset, last.epoch
    if after:
        reach = await range_of(broker, history)
        if await began_anew(broker, history, last.offset, last.time_ms):
            after, epoch = 0, last.epoch + 1
        elif reach.first > after + 1 and not reach.base_end:
            raise HistoryGapError(history, after, reach.first)
    now_ms = time.time_ns() // 1_000_000
    stored = await _stored(broker, history, queue, key, after)
    records = [*stored.base, *stored.records]
    known_to_ms = max([now_ms, *(record.time_ms for record in records[-1:])])
    mine = [record for record in records if record.queue == queue]
    if not stored.base_end:
        return Recent(history, epoch, mine, known_to_ms)
    if after:
        return Recent(history, epoch, mine, known_to_ms, gap_from_ms=last.time_ms)
    return Recent(history, epoch, mine, known_to_ms, forgotten_to_ms=stored.base[0].time_ms)


async def _stored(broker: Connection, history: str, queue: str, key: str | None, after: int) -> StoredRecords:
    if key is None:
        return await stored_records(broker, history, after)
    return await key_records(broker, history, queue, key, after)


def no_history(queue: str) -> HistoryUnavailableError:
    """The error about a queue that has no history."""
    return HistoryUnavailableError(
        f"queue {queue!r} has no history; give it one: lastvalue queue set {queue} --history {queue}.history"
    )


def landed_from_ms(queue: str, tables: Path | str | None) -> int | None:
    """The time of a queue's oldest record in tables; None if they have none.

    Raises:
        HistoryTablesError: the tables cannot be read.
    """
    if tables is None:
        return None
    return min((file.first_ms for file in open_tables(tables).files_of(queue)), default=None)


def open_tables(directory: Path | str) -> "HistoryTables":
    """The tables in a directory.

    Raises:
        HistoryTablesError: deltalake or pyarrow is not installed, or the tables cannot be read.
    """
    try:
        from lastvalue.history.tables import HistoryTables  # noqa: PLC0415 - only tables need deltalake
    except ModuleNotFoundError as missing:
        raise HistoryTablesError(
            f"reading tables needs {missing.name}; pip install 'lastvalue[history]'"
        ) from None

    return HistoryTables(directory)
