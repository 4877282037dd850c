"""Reads and checks a store's files without changing them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lastvalue.store import records
from lastvalue.store.clean_stop import read_clean_stop
from lastvalue.store.files import DISK, Files
from lastvalue.store.records import Declared, Deleted, Mark, Record, RecordError, StoredMessage
from lastvalue.store.segments import (
    BATCH_HEAD,
    Batch,
    SegmentReader,
    StoreError,
    Tail,
    segment_numbers,
    segment_path,
)

ATTEMPTS: Final = 5
"""How often a store is read if the broker that has it open deletes a segment meanwhile."""

Progress = Callable[[int, int], None]


class NoStoreError(StoreError):
    """There is no store in the directory."""


@dataclass(frozen=True, slots=True)
class LocatedRecord:
    """A record with the number of its segment and its byte offset in that file."""

    segment: int
    offset: int
    record: Record


@dataclass(frozen=True, slots=True)
class Damage:
    """A fault of a store and its place: a file and a byte, or a stream and the sequence of a message."""

    path: Path
    offset: int
    what: str


@dataclass(slots=True)
class QueueCounts:
    """The number of a queue's live messages in the store, and of records of messages that have left."""

    number: int
    name: str
    live: int = 0
    dead: int = 0
    live_bytes: int = 0


@dataclass
class Inspection:
    """The contents of a store's files, and their faults.

    Attributes:
        segments: the number of segments; `records` and `bytes` count all of them.
        queues: the existing queues, by number.
        damage: faults in data that was safe; empty in a sound store.
        torn: ends that were never confirmed as safe; a kill leaves one, and so does a running broker.
    """

    segments: int = 0
    records: int = 0
    bytes: int = 0
    queues: dict[int, QueueCounts] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    torn: list[Damage] = field(default_factory=list)


def located_records(directory: Path, progress: Progress | None = None) -> Iterator[LocatedRecord]:
    """Every readable record, oldest first; damaged parts are skipped.

    Raises:
        NoStoreError: there are no segments.
        StoreError: a file is not a segment, or has a later format.
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


def checked_numbers(directory: Path, files: Files = DISK) -> list[int]:
    """The segments of a store, oldest first.

    Raises:
        NoStoreError: there are no segments.
        OSError: the directory cannot be read.
    """
    if not directory.exists():
        raise NoStoreError(f"there is no directory {directory}")
    if not directory.is_dir():
        raise NoStoreError(f"{directory} is a file; name the directory of a store")
    numbers = segment_numbers(directory, files)
    if not numbers:
        raise NoStoreError(f"{directory} has no store: it contains no segment file")
    return numbers


def inspect(directory: Path, progress: Progress | None = None) -> Inspection:
    """Check the heads, checksums, numbers of batches, records, and the records' references.

    Raises:
        NoStoreError: there are no segments.
        StoreError: a file is not a segment, or has a later format.
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
    """Reads a store once."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._inspection = Inspection()
        self._references = References(self._inspection.queues)
        self._readers: dict[int, SegmentReader] = {}

    def inspect(self, progress: Progress | None) -> Inspection:
        # A broker may stop meanwhile, and note what is not read here.
        stop = read_clean_stop(self._directory)
        numbers = checked_numbers(self._directory)
        for index, number in enumerate(numbers, 1):
            reader = SegmentReader(segment_path(self._directory, number))
            self._references.oldest = index == 1
            self._read(reader)
            if index > 1:
                self._check_end(reader.before, numbers[0])
            reader.forget()
            self._readers[number] = reader
            self._inspection.bytes += reader.size
            if progress is not None:
                progress(index, len(numbers))
        if stop.number >= numbers[-1]:
            self._check_end(stop, numbers[0])
        self._inspection.segments = len(numbers)
        return self._inspection

    def _read(self, reader: SegmentReader) -> None:
        for batch in reader.read(salvage=True):
            self._read_batch(reader, batch)
        for start, end in reader.lost:
            self._damaged(reader.path, start, f"what was safe cannot be read up to byte {end}")
        if reader.torn:
            self._inspection.torn.append(Damage(reader.path, reader.end, reader.damage))
        elif reader.damage:
            self._damaged(reader.path, reader.end, reader.damage)

    def _read_batch(self, reader: SegmentReader, batch: Batch) -> None:
        start = batch.offset + BATCH_HEAD.size
        self._references.begin(batch)
        try:
            for offset, record in records.placed(batch.records):
                self._inspection.records += 1
                missing = self._references.take(record)
                # If records are lost, references to them are not further faults.
                if missing and not reader.lost and not self._inspection.damage:
                    self._damaged(reader.path, start + offset, missing)
        except RecordError as fault:
            self._damaged(reader.path, batch.offset, str(fault))

    def _check_end(self, expected: Tail, oldest: int) -> None:
        """Compare a segment with what the next one's head, or the mark of a clean stop, says of its end."""
        before = self._readers.get(expected.number)
        if before is None:
            if expected.number >= oldest:
                self._damaged(segment_path(self._directory, expected.number), 0, "the file is missing")
        elif before.batches < expected.batches:
            what = f"{before.batches} of {expected.batches} batches are there"
            self._inspection.torn = [torn for torn in self._inspection.torn if torn.path != before.path]
            self._damaged(before.path, before.end, before.damage or what)

    def _damaged(self, path: Path, offset: int, what: str) -> None:
        self._inspection.damage.append(Damage(path, offset, what))


