"""A declared feed as a streaming query: the source, the rows, what is conflated, the messages."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import DateType, StructType, TimestampNTZType, TimestampType

from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.config.pipeline_settings import FORMATS_WITH_SCHEMA, FeedSettings
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.columns import column, missing_column
from lastvalue.pipeline.conflation.conflate import conflate, micro_batch_conflation
from lastvalue.pipeline.conflation.policy import Count, First, Last, Max, Merge, Min, Ohlc, Policy, Sum, Vwap
from lastvalue.pipeline.sink.publish import publish_with_options
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.sink_columns import UnusableColumnsError, check_columns
from lastvalue.pipeline.sink.write_ids import micro_batch_id

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

UPDATES: Final = "updates"
_KEY_TYPES: Final = ("string", "tinyint", "smallint", "int", "bigint")
_TIME_FORMAT: Final = {"timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}
_INFERRED: Final = ("orc", "parquet")
_STOP_MS: Final = 120_000
"""For so long a micro-batch that is not begun waits for the end of its query."""

Plan = Callable[[DataFrame], DataFrame]


class FeedFaultError(LastvalueError):
    """A feed cannot be planned as it is declared; `fault` has the place in the file."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class StoppingError(LastvalueError):
    """A micro-batch is not begun, because the feed was told to stop."""


