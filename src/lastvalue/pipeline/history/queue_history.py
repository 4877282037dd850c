"""The history of one queue on Spark: its rows, from tables and from the broker."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import from_arrow_schema

from lastvalue.history import records as effects
from lastvalue.history.columns import SCHEMA, table_of
from lastvalue.history.data_files import DataFile
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.recorded_history import (
    LandedHistory,
    Recent,
    RecordedHistory,
    open_tables,
    recent_records,
)
from lastvalue.history.records import OF_THE_QUEUE, Record
from lastvalue.history.tables import HistoryTables
from lastvalue.history.times import print_time

STREAM: Final = "_stream"
COLUMNS: Final = SCHEMA.names


@dataclass(frozen=True, slots=True)
class QueueHistory:
    """The history of a queue, from files and from the broker.

    Attributes:
        rows: the records, with the number of their stream; streams are numbered in the order of their
            beginning.
        controls: the records of the queue itself, oldest first, with their streams.
        complete_to_ms: the rows contain all records up to this time.
        gaps: streams, offsets and times after which rows were lost.
        unknown: times between which nothing is known, because rows were lost; the first and the last are not
            among them.
    """

    queue: str
    rows: DataFrame
    controls: list[tuple[int, Record]]
    complete_to_ms: int
    gaps: list[tuple[int, int, int]]
    unknown: tuple[int, int] | None = None

    @staticmethod
    def of(
        spark: SparkSession, directory: Path | str, queue: str, until_ms: int | None, url: str | None
    ) -> "QueueHistory":
        """The rows up to a time, or all."""
        tables = open_tables(directory)
        landed = LandedHistory(queue, tables)
        recent = None
        if url is not None and not (until_ms is not None and landed.reaches(until_ms)):
            recent = asyncio.run(recent_records(url, landed))
        files = tables.files_of(queue, until_ms)
        if recent is None and not landed.files:
            raise HistoryUnavailableError(f"the tables in {directory} hold no history of {queue!r}")
        streams = list(dict.fromkeys(file.stream for file in files))
        rows = read_tables(spark, tables, files)
        if recent is not None:
            if (recent.history, recent.epoch) not in streams:
                streams.append((recent.history, recent.epoch))
            rows = rows.unionByName(_rows_of(spark, recent))
        rows = rows.withColumn(STREAM, _number(streams))
        gaps = [
            (streams.index(file.stream), gap.last, file.first_ms)
            for gap in tables.gaps
            for file in files
            if file.stream == (gap.history, gap.epoch) and file.last_offset > gap.last
        ]
        complete_to_ms = landed.known_to_ms if recent is None else recent.known_to_ms
        unknown = None
        if recent is not None and recent.gap_from_ms is not None and recent.records:
            unknown = (recent.gap_from_ms, recent.records[0].time_ms)
        return QueueHistory(queue, rows, _controls(rows), complete_to_ms, gaps, unknown)

    def begin(self, time_ms: int) -> tuple[int, int]:
        """The stream and the offset from which on the records describe all messages of a time.

        Raises:
            InvalidTimeError, HistoryUnavailableError: see `as_of`.
        """
        RecordedHistory(self.queue, [record for _, record in self.controls], self.complete_to_ms).as_of(
            time_ms
        )
        begins = [
            (stream, record.offset)
            for stream, record in self.controls
            if record.time_ms <= time_ms and record.effect in (effects.DECLARED, effects.DELETED)
        ]
        begin = begins[-1]
        lost = any((stream, last) >= begin and first_ms <= time_ms for stream, last, first_ms in self.gaps)
        if lost or (self.unknown is not None and self.unknown[0] < time_ms < self.unknown[1]):
            raise HistoryUnavailableError(
                f"part of the history of {self.queue!r} was dropped by the broker before it landed, so what "
                f"was there at {print_time(time_ms)} is not known"
            )
        return begin

    def restart(self, time_ms: int) -> tuple[int, int] | None:
        """Stream and offset of the broker's last restart up to a time."""
        restarts = [
            (stream, record.offset)
            for stream, record in self.controls
            if record.time_ms <= time_ms and record.effect == effects.RESTARTED
        ]
        return restarts[-1] if restarts else None


def is_before(place: tuple[int, int]) -> Column:
    """Whether a row is before that offset of that stream."""
    stream, offset = place
    return (sf.col(STREAM) < stream) | ((sf.col(STREAM) == stream) & (sf.col("offset") < offset))


def milliseconds(name: str) -> Column:
    """A column of timestamps as milliseconds since the epoch."""
    return sf.unix_millis(sf.col(name))


def read_tables(spark: SparkSession, tables: HistoryTables, files: list[DataFile]) -> DataFrame:
    """The rows of these files."""
    schema = from_arrow_schema(SCHEMA)
    if not files:
        return spark.createDataFrame([], schema)
    return spark.read.schema(schema).parquet(*[tables.uri_of(file) for file in files]).select(*COLUMNS)


def _rows_of(spark: SparkSession, recent: Recent) -> DataFrame:
    schema = from_arrow_schema(SCHEMA)
    if not recent.records:
        return spark.createDataFrame([], schema)
    rows = spark.createDataFrame(table_of(recent.records, recent.history, recent.epoch))
    return rows.select(*(sf.col(field.name).cast(field.dataType) for field in schema.fields))


def _number(streams: list[tuple[str, int]]) -> Column:
    """The number of a row's stream."""
    number = sf.lit(-1)
    for index, (history, epoch) in enumerate(streams):
        mine = (sf.col("history") == history) & (sf.col("epoch") == epoch)
        number = sf.when(mine, index).otherwise(number)
    return number


def _controls(rows: DataFrame) -> list[tuple[int, Record]]:
    """The records of the queue itself, which are few."""
    controls = (
        rows.where(sf.col("effect").isin(*OF_THE_QUEUE))
        .select(STREAM, "offset", "effect", "queue", milliseconds("time").alias("ms"), "declaration")
        # All records of a base have one offset; the declaration is the first of them.
        .orderBy(STREAM, "offset", sf.col("effect") == effects.ENDED)
        .collect()
    )
    return [
        (
            row[STREAM],
            Record(
                row["offset"],
                row["effect"],
                row["queue"],
                row["ms"],
                declaration=None if row["declaration"] is None else json.loads(row["declaration"]),
            ),
        )
        for row in controls
    ]
