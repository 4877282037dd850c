"""Reads a store's files without changing a byte: what is in them, and whether it is sound."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lastvalue.store import records
from lastvalue.store.records import Declared, Deleted, Mark, Record, RecordError, StoredMessage
from lastvalue.store.segments import (
    BATCH_HEAD,
    Batch,
    SegmentReader,
    StoreError,
    segment_numbers,
    segment_path,
)

ATTEMPTS: Final = 5
"""How often a store is read anew because the broker that has it open took a segment away."""

Progress = Callable[[int, int], None]


class NoStoreError(StoreError):
    """There is no store in the directory."""


@dataclass(frozen=True, slots=True)
class LocatedRecord:
    """A record and where it is: the number of its segment, and the byte in that file."""

    segment: int
    offset: int
    record: Record


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong, and where."""

    path: Path
    offset: int
    what: str


@dataclass(slots=True)
class QueueCounts:
    """A queue's messages in the store: those that are on it, and records of those that are not any more."""

    number: int
    name: str
    live: int = 0
    dead: int = 0
    live_bytes: int = 0


@dataclass
class Inspection:
    """What a store's files hold.

    Attributes:
        segments: how many there are; `records` and `bytes` in all of them.
        queues: by their numbers, those that exist.
        damage: what was safe once and is not sound; none in a sound store.
        torn: ends that nobody was told are safe; a kill leaves one, and so does a broker at work.
    """

    segments: int = 0
    records: int = 0
    bytes: int = 0
    queues: dict[int, QueueCounts] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    torn: list[Damage] = field(default_factory=list)


def located_records(directory: Path, progress: Progress | None = None) -> Iterator[LocatedRecord]:
    """Every record that can be read, oldest first; what is damaged is passed over.

    Raises:
        NoStoreError: there are no segments.
        StoreError: a file is no segment, or one of a later format.
    """
    numbers = checked_numbers(directory)
    for index, number in enumerate(numbers, 1):
        for batch in SegmentReader(segment_path(directory, number)).read(salvage=True):
            try:
                for offset, record in records.placed(batch.records):
                    yield LocatedRecord(number, batch.offset + BATCH_HEAD.size + offset, record)
            except RecordError:
                continue
        if progress is not None:
            progress(index, len(numbers))


def checked_numbers(directory: Path) -> list[int]:
    """The segments of a store, oldest first.

    Raises:
        NoStoreError: there are none.
        OSError: the directory cannot be read.
    """
    if not directory.exists():
        raise NoStoreError(f"there is no directory {directory}")
    if not directory.is_dir():
        raise NoStoreError(f"{directory} is a file; name the directory of a store")
    # Listing tells a directory that may not be read, where a pattern finds nothing in it.
    next(directory.iterdir(), None)
    numbers = segment_numbers(directory)
    if not numbers:
        raise NoStoreError(f"{directory} has no store: no file in it is a segment")
    return numbers


def inspect(directory: Path, progress: Progress | None = None) -> Inspection:
    """Verify heads, checksums, the numbers of batches, records, and what they refer to.

    Raises:
        NoStoreError: there are no segments.
        StoreError: a file is no segment, or one of a later format.
        OSError: a file cannot be read.
    """
    attempt = 1
    while True:
        try:
            return _Inspector(directory).inspect(progress)
        except FileNotFoundError:
            if attempt == ATTEMPTS:
                raise
            attempt += 1


