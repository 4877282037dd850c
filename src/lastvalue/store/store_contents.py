"""Reads a store's directory: the declarations, and the messages of each queue."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from lastvalue.queues.duplicates import DEFAULT_WINDOW
from lastvalue.queues.entry import ACQUIRED, AVAILABLE
from lastvalue.store import records
from lastvalue.store.clean_stop import read_clean_stop
from lastvalue.store.files import DISK, Files
from lastvalue.store.records import (
    Declared,
    Deleted,
    Epoch,
    Forgotten,
    Identified,
    Mark,
    Record,
    RecordError,
    StoredMessage,
    Tombstoned,
)
from lastvalue.store.segments import CorruptError, SegmentReader, Tail, segment_numbers, segment_path


@dataclass
class StoreContents:
    """The contents of a store's directory.

    Attributes:
        declared: the existing queues, exchanges and bindings, in the order of their declaration.
        messages: the messages of each queue, by its number and their sequence, each with its segment.
        ids: the ids that each queue remembers, by its number, each with its segment and message's sequence.
        windows: the number of ids that each queue remembers.
        tombstones: the newest tombstone of each key, by queue, each with its segment; even where the key has
            a value again.
        forgotten: how far the tombstones of each queue go, and are forgotten.
        epochs: the epochs of each queue, oldest first.
        sequences: the last sequence of each queue.
        segments: the sizes of the segments in bytes, by number.
        tail: the end of the newest segment.
        next_number: the number of the next queue.
        damaged: the newest segment that is damaged, or is followed by a missing one, or 0.
        lost: the damaged ranges that were skipped: file, first byte, byte after the last.
        missing: the files that are missing and were skipped.
        torn: the torn ends that were cut off, as `lost`.
        records: the number of records read.
    """

    declared: dict[tuple[str, str], Declared] = field(default_factory=dict)
    messages: dict[int, dict[int, tuple[int, StoredMessage]]] = field(default_factory=dict)
    ids: dict[int, dict[bytes, tuple[int, int]]] = field(default_factory=dict)
    windows: dict[int, int] = field(default_factory=dict)
    tombstones: dict[int, dict[bytes, tuple[int, Tombstoned]]] = field(default_factory=dict)
    forgotten: dict[int, Forgotten] = field(default_factory=dict)
    epochs: dict[int, dict[int, Epoch]] = field(default_factory=dict)
    sequences: dict[int, int] = field(default_factory=dict)
    segments: dict[int, int] = field(default_factory=dict)
    tail: Tail = field(default_factory=Tail)
    next_number: int = 1
    damaged: int = 0
    lost: list[tuple[Path, int, int]] = field(default_factory=list)
    missing: list[Path] = field(default_factory=list)
    torn: list[tuple[Path, int, int]] = field(default_factory=list)
    records: int = 0

    @property
    def next_segment(self) -> int:
        """The number of the next segment."""
        return self.tail.number + 1


def load_contents(
    directory: Path,
    *,
    salvage: bool,
    progress: Callable[[int, int], None] | None = None,
    files: Files = DISK,
) -> StoreContents:
    """Read every segment, oldest first. A torn end is cut off, because it was never confirmed.

    After a clean stop the newest segment has no torn end: what is missing from it is damage.

    Args:
        directory: the store's directory; an empty one is an empty store.
        salvage: skip damaged data and list it in `lost`.
        progress: called after each segment with the number of segments read and of all.
        files: the disk.

    Raises:
        CorruptError: safe data is damaged, and `salvage` is false.
        StoreError: a file is not a segment, or has a later format.
    """
    stored = StoreContents()
    numbers = segment_numbers(directory, files)
    stop = read_clean_stop(directory, files)
    readers: dict[int, SegmentReader] = {}
    for index, number in enumerate(numbers, 1):
        reader = readers[number] = SegmentReader(segment_path(directory, number), files)
        _load_segment(stored, reader, number, salvage)
        if index > 1:
            _check_end(stored, reader.before, directory, readers, salvage)
        reader.forget()
        stored.tail = Tail(number, reader.batches)
        stored.segments[number] = reader.end
        if progress is not None:
            progress(index, len(numbers))
    if stop.number >= stored.tail.number:
        _check_end(stored, stop, directory, readers, salvage)
    _settle(stored, directory, list(readers.values()), files)
    return stored


def _load_segment(stored: StoreContents, reader: SegmentReader, number: int, salvage: bool) -> None:  # noqa: FBT001 - private
    path = reader.path
    for batch in reader.read(salvage=salvage):
        try:
            apply_records(stored, batch.records, number)
        except RecordError as fault:
            raise CorruptError(path, batch.offset, str(fault)) from fault
    for start, end in reader.lost:
        _lose(stored, reader, start, end)
    if reader.damage and not reader.torn:
        if not salvage:
            raise CorruptError(path, reader.end, reader.damage)
        _lose(stored, reader, reader.end, reader.size)


def _check_end(
    stored: StoreContents,
    expected: Tail,
    directory: Path,
    readers: dict[int, SegmentReader],
    salvage: bool,  # noqa: FBT001 - private
) -> None:
    """Compare a segment with what the head of the next one, or the mark of a clean stop, says of its end.

    The journal deletes segments oldest first, so a missing one after an existing one is damage.
    """
    before = readers.get(expected.number)
    if before is None:
        if expected.number < min(readers, default=1):
            return
        path = segment_path(directory, expected.number)
        if not salvage:
            raise CorruptError(path, 0, "the file is missing")
        stored.missing.append(path)
        stored.damaged = max(stored.damaged, stored.tail.number)
    elif before.batches < expected.batches:
        if not salvage:
            what = f"{before.batches} of {expected.batches} batches are there"
            raise CorruptError(before.path, before.end, before.damage or what)
        _lose(stored, before, before.end, before.size)


def _lose(stored: StoreContents, reader: SegmentReader, start: int, end: int) -> None:
    stored.lost.append((reader.path, start, end))
    stored.damaged = max(stored.damaged, int(reader.path.stem))


def _settle(stored: StoreContents, directory: Path, readers: list[SegmentReader], files: Files) -> None:
    """Cut the files off at their ends, and sync what was read, because new records build upon it."""
    for reader in readers:
        if reader.torn:
            stored.torn.append((reader.path, reader.end, reader.size))
        if reader.size > reader.end and (reader.torn or not reader.damage):
            _sync(reader, files, reader.end)
        elif reader is readers[-1]:
            _sync(reader, files, reader.size)
    if readers:
        files.sync_directory(directory)


def _sync(reader: SegmentReader, files: Files, size: int) -> None:
    descriptor = files.open(reader.path)
    try:
        if size < reader.size:
            files.truncate(descriptor, size)
        files.sync(descriptor)
    finally:
        files.close(descriptor)


def apply_records(stored: StoreContents, batch: bytes, segment: int) -> None:
    """Add the records of the next batch, which is in this segment.

    Raises:
        RecordError: the bytes are not valid records.
    """
    for record in records.records(batch):
        apply_record(stored, record, segment)


def apply_record(stored: StoreContents, record: Record, segment: int) -> None:
    """Add the next record, which is in this segment."""
    stored.records += 1
    if isinstance(record, StoredMessage):
        stored.messages.setdefault(record.queue, {})[record.sequence] = (segment, record)
        _count(stored, record.queue, record.sequence)
    elif isinstance(record, Mark):
        _mark(stored, record)
    elif isinstance(record, Identified):
        _identify(stored, record, segment)
    elif isinstance(record, Declared):
        stored.declared[record.kind, record.name] = record
        stored.next_number = max(stored.next_number, record.number + 1)
        stored.windows[record.number] = record.arguments.get("duplicate_window") or DEFAULT_WINDOW
    elif isinstance(record, Deleted):
        stored.declared.pop((record.kind, record.name), None)
        stored.messages.pop(record.number, None)
        stored.ids.pop(record.number, None)
        stored.tombstones.pop(record.number, None)
        stored.forgotten.pop(record.number, None)
        stored.epochs.pop(record.number, None)
        stored.sequences.pop(record.number, None)
    else:
        _remember(stored, record, segment)


def _remember(stored: StoreContents, record: Tombstoned | Forgotten | Epoch, segment: int) -> None:
    if isinstance(record, Tombstoned):
        stored.tombstones.setdefault(record.queue, {})[record.key] = (segment, record)
        _count(stored, record.queue, record.sequence)
        known = stored.forgotten.get(record.queue, Forgotten(record.queue, 0, 0))
        stored.forgotten[record.queue] = replace(known, number=max(known.number, record.number))
    elif isinstance(record, Forgotten):
        stored.forgotten[record.queue] = record
        kept = stored.tombstones.get(record.queue, {})
        stored.tombstones[record.queue] = {
            key: each for key, each in kept.items() if each[1].number > record.forgotten
        }
    else:
        epochs = stored.epochs.setdefault(record.queue, {})
        if record.epoch == 0:
            epochs.clear()
        epochs[record.epoch] = record


def _identify(stored: StoreContents, record: Identified, segment: int) -> None:
    """Add an id; the files have forgotten ids too, so the oldest are dropped from time to time."""
    ids = stored.ids.setdefault(record.queue, {})
    ids[record.duplicate_id] = (segment, record.sequence)
    window = stored.windows.get(record.queue, DEFAULT_WINDOW)
    if len(ids) > 2 * window:
        newest = sorted(ids.items(), key=_sequence)[-window:]
        stored.ids[record.queue] = dict(newest)
    _count(stored, record.queue, record.sequence)


def _sequence(item: tuple[bytes, tuple[int, int]]) -> int:
    return item[1][1]


def _mark(stored: StoreContents, mark: Mark) -> None:
    _count(stored, mark.queue, mark.sequence)
    messages = stored.messages.get(mark.queue)
    if messages is None:
        return
    if mark.kind == records.REMOVED:
        if mark.sequence in messages:
            del messages[mark.sequence]
        return
    located = messages.get(mark.sequence)
    if located is None:
        return
    message = located[1]
    if mark.kind == records.ACQUIRED:
        message.state = ACQUIRED
    elif mark.kind == records.RELEASED:
        message.state = AVAILABLE
        message.delivery_count = mark.number
    elif mark.kind == records.SUPERSEDED:
        message.superseded = True
    elif mark.kind == records.RESCHEDULED:
        message.expires_ms = mark.number
    elif mark.kind == records.DUE:
        message.state = AVAILABLE
        message.updates = mark.number


def _count(stored: StoreContents, queue: int, sequence: int) -> None:
    if sequence > stored.sequences.get(queue, 0):
        stored.sequences[queue] = sequence
