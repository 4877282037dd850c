"""Segment files: batches with checksums, one after the other, in files that are filled with zeros ahead.

A segment begins with its head, then come batches, and zeros behind the last. What was not synced when the
power went may be there in any part: a batch, and not the one before it. So every batch says how many before
it were safe, and every head how many of the segment before it. What is damaged and was not said to be safe
is a torn end; what was is a fault of the disk.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastvalue.model.errors import LastvalueError

FORMAT_VERSION: Final = 2
SUFFIX: Final = ".journal"
SEGMENT_MAGIC: Final = b"lastvalue\x00"
# Magic, format version, number of the segment, number of the one before it, batches that were safe in that.
SEGMENT_HEAD: Final = struct.Struct(">10sHQQI")
# Magic, size of the records, checksum, number of the batch in the segment, batches before it that were safe.
BATCH_HEAD: Final = struct.Struct(">4sIIII")
# Number of the segment, and the last three fields but for the checksum: what the checksum begins with.
_SEED: Final = struct.Struct(">QIII")
BATCH_MAGIC: Final = b"\xb1batch"[:4]
ZEROS: Final = bytes(1 << 20)


class StoreError(LastvalueError):
    """The store's files cannot be used."""


class CorruptError(StoreError):
    """What was safe is damaged: this is no torn end.

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
class Tail:
    """Where a segment ends: its number, and how many batches of it are safe."""

    number: int = 0
    batches: int = 0


@dataclass(frozen=True)
class Batch:
    """Records that were written together, and where.

    Attributes:
        index: its number in the segment.
        synced: how many before it were safe when it was written.
    """

    offset: int
    records: bytes
    index: int
    synced: int

    @property
    def end(self) -> int:
        """The byte behind it."""
        return self.offset + BATCH_HEAD.size + len(self.records)


def segment_path(directory: Path, number: int) -> Path:
    """The file of a segment."""
    return directory / f"{number:012d}{SUFFIX}"


def segment_numbers(directory: Path) -> list[int]:
    """The segments in a directory, oldest first."""
    return sorted(int(path.stem) for path in directory.glob(f"*{SUFFIX}") if path.stem.isdecimal())


def head(number: int, before: Tail) -> bytes:
    """What a segment begins with, that follows another."""
    return SEGMENT_HEAD.pack(SEGMENT_MAGIC, FORMAT_VERSION, number, before.number, before.batches)


def batch(records: bytes, number: int, index: int, synced: int) -> bytes:
    """Records with their head, for a place in the segment of that number."""
    checksum = _checksum(records, number, index, synced)
    return BATCH_HEAD.pack(BATCH_MAGIC, len(records), checksum, index, synced) + records


def _checksum(records: bytes, number: int, index: int, synced: int) -> int:
    return zlib.crc32(records, zlib.crc32(_SEED.pack(number, len(records), index, synced)))


class SegmentReader:
    """Reads one segment.

    Attributes:
        before: what its head says of the segment before it.
        end: behind the last whole batch; where the segment ends, but for what is damaged.
        size: of the file.
        batches: how many there are, with those passed over.
        damage: what is wrong where reading ended, or "" at a clean end.
        torn: the damage is a torn end: nobody was told that what was there is safe.
        lost: ranges of bytes that were passed over, where `salvage` was asked for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = Tail()
        self.end = 0
        self.batches = 0
        self.damage = ""
        self.torn = False
        self.lost: list[tuple[int, int]] = []
        self._data = path.read_bytes()
        self.size = len(self._data)
        self._number = 0

    def read(self, *, salvage: bool = False) -> Iterator[Batch]:
        """The batches up to the end, or up to the first damaged one; with `salvage` those behind it, too.

        Raises:
            StoreError: it is no segment, or one of a later format.
        """
        if not self._read_head():
            return
        self.end = SEGMENT_HEAD.size
        while True:
            found = self._batch_at(self.end)
            if found is None or found.index != self.batches:
                found = self._beyond_damage()
                if found is None or not salvage:
                    return
                self.lost.append((self.end, found.offset))
                self.damage = ""
            yield found
            self.end = found.end
            self.batches = found.index + 1

    def forget(self) -> None:
        """Let the bytes go; what was found out stays."""
        self._data = b""

    def _beyond_damage(self) -> Batch | None:
        """The next whole batch, if one tells that what is damaged here was safe; else this is the end."""
        following = self._next_batch(self.end + 1)
        witness = following
        while witness is not None and witness.synced <= self.batches:
            witness = self._next_batch(witness.end)
        if witness is None:
            self.torn = bool(self.damage)
            return None
        self.damage = self.damage or "a batch is missing"
        return following

    def _read_head(self) -> bool:
        """Whether there is one; a file that was made and not written has none."""
        data = self._data
        if len(data) < SEGMENT_HEAD.size or not any(data[: SEGMENT_HEAD.size]):
            if any(data[SEGMENT_HEAD.size :]):
                self.damage = "the head is missing"
            return False
        magic, version, number, before, batches = SEGMENT_HEAD.unpack_from(data)
        if magic != SEGMENT_MAGIC:
            raise StoreError(f"{self.path} is no segment of a lastvalue store")
        if version > FORMAT_VERSION:
            raise StoreError(
                f"{self.path} has the format {version}; this lastvalue reads up to {FORMAT_VERSION}: "
                "use a newer one"
            )
        if segment_path(self.path.parent, number) != self.path:
            raise StoreError(f"{self.path} is segment {number} under another name; give it its own")
        self._number = number
        self.before = Tail(before, batches)
        return True

    def _batch_at(self, pos: int) -> Batch | None:
        """The batch at a place; None at the end, or at damage, which `damage` then says."""
        data = self._data
        if pos + BATCH_HEAD.size > len(data):
            if any(data[pos:]):
                self.damage = "the file ends within a batch"
            return None
        magic, size, checksum, index, synced = BATCH_HEAD.unpack_from(data, pos)
        if magic != BATCH_MAGIC:
            if any(data[pos : pos + BATCH_HEAD.size]):
                self.damage = "no batch begins where one should"
            return None
        start = pos + BATCH_HEAD.size
        records = data[start : start + size]
        if len(records) < size:
            self.damage = "the file ends within a batch"
            return None
        if _checksum(records, self._number, index, synced) != checksum:
            self.damage = "a checksum does not fit"
            return None
        return Batch(pos, records, index, synced)

    def _next_batch(self, pos: int) -> Batch | None:
        """The next whole batch from a place on, with a higher number than what was read."""
        damage = self.damage
        found = None
        while found is None or found.index < self.batches:
            pos = self._data.find(BATCH_MAGIC, pos)
            if pos < 0:
                found = None
                break
            found = self._batch_at(pos)
            pos += 1
        self.damage = damage
        return found
