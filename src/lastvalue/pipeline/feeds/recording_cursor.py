"""Reading a recording on from where the last micro-batch ended, rather than its row group from the start.

A row group has a million rows, a micro-batch thousands: to decode the group for each of them takes more time
than all else that is done with its rows.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

_STEP_ROWS: Final = 4096
"""Decoded at once."""

_MOST: Final = 4
"""Cursors that a process keeps: as many recordings, or queries on one, can be read in turn."""

_FileIdentity = tuple[str, int, int, int]

_kept: list["RecordingCursor"] = []
"""The cursors of this process, those used last at the end; Spark's Python workers serve many tasks."""


class RecordingCursor:
    """Stands before a row of a recording, and goes on only.

    Args:
        path: a Parquet file.
        time_column: its timestamps.
        row: that it must be able to take.

    Attributes:
        row: before which it stands.
        began_us: the time of row 0, microseconds since the epoch.
    """

    def __init__(self, path: str, time_column: str, row: int) -> None:
        self.identity = _identity(path)
        self.time_column = time_column
        self._file = pq.ParquetFile(path, memory_map=True)
        first = next(self._file.iter_batches(batch_size=1, columns=[time_column]))
        self.began_us = int(microseconds(first.column(0))[0])
        group, before = 0, 0
        while group < self._file.num_row_groups:
            rows = self._file.metadata.row_group(group).num_rows
            if before + rows > row:
                break
            before += rows
            group += 1
        groups = list(range(group, self._file.num_row_groups))
        self._batches: Iterator[pa.RecordBatch] = self._file.iter_batches(_STEP_ROWS, row_groups=groups)
        self._pending: pa.RecordBatch | None = None
        self.row = before

    def take(self, first: int, last: int) -> pa.Table:
        """Rows first to last (excluded), none of them before `row`; it then stands before the last.

        Not to be used any more when that fails.

        Raises:
            EOFError: the file ends before.
        """
        self._read(first - self.row)
        rows = pa.Table.from_batches(self._read(last - first), self._file.schema_arrow)
        self.row = last
        return rows.combine_chunks()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self, count: int) -> list[pa.RecordBatch]:
        """So many rows, in parts."""
        found: list[pa.RecordBatch] = []
        while count > 0:
            batch = next(self._batches, None) if self._pending is None else self._pending
            if batch is None:
                raise EOFError(f"{self.identity[0]} ends {count} rows before what is asked for")
            self._pending = batch.slice(count) if batch.num_rows > count else None
            found.append(batch.slice(0, count))
            count -= found[-1].num_rows
        return found


def read_rows(path: str, time_column: str, first: int, last: int) -> tuple[pa.Table, int]:
    """Rows first to last (excluded), and the time of row 0 in microseconds since the epoch.

    Costs what lies between them and the rows that this process read last, or, the first time, what lies
    between them and the beginning of their row group.
    """
    cursor = _taken(path, time_column, first)
    if cursor is None:
        cursor = RecordingCursor(path, time_column, first)
    rows = cursor.take(first, last)
    _kept.append(cursor)
    while len(_kept) > _MOST:
        _kept.pop(0).close()
    return rows, cursor.began_us


def _taken(path: str, time_column: str, row: int) -> RecordingCursor | None:
    """The kept cursor that stands nearest before that row, which is then not kept any more."""
    identity = _identity(path)
    near = [
        cursor
        for cursor in _kept
        if cursor.identity == identity and cursor.time_column == time_column and cursor.row <= row
    ]
    if not near:
        return None
    cursor = max(near, key=lambda cursor: cursor.row)
    _kept.remove(cursor)
    return cursor


def microseconds(times: pa.Array | pa.ChunkedArray) -> "npt.NDArray[np.int64]":
    """Timestamps as microseconds since the epoch."""
    found: npt.NDArray[np.int64] = times.cast(pa.timestamp("us", times.type.tz)).cast(pa.int64()).to_numpy()
    return found


def _identity(path: str) -> _FileIdentity:
    """Another file may come to stand at the same path."""
    told = Path(path).stat()
    return path, told.st_ino, told.st_size, told.st_mtime_ns
