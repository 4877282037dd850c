"""The manifest of a directory of tables: its valid files, and the landed offset of each history.

Each version is one complete JSON file. It is written under another name and then linked to its own, which
fails if that exists: so a version appears whole or not at all, and only one writer can write the next one.
"""

import errno
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from lastvalue.history.errors import HistoryTablesError

FORMAT: Final = 1
DIRECTORY: Final = "manifest"
KEPT_VERSIONS: Final = 20
EFFECTS: Final = "effects"
BASE: Final = "base"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of rows of one queue's history, sorted by offset.

    Attributes:
        path: relative to the directory, with slashes.
        kind: EFFECTS, or BASE: the queue's content at `last_ms`, which replaces all earlier records.
        first_offset, last_offset: of its rows; a BASE includes the effects up to `last_offset`.
        first_ms, last_ms: times of its rows.
    """

    path: str
    kind: str
    history: str
    epoch: int
    queue: str
    date: str
    rows: int
    size_bytes: int
    first_offset: int
    last_offset: int
    first_ms: int
    last_ms: int

    @property
    def stream(self) -> tuple[str, int]:
        """The stream whose offsets its rows have."""
        return self.history, self.epoch


@dataclass(frozen=True, slots=True)
class Landed:
    """The position up to which a history queue has landed.

    Attributes:
        epoch: the number of the queue among the queues that had this name.
        offset: of the last record that landed.
        time_ms: its time.
    """

    epoch: int
    offset: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Offsets of a history that did not land, because the broker had dropped them."""

    history: str
    epoch: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a directory.

    Attributes:
        removed: paths that are no longer valid, and since when; readers may still have them open.
    """

    version: int = 0
    files: tuple[DataFile, ...] = ()
    landed: Mapping[str, Landed] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)


def read_manifest(directory: Path) -> Manifest:
    """The newest version, or an empty manifest if there is none.

    Raises:
        HistoryTablesError: it has a later format, or is not a manifest.
    """
    while True:
        versions = _versions(directory)
        if not versions:
            return Manifest()
        try:
            text = _path(directory, versions[-1]).read_text()
        except FileNotFoundError:
            # The writer has written newer versions and deleted this one.
            continue
        return _parsed(directory, versions[-1], text)


def commit_manifest(directory: Path, manifest: Manifest) -> Manifest:
    """Write this as the next version; it is on the disk when this returns.

    Raises:
        HistoryTablesError: another writer was first.
    """
    following = replace(manifest, version=manifest.version + 1)
    folder = directory / DIRECTORY
    make_directory(folder)
    beside = folder / f".{os.getpid()}.{following.version}.part"
    with beside.open("w") as file:
        json.dump({"format": FORMAT, **asdict(following)}, file, separators=(",", ":"))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(beside, _path(directory, following.version))
    except FileExistsError:
        raise HistoryTablesError(
            f"another process writes to {directory}; only one process may land there"
        ) from None
    finally:
        beside.unlink()
    sync_directory(folder)
    for version in _versions(directory)[:-KEPT_VERSIONS]:
        _path(directory, version).unlink(missing_ok=True)
    return following


def make_directory(directory: Path) -> None:
    """Create a directory if it does not exist, with its parents; their names are on the disk then."""
    if not directory.is_dir():
        make_directory(directory.parent)
        try:
            directory.mkdir(exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(directory)) from None
        sync_directory(directory.parent)


def sync_directory(directory: Path) -> None:
    """Flush the names in a directory to the disk."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _parsed(directory: Path, version: int, text: str) -> Manifest:
    try:
        told: dict[str, Any] = json.loads(text)
        if told["format"] != FORMAT:
            raise HistoryTablesError(
                f"{directory} has tables of format {told['format']}; this version reads {FORMAT}"
            )
        return Manifest(
            version,
            tuple(DataFile(**file) for file in told["files"]),
            {name: Landed(**landed) for name, landed in told["landed"].items()},
            tuple(Gap(**gap) for gap in told["gaps"]),
            told["removed"],
        )
    except (ValueError, KeyError, TypeError) as fault:
        raise HistoryTablesError(f"version {version} in {directory} is not a manifest: {fault}") from fault


def _versions(directory: Path) -> list[int]:
    folder = directory / DIRECTORY
    if not folder.is_dir():
        return []
    return sorted(int(path.stem) for path in folder.glob("*.json") if path.stem.isdigit())


def _path(directory: Path, version: int) -> Path:
    return directory / DIRECTORY / f"{version:020d}.json"
