"""Snapshots of a store: its files as of one moment, copied while the broker runs."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from lastvalue.store.files import DISK, open_file
from lastvalue.store.inspection import Damage, Inspection, inspect
from lastvalue.store.segments import StoreError, segment_numbers

MANIFEST: Final = "snapshot.json"
"""Written last: a directory without it is not a finished snapshot."""

RESTORING: Final = "restoring"
"""A file in a store's directory while a restore copies files into it."""

VERSION: Final = 1
CHUNK_BYTES: Final = 1 << 20
_OWNERS_DIRECTORY: Final = 0o700

Progress = Callable[[int, int], None]


class SnapshotError(StoreError):
    """A snapshot cannot be written or restored."""


@dataclass(frozen=True, slots=True)
class Part:
    """An open file of the store, of which the first `size` bytes belong to the snapshot."""

    name: str
    descriptor: int
    size: int


@dataclass(frozen=True, slots=True)
class SnapshotSummary:
    """A snapshot, or the rest of one.

    Attributes:
        name: of its directory, or in its repository.
        taken_ms: when it was taken; 0 where that is not known.
        size_bytes: of its files.
        fault: why it cannot be restored; empty where it can, as far as the sizes of its files say.
    """

    name: str
    taken_ms: int = 0
    files: int = 0
    size_bytes: int = 0
    fault: str = ""


def snapshots_in(directory: Path) -> list[SnapshotSummary]:
    """The snapshots in the directories of this one, the oldest first.

    Raises:
        SnapshotError: there is no such directory.
        OSError: it cannot be read.
    """
    if not directory.is_dir():
        raise SnapshotError(f"there is no directory {directory}")
    found = [each for each in directory.iterdir() if each.is_dir() and _looks_like_one(each)]
    return sorted(map(summary_of, found), key=lambda each: (each.taken_ms, each.name))


def _looks_like_one(directory: Path) -> bool:
    return (directory / MANIFEST).exists() or bool(segment_numbers(directory))


def summary_of(directory: Path) -> SnapshotSummary:
    """What the manifest of a snapshot says, compared with its files."""
    try:
        manifest = _manifest(directory)
    except SnapshotError as fault:
        return SnapshotSummary(directory.name, fault=str(fault))
    files = manifest.files
    return SnapshotSummary(directory.name, manifest.taken_ms, len(files), sum(files.values()))


def verify(directory: Path, progress: Progress) -> tuple[Inspection, list[Damage]]:
    """Read every byte of a snapshot; what is in it, and what is damaged.

    A snapshot is taken between two batches, so a torn end is damage, too.

    Raises:
        SnapshotError: it is not finished, or a file of it has another size.
        StoreError: it has a later format.
        OSError: a file cannot be read.
    """
    _manifest(directory)
    return examined(directory, progress)


def examined(directory: Path, progress: Progress) -> tuple[Inspection, list[Damage]]:
    """What is in the files of a snapshot, and what is damaged; see `verify`."""
    inspection = inspect(directory, progress)
    return inspection, [*inspection.damage, *inspection.torn]


def capture(files: Mapping[Path, int]) -> list[Part]:
    """Open the files; after that they may be renamed, deleted or appended to.

    Raises:
        OSError: a file cannot be opened.
    """
    parts: list[Part] = []
    try:
        for path, size in files.items():
            parts.append(Part(path.name, open_file(path, os.O_RDONLY), size))
    except OSError:
        release(parts)
        raise
    return parts


def release(parts: list[Part]) -> None:
    """Close the files."""
    for part in parts:
        os.close(part.descriptor)


def make_target(directory: Path) -> bool:
    """Create the directory for a snapshot, or check that it is empty; returns whether it was created.

    Raises:
        SnapshotError: the directory is not empty, or is a file.
        OSError: the directory cannot be created.
    """
    if directory.exists():
        _check_empty(directory)
        return False
    DISK.make_directory(directory.parent)
    directory.mkdir(mode=_OWNERS_DIRECTORY)
    DISK.sync_directory(directory.parent)
    return True


def write_snapshot(parts: list[Part], directory: Path, taken_ms: int, progress: Progress) -> None:
    """Copy the files into an empty directory and sync them.

    Raises:
        OSError: the disk is full or broken; the copies are deleted again.
    """
    try:
        _copy(parts, directory, progress)
        manifest = {
            "version": VERSION,
            "taken_ms": taken_ms,
            "files": {part.name: part.size for part in parts},
        }
        _write_file(directory / MANIFEST, json.dumps(manifest, indent=2).encode() + b"\n")
        DISK.sync_directory(directory)
    except BaseException:
        for name in (MANIFEST, *(part.name for part in parts)):
            (directory / name).unlink(missing_ok=True)
        raise


