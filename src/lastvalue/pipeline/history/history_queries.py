"""Looking back at queues on Spark: the answers of `lastvalue.history.lookback`, for histories of any size."""

import asyncio
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import from_arrow_schema

from lastvalue.history import records as effects
from lastvalue.history.columns import SCHEMA, table_of
from lastvalue.history.errors import HistoryUnavailableError, InvalidTimeError
from lastvalue.history.lookback import (
    ANEW,
    IN,
    OUT,
    LandedHistory,
    Lookback,
    Recent,
    open_tables,
    recent_records,
)
from lastvalue.history.manifest import DataFile
from lastvalue.history.moment import AVAILABLE, HELD, WAITING
from lastvalue.history.records import OF_THE_QUEUE, WITH_CONTENT, Record
from lastvalue.history.tables import HistoryTables
from lastvalue.history.times import print_time, read_time
from lastvalue.pipeline.retention.delivery_order import POSITION, STATE

_STREAM: Final = "_stream"
_AT: Final = "_at"
_COLUMNS: Final = SCHEMA.names
_CHANGING: Final = ("updates", "expires", "delivery_count", "holder")
_SHOWN: Final = (*(name for name in _COLUMNS if name != "reason"), STATE, POSITION)


def history_rows(spark: SparkSession, directory: Path | str, queue: str | None = None) -> DataFrame:
    """The rows of one queue's history, or of all, as the tables hold them now.

    Raises:
        HistoryTablesError: the directory's manifest cannot be read.
    """
    tables = HistoryTables(directory)
    files = [file for file in tables.manifest.files if queue is None or file.queue == queue]
    return _read(spark, tables, files)


