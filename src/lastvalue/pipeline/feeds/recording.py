"""A recording: a Parquet file of updates, sorted by time, for replays."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

_ROW_GROUP_ROWS: Final = 8192


@dataclass(frozen=True, slots=True)
class Recording:
    """Updates on disk and what their columns mean.

    Attributes:
        queue: the queue for the updates.
        path: the Parquet file.
        key: the column of the key.
        order_by: the column that decides which of two updates of a key is newer; equal only in duplicates.
        time_column: the time when an update becomes known; the file is sorted by it.
        rows: the number of updates.
        keys: the number of keys.
        speed: the factor by which a replay of about a minute is faster than the recording.
        shown: the columns in a table of the newest updates.
        origin: one sentence about the source of the data.
    """

    queue: str
    path: Path
    key: str
    order_by: str
    time_column: str
    rows: int
    keys: int
    speed: float
    shown: tuple[str, ...]
    origin: str


def write_recording(table: pa.Table, path: Path) -> None:
    """Write a table for quick reads of small ranges; the file appears completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    pq.write_table(table, draft, row_group_size=_ROW_GROUP_ROWS, compression="none")
    draft.replace(path)


def due_rows(recording: Recording, span_s: float) -> int:
    """The number of rows that are due in the first `span_s` seconds, at the speed of the recording."""
    times = _as_integers(pq.read_table(recording.path, columns=[recording.time_column]).column(0))
    return int(np.searchsorted(times, times[0] + int(span_s * 1e6), side="right"))


def newest_rows(recording: Recording, end_row: int) -> dict[object, tuple[int, dict[str, object]]]:
    """The greatest order value and its row for each key, found by a loop over the first `end_row` rows.

    Timestamps count as microseconds since the epoch.
    """
    rows = pq.read_table(recording.path).slice(0, end_row)
    orders = _as_integers(rows.column(recording.order_by))
    newest: dict[object, int] = {}
    for row, key in enumerate(rows.column(recording.key).to_pylist()):
        if key not in newest or orders[row] >= orders[newest[key]]:
            newest[key] = row
    return {key: (int(orders[row]), dict(rows.slice(row, 1).to_pylist()[0])) for key, row in newest.items()}


def _as_integers(column: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("us", column.type.tz)).cast(pa.int64())
    numbers: npt.NDArray[np.int64] = column.to_numpy()
    return numbers
