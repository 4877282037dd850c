"""Reading a recording from the end of the last micro-batch, instead of from the start of a row group.

A row group has a million rows, a micro-batch thousands. To decode the group for each micro-batch would take
more time than everything else.
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
"""Rows that are decoded at once."""

_MOST: Final = 4
"""Cursors of a process: how many recordings, or queries on one, can be read in turn."""

_FileIdentity = tuple[str, int, int, int]

_cursors: list["RecordingCursor"] = []
"""The cursors of this process, the one used last at the end; Spark's Python workers serve many tasks."""


class RecordingCursor:
    """A position in a recording, which moves only forwards.

    Args:
        path: a Parquet file.
        time_column: the column of timestamps.
        row: the first row that will be read; the cursor starts at its row group.

    Attributes:
        row: the next row.
        began_us: the time of row 0, in microseconds since the epoch.
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
        """Rows first to last (excluded), none of them before `row`; then `row` is last.

        If it fails, the cursor cannot be used again.

        Raises:
            EOFError: the file has fewer rows.
        """
        self._read(first - self.row)
        rows = pa.Table.from_batches(self._read(last - first), self._file.schema_arrow)
        self.row = last
        return rows.combine_chunks()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self, count: int) -> list[pa.RecordBatch]:
        """The next `count` rows, in parts."""
        parts: list[pa.RecordBatch] = []
        while count > 0:
            batch = next(self._batches, None) if self._pending is None else self._pending
            if batch is None:
                raise EOFError(f"{self.identity[0]} ends {count} rows before the end of the requested range")
            self._pending = batch.slice(count) if batch.num_rows > count else None
            parts.append(batch.slice(0, count))
            count -= parts[-1].num_rows
        return parts


def read_rows(path: str, time_column: str, first: int, last: int) -> tuple[pa.Table, int]:
    """Rows first to last (excluded), and the time of row 0 in microseconds since the epoch.

    It decodes the rows from the last position of this process, or, the first time, from the start of their
    row group.
    """
    cursor = _take_cursor(path, time_column, first)
    if cursor is None:
        cursor = RecordingCursor(path, time_column, first)
    rows = cursor.take(first, last)
    _cursors.append(cursor)
    while len(_cursors) > _MOST:
        _cursors.pop(0).close()
    return rows, cursor.began_us


def _take_cursor(path: str, time_column: str, row: int) -> RecordingCursor | None:
    """Remove and return the nearest cursor of this process at or before that row."""
    identity = _identity(path)
    near = [
        cursor
        for cursor in _cursors
        if cursor.identity == identity and cursor.time_column == time_column and cursor.row <= row
    ]
    if not near:
        return None
    cursor = max(near, key=lambda cursor: cursor.row)
    _cursors.remove(cursor)
    return cursor


def microseconds(times: pa.Array | pa.ChunkedArray) -> "npt.NDArray[np.int64]":
    """Timestamps as microseconds since the epoch."""
    integers = times.cast(pa.timestamp("us", times.type.tz)).cast(pa.int64())
    numbers: npt.NDArray[np.int64] = integers.to_numpy()
    return numbers


def _identity(path: str) -> _FileIdentity:
    """The identity of the file, which another file at the same path does not share."""
    status = Path(path).stat()
    return path, status.st_ino, status.st_size, status.st_mtime_ns
