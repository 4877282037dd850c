"""Data files of a table of histories, and the actions of a commit that add and remove them."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake.transaction import AddAction, RemoveAction

from lastvalue.history.data_files import DataFile
from lastvalue.history.delta_log import file_system, partition_of
from lastvalue.history.file_sync import make_directory, sync_files
from lastvalue.history.locations import is_remote

_MILLISECONDS: Final = pa.timestamp("ms", tz="UTC")


class DataFileWriter:
    """Writes data files of the table at a location; on a local disk they are flushed."""

    def __init__(self, location: str) -> None:
        self._file_system = file_system(location)
        self._local = None if is_remote(location) else Path(location)

    def write(self, table: pa.Table, kind: str, queue: str, day: str, name: str) -> DataFile:
        """Write rows of one stream to a file of this name, which is not valid before a commit adds it."""
        stream = (table.column("history")[0].as_py(), table.column("epoch")[0].as_py())
        folder = "/".join(
            f"{column}={quote(str(value), safe='')}"
            for column, value in partition_of(kind, queue, stream, day).items()
        )
        path = f"{folder}/{name}.parquet"
        if self._local is not None:
            make_directory(self._local / folder)
        pq.write_table(table, path, filesystem=self._file_system, compression="zstd")
        if self._local is not None:
            sync_files(self._local, [path])
        offsets = table.column("offset").to_pylist()
        times = table.column("time").cast(_MILLISECONDS).cast(pa.int64()).to_pylist()
        return DataFile(
            path=path,
            kind=kind,
            history=stream[0],
            epoch=stream[1],
            queue=queue,
            date=day,
            rows=len(table),
            size_bytes=self._file_system.get_file_info(path).size,
            first_offset=min(offsets),
            last_offset=max(offsets),
            first_ms=min(times),
            last_ms=max(times),
        )


def day_of(time_ms: int) -> str:
    """The day of a time, in UTC."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).date().isoformat()


def add_action(file: DataFile) -> AddAction:
    """The action that makes a file valid."""
    statistics = {
        "numRecords": file.rows,
        "minValues": {"queue": file.queue, "offset": file.first_offset, "time": _iso(file.first_ms)},
        "maxValues": {"queue": file.queue, "offset": file.last_offset, "time": _iso(file.last_ms)},
        "nullCount": {"queue": 0, "offset": 0, "time": 0},
    }
    return AddAction(
        file.path,
        file.size_bytes,
        partition_of(file.kind, file.queue, file.stream, file.date),
        _now_ms(),
        data_change=True,
        stats=json.dumps(statistics),
    )


def remove_action(file: DataFile) -> RemoveAction:
    """The action after which a file is no longer valid."""
    return RemoveAction(
        file.path,
        data_change=True,
        deletion_timestamp=_now_ms(),
        size=file.size_bytes,
        partition_values=partition_of(file.kind, file.queue, file.stream, file.date),
    )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _iso(time_ms: int) -> str:
    moment = datetime.fromtimestamp(time_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
