"""Files of a table on a local disk that outlive a loss of power.

delta-rs writes a commit whole or not at all, but does not flush it. So whoever has committed flushes the
commit before it continues, and whoever begins to write sets aside what a loss of power left of the newest.
"""

import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

_LOG: Final = "_delta_log"
_LAST_CHECKPOINT: Final = "_last_checkpoint"
_SET_ASIDE: Final = ".unfinished"


def make_directory(directory: Path) -> None:
    """Create a directory if it does not exist, with its parents; their names are on the disk then."""
    if not directory.is_dir():
        make_directory(directory.parent)
        try:
            directory.mkdir(exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(directory)) from None
        sync(directory.parent)


def sync(path: Path) -> None:
    """Flush the content of a file, or the names in a directory, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_files(directory: Path, paths: Iterable[str]) -> None:
    """Flush files of a table and their names, by paths relative to its directory."""
    folders: dict[Path, None] = {}
    for path in paths:
        sync(directory / path)
        folder = (directory / path).parent
        while folder != directory.parent:
            folders[folder] = None
            folder = folder.parent
    for folder in folders:
        sync(folder)


def sync_log(directory: Path, first_version: int, last_version: int) -> None:
    """Flush these commits of a table and the names in its log."""
    log = directory / _LOG
    for version in range(first_version, last_version + 1):
        # Old ones are deleted once a checkpoint that includes them is on the disk.
        if _commit(log, version).exists():
            sync(_commit(log, version))
    sync(log)


def sync_checkpoint(directory: Path, version: int) -> None:
    """Flush the checkpoint of a version."""
    log = directory / _LOG
    for path in (*log.glob(f"{version:020d}.checkpoint*"), log / _LAST_CHECKPOINT):
        sync(path)
    sync(log)


def set_unfinished_aside(directory: Path) -> None:
    """Rename the newest commits and checkpoints of a table that a loss of power has left in part."""
    log = directory / _LOG
    for version in sorted(_versions(log), reverse=True):
        if _is_whole(directory, _commit(log, version)):
            break
        _set_aside(_commit(log, version))
    for path in log.glob("*.checkpoint*.parquet"):
        if not _is_parquet(path):
            _set_aside(path)
    hint = log / _LAST_CHECKPOINT
    if hint.exists() and not _names_a_checkpoint(hint):
        _set_aside(hint)


def _set_aside(path: Path) -> None:
    path.rename(path.with_name(path.name + _SET_ASIDE))
    sync(path.parent)


def _versions(log: Path) -> list[int]:
    return [int(path.stem) for path in log.glob("*.json") if path.stem.isdigit()]


def _commit(log: Path, version: int) -> Path:
    return log / f"{version:020d}.json"


def _is_whole(directory: Path, commit: Path) -> bool:
    """Whether a commit and all files that it adds are there."""
    try:
        actions = [json.loads(line) for line in commit.read_bytes().splitlines()]
    except ValueError:
        return False
    return bool(actions) and all(_is_there(directory, action["add"]) for action in actions if "add" in action)


def _is_there(directory: Path, add: dict[str, Any]) -> bool:
    path = directory / unquote(add["path"])
    return path.exists() and path.stat().st_size == add["size"]


def _is_parquet(path: Path) -> bool:
    try:
        pq.read_metadata(path)
    except (OSError, pa.ArrowInvalid):
        return False
    return True


def _names_a_checkpoint(hint: Path) -> bool:
    try:
        version = int(json.loads(hint.read_bytes())["version"])
    except (ValueError, KeyError, TypeError):
        return False
    return any(hint.parent.glob(f"{version:020d}.checkpoint*.parquet"))
