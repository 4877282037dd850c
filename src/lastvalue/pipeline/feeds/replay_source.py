"""The streaming source `lastvalue_replay`: replays a recording by its time column, at any speed.

    spark.readStream.format("lastvalue_replay").options(path="ticks.parquet", timeColumn="received").load()

The Parquet file must be sorted by the time column.
The rows have one more column: the time when the row was due, in microseconds since the epoch.

Options:
    path: the Parquet file.
    timeColumn: the timestamp column with the time when a row becomes known.
    speed: the factor by which the replay is faster than the recording (default 1).
    maxRowsPerBatch: the largest number of rows in a micro-batch (default 100000).
    endRow: the number of rows to replay (default all).
    dueColumn: the name of the added column (default due_us).

An offset is a row number and the time when row 0 was due, so a reader needs no state. A query that restarts
continues with the row that it had reached, which is due at once.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import LongType, StructType

from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.feeds.recording_cursor import microseconds, read_rows
from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.pipeline.source.refused_stream_reader import RefusedStreamReader
from lastvalue.pipeline.stream_support import stream_refusal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pyspark.sql.streaming.datasource import ReadLimit

FORMAT: Final = "lastvalue_replay"

_OPTIONS: Final = ("path", "timeColumn", "speed", "maxRowsPerBatch", "endRow", "dueColumn")


class InvalidReplayError(LastvalueError):
    """The options of a replay, or its file, are invalid."""


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The options of the source, checked."""

    path: str
    time_column: str
    speed: float
    max_rows_per_batch: int
    end_row: int | None
    due_column: str


def parse_replay_options(options: dict[str, str]) -> ReplayOptions:
    """Parse the options that Spark passes, with names in any case.

    Raises:
        InvalidReplayError: an option is unknown, missing or not a number.
    """
    values = {name.lower(): value for name, value in options.items()}
    unknown = set(values) - {name.lower() for name in _OPTIONS}
    if unknown:
        raise InvalidReplayError(
            f"{FORMAT} has no option {min(unknown)!r}; its options are {', '.join(_OPTIONS)}"
        )
    for name in ("path", "timeColumn"):
        if name.lower() not in values:
            raise InvalidReplayError(f"{FORMAT} needs the option {name!r}")
    end_row = values.get("endrow")
    try:
        parsed = ReplayOptions(
            path=values["path"],
            time_column=values["timecolumn"],
            speed=float(values.get("speed", "1")),
            max_rows_per_batch=int(values.get("maxrowsperbatch", "100000")),
            end_row=None if end_row is None else int(end_row),
            due_column=values.get("duecolumn", "due_us"),
        )
    except ValueError as error:
        raise InvalidReplayError(f"an option of {FORMAT} is not a number: {error}") from None
    if parsed.speed <= 0 or parsed.max_rows_per_batch < 1:
        raise InvalidReplayError("speed and maxRowsPerBatch are more than 0")
    return parsed


@dataclass
class RowRange(InputPartition):
    """Rows first to last (excluded) of the file; row 0 is due at `anchor_us`."""

    first: int
    last: int
    anchor_us: int


class Timetable:
    """The time when each row of a recording is due, relative to row 0 and at the speed of the replay."""

    def __init__(self, options: ReplayOptions) -> None:
        with pq.ParquetFile(options.path) as file:
            if options.time_column not in file.schema_arrow.names:
                raise InvalidReplayError(f"{options.path} has no column {options.time_column!r}")
            column = file.read([options.time_column]).column(0)
        times_us = microseconds(column)[: options.end_row]
        self.due_us: npt.NDArray[np.int64] = ((times_us - times_us[:1]) / options.speed).astype("int64")
        if len(times_us) > 1 and bool((times_us[1:] < times_us[:-1]).any()):
            raise InvalidReplayError(f"{options.path} is not sorted by {options.time_column!r}")

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.due_us)

    def due_rows(self, elapsed_us: int) -> int:
        """The number of rows that are due `elapsed_us` after row 0."""
        return int(self.due_us.searchsorted(elapsed_us, side="right"))


class ReplayReader(DataSourceStreamReader):
    """Decides on the driver which rows are due, and reads them on executors."""

    def __init__(self, options: ReplayOptions, clock_us: Callable[[], int] | None = None) -> None:
        self._options = options
        self._clock_us = clock_us
        self._timetable: Timetable | None = None
        self._anchor_us: int | None = None

    def initialOffset(self) -> dict[str, int]:
        """The offset before the first row; the time of row 0 is not set yet."""
        return {"row": 0, "anchor_us": 0}

    def getDefaultReadLimit(self) -> "ReadLimit":
        """The limit of one micro-batch."""
        from pyspark.sql.streaming.datasource import ReadMaxRows  # noqa: PLC0415 - PySpark 4.2 has it first

        return ReadMaxRows(self._options.max_rows_per_batch)

    def latestOffset(self, start: dict[str, int], limit: "ReadLimit") -> dict[str, int]:
        """The end of the rows that are due now, within the limit; the start if none are due."""
        if self._timetable is None:
            self._timetable = Timetable(self._options)
        now_us = self._clock_us() if self._clock_us else time.time_ns() // 1000
        row = start["row"]
        if row >= self._timetable.rows:
            return start
        if self._anchor_us is None:
            self._anchor_us = now_us - int(self._timetable.due_us[row])
        end = max(row, self._timetable.due_rows(now_us - self._anchor_us))
        most = getattr(limit, "max_rows", None)
        if most is not None:
            end = min(end, row + most)
        return start if end == row else {"row": end, "anchor_us": self._anchor_us}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """One partition, because a micro-batch of a replay is small."""
        if start["row"] >= end["row"]:
            return []
        return [RowRange(start["row"], end["row"], end["anchor_us"])]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of the partition with their due time."""
        freeze_gc()
        assert isinstance(partition, RowRange)  # noqa: S101 - Spark hands back what `partitions` made
        yield from replayed_rows(self._options, partition).to_batches()

    def commit(self, end: dict[str, int]) -> None:
        """Does nothing: the file stays."""

    def stop(self) -> None:
        """Does nothing: the driver has no open file."""


def replayed_rows(options: ReplayOptions, rows: RowRange) -> pa.Table:
    """A range of a recording's rows, with the column of due times."""
    table, began_us = read_rows(options.path, options.time_column, rows.first, rows.last)
    times = microseconds(table[options.time_column])
    due_us = ((times - began_us) / options.speed).astype("int64") + rows.anchor_us
    return table.append_column(options.due_column, pa.array(due_us))


class ReplaySource(DataSource):
    """The format `lastvalue_replay`."""

    @classmethod
    def name(cls) -> str:
        """The name in `format(…)`."""
        return FORMAT

    def schema(self) -> StructType:
        """The file's columns and the due time."""
        options = parse_replay_options(dict(self.options))
        columns = from_arrow_schema(pq.read_schema(options.path))
        return StructType([*columns.fields]).add(options.due_column, LongType())

    def streamReader(self, schema: StructType) -> ReplayReader | RefusedStreamReader:
        """The reader."""
        del schema
        refusal = stream_refusal()
        if refusal is not None:
            return RefusedStreamReader(refusal)
        return ReplayReader(parse_replay_options(dict(self.options)))
