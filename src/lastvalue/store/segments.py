"""Segment files: a head, then batches with checksums, then zeros that reserve space.

After a loss of power any part of the unsynced data may be on the disk: a batch, and not the one before it. So
every batch says how many batches before it were safe, and every head how many of the previous segment.
Damage in data that was not safe is a torn end; damage in safe data is a fault of the disk.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastvalue.model.errors import LastvalueError
from lastvalue.store.files import DISK, Files

FORMAT_VERSION: Final = 2
SUFFIX: Final = ".journal"
SEGMENT_MAGIC: Final = b"lastvalue\x00"
# Magic, format version, number of the segment, number of the previous one, safe batches in that.
SEGMENT_HEAD: Final = struct.Struct(">10sHQQI")
# Magic, size of the records, checksum, number of the batch in the segment, safe batches before it.
BATCH_HEAD: Final = struct.Struct(">4sIIII")
# The checksum begins with the number of the segment and the fields after the magic, except itself.
_SEED: Final = struct.Struct(">QIII")
BATCH_MAGIC: Final = b"\xb1batch"[:4]
ZEROS: Final = bytes(1 << 20)


class StoreError(LastvalueError):
    """The store's files cannot be used."""


class NewerVersionError(StoreError):
    """What was written is of a newer version of lastvalue: this one waits until it is upgraded."""


class CorruptError(StoreError):
    """Safe data is damaged; this is not a torn end.

    Attributes:
        path, offset: the file and the byte of the damage.
    """

    def __init__(self, path: Path, offset: int, what: str) -> None:
        super().__init__(
            f"{path} is damaged at byte {offset}: {what}; start with --on-corruption salvage to keep the rest"
        )
        self.path = path
        self.offset = offset


@dataclass(frozen=True)
class Tail:
    """The end of a segment: its number, and the number of its safe batches."""

    number: int = 0
    batches: int = 0


@dataclass(frozen=True)
class Batch:
    """Records that were written together.

    Attributes:
        offset: the byte in the file at which the batch begins.
        index: its number in the segment.
        synced: the number of batches before it that were safe when it was written.
    """

    offset: int
    records: bytes
    index: int
    synced: int

    @property
    def end(self) -> int:
        """The byte after the batch."""
        return self.offset + BATCH_HEAD.size + len(self.records)


def segment_path(directory: Path, number: int) -> Path:
    """The file of a segment."""
    return directory / f"{number:012d}{SUFFIX}"


def segment_numbers(directory: Path, files: Files = DISK) -> list[int]:
    """The numbers of the segments in a directory, oldest first."""
    stems = (name.removesuffix(SUFFIX) for name in files.names(directory) if name.endswith(SUFFIX))
    return sorted(int(stem) for stem in stems if stem.isdecimal())


def head(number: int, before: Tail) -> bytes:
    """The head of a segment that follows `before`."""
    return SEGMENT_HEAD.pack(SEGMENT_MAGIC, FORMAT_VERSION, number, before.number, before.batches)


def batch(records: bytes, number: int, index: int, synced: int) -> bytes:
    """A batch of records with its head, for the segment of this number."""
    checksum = _checksum(records, number, index, synced)
    return BATCH_HEAD.pack(BATCH_MAGIC, len(records), checksum, index, synced) + records


def _checksum(records: bytes, number: int, index: int, synced: int) -> int:
    return zlib.crc32(records, zlib.crc32(_SEED.pack(number, len(records), index, synced)))


class SegmentReader:
    """Reads one segment.

    Attributes:
        before: what its head says about the previous segment.
        end: the byte after the last whole batch.
        size: the size of the file in bytes.
        batches: the number of batches, skipped ones included.
        damage: the fault at which reading ended, or "" at a clean end.
        torn: the damage is a torn end: what was there had not been confirmed as safe.
        lost: the ranges of bytes that `salvage` skipped.
    """

    def __init__(self, path: Path, files: Files = DISK) -> None:
        self.path = path
        self.before = Tail()
        self.end = 0
        self.batches = 0
        self.damage = ""
        self.torn = False
        self.lost: list[tuple[int, int]] = []
        self._data = files.read(path)
        self.size = len(self._data)
        self._number = 0

    def read(self, *, salvage: bool = False) -> Iterator[Batch]:
        """The batches up to the first damaged one; with `salvage` also those after it.

        Raises:
            StoreError: the file is not a segment, or has a later format.
        """
        if not self._read_head():
            return
        self.end = SEGMENT_HEAD.size
        while True:
            following = self._batch_at(self.end)
            if following is None or following.index != self.batches:
                following = self._beyond_damage()
                if following is None or not salvage:
                    return
                self.lost.append((self.end, following.offset))
                self.damage = ""
            yield following
            self.end = following.end
            self.batches = following.index + 1

    def forget(self) -> None:
        """Free the file's bytes; the attributes stay."""
        self._data = b""

    def _beyond_damage(self) -> Batch | None:
        """The next whole batch, if a later one says that the data damaged here was safe; else None."""
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
        """Read the head; returns false if the file was created but never written."""
        data = self._data
        if len(data) < SEGMENT_HEAD.size or not any(data[: SEGMENT_HEAD.size]):
            if any(data[SEGMENT_HEAD.size :]):
                self.damage = "the head is missing"
            return False
        magic, version, number, before, batches = SEGMENT_HEAD.unpack_from(data)
        if magic != SEGMENT_MAGIC:
            raise StoreError(f"{self.path} is not a segment of a lastvalue store")
        if version > FORMAT_VERSION:
            raise StoreError(
                f"{self.path} has the format {version}; this lastvalue reads formats up to {FORMAT_VERSION}: "
                "use a newer one"
            )
        if segment_path(self.path.parent, number) != self.path:
            raise StoreError(f"{self.path} contains segment {number}; rename it to match its number")
        self._number = number
        self.before = Tail(before, batches)
        return True

    def _batch_at(self, pos: int) -> Batch | None:
        """The batch at a byte; None at the end or at damage, which `damage` then describes."""
        data = self._data
        if pos + BATCH_HEAD.size > len(data):
            if any(data[pos:]):
                self.damage = "the file ends within a batch"
            return None
        magic, size, checksum, index, synced = BATCH_HEAD.unpack_from(data, pos)
        if magic != BATCH_MAGIC:
            if any(data[pos : pos + BATCH_HEAD.size]):
                self.damage = "there is no batch where one must begin"
            return None
        start = pos + BATCH_HEAD.size
        records = data[start : start + size]
        if len(records) < size:
            self.damage = "the file ends within a batch"
            return None
        if _checksum(records, self._number, index, synced) != checksum:
            self.damage = "a checksum does not match"
            return None
        return Batch(pos, records, index, synced)

    def _next_batch(self, pos: int) -> Batch | None:
        """The next whole batch from a byte on whose number is higher than those read."""
        damage = self.damage
        candidate = None
        while candidate is None or candidate.index < self.batches:
            pos = self._data.find(BATCH_MAGIC, pos)
            if pos < 0:
                candidate = None
                break
            candidate = self._batch_at(pos)
            pos += 1
        self.damage = damage
        return candidate