class _Inspector:
    """One reading of a store."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._told = Inspection()
        self._references = References(self._told.queues)
        self._readers: dict[int, SegmentReader] = {}

    def inspect(self, progress: Progress | None) -> Inspection:
        numbers = checked_numbers(self._directory)
        for index, number in enumerate(numbers, 1):
            reader = SegmentReader(segment_path(self._directory, number))
            self._references.oldest = index == 1
            self._read(reader)
            if index > 1:
                self._check_before(reader, numbers[0])
            reader.forget()
            self._readers[number] = reader
            self._told.bytes += reader.size
            if progress is not None:
                progress(index, len(numbers))
        self._told.segments = len(numbers)
        return self._told

    def _read(self, reader: SegmentReader) -> None:
        for batch in reader.read(salvage=True):
            self._read_batch(reader, batch)
        for start, end in reader.lost:
            self._damaged(reader.path, start, f"what was safe cannot be read up to byte {end}")
        if reader.torn:
            self._told.torn.append(Damage(reader.path, reader.end, reader.damage))
        elif reader.damage:
            self._damaged(reader.path, reader.end, reader.damage)

    def _read_batch(self, reader: SegmentReader, batch: Batch) -> None:
        start = batch.offset + BATCH_HEAD.size
        self._references.begin(batch)
        try:
            for offset, record in records.placed(batch.records):
                self._told.records += 1
                fault = self._references.take(record)
                # Where something is lost, what refers to it is no fault of its own.
                if fault and not reader.lost and not self._told.damage:
                    self._damaged(reader.path, start + offset, fault)
        except RecordError as fault:
            self._damaged(reader.path, batch.offset, str(fault))

    def _check_before(self, reader: SegmentReader, oldest: int) -> None:
        """Hold what a head says of the segment before it against that one."""
        said = reader.before
        before = self._readers.get(said.number)
        if before is None:
            if said.number >= oldest:
                self._damaged(segment_path(self._directory, said.number), 0, "the file is missing")
        elif before.batches < said.batches:
            what = f"{before.batches} of {said.batches} batches are there"
            self._told.torn = [torn for torn in self._told.torn if torn.path != before.path]
            self._damaged(before.path, before.end, before.damage or what)

    def _damaged(self, path: Path, offset: int, what: str) -> None:
        self._told.damage.append(Damage(path, offset, what))


class References:
    """Follows what records refer to, and counts each queue's messages.

    Attributes:
        oldest: the records that come next are of the oldest segment. What left before that may be spoken of:
            its own segment is gone.
    """

    def __init__(self, queues: dict[int, QueueCounts]) -> None:
        self.oldest = True
        self._queues = queues
        self._live: dict[int, dict[int, int]] = {}
        self._before: dict[int, int] = {}
        self._unsafe: list[tuple[int, set[tuple[int, int]]]] = []
        self._again: set[tuple[int, int]] = set()

    def begin(self, batch: Batch) -> None:
        """The records that come next are of this batch.

        The first of a file tells again what the file before it was given up with: what was not called safe.
        """
        if batch.index == 0:
            self._again = set().union(*(gone for _, gone in self._unsafe))
            self._unsafe = []
        elif batch.index == 1:
            self._again = set()
        self._unsafe = [(index, gone) for index, gone in self._unsafe if index >= batch.synced]
        self._unsafe.append((batch.index, set()))

    def take(self, record: Record) -> str:
        """Go on with a record; what is wrong with it, or ""."""
        match record:
            case Declared():
                if record.kind == "queue" and record.number not in self._queues:
                    self._queues[record.number] = QueueCounts(record.number, record.name)
                    self._live[record.number] = {}
                return ""
            case Deleted():
                if record.kind == "queue" and self._queues.pop(record.number, None) is not None:
                    del self._live[record.number]
                    self._gone(record.number, _QUEUE)
                return ""
        counts = self._queues.get(record.queue)
        if counts is None:
            if (record.queue, _QUEUE) in self._again:
                return ""
            return f"a record of queue {record.queue}, which is not declared"
        if isinstance(record, StoredMessage):
            self._add(counts, record)
            return ""
        return self._mark(counts, record) if isinstance(record, Mark) else ""

    def _add(self, counts: QueueCounts, kept: StoredMessage) -> None:
        live = self._live[counts.number]
        size = len(kept.encoded) + len(kept.origin) + records.ADDED_SIZE
        if (older := live.get(kept.sequence)) is not None:
            counts.dead += 1
            counts.live -= 1
            counts.live_bytes -= older
        live[kept.sequence] = size
        counts.live += 1
        counts.live_bytes += size

    def _mark(self, counts: QueueCounts, mark: Mark) -> str:
        if mark.kind == records.SEQUENCE:
            if self.oldest:
                self._before.setdefault(counts.number, mark.sequence)
            return ""
        live = self._live[counts.number]
        if mark.sequence not in live:
            told_again = (counts.number, mark.sequence) in self._again
            if told_again or mark.sequence <= self._before.get(counts.number, 0):
                return ""
            return f"message {mark.sequence} of queue {counts.name!r} is {_DONE[mark.kind]}, and is not there"
        if mark.kind == records.REMOVED:
            counts.live_bytes -= live.pop(mark.sequence)
            counts.live -= 1
            counts.dead += 1
            self._gone(counts.number, mark.sequence)
        return ""

    def _gone(self, queue: int, sequence: int) -> None:
        if self._unsafe:
            self._unsafe[-1][1].add((queue, sequence))


_QUEUE: Final = 0
"""No message's sequence: the queue itself."""
_DONE: Final = {
    records.REMOVED: "removed",
    records.ACQUIRED: "acquired",
    records.RELEASED: "released",
    records.DUE: "due",
    records.RESCHEDULED: "rescheduled",
    records.SUPERSEDED: "superseded",
}