def restore(snapshot: Path, directory: Path, progress: Progress) -> None:
    """Copy a snapshot into a store's directory, which is created or must be empty.

    Raises:
        SnapshotError: the snapshot is not finished, a file of it has another size, or the directory is not
            empty.
        OSError: a directory cannot be read or written.
    """
    files = _manifest(snapshot).files
    with restoring(directory):
        parts = capture({snapshot / name: size for name, size in files.items()})
        try:
            _copy(parts, directory, progress)
        finally:
            release(parts)


@contextmanager
def restoring(directory: Path) -> Iterator[None]:
    """Create a store's directory, or check that it is empty; while files are put there no store opens in it.

    Raises:
        SnapshotError: the directory is not empty, or is a file.
        OSError: the directory cannot be written.
    """
    DISK.make_directory(directory)
    _check_empty(directory)
    _write_file(directory / RESTORING, b"")
    DISK.sync_directory(directory)
    yield
    DISK.sync_directory(directory)
    (directory / RESTORING).unlink()
    DISK.sync_directory(directory)


def check_restored(directory: Path) -> None:
    """Check that no restore into the directory was interrupted.

    Raises:
        SnapshotError: a restore into the directory did not finish.
    """
    if (directory / RESTORING).exists():
        raise SnapshotError(f"a restore into {directory} did not finish; empty it and restore again")


@dataclass(frozen=True, slots=True)
class _Manifest:
    taken_ms: int
    files: dict[str, int]


def _manifest(snapshot: Path) -> _Manifest:
    if not snapshot.is_dir():
        raise SnapshotError(f"there is no directory {snapshot} to restore from")
    try:
        manifest = json.loads((snapshot / MANIFEST).read_bytes())
        version, files, taken_ms = manifest["version"], dict(manifest["files"]), int(manifest["taken_ms"])
    except FileNotFoundError:
        raise SnapshotError(
            f"{snapshot} is not a finished snapshot: {MANIFEST} is missing; "
            "`lastvalue store snapshot` takes one"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise SnapshotError(f"{snapshot / MANIFEST} cannot be read; take another snapshot") from None
    if version != VERSION:
        raise SnapshotError(f"{snapshot} has the version {version}; this lastvalue restores {VERSION}")
    for name, size in files.items():
        path = snapshot / name
        if Path(name).name != name or not path.is_file() or path.stat().st_size != size:
            raise SnapshotError(f"{path} must be a file of {size} bytes, as when the snapshot was taken")
    return _Manifest(taken_ms, files)


def _check_empty(directory: Path) -> None:
    if not directory.is_dir():
        raise SnapshotError(f"{directory} is a file; name a directory")
    check_restored(directory)
    if (content := next(directory.iterdir(), None)) is not None:
        raise SnapshotError(f"{directory} is not empty: it has {content.name}; name an empty directory")


def _copy(parts: list[Part], directory: Path, progress: Progress) -> None:
    total, done = sum(part.size for part in parts), 0
    for part in parts:
        with new_file(directory / part.name) as file:
            for data in bytes_of(part, CHUNK_BYTES):
                file.write(data)
                done += len(data)
                progress(done, total)
            sync_file(file)


def bytes_of(part: Part, chunk_bytes: int) -> Iterator[bytes]:
    """The bytes of a part, each chunk of this size but the last."""
    pos = 0
    while pos < part.size:
        data = _read_fully(part, min(chunk_bytes, part.size - pos), pos)
        pos += len(data)
        yield data


def _read_fully(part: Part, size: int, pos: int) -> bytes:
    chunks: list[bytes] = []
    end = pos + size
    while pos < end:
        chunks.append(os.pread(part.descriptor, end - pos, pos))
        if not chunks[-1]:
            raise SnapshotError(f"{part.name} ends at byte {pos} of {part.size}")
        pos += len(chunks[-1])
    return b"".join(chunks)


def new_file(path: Path) -> BinaryIO:
    """Create a file that only its owner can read."""
    return os.fdopen(open_file(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb")


def sync_file(file: BinaryIO) -> None:
    """Make what was written to a file safe."""
    file.flush()
    os.fsync(file.fileno())


def _write_file(path: Path, data: bytes) -> None:
    with new_file(path) as file:
        file.write(data)
        sync_file(file)
