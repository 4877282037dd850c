"""The Delta table that histories land in: its columns, its properties, and what its log says.

Rows are in Parquet files of one kind, queue, stream and day, which are the partitions; the names of the queue
and of the history are columns of the files, too, so the files can be read as plain Parquet.
The position up to which a stream has landed is the version of an application transaction of the table.
"""

import re
import time
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, PostCommitHookProperties, Schema, Transaction
from deltalake.exceptions import DeltaError, TableNotFoundError
from deltalake.fs import DeltaStorageHandler
from deltalake.transaction import AddAction, create_table_with_add_actions
from pyarrow import fs

from lastvalue.history.columns import SCHEMA
from lastvalue.history.data_files import DataFile, Landed
from lastvalue.history.errors import HistoryTablesError
from lastvalue.history.locations import is_remote

if TYPE_CHECKING:
    from collections.abc import Iterator

LOG: Final = "_delta_log"
PARTITIONS: Final = ("kind", "queue_name", "stream", "date")
TABLE_SCHEMA: Final = pa.schema([*SCHEMA, *(pa.field(name, pa.string()) for name in PARTITIONS)])
READERS_HOURS: Final = 1
"""How long files that are no longer valid, and versions of the log, are kept for readers."""
PROPERTIES: Final = {
    "delta.dataSkippingStatsColumns": "queue,offset,time",
    "delta.deletedFileRetentionDuration": f"interval {READERS_HOURS} hours",
    "delta.logRetentionDuration": f"interval {READERS_HOURS} hours",
}
NO_HOOKS: Final = PostCommitHookProperties(create_checkpoint=False, cleanup_expired_logs=False)
_COLOURS: Final = re.compile("\x1b\\[[0-9;]*m|\N{DOWNWARDS ARROW WITH TIP RIGHTWARDS}")
_MOST_OF_A_FAULT: Final = 500
_EARLIER: Final = "manifest"
_PLAIN_FEATURES: Final = frozenset({"timestampNtz", "v2Checkpoint", "vacuumProtocolCheck"})
"""Features of readers with which the data files are still plain Parquet that is valid as a whole."""


def file_system(location: str) -> fs.FileSystem:
    """The file system of the paths in a table."""
    if is_remote(location):
        return fs.PyFileSystem(DeltaStorageHandler(location))
    return fs.SubTreeFileSystem(location, fs.LocalFileSystem())


@contextmanager
def told_as_tables(location: str) -> "Iterator[None]":
    """Raise a fault of the table as HistoryTablesError."""
    try:
        yield
    except (DeltaError, OSError) as fault:
        raise HistoryTablesError(f"the table in {location} cannot be used: {_plain(fault)}") from fault


def _plain(fault: Exception) -> str:
    """A fault as one line: an object store's has several, with colours."""
    return " ".join(_COLOURS.sub("", str(fault)).split())[:_MOST_OF_A_FAULT]


def open_delta_table(location: str) -> DeltaTable | None:
    """The table at a location, or None if there is none.

    Raises:
        HistoryTablesError: it has tables of an earlier version, another table, or one that this version
            cannot read.
    """
    with told_as_tables(location):
        try:
            table = DeltaTable(location)
        except TableNotFoundError:
            if not is_remote(location) and (Path(location) / _EARLIER).is_dir():
                raise HistoryTablesError(
                    f"{location} has tables of an earlier version; "
                    f"migrate them: lastvalue pipeline migrate-history --tables {location}"
                ) from None
            return None
        _check(location, table)
    return table


def create_delta_table(
    location: str, added: Sequence[AddAction] = (), transactions: Sequence[Transaction] = ()
) -> None:
    """Create a table with these files and positions; if another process has created one, that one stays."""
    create_table_with_add_actions(
        location,
        Schema.from_arrow(TABLE_SCHEMA),
        list(added),
        mode="ignore",
        partition_by=list(PARTITIONS),
        name="histories",
        configuration=PROPERTIES,
        commit_properties=CommitProperties(app_transactions=list(transactions)),
    )


