"""A recording: a Parquet file of updates, sorted by time, that can be replayed."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

_ROW_GROUP_ROWS: Final = 8192


@dataclass(frozen=True, slots=True)
class Recording:
    """Updates on disk and what their columns mean.

    Attributes:
        queue: the queue that they are meant for.
        path: the Parquet file.
        key: the column that tells what an update is about.
        order_by: the column that tells which of two updates of a key is newer; equal only in repeats.
        time_column: when an update becomes known; the file is sorted by it.
        rows: how many updates there are.
        keys: how many keys they have.
        speed: how much faster than it was recorded a replay of about a minute is.
        origin: one sentence on where the data comes from.
    """

    queue: str
    path: Path
    key: str
    order_by: str
    time_column: str
    rows: int
    keys: int
    speed: float
    origin: str


def write_recording(table: pa.Table, path: Path) -> None:
    """Write a table so that small ranges of rows are read quickly; the file appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    pq.write_table(table, draft, row_group_size=_ROW_GROUP_ROWS, compression="none")
    draft.replace(path)
