"""Writes only what is live into new segments, for a store that nobody has open."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lastvalue.queues.duplicates import DEFAULT_WINDOW
from lastvalue.queues.ids import KnownId
from lastvalue.store import records
from lastvalue.store.files import DISK, Files
from lastvalue.store.inspection import Progress, checked_numbers
from lastvalue.store.reserve import RESERVE
from lastvalue.store.segments import Tail, segment_numbers, segment_path
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.writer import SegmentWriter

BATCH_BYTES: Final = 1 << 20


def compact(
    directory: Path, segment_bytes: int, progress: Progress | None = None, files: Files = DISK
) -> tuple[int, int]:
    """Copy the live records to new segments, make them safe, then delete the old segments.

    The caller holds the store's lock. A kill at any time leaves a store with the same content, because the
    copies take precedence, and old segments are deleted oldest first.

    Returns:
        The bytes of the files before and after.

    Raises:
        NoStoreError: there is no store.
        StoreError: the store is damaged, or has a later format.
        OSError: the disk is full or broken; the new segments are deleted, the old ones unchanged.
    """
    before = checked_numbers(directory, files)
    stored = load_contents(directory, salvage=False, progress=progress, files=files)
    size_before = _size(directory, before, files)
    # The next start makes it again.
    files.delete(directory / RESERVE)
    writer = SegmentWriter(directory, segment_bytes, stored.tail, files)
    try:
        _write(writer, stored, segment_bytes)
    except OSError:
        for number in sorted(set(segment_numbers(directory, files)) - set(before), reverse=True):
            files.delete(segment_path(directory, number))
        raise
    for number in before:
        writer.delete(number)
    return size_before, _size(directory, segment_numbers(directory, files), files)


def write_contents(stored: StoreContents, directory: Path, segment_bytes: int = 64 << 20) -> None:
    """Write what is live as the first segments of an empty directory.

    Raises:
        OSError: the disk is full or broken.
    """
    stored.tail = Tail()
    _write(SegmentWriter(directory, segment_bytes, stored.tail, DISK), stored, segment_bytes)


def _write(writer: SegmentWriter, stored: StoreContents, segment_bytes: int) -> None:
    segment = stored.next_segment
    batch, written = bytearray(_beginning(stored)), 0
    for record in _live(stored):
        batch += record
        if len(batch) >= BATCH_BYTES:
            writer.write(segment, bytes(batch))
            writer.sync()
            written += len(batch)
            batch.clear()
            if written >= segment_bytes:
                segment, written = segment + 1, 0
                batch += _beginning(stored)
    writer.write(segment, bytes(batch))
    writer.close()


def _beginning(stored: StoreContents) -> bytes:
    """The declarations and sequences, which every segment repeats so that older ones can be deleted."""
    parts = [records.declared(each) for each in stored.declared.values()]
    parts += [records.marked(records.SEQUENCE, *each) for each in stored.sequences.items()]
    return b"".join(parts)


def _live(stored: StoreContents) -> Iterator[bytes]:
    for messages in stored.messages.values():
        for _, (_, message) in sorted(messages.items()):
            yield records.stored_message(message)
    for number, ids in stored.ids.items():
        remembered = [KnownId(each, sequence, durable=True) for each, (_, sequence) in ids.items()]
        window = stored.windows.get(number, DEFAULT_WINDOW)
        for each in sorted(remembered, key=_sequence)[-window:]:
            yield records.identified(number, each)


def _sequence(known: KnownId) -> int:
    return known.sequence


def _size(directory: Path, numbers: list[int], files: Files) -> int:
    return sum(files.size(segment_path(directory, number)) for number in numbers)
