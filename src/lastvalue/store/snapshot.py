"""Snapshots of a store: its files as they were at one moment, copied while the broker goes on."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from lastvalue.store.files import Files
from lastvalue.store.segments import StoreError

MANIFEST: Final = "snapshot.json"
"""Written last: a directory without it is no snapshot, or none that was finished."""

RESTORING: Final = "restoring"
"""In a store's directory while files are copied into it."""

VERSION: Final = 1
CHUNK_BYTES: Final = 1 << 20
_OWNERS_DIRECTORY: Final = 0o700

Progress = Callable[[int, int], None]


class SnapshotError(StoreError):
    """A snapshot cannot be written or restored."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the store, open for reading, of which the first bytes belong to the snapshot."""

    name: str
    descriptor: int
    size: int


def capture(files: Mapping[Path, int]) -> list[Part]:
    """Open the files; what becomes of their names, or is written behind these sizes, does not matter then.

    Raises:
        OSError: one cannot be opened.
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
    """Have an empty directory for a snapshot; whether it was made.

    Raises:
        SnapshotError: something is in it, or it is a file.
        OSError: it cannot be made.
    """
    if directory.exists():
        _check_empty(directory)
        return False
    directory.mkdir(mode=_OWNERS_DIRECTORY, parents=True)
    return True


def write_snapshot(parts: list[Part], directory: Path, taken_ms: int, progress: Progress) -> None:
    """Copy the files into an empty directory and make them safe.

    Raises:
        OSError: the disk is full or broken; what was written is gone again.
    """
    try:
        _copy(parts, directory, progress)
        told = {
            "version": VERSION,
            "taken_ms": taken_ms,
            "files": {part.name: part.size for part in parts},
        }
        _write_file(directory / MANIFEST, json.dumps(told, indent=2).encode() + b"\n")
        Files().sync_directory(directory)
    except BaseException:
        for name in (MANIFEST, *(part.name for part in parts)):
            (directory / name).unlink(missing_ok=True)
        raise


def restore(snapshot: Path, directory: Path, progress: Progress) -> None:
    """Copy a snapshot into a store's directory, which has nothing in it; it is made where there is none.

    Raises:
        SnapshotError: it is no finished snapshot, a file of it has another size, or the directory has
            something in it.
        OSError: a directory cannot be read or written.
    """
    files = _manifest(snapshot)
    directory.mkdir(parents=True, exist_ok=True)
    _check_empty(directory)
    _write_file(directory / RESTORING, b"")
    Files().sync_directory(directory)
    parts = capture({snapshot / name: size for name, size in files.items()})
    try:
        _copy(parts, directory, progress)
    finally:
        release(parts)
    Files().sync_directory(directory)
    (directory / RESTORING).unlink()
    Files().sync_directory(directory)


def check_restored(directory: Path) -> None:
    """Nothing was left half restored.

    Raises:
        SnapshotError: a restore into the directory did not end.
    """
    if (directory / RESTORING).exists():
        raise SnapshotError(f"a restore into {directory} did not end; empty the directory and restore again")


def _manifest(snapshot: Path) -> dict[str, int]:
    if not snapshot.is_dir():
        raise SnapshotError(f"there is no directory {snapshot} to restore from")
    try:
        told = json.loads((snapshot / MANIFEST).read_bytes())
        version, files = told["version"], dict(told["files"])
    except FileNotFoundError:
        raise SnapshotError(
            f"{snapshot} is no finished snapshot: it has no {MANIFEST}; `lastvalue store snapshot` makes one"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise SnapshotError(f"{snapshot / MANIFEST} cannot be read; take another snapshot") from None
    if version != VERSION:
        raise SnapshotError(f"{snapshot} has the version {version}; this lastvalue restores {VERSION}")
    for name, size in files.items():
        path = snapshot / name
        if Path(name).name != name or not path.is_file() or path.stat().st_size != size:
            raise SnapshotError(f"{path} is not the file of {size} bytes that the snapshot had")
    return files


def _check_empty(directory: Path) -> None:
    if not directory.is_dir():
        raise SnapshotError(f"{directory} is a file; name a directory")
    check_restored(directory)
    if (found := next(directory.iterdir(), None)) is not None:
        raise SnapshotError(f"{directory} is not empty, it has {found.name}; name an empty directory")


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
    """A file that nobody but its owner reads."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb")


def _write_file(path: Path, data: bytes) -> None:
    with _new_file(path) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
