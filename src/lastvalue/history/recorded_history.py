"""The history of a queue: what it held at a moment, what changed between two, and what became of a key.

Older records come from tables, recent ones from the broker's history queue: as one sequence, without a gap
and without a record twice. Either of the two may be absent.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastvalue.client import connect
from lastvalue.history.errors import (
    HistoryGapError,
    HistoryTablesError,
    HistoryUnavailableError,
    InvalidTimeError,
)
from lastvalue.history.history_reader import began_anew, history_of, range_of, stored_records
from lastvalue.history.manifest import BASE, Landed
from lastvalue.history.moment import Moment, QueuedMessage
from lastvalue.history.records import ENDED, OF_THE_QUEUE, REMOVED, WITH_CONTENT, Record
from lastvalue.history.times import print_time

if TYPE_CHECKING:
    from lastvalue.history.tables import HistoryTables

IN: Final = "added"
OUT: Final = "removed"
ANEW: Final = "replaced"


@dataclass(frozen=True, slots=True)
class Change:
    """How a queue at one time differs from the same queue later.

    Attributes:
        kind: ANEW where a key has another message, IN or OUT otherwise.
        before, after: the messages, where there are.
        reason: why `before` left.
    """

    kind: str
    before: QueuedMessage | None
    after: QueuedMessage | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class RecordedHistory:
    """What is known of one queue's past: its records in order, and where they are not all there.

    Attributes:
        queue: its name.
        records: oldest first.
        known_to_ms: up to when everything that happened is among them.
        gaps: numbers of records before which some were lost.
        forgotten_to_ms: single records up to then have been forgotten, or -1.
    """

    queue: str
    records: list[Record]
    known_to_ms: int
    gaps: frozenset[int] = frozenset()
    forgotten_to_ms: int = -1

    def as_of(self, time_ms: int) -> Moment:
        """The queue at the end of that millisecond.

        Raises:
            InvalidTimeError: the time has not come.
            HistoryUnavailableError: the history does not tell what was there then.
        """
        self._check(time_ms)
        moment = Moment()
        for number, record in enumerate(self.records):
            if record.time_ms > time_ms:
                break
            if number in self.gaps:
                moment.complete = False
            moment.apply(record)
        self._check_moment(moment, time_ms)
        return moment

    def diff(self, first_ms: int, second_ms: int) -> list[Change]:
        """What is different at the second time, in the order of delivery then; what left comes first.

        Raises:
            InvalidTimeError, HistoryUnavailableError: see `as_of`; or the second time is before the first.
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
        """Everything that happened to messages of a key, oldest first; and to the queue."""
        return [record for record in self.records if record.key == key or record.effect in OF_THE_QUEUE]

    def published(self, start_ms: int, end_ms: int) -> list[Record]:
        """The messages that the queue took from one time to before another, oldest first.

        Raises:
            InvalidTimeError, HistoryUnavailableError: the time has not come, or the history misses some.
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
                f"{print_time(time_ms)} is later than what is known of {self.queue!r}, which ends at "
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
        """Say from when on the history can be asked."""
        if not self.records or self.records[0].time_ms > time_ms:
            raise HistoryUnavailableError(
                f"the history of {self.queue!r} begins after {print_time(time_ms)}{self._began()}"
            )
        known = self._known_from(time_ms)
        if known is None:
            raise HistoryUnavailableError(
                f"the history of {self.queue!r} does not reach back to where it began, so what was there at "
                f"{print_time(time_ms)} is not known; land histories, or begin it anew by setting `history` "
                "to nothing and to the queue again"
            )
        raise HistoryUnavailableError(
            f"the history of {self.queue!r} begins at {print_time(known)}; {print_time(time_ms)} is before"
        )

    def _began(self) -> str:
        return f", at {print_time(self.records[0].time_ms)}" if self.records else ""

    def _known_from(self, after_ms: int) -> int | None:
        for number, record in enumerate(self.records):
            if record.time_ms > after_ms and record.effect == "declared" and number not in self.gaps:
                return record.time_ms
        return None


def changes(
    before: Iterable[QueuedMessage], after: Iterable[QueuedMessage], reasons: dict[int | None, str | None]
) -> list[Change]:
    """The difference of two lists of messages; a key on both sides once, with another message, is ANEW."""
    first = {_identity(queued_message): queued_message for queued_message in before}
    second = {_identity(queued_message): queued_message for queued_message in after}
    gone = [queued_message for identity, queued_message in first.items() if identity not in second]
    come = [queued_message for identity, queued_message in second.items() if identity not in first]
    by_key = _singles(come)
    matched = _singles(gone)
    found = [
        Change(OUT, queued_message, None, reasons.get(queued_message.record.sequence))
        for queued_message in gone
        if not (queued_message.record.key in matched and queued_message.record.key in by_key)
    ]
    for queued_message in come:
        key = queued_message.record.key
        previous = matched.get(key) if key is not None and key in by_key else None
        reason = None if previous is None else reasons.get(previous.record.sequence)
        found.append(Change(IN if previous is None else ANEW, previous, queued_message, reason))
    return found


def _identity(queued_message: QueuedMessage) -> tuple[int | None, int | None]:
    """What a message is known by; when it came tells it from that of a queue that was made anew."""
    return queued_message.record.sequence, queued_message.record.arrival_ms


def _singles(queued_message: Iterable[QueuedMessage]) -> dict[str | None, QueuedMessage]:
    """By key, where one message has it."""
    found: dict[str | None, QueuedMessage] = {}
    twice: set[str] = set()
    for each in queued_message:
        key = each.record.key
        if key is None:
            continue
        if key in found:
            twice.add(key)
        found[key] = each
    return {key: each for key, each in found.items() if key not in twice}


async def read_history(
    queue: str,
    *,
    url: str | None = None,
    directory: Path | str | None = None,
    until_ms: int | None = None,
) -> RecordedHistory:
    """What is known of a queue's past.

    Args:
        queue: its name; it may have been deleted since, where tables know it.
        url: the broker's; None reads tables alone.
        directory: of tables; None asks the broker alone.
        until_ms: nothing later is asked for: the broker is left alone where the tables reach so far.

    Raises:
        HistoryUnavailableError: neither knows the queue's history.
        HistoryGapError: the broker has dropped what came behind the tables.
        HistoryTablesError, ClientError: they cannot be read.
    """
    tables = None if directory is None else open_tables(directory)
    landed = LandedHistory(queue, tables)
    landed.load(until_ms)
    if url is None or (until_ms is not None and landed.reaches(until_ms)):
        if tables is None or not landed.files:
            raise HistoryUnavailableError(f"the tables in {directory} hold no history of {queue!r}")
        return RecordedHistory(
            queue, landed.records, landed.known_to_ms, frozenset(landed.gaps), landed.forgotten_to_ms
        )
    recent = await recent_records(url, landed)
    return RecordedHistory(
        queue,
        [*landed.records, *recent.records],
        recent.known_to_ms,
        frozenset(landed.gaps),
        landed.forgotten_to_ms,
    )


class LandedHistory:
    """What tables hold of a queue."""

    def __init__(self, queue: str, tables: "HistoryTables | None") -> None:
        self.queue = queue
        self.tables = tables
        self.files = [] if tables is None else tables.files_of(queue)
        self.records: list[Record] = []
        self.gaps: set[int] = set()
        bases = [file.last_ms for file in self.files if file.kind == BASE]
        self.forgotten_to_ms = max(bases, default=-1)
        # The queue's last records are in the history that it has now.
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
        reached: dict[tuple[str, int], int] = {}
        for file in tables.files_of(self.queue, until_ms):
            before = reached.get(file.stream, 0)
            lost = [gap.last for gap in tables.manifest.gaps if (gap.history, gap.epoch) == file.stream]
            for record in tables.records_in(file):
                if any(before <= last < record.offset for last in lost):
                    self.gaps.add(len(self.records))
                before = record.offset
                self.records.append(record)
            reached[file.stream] = before

    def landed(self, history: str) -> Landed:
        """Up to where a history has landed."""
        none = Landed(1, 0, -1)
        return none if self.tables is None else self.tables.manifest.landed.get(history, none)

    def reaches(self, time_ms: int) -> bool:
        """Whether nothing up to that time is missing."""
        # What came later in the millisecond of the last record may not have landed.
        return time_ms < self.known_to_ms


@dataclass(frozen=True, slots=True)
class Recent:
    """What the broker has of a queue's history behind the tables.

    Attributes:
        history, epoch: the stream that the records are of.
        known_to_ms: everything that happened up to then is among the records.
    """

    history: str
    epoch: int
    records: list[Record]
    known_to_ms: int


async def recent_records(url: str, landed: LandedHistory) -> Recent:
    """What happened to a queue since its history landed, as the broker has it.

    Raises:
        HistoryUnavailableError: the queue has no history.
        HistoryGapError: the broker has dropped what came behind the tables.
        ClientError: what the broker says.
    """
    queue = landed.queue
    async with connect(url) as connection:
        history = await history_of(connection, queue)
        if history is None:
            history = landed.history
        if history is None:
            raise HistoryUnavailableError(
                f"queue {queue!r} has no history; give it one: lastvalue queue set {queue} "
                f"--history {queue}.history"
            )
        last = landed.landed(history)
        after, epoch = last.offset, last.epoch
        if after:
            reach = await range_of(connection, history)
            if await began_anew(connection, history, last.offset, last.time_ms):
                after, epoch = 0, last.epoch + 1
            elif reach.first > after + 1:
                raise HistoryGapError(history, after, reach.first)
        now_ms = time.time_ns() // 1_000_000
        records = await stored_records(connection, history, after)
    known_to_ms = max([now_ms, *(record.time_ms for record in records[-1:])])
    mine = [record for record in records if record.queue == queue]
    return Recent(history, epoch, mine, known_to_ms)


def open_tables(directory: Path | str) -> "HistoryTables":
    """The tables in a directory.

    Raises:
        HistoryTablesError: there is no pyarrow, or a manifest that cannot be read.
    """
    try:
        # Here, because a look at the broker alone needs no columns.
        from lastvalue.history.tables import HistoryTables  # noqa: PLC0415 - see above
    except ModuleNotFoundError as missing:
        raise HistoryTablesError(
            f"reading tables needs {missing.name}; pip install 'lastvalue[spark]' has it"
        ) from None

    return HistoryTables(directory)
