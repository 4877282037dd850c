"""Reads a store's directory: what existed, and which messages were on which queue."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lastvalue.queues.duplicates import DEFAULT_WINDOW
from lastvalue.queues.entry import ACQUIRED, AVAILABLE
from lastvalue.store import records
from lastvalue.store.records import Declared, Deleted, Identified, Kept, Mark, Record, RecordError
from lastvalue.store.segments import CorruptError, SegmentReader, segment_numbers, segment_path

logger = logging.getLogger(__name__)


@dataclass
class Stored:
    """What a directory holds.

    Attributes:
        declared: what exists, in the order it was declared.
        kept: the messages of each queue, by its number and their sequence, each with its segment.
        ids: what each queue remembers, by its number: each id with its segment and its message's sequence.
        windows: how many of them are remembered.
        sequences: the last sequence of each queue.
        next_segment, next_number: where the journal goes on.
        lost: what was damaged and passed over: file, first byte, byte behind it.
        records: how many were read.
    """

    declared: dict[tuple[str, str], Declared] = field(default_factory=dict)
    kept: dict[int, dict[int, tuple[int, Kept]]] = field(default_factory=dict)
    ids: dict[int, dict[bytes, tuple[int, int]]] = field(default_factory=dict)
    windows: dict[int, int] = field(default_factory=dict)
    sequences: dict[int, int] = field(default_factory=dict)
    next_segment: int = 1
    next_number: int = 1
    lost: list[tuple[Path, int, int]] = field(default_factory=list)
    records: int = 0


def load(directory: Path, *, salvage: bool, progress: Callable[[int, int], None] | None = None) -> Stored:
    """Read every segment, oldest first. A torn end is cut off; it was never confirmed.

    Args:
        directory: the store's; an empty one is a store that holds nothing.
        salvage: pass over what is damaged in the middle, and tell it in `lost`.
        progress: called after each segment with the number read and the number there are.

    Raises:
        CorruptError: something in the middle is damaged, and `salvage` was not asked for.
        StoreError: a file is no segment, or one of a later format.
    """
    stored = Stored()
    numbers = segment_numbers(directory)
    for index, number in enumerate(numbers, 1):
        _load_segment(stored, segment_path(directory, number), number, salvage)
        stored.next_segment = number + 1
        if progress is not None:
            progress(index, len(numbers))
    return stored


def _load_segment(stored: Stored, path: Path, number: int, salvage: bool) -> None:  # noqa: FBT001 - private
    reader = SegmentReader(path)
    for batch in reader.read(salvage=salvage):
        try:
            for record in records.records(batch.records):
                stored.records += 1
                _apply(stored, record, number)
        except RecordError as fault:
            raise CorruptError(path, batch.offset, str(fault)) from fault
    stored.lost += [(path, start, end) for start, end in reader.lost]
    for start, end in reader.lost:
        logger.error("%s: bytes %d to %d are damaged and were passed over", path, start, end)
    if reader.damage:
        if not salvage and reader.has_more():
            raise CorruptError(path, reader.end, reader.damage)
        logger.warning("%s: a torn end is cut off at byte %d: %s", path, reader.end, reader.damage)
        os.truncate(path, reader.end)


def _apply(stored: Stored, record: Record, segment: int) -> None:
    if isinstance(record, Kept):
        stored.kept.setdefault(record.queue, {})[record.sequence] = (segment, record)
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
        stored.kept.pop(record.number, None)
        stored.ids.pop(record.number, None)
        stored.sequences.pop(record.number, None)


def _identify(stored: Stored, record: Identified, segment: int) -> None:
    """Note an id; what was forgotten long ago is still in the files, and is left out in time."""
    ids = stored.ids.setdefault(record.queue, {})
    ids[record.duplicate_id] = (segment, record.sequence)
    window = stored.windows.get(record.queue, DEFAULT_WINDOW)
    if len(ids) > 2 * window:
        newest = sorted(ids.items(), key=_sequence)[-window:]
        stored.ids[record.queue] = dict(newest)
    _count(stored, record.queue, record.sequence)


def _sequence(item: tuple[bytes, tuple[int, int]]) -> int:
    return item[1][1]


def _mark(stored: Stored, mark: Mark) -> None:
    _count(stored, mark.queue, mark.sequence)
    messages = stored.kept.get(mark.queue, {})
    if mark.kind == records.REMOVED:
        messages.pop(mark.sequence, None)
        return
    found = messages.get(mark.sequence)
    if found is None:
        return
    kept = found[1]
    if mark.kind == records.ACQUIRED:
        kept.state = ACQUIRED
    elif mark.kind == records.RELEASED:
        kept.state = AVAILABLE
        kept.delivery_count = mark.number
    elif mark.kind == records.DUE:
        kept.state = AVAILABLE
        kept.not_before_ms = -1


def _count(stored: Stored, queue: int, sequence: int) -> None:
    stored.sequences[queue] = max(stored.sequences.get(queue, 0), sequence)
