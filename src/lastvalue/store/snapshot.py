"""Snapshots of a store: its files as of one moment, copied while the broker runs."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from lastvalue.store.files import DISK
from lastvalue.store.segments import StoreError

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


def capture(files: Mapping[Path, int]) -> list[Part]:
    """Open the files; after that they may be renamed, deleted or appended to.

    Raises:
        OSError: a file cannot be opened.
    """
    parts: list[Part] = []
    try:
        for path, size in files.items():
            parts.append(Part(path.name, os.open(path, os.O_RDONLY | os.O_CLOEXEC), size))
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
    directory.mkdir(mode=_OWNERS_DIRECTORY, parents=True)
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
    files = _manifest(snapshot)
    DISK.make_directory(directory)
    _check_empty(directory)
    _write_file(directory / RESTORING, b"")
    DISK.sync_directory(directory)
    parts = capture({snapshot / name: size for name, size in files.items()})
    try:
        _copy(parts, directory, progress)
    finally:
        release(parts)
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


def _manifest(snapshot: Path) -> dict[str, int]:
    if not snapshot.is_dir():
        raise SnapshotError(f"there is no directory {snapshot} to restore from")
    try:
        manifest = json.loads((snapshot / MANIFEST).read_bytes())
        version, files = manifest["version"], dict(manifest["files"])
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
    return files


def _check_empty(directory: Path) -> None:
    if not directory.is_dir():
        raise SnapshotError(f"{directory} is a file; name a directory")
    check_restored(directory)
    if (content := next(directory.iterdir(), None)) is not None:
        raise SnapshotError(f"{directory} is not empty: it has {content.name}; name an empty directory")


def _copy(parts: list[Part], directory: Path, progress: Progress) -> None:
    total, done = sum(part.size for part in parts), 0
    for part in parts:
        with _new_file(directory / part.name) as file:
            pos = 0
            while pos < part.size:
                data = os.pread(part.descriptor, min(CHUNK_BYTES, part.size - pos), pos)
                if not data:
                    raise SnapshotError(f"{part.name} ends at byte {pos} of {part.size}")
                file.write(data)
                pos += len(data)
                done += len(data)
                progress(done, total)
            file.flush()
            os.fsync(file.fileno())


def _new_file(path: Path) -> BinaryIO:
    """Create a file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb")


def _write_file(path: Path, data: bytes) -> None:
    with _new_file(path) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