def open_or_create_delta_table(location: str) -> DeltaTable:
    """The table at a location, which is created if there is none; its columns are those of this version."""
    table = open_delta_table(location)
    with told_as_tables(location):
        if table is None:
            create_delta_table(location)
            table = DeltaTable(location)
        known = {field.name for field in table.schema().fields}
        later = [field for field in Schema.from_arrow(SCHEMA).fields if field.name not in known]
        if later:
            table.alter.add_columns(later)
            table.update_incremental()
    return table


def files_in(table: DeltaTable) -> list[DataFile]:
    """The valid files."""
    actions = pa.table(table.get_add_actions(flatten=True))
    return [_data_file(row) for row in _with_numbers(actions).to_pylist()]


def partition_of(kind: str, queue: str, stream: tuple[str, int], date: str) -> dict[str, str | None]:
    """The values of the partition columns."""
    history, epoch = stream
    return {"kind": kind, "queue_name": queue, "stream": f"{history}/{epoch}", "date": date}


def landed_in(table: DeltaTable, history: str, epoch: int) -> Landed | None:
    """The position up to which an epoch of a history has landed, or None if nothing of it has."""
    offset = table.transaction_version(_offset_of(history, epoch))
    time_ms = table.transaction_version(_time_of(history, epoch))
    return None if offset is None or time_ms is None else Landed(epoch, offset, time_ms)


def newest_landed(table: DeltaTable, history: str, epoch: int) -> Landed | None:
    """The position in the newest epoch of a history, which is this one or later, or None."""
    found = None
    while (landed := landed_in(table, history, epoch)) is not None:
        found = landed
        epoch += 1
    return found


def landed_transactions(history: str, epoch: int, offset: int, time_ms: int) -> list[Transaction]:
    """What a commit says about the position up to which it lands a stream."""
    now_ms = time.time_ns() // 1_000_000
    return [
        Transaction(_offset_of(history, epoch), offset, now_ms),
        Transaction(_time_of(history, epoch), time_ms, now_ms),
    ]


def _offset_of(history: str, epoch: int) -> str:
    return f"{history}/{epoch}"


def _time_of(history: str, epoch: int) -> str:
    return f"{history}/{epoch}/time_ms"


def _check(location: str, table: DeltaTable) -> None:
    protocol = table.protocol()
    strange = sorted(set(protocol.reader_features or ()) - _PLAIN_FEATURES)
    if strange or protocol.min_reader_version == 2:
        raise HistoryTablesError(
            f"the table in {location} needs {', '.join(strange) or 'column mapping'}, which this version "
            "cannot read; only tables without features of readers can hold histories"
        )
    if tuple(table.metadata().partition_columns) != PARTITIONS:
        raise HistoryTablesError(
            f"the table in {location} is not one of histories: it is partitioned by "
            f"{_listed(table.metadata().partition_columns)} instead of {_listed(PARTITIONS)}"
        )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


def _with_numbers(actions: pa.Table) -> pa.Table:
    for index, column in enumerate(actions.schema):
        if pa.types.is_timestamp(column.type):
            milliseconds = actions.column(index).cast(pa.timestamp("ms", tz="UTC")).cast(pa.int64())
            actions = actions.set_column(index, column.name, milliseconds)
    return actions


def _data_file(row: dict[str, Any]) -> DataFile:
    history, _, epoch = row["partition.stream"].rpartition("/")
    return DataFile(
        path=unquote(row["path"]),
        kind=row["partition.kind"],
        history=history,
        epoch=int(epoch),
        queue=row["partition.queue_name"],
        date=row["partition.date"],
        rows=row["num_records"],
        size_bytes=row["size_bytes"],
        first_offset=row["min.offset"],
        last_offset=row["max.offset"],
        first_ms=row["min.time"],
        last_ms=row["max.time"],
    )