class References:
    """Checks that records refer to existing messages, and counts each queue's messages.

    Attributes:
        oldest: the next records are from the oldest segment; they may refer to messages in segments that
            were deleted before it.
    """

    def __init__(self, queues: dict[int, QueueCounts]) -> None:
        self.oldest = True
        self._queues = queues
        self._live: dict[int, dict[int, int]] = {}
        self._before: dict[int, int] = {}
        self._unsafe: list[tuple[int, set[tuple[int, int]]]] = []
        self._repeatable: set[tuple[int, int]] = set()

    def begin(self, batch: Batch) -> None:
        """Begin a batch; `take` gets its records next.

        The first batch of a file may repeat the unsynced records of the file before it, which was abandoned.
        """
        if batch.index == 0:
            self._repeatable = set().union(*(removals for _, removals in self._unsafe))
            self._unsafe = []
        elif batch.index == 1:
            self._repeatable = set()
        self._unsafe = [(index, removals) for index, removals in self._unsafe if index >= batch.synced]
        self._unsafe.append((batch.index, set()))

    def take(self, record: Record) -> str:
        """Check a record; returns its fault, or ""."""
        match record:
            case Declared():
                if record.kind == "queue" and record.number not in self._queues:
                    self._queues[record.number] = QueueCounts(record.number, record.name)
                    self._live[record.number] = {}
                return ""
            case Deleted():
                if record.kind == "queue" and self._queues.pop(record.number, None) is not None:
                    del self._live[record.number]
                    self._note_removal(record.number, _QUEUE)
                return ""
        counts = self._queues.get(record.queue)
        if counts is None:
            if (record.queue, _QUEUE) in self._repeatable:
                return ""
            return f"a record of queue {record.queue}, which is not declared"
        if isinstance(record, StoredMessage):
            self._add(counts, record)
            return ""
        return self._mark(counts, record) if isinstance(record, Mark) else ""

    def _add(self, counts: QueueCounts, message: StoredMessage) -> None:
        live = self._live[counts.number]
        size = len(message.encoded) + len(message.origin) + records.ADDED_SIZE
        if (older := live.get(message.sequence)) is not None:
            counts.dead += 1
            counts.live -= 1
            counts.live_bytes -= older
        live[message.sequence] = size
        counts.live += 1
        counts.live_bytes += size

    def _mark(self, counts: QueueCounts, mark: Mark) -> str:
        if mark.kind == records.SEQUENCE:
            if self.oldest:
                self._before.setdefault(counts.number, mark.sequence)
            return ""
        live = self._live[counts.number]
        if mark.sequence not in live:
            repeated = (counts.number, mark.sequence) in self._repeatable
            if repeated or mark.sequence <= self._before.get(counts.number, 0):
                return ""
            return f"message {mark.sequence} of queue {counts.name!r} is {_DONE[mark.kind]} but not present"
        if mark.kind == records.REMOVED:
            counts.live_bytes -= live.pop(mark.sequence)
            counts.live -= 1
            counts.dead += 1
            self._note_removal(counts.number, mark.sequence)
        return ""

    def _note_removal(self, queue: int, sequence: int) -> None:
        if self._unsafe:
            self._unsafe[-1][1].add((queue, sequence))


_QUEUE: Final = 0
"""The sequence that stands for the queue itself; no message has it."""
_DONE: Final = {
    records.REMOVED: "removed",
    records.ACQUIRED: "acquired",
    records.RELEASED: "released",
    records.DUE: "due",
    records.RESCHEDULED: "rescheduled",
    records.SUPERSEDED: "superseded",
}