def as_of(
    spark: SparkSession,
    directory: Path | str,
    queue: str,
    at: str,
    *,
    url: str | None = None,
) -> DataFrame:
    """What a queue held at a time, sorted in the order of delivery, with `state` and `position`.

    Args:
        spark: the session.
        directory: of tables.
        queue: its name.
        at: ISO 8601, a time before now as in "-5m", or "now".
        url: the broker's, for what has not landed yet; without it the tables alone answer.

    Raises:
        InvalidTimeError: it is no time, or one that has not come or has not landed.
        HistoryUnavailableError: the history does not tell what was there then.
        HistoryGapError, HistoryTablesError, ClientError: what is needed cannot be read.
    """
    time_ms = read_time(at, time.time_ns() // 1_000_000)
    return _as_of(_Source.of(spark, directory, queue, time_ms, url), time_ms)


def diff(
    spark: SparkSession,
    directory: Path | str,
    queue: str,
    first: str,
    second: str,
    *,
    url: str | None = None,
) -> DataFrame:
    """What is different at the later time, by `change`: removed with its `reason`, added, replaced.

    Rows are the messages of the later time, for `removed` those of the earlier; `before` is the body of the
    message that was replaced.

    Raises:
        See `as_of`.
    """
    now_ms = time.time_ns() // 1_000_000
    first_ms, second_ms = read_time(first, now_ms), read_time(second, now_ms)
    if second_ms < first_ms:
        raise InvalidTimeError(f"the second time, {second}, is before the first, {first}")
    return _diff(_Source.of(spark, directory, queue, second_ms, url), first_ms, second_ms)


def timeline(
    spark: SparkSession,
    directory: Path | str,
    queue: str,
    key: str,
    *,
    url: str | None = None,
) -> DataFrame:
    """Everything that happened to messages of a key, and to the queue, oldest first.

    Raises:
        HistoryUnavailableError, HistoryGapError, HistoryTablesError, ClientError: see `as_of`.
    """
    source = _Source.of(spark, directory, queue, None, url)
    mine = (sf.col("key") == key) | sf.col("effect").isin(*OF_THE_QUEUE)
    return source.rows.where(mine).orderBy(_STREAM, "offset").select(*_COLUMNS)


@dataclass(frozen=True, slots=True)
class _Source:
    """A queue's rows, from the files and from the broker.

    Attributes:
        rows: with the number of their stream, in the order in which streams began.
        controls: what happened to the queue as such, oldest first, with the streams that it is of.
        known_to_ms: up to when everything that happened is among the rows.
        gaps: streams, offsets and times behind which rows were lost.
    """

    queue: str
    rows: DataFrame
    controls: list[tuple[int, Record]]
    known_to_ms: int
    gaps: list[tuple[int, int, int]]

    @staticmethod
    def of(
        spark: SparkSession, directory: Path | str, queue: str, until_ms: int | None, url: str | None
    ) -> "_Source":
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
        rows = _read(spark, tables, files)
        if recent is not None:
            if (recent.history, recent.epoch) not in streams:
                streams.append((recent.history, recent.epoch))
            rows = rows.unionByName(_rows_of(spark, recent))
        rows = rows.withColumn(_STREAM, _number(streams))
        gaps = [
            (streams.index(file.stream), gap.last, file.first_ms)
            for gap in tables.manifest.gaps
            for file in files
            if file.stream == (gap.history, gap.epoch) and file.last_offset > gap.last
        ]
        known_to_ms = landed.known_to_ms if recent is None else recent.known_to_ms
        return _Source(queue, rows, _controls(rows), known_to_ms, gaps)

    def begin(self, time_ms: int) -> tuple[int, int]:
        """The stream and the offset from which on all is told that was there at a time.

        Raises:
            InvalidTimeError, HistoryUnavailableError: see `as_of`.
        """
        Lookback(self.queue, [record for _, record in self.controls], self.known_to_ms).as_of(time_ms)
        begins = [
            (stream, record.offset)
            for stream, record in self.controls
            if record.time_ms <= time_ms and record.effect in (effects.DECLARED, effects.DELETED)
        ]
        begin = begins[-1]
        if any((stream, last) >= begin and first_ms <= time_ms for stream, last, first_ms in self.gaps):
            raise HistoryUnavailableError(
                f"part of the history of {self.queue!r} was dropped by the broker before it landed, so what "
                f"was there at {print_time(time_ms)} is not known"
            )
        return begin

    def restart(self, time_ms: int) -> tuple[int, int] | None:
        """The last restart of the broker up to a time."""
        restarts = [
            (stream, record.offset)
            for stream, record in self.controls
            if record.time_ms <= time_ms and record.effect == effects.RESTARTED
        ]
        return restarts[-1] if restarts else None


def _as_of(source: _Source, time_ms: int) -> DataFrame:
    begin = source.begin(time_ms)
    told = source.rows.where((_milliseconds("time") <= time_ms) & ~_before(begin)).withColumn(
        _AT, sf.struct(_STREAM, "offset")
    )
    there = told.where(sf.col("effect").isin(*WITH_CONTENT))
    restart = source.restart(time_ms)
    if restart is not None:
        there = there.where(sf.col("durable") | ~_before(restart))
    gone = told.where(sf.col("effect") == effects.REMOVED).select("sequence")
    there = there.join(gone, "sequence", "left_anti")
    changed = there.join(_changes(told, restart), "sequence", "left")
    due = sf.coalesce(sf.col("_due"), sf.lit(False))  # noqa: FBT003 - a literal
    waits = sf.col("not_before").isNotNull() & ~due
    own_holder = sf.col("holder")
    if restart is not None:
        own_holder = sf.when(~_before(restart), own_holder)
    changed = changed.select(
        *[name for name in _COLUMNS if name not in _CHANGING],
        sf.coalesce("_updates", "updates").alias("updates"),
        sf.coalesce("_expires", "expires").alias("expires"),
        sf.coalesce("_count", "delivery_count", sf.lit(0)).alias("delivery_count"),
        sf.when(sf.col("_held").isNotNull(), sf.col("_held.holder")).otherwise(own_holder).alias("holder"),
        waits.alias("_waits"),
    )
    held = sf.col("holder").isNotNull()
    state = sf.when(held, HELD).when(sf.col("_waits"), WAITING).otherwise(AVAILABLE)
    lasting = sf.col("expires").isNull() | (_milliseconds("expires") > time_ms) | held
    order = [sf.col("rank"), sf.coalesce("place", "sequence")]
    return (
        changed.where(lasting)
        .select(*_COLUMNS, state.alias(STATE))
        # One queue is numbered in one task.
        .withColumn(POSITION, sf.row_number().over(Window.partitionBy("queue").orderBy(*order)))
        .orderBy(POSITION)
    )


def _changes(told: DataFrame, restart: tuple[int, int] | None) -> DataFrame:
    """What changed of each message since it came: the last of each kind."""

    def last(effect: Column, *names: str) -> Column:
        return sf.max(sf.when(effect, sf.struct(_AT, *names)))

    effect = sf.col("effect")
    holding = effect.isin(effects.ACQUIRED, effects.RELEASED)
    if restart is not None:
        # What consumers had then is available again.
        holding &= ~_before(restart)
    return (
        told.where(effect.isin(effects.DUE, effects.ACQUIRED, effects.RELEASED, effects.RESCHEDULED))
        .groupBy("sequence")
        .agg(
            sf.max(effect == effects.DUE).alias("_due"),
            last(effect == effects.DUE, "updates")["updates"].alias("_updates"),
            last(effect == effects.RESCHEDULED, "expires")["expires"].alias("_expires"),
            last(effect == effects.RELEASED, "delivery_count")["delivery_count"].alias("_count"),
            last(holding, "holder").alias("_held"),
        )
    )


def _diff(source: _Source, first_ms: int, second_ms: int) -> DataFrame:
    identity = ["sequence", "arrival"]
    before, after = _as_of(source, first_ms), _as_of(source, second_ms)
    gone = before.join(after.select(*identity), identity, "left_anti")
    come = after.join(before.select(*identity), identity, "left_anti")
    between = (_milliseconds("time") > first_ms) & (_milliseconds("time") <= second_ms)
    reasons = (
        source.rows.where((sf.col("effect") == effects.REMOVED) & between)
        .groupBy("sequence")
        .agg(sf.max(sf.struct(_STREAM, "offset", "reason"))["reason"].alias("_reason"))
    )
    gone = gone.join(reasons, "sequence", "left")
    leaving = _singles(gone).select("key", sf.col("body").alias("before"), "_reason")
    replaced = leaving.join(_singles(come).select("key"), "key").withColumn("_anew", sf.lit(ANEW))
    out = gone.join(replaced.select("key"), "key", "left_anti").select(
        sf.lit(OUT).alias("change"), *_SHOWN, sf.col("_reason").alias("reason")
    )
    into = come.join(replaced, "key", "left").select(
        sf.coalesce("_anew", sf.lit(IN)).alias("change"), *_SHOWN, sf.col("_reason").alias("reason"), "before"
    )
    found = out.unionByName(into, allowMissingColumns=True)
    return found.orderBy(sf.col("change") != OUT, POSITION)


def _singles(rows: DataFrame) -> DataFrame:
    """The rows whose key no other row has."""
    keyed = rows.where(sf.col("key").isNotNull())
    once = keyed.groupBy("key").count().where(sf.col("count") == 1).select("key")
    return keyed.join(once, "key", "left_semi")


def _before(place: tuple[int, int]) -> Column:
    """Whether a row comes before that offset of that stream."""
    stream, offset = place
    return (sf.col(_STREAM) < stream) | ((sf.col(_STREAM) == stream) & (sf.col("offset") < offset))


def _milliseconds(name: str) -> Column:
    return sf.unix_millis(sf.col(name))


def _read(spark: SparkSession, tables: HistoryTables, files: list[DataFile]) -> DataFrame:
    schema = from_arrow_schema(SCHEMA)
    if not files:
        return spark.createDataFrame([], schema)
    paths = [str((tables.directory / file.path).absolute()) for file in files]
    return spark.read.schema(schema).parquet(*paths).select(*_COLUMNS)


def _rows_of(spark: SparkSession, recent: Recent) -> DataFrame:
    schema = from_arrow_schema(SCHEMA)
    if not recent.records:
        return spark.createDataFrame([], schema)
    made = spark.createDataFrame(table_of(recent.records, recent.history, recent.epoch))
    return made.select(*(sf.col(field.name).cast(field.dataType) for field in schema.fields))


def _number(streams: list[tuple[str, int]]) -> Column:
    """The number of a row's stream."""
    number = sf.lit(-1)
    for index, (history, epoch) in enumerate(streams):
        mine = (sf.col("history") == history) & (sf.col("epoch") == epoch)
        number = sf.when(mine, index).otherwise(number)
    return number


def _controls(rows: DataFrame) -> list[tuple[int, Record]]:
    """What happened to the queue as such: few rows."""
    found = (
        rows.where(sf.col("effect").isin(*OF_THE_QUEUE))
        .select(_STREAM, "offset", "effect", "queue", _milliseconds("time").alias("ms"), "declaration")
        # Of a base, which has one offset, the declaration comes first.
        .orderBy(_STREAM, "offset", sf.col("effect") == effects.ENDED)
        .collect()
    )
    return [
        (
            row[_STREAM],
            Record(
                row["offset"],
                row["effect"],
                row["queue"],
                row["ms"],
                declaration=None if row["declaration"] is None else json.loads(row["declaration"]),
            ),
        )
        for row in found
    ]
