"""Migration of the tables of earlier versions, Parquet files that a manifest names, to a Delta table.

The files are copied one after another; one commit at the end makes all copies valid, and then the earlier
files are deleted. So a migration that was killed leaves valid tables, and can be repeated.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import DeltaTable

from lastvalue.history.columns import LATEST_MS, table_of
from lastvalue.history.data_file_writer import DataFileWriter, add_action, day_of
from lastvalue.history.data_files import GAPS, DataFile, Gap, Landed
from lastvalue.history.delta_log import (
    LOG,
    create_delta_table,
    landed_transactions,
    open_delta_table,
    told_as_tables,
)
from lastvalue.history.errors import HistoryTablesError
from lastvalue.history.file_sync import make_directory, set_unfinished_aside, sync, sync_log
from lastvalue.history.locations import location_of
from lastvalue.history.records import LOST, Record
from lastvalue.history.tables import conformed

_FORMAT: Final = 1
_MANIFEST: Final = "manifest"
_DATA: Final = "data"
_LOCK: Final = "lock"
OnFile = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Migration:
    """What a migration has done.

    Attributes:
        files, rows: how many it has copied; 0 if an earlier run had done so.
    """

    files: int
    rows: int


def migrate_tables(directory: Path | str, on_file: OnFile | None = None) -> Migration:
    """Make the tables of an earlier version in a directory a Delta table; they are deleted at the end.

    Args:
        directory: of the tables.
        on_file: called after each file with how many are done, and how many there are.

    Raises:
        HistoryTablesError: the directory has no such tables, another process uses it, or a file cannot be
            read.
        OSError: the directory cannot be written.
    """
    folder = Path(location_of(directory))
    if not (folder / _MANIFEST).is_dir():
        if open_delta_table(str(folder)) is not None:
            return Migration(0, 0)
        raise HistoryTablesError(f"{folder} has no tables of an earlier version; there is nothing to migrate")
    with _locked(folder):
        migrated = Migration(0, 0)
        set_unfinished_aside(folder)
        if not DeltaTable.is_deltatable(str(folder)):
            migrated = _copy(folder, _read_manifest(folder), on_file)
        _delete_earlier(folder)
    (folder / _LOCK).unlink()
    return migrated


@dataclass(frozen=True, slots=True)
class _Manifest:
    """The newest manifest of an earlier version."""

    files: list[DataFile]
    landed: dict[str, Landed]
    gaps: list[Gap]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of an earlier version's landing."""
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise HistoryTablesError(
            f"another process lands histories in {folder}, or migrates them; stop it first"
        ) from None
    finally:
        os.close(lock)


def _read_manifest(folder: Path) -> _Manifest:
    path = max((folder / _MANIFEST).glob("*.json"), default=None)
    if path is None:
        return _Manifest([], {}, [])
    try:
        manifest: dict[str, Any] = json.loads(path.read_bytes())
        if manifest["format"] != _FORMAT:
            raise HistoryTablesError(
                f"{folder} has tables of format {manifest['format']}; this version migrates format {_FORMAT}"
            )
        return _Manifest(
            [DataFile(**file) for file in manifest["files"]],
            {name: Landed(**landed) for name, landed in manifest["landed"].items()},
            [Gap(**gap) for gap in manifest["gaps"]],
        )
    except (ValueError, KeyError, TypeError) as fault:
        raise HistoryTablesError(f"{path} is not a manifest: {fault}") from fault


def _copy(folder: Path, manifest: _Manifest, on_file: OnFile | None) -> Migration:
    writer = DataFileWriter(str(folder))
    copies = []
    for number, file in enumerate(manifest.files, 1):
        copies.append(_copied(folder, file, writer))
        if on_file is not None:
            on_file(number, len(manifest.files))
    for gap in manifest.gaps:
        landed = manifest.landed[gap.history]
        row = Record(gap.first, LOST, gap.history, landed.time_ms, updates=gap.last - gap.first + 1)
        table = table_of([row], gap.history, gap.epoch)
        name = f"{gap.epoch}-{gap.first}"
        copies.append(writer.write(table, GAPS, gap.history, day_of(landed.time_ms), name))
    transactions = [
        each
        for history, landed in manifest.landed.items()
        for each in landed_transactions(history, landed.epoch, landed.offset, landed.time_ms)
    ]
    make_directory(folder / LOG)
    with told_as_tables(str(folder)):
        create_delta_table(str(folder), [add_action(file) for file in copies], transactions)
    sync_log(folder, 0, 0)
    return Migration(len(manifest.files), sum(file.rows for file in manifest.files))


def _copied(folder: Path, file: DataFile, writer: DataFileWriter) -> DataFile:
    try:
        table = pq.read_table(folder / file.path, partitioning=None)
    except (OSError, pa.ArrowInvalid) as fault:
        raise HistoryTablesError(f"{file.path} in {folder} cannot be read: {fault}") from fault
    return writer.write(conformed(_in_range(table)), file.kind, file.queue, file.date, Path(file.path).stem)


def _in_range(table: pa.Table) -> pa.Table:
    """The table with times that its columns can hold in microseconds."""
    for index, column in enumerate(table.schema):
        if pa.types.is_timestamp(column.type):
            numbers = pc.min_element_wise(table.column(index).cast(pa.int64()), LATEST_MS, skip_nulls=False)
            table = table.set_column(index, column.name, numbers.cast(column.type))
    return table


def _delete_earlier(folder: Path) -> None:
    if (folder / _DATA).exists():
        shutil.rmtree(folder / _DATA)
    # Last, because a directory with a manifest is one to migrate.
    shutil.rmtree(folder / _MANIFEST)
    sync(folder)