class _StopsUntold(logging.Filter):
    """Passes what py4j logs of Python functions that failed under Java, but for those that were to stop."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], StoppingError))


_STOPS_UNTOLD: Final = _StopsUntold()


@dataclass(frozen=True, slots=True)
class PlannedFeed:
    """A feed whose columns and expressions Spark has checked.

    Attributes:
        rows: the stream, as far as Spark's state is in it.
        outgoing: from a micro-batch of it to what the sink takes.
        read_twice: the plan may read a micro-batch more than once.
    """

    feed: FeedSettings
    rows: DataFrame
    outgoing: Plan
    read_twice: bool


def plan_feed(
    spark: "SparkSession", feed: FeedSettings, path: str | None, place: tuple[str | int, ...]
) -> PlannedFeed:
    """The feed, planned; no row is read.

    Args:
        spark: the session.
        feed: as declared.
        path: of its source, as it is used.
        place: of the feed in the file, for faults.

    Raises:
        FeedFaultError: the source, an expression or a column is not as the feed wants it.
    """
    source = _within((*place, "format"), feed.format, lambda: _source(spark, feed, path))
    if feed.where is not None:
        condition = feed.where
        source = _within((*place, "where"), condition, lambda: source.where(condition))
    rows = source
    if feed.select:
        rows = _within((*place, "select"), list(feed.select), lambda: source.selectExpr(*feed.select))
    _check_names(feed, rows.schema, place)
    read_twice = False
    reduced: Plan
    if feed.key is None:
        reduced = _spread(feed)
    elif feed.every_ms is not None:
        timed = rows
        rows = _within((*place, "every"), NO_VALUE, lambda: _by_intervals(timed, feed))
        reduced = _spread(feed)
    else:
        reduced, read_twice = _within((*place, "key"), feed.key, lambda: _by_batch(rows.schema, feed))
    empty = spark.createDataFrame([], rows.schema)
    reduced_schema = _within((*place, "key"), feed.key, lambda: reduced(empty).schema)
    columns = _message_columns(feed, reduced_schema, spark, place)
    checked = _within((*place, "message"), NO_VALUE, lambda: reduced(empty).select(*columns).schema)
    _within((*place, "message" if feed.message else "select"), NO_VALUE, lambda: check_columns(checked))
    return PlannedFeed(feed, rows, lambda batch: reduced(batch).select(*columns), read_twice)


class FeedQuery:
    """Starts the streaming query of a planned feed, and ends it between two micro-batches.

    Attributes:
        waits_for_stop: a micro-batch was refused, and the query has to be stopped.
    """

    def __init__(self, planned: PlannedFeed, url: str, told: Callable[[WriteResult], None]) -> None:
        self._planned = planned
        self._url = url
        self._told = told
        self._stopping = threading.Event()
        self.waits_for_stop = threading.Event()
        logging.getLogger("py4j.clientserver").addFilter(_STOPS_UNTOLD)

    def start(self, checkpoint: str, *, once: bool) -> "StreamingQuery":
        """Start it; with `once` it ends when it has published what is there."""
        feed = self._planned.feed
        writer = (
            self._planned.rows.writeStream.queryName(feed.name)
            .foreachBatch(self._publish)
            .option("checkpointLocation", checkpoint)
        )
        if once:
            return writer.trigger(availableNow=True).start()
        return writer.trigger(processingTime=f"{feed.trigger_ms} milliseconds").start()

    def refuse_batches(self) -> None:
        """Let the micro-batch that is under way end, and begin no other."""
        self._stopping.set()

    def _publish(self, batch: DataFrame, number: int) -> None:
        if self._stopping.is_set():
            self._refuse(batch)
        if self._planned.read_twice:
            batch = batch.persist()
        try:
            published = self._send(batch, micro_batch_id(batch, number))
        finally:
            if self._planned.read_twice:
                batch.unpersist()
        self._told(published)

    def _refuse(self, batch: DataFrame) -> NoReturn:
        """Stand still where the query's stop interrupts its thread in Java.

        Spark then takes what is raised for the stop; anything else would be a failure, told with its trace.
        """
        self.waits_for_stop.set()
        java: Any = batch.sparkSession.sparkContext._jvm  # noqa: SLF001 - no other way into that thread
        try:
            java.java.lang.Thread.sleep(_STOP_MS)
        except Py4JJavaError as interrupted:
            raise StoppingError("the feed was told to stop") from interrupted
        raise StoppingError("the feed was told to stop, and its query was not stopped")

    def _send(self, batch: DataFrame, write_id: str) -> WriteResult:
        feed = self._planned.feed
        told = {"queue": feed.queue, "url": self._url, "writeId": write_id}
        told["keyProperty"] = feed.key_property or feed.key or "key"
        return publish_with_options(self._planned.outgoing(batch), {**feed.sink, **told})


def _source(spark: "SparkSession", feed: FeedSettings, path: str | None) -> DataFrame:
    reader = spark.readStream.format(feed.format).options(**feed.options)
    kind = feed.format.lower()
    schema: str | StructType | None = feed.schema
    if schema is None and kind in _INFERRED:
        schema = spark.read.format(feed.format).options(**feed.options).load(path).schema
    if schema is not None:
        reader = reader.schema(schema)
    # Dates that are none, and numbers with letters, become null there without a word.
    if kind in FORMATS_WITH_SCHEMA and "mode" not in {name.lower() for name in feed.options}:
        reader = reader.option("mode", "FAILFAST")
    return reader.load(path) if path is not None else reader.load()


def _check_names(feed: FeedSettings, schema: StructType, place: tuple[str | int, ...]) -> None:
    wanted: list[tuple[str, str | None]] = [
        ("key", feed.key),
        *(("order_by", name) for name in feed.order_by),
    ]
    wanted += [("value", feed.value), ("volume", feed.volume), ("time", feed.time)]
    for key, name in wanted:
        if name is not None and name not in schema.names:
            raise FeedFaultError(Fault((*place, key), missing_column(name, schema.names), name))
    if feed.key is not None:
        kind = schema[feed.key].dataType.simpleString()
        if kind not in _KEY_TYPES:
            reason = f"the column is {kind}, and a key is a string or a whole number; cast it in select"
            raise FeedFaultError(Fault((*place, "key"), reason, feed.key))


def _by_intervals(rows: DataFrame, feed: FeedSettings) -> DataFrame:
    """The stream, one row a key and interval; Spark remembers the intervals that are not over."""
    time = feed.time or next(
        (
            name
            for name in feed.order_by
            if isinstance(rows.schema[name].dataType, TimestampType | TimestampNTZType)
        ),
        feed.order_by[0],
    )
    return conflate(
        rows.withWatermark(time, f"{feed.watermark_ms} milliseconds"),
        feed.key or "",
        feed.order_by,
        every=f"{feed.every_ms}ms",
        policy=_policy(feed),
        time=time,
        updates=UPDATES,
    )


def _by_batch(schema: StructType, feed: FeedSettings) -> tuple[Plan, bool]:
    """How each micro-batch is conflated by itself, and whether that reads it more than once."""
    key, policy = feed.key or "", _policy(feed)
    if isinstance(policy, Last) and feed.partitions == 1:
        return micro_batch_conflation(schema, key, feed.order_by, updates=UPDATES), False
    spread = _spread(feed)
    return (
        lambda batch: spread(
            conflate(batch, key, feed.order_by, policy=policy, time=feed.time, updates=UPDATES)
        )
    ), True


def _spread(feed: FeedSettings) -> Plan:
    """The partitions that publish: the same rows in the same order however often they are made."""
    if feed.key is None:
        return (lambda batch: batch.coalesce(1)) if feed.partitions == 1 else (lambda batch: batch)
    count, key = feed.partitions, feed.key

    def spread(rows: DataFrame) -> DataFrame:
        others = [F.to_json(F.struct(*map(column, rows.columns)))]
        parted = rows.coalesce(1) if count == 1 else rows.repartition(count, column(key))
        # What comes out of a shuffle may stand in another order in a task that is run again.
        return parted.sortWithinPartitions(column(key), *others)

    return spread


def _message_columns(
    feed: FeedSettings, schema: StructType, spark: "SparkSession", place: tuple[str | int, ...]
) -> list[Column]:
    """What a row becomes: what the feed says, and where it says nothing, the row as JSON."""
    rows = spark.createDataFrame([], schema)
    said: dict[str, Column] = {}
    for name, expression in feed.message.items():
        said[name] = F.expr(expression)
        try:
            rows.select(said[name])
        except PySparkException as error:
            raise FeedFaultError(Fault((*place, "message", name), _told_by(error), expression)) from None
    if feed.key is None and "body" in schema.names and "body" not in said:
        # Rows that are messages already.
        return [*(column(name) for name in schema.names if name not in said), *_named(said)]
    body = [column(name) for name in schema.names if feed.key is None or name != UPDATES]
    plain: dict[str, Column] = {}
    if "body" not in said:
        plain["body"] = F.to_json(F.struct(*body), dict(_TIME_FORMAT))
        plain["content_type"] = F.lit("application/json")
    if feed.key is not None:
        plain["key"] = column(feed.key)
        plain["updates"] = column(UPDATES)
        order = [name for name in feed.order_by if name in schema.names]
        order = order or [name for name in ("interval_start", "last_time") if name in schema.names]
        values = [_order_value(name, schema).alias(name) for name in order if name != feed.key]
        if values:
            plain["properties"] = F.struct(*values)
    return _named({**plain, **said})


def _named(columns: Mapping[str, Column]) -> list[Column]:
    return [expression.alias(name) for name, expression in columns.items()]


def _order_value(name: str, schema: StructType) -> Column:
    match schema[name].dataType:
        case TimestampType():
            return F.unix_micros(column(name))
        case TimestampNTZType():
            return F.unix_micros(F.to_utc_timestamp(column(name), "UTC"))
        case DateType():
            return F.unix_date(column(name))
        case _:
            return column(name)


def _policy(feed: FeedSettings) -> Policy:
    value, volume = feed.value or "", feed.volume
    made: dict[str, Callable[[], Policy]] = {
        "last": Last,
        "first": First,
        "count": Count,
        "max": lambda: Max(value),
        "min": lambda: Min(value),
        "sum": lambda: Sum(value),
        "ohlc": lambda: Ohlc(value, volume),
        "vwap": lambda: Vwap(value, volume or ""),
        "merge": lambda: Merge(value),
    }
    return made[feed.policy]()


def _within(place: tuple[str | int, ...], value: Any, work: Callable[[], Any]) -> Any:
    """Do something that the value at that place of the file is asked for."""
    try:
        return work()
    except PySparkException as error:
        raise FeedFaultError(Fault(place, _told_by(error), value)) from None
    except Py4JJavaError as error:
        text = cause_of(str(error.java_exception.getMessage()))
        raise FeedFaultError(Fault(place, text, value)) from None
    except UnusableColumnsError as error:
        raise FeedFaultError(Fault(place, str(error), NO_VALUE)) from None
    except FeedFaultError:
        raise
    except LastvalueError as error:
        raise FeedFaultError(Fault(place, str(error), value)) from None


def _told_by(error: PySparkException) -> str:
    return cause_of(error.getMessage() or str(error))


def cause_of(text: str) -> str:
    """What an error of Spark says, without the way that it took through Java and Python."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    own = [line for line in lines if line.startswith("lastvalue.") and "Error: " in line]
    if own:
        return own[-1].partition("Error: ")[2]
    return lines[0].split(" SQLSTATE")[0].strip() if lines else "it ended without a word"
