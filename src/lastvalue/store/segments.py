"""Segment files: batches with checksums, one after the other, in files that are filled with zeros ahead.

A segment begins with its head, then come batches. A batch of size 0 is the end: what follows are zeros.
"""

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastvalue.model.errors import LastvalueError

FORMAT_VERSION: Final = 1
SUFFIX: Final = ".journal"
SEGMENT_MAGIC: Final = b"lastvalue\x00"
# Magic, format version, number of the segment.
SEGMENT_HEAD: Final = struct.Struct(">10sHQ")
# Magic, size of the records, their checksum, number of the batch in the segment.
BATCH_HEAD: Final = struct.Struct(">4sIII")
BATCH_MAGIC: Final = b"\xb1batch"[:4]
ZEROS: Final = bytes(1 << 20)


class StoreError(LastvalueError):
    """The store's files cannot be used."""


class CorruptError(StoreError):
    """A batch is damaged and others follow: this is no torn end.

    Attributes:
        path, offset: where.
    """

    def __init__(self, path: Path, offset: int, what: str) -> None:
        super().__init__(
            f"{path} is damaged at byte {offset}: {what}; start with --on-corruption salvage to keep the rest"
        )
        self.path = path
        self.offset = offset


@dataclass(frozen=True)
class Batch:
    """Records that were written together, and where."""

    offset: int
    records: bytes


def segment_path(directory: Path, number: int) -> Path:
    """The file of a segment."""
    return directory / f"{number:012d}{SUFFIX}"


def segment_numbers(directory: Path) -> list[int]:
    """The segments in a directory, oldest first."""
    return sorted(int(path.stem) for path in directory.glob(f"*{SUFFIX}") if path.stem.isdecimal())


def head(number: int) -> bytes:
    """What a segment begins with."""
    return SEGMENT_HEAD.pack(SEGMENT_MAGIC, FORMAT_VERSION, number)


def batch(records: bytes, index: int) -> bytes:
    """Records with their head."""
    return BATCH_HEAD.pack(BATCH_MAGIC, len(records), zlib.crc32(records, index), index) + records


class SegmentReader:
    """Reads one segment.

    Attributes:
        end: behind the last whole batch; where writing goes on.
        batches: how many there are.
        damage: what is wrong where reading ended, or "" at a clean end.
        lost: ranges of bytes that were passed over, where `salvage` was asked for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.end = 0
        self.batches = 0
        self.damage = ""
        self.lost: list[tuple[int, int]] = []
        self._data = path.read_bytes()

    def read(self, *, salvage: bool = False) -> Iterator[Batch]:
        """The batches up to the end, or up to the first damaged one; with `salvage` those behind it, too.

        Raises:
            StoreError: it is no segment, or one of a later format.
        """
        self._check_head()
        pos = self.end = SEGMENT_HEAD.size
        while True:
            found = self._batch_at(pos)
            if found is None:
                if not self.damage or not salvage:
                    return
                start = pos
                pos = self._next_batch(pos + 1)
                if pos < 0:
                    return
                self.lost.append((start, pos))
                self.damage = ""
                continue
            yield found
            pos = self.end = found.offset + BATCH_HEAD.size + len(found.records)
            self.batches += 1

    def has_more(self) -> bool:
        """Whether a whole batch follows the damage: then it is no torn end."""
        return self._next_batch(self.end + 1) >= 0

    def _check_head(self) -> None:
        if len(self._data) < SEGMENT_HEAD.size or not any(self._data[: SEGMENT_HEAD.size]):
            # The file was made and nothing written: a kill can leave that.
            self._data = b""
            return
        magic, version, _ = SEGMENT_HEAD.unpack_from(self._data)
        if magic != SEGMENT_MAGIC:
            raise StoreError(f"{self.path} is no segment of a lastvalue store")
        if version > FORMAT_VERSION:
            raise StoreError(
                f"{self.path} has the format {version}; this lastvalue reads up to {FORMAT_VERSION}: "
                "use a newer one"
            )

    def _batch_at(self, pos: int) -> Batch | None:
        """The batch at a place; None at the end, or at damage, which `damage` then says."""
        data = self._data
        if pos + BATCH_HEAD.size > len(data):
            if any(data[pos:]):
                self.damage = "the file ends within a batch"
            return None
        magic, size, checksum, index = BATCH_HEAD.unpack_from(data, pos)
        if magic != BATCH_MAGIC:
            if any(data[pos : pos + BATCH_HEAD.size]):
                self.damage = "no batch begins where one should"
            return None
        start = pos + BATCH_HEAD.size
        records = data[start : start + size]
        if len(records) < size:
            self.damage = "the file ends within a batch"
            return None
        if zlib.crc32(records, index) != checksum:
            self.damage = "a checksum does not fit"
            return None
        return Batch(pos, records)

    def _next_batch(self, pos: int) -> int:
        """Where the next whole batch is from a place on, or -1."""
        damage = self.damage
        while True:
            pos = self._data.find(BATCH_MAGIC, pos)
            if pos < 0 or self._batch_at(pos) is not None:
                self.damage = damage
                return pos
            pos += 1


def sync_directory(directory: Path) -> None:
    """Make the names of new files safe."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
