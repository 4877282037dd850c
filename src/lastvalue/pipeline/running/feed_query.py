"""A declared feed as a streaming query: its source, rows, conflation and messages."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final, NoReturn

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import DateType, StructType, TimestampNTZType, TimestampType

from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.config.pipeline_settings import FORMATS_WITH_SCHEMA, FeedSettings
from lastvalue.model.composite_key import SEPARATOR, names_of_key
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.columns import column, missing_column, wall_clock_micros
from lastvalue.pipeline.conflation.conflate import conflate, micro_batch_conflation
from lastvalue.pipeline.failure_cause import failure_cause
from lastvalue.pipeline.job_name import job_name
from lastvalue.pipeline.sink.options import SinkOptions, parse_sink_options
from lastvalue.pipeline.sink.publish import publish_checked
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.sink_columns import UnusableColumnsError, check_columns
from lastvalue.pipeline.sink.target import check_target
from lastvalue.pipeline.sink.write_ids import micro_batch_id
from lastvalue.queues.policy import Count, First, Last, List, Max, Merge, Min, Ohlc, Policy, Sum, Vwap

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

UPDATES: Final = "updates"
OBSERVED: Final = "feed"
"""The name of a feed's metrics in the progress of its query."""
NEWEST_US: Final = "newest_us"
"""The one of these that is the time of the newest row, in microseconds since the epoch."""
_KEY_TYPES: Final = ("string", "tinyint", "smallint", "int", "bigint")
_TIME_FORMAT: Final = {"timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}
_INFERRED: Final = ("orc", "parquet")
_STOP_MS: Final = 120_000
"""The longest time for which a refused micro-batch waits for the end of its query."""

Plan = Callable[[DataFrame], DataFrame]


class FeedFaultError(LastvalueError):
    """A feed cannot be planned as declared; `fault` contains the place in the file."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class StoppingError(LastvalueError):
    """A micro-batch was refused, because the feed is stopping."""


class _StoppingFilter(logging.Filter):
    """Drops the log records of py4j about functions that failed with a StoppingError."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], StoppingError))


_STOPPING_FILTER: Final = _StoppingFilter()


@dataclass(frozen=True, slots=True)
class PlannedFeed:
    """A feed whose columns and expressions Spark has checked.

    Attributes:
        rows: the stream, including the conflation that Spark keeps in its state.
        to_messages: from a micro-batch of the stream to rows for the sink.
        messages: the schema of these.
        read_twice: the plan may read a micro-batch more than once.
    """

    feed: FeedSettings
    rows: DataFrame
    to_messages: Plan
    messages: StructType
    read_twice: bool


def plan_feed(
    spark: "SparkSession", feed: FeedSettings, path: str | None, place: tuple[str | int, ...]
) -> PlannedFeed:
    """Plan a feed, without reading rows.

    Args:
        spark: the session.
        feed: as declared.
        path: the path of its source, resolved.
        place: the place of the feed in the file, for faults.

    Raises:
        FeedFaultError: the source, an expression or a column does not fit the declaration.
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
    conflation: Plan
    if not feed.key:
        conflation = _partitioning(feed)
    elif feed.every_ms is not None:
        selected = rows
        rows = _within((*place, "every"), NO_VALUE, lambda: _by_intervals(selected, feed))
        conflation = _partitioning(feed)
    else:
        conflation, read_twice = _within((*place, "key"), _key(feed), lambda: _by_batch(rows.schema, feed))
    empty = _empty(spark, rows.schema)
    conflated_schema = _within((*place, "key"), _key(feed), lambda: conflation(empty).schema)
    columns = _message_columns(feed, conflated_schema, spark, place)
    schema = _within((*place, "message"), NO_VALUE, lambda: conflation(empty).select(*columns).schema)
    _within((*place, "message" if feed.message else "select"), NO_VALUE, lambda: check_columns(schema))
    return PlannedFeed(feed, rows, lambda batch: conflation(batch).select(*columns), schema, read_twice)


def observed(planned: PlannedFeed) -> DataFrame:
    """The stream of a feed with metrics that Spark reports in the progress of its query, as OBSERVED."""
    rows, feed = planned.rows, planned.feed
    metrics = [F.count(F.lit(1)).alias("rows")]
    if feed.key and set(feed.key) <= set(rows.columns):
        missing = reduce(or_, [column(name).isNull() for name in feed.key])
        metrics.append(F.count_if(missing).alias("rows_without_key"))
    order = next((name for name in feed.order_by if name in rows.columns), None)
    if order is not None:
        metrics.append(F.max(column(order)).alias("newest"))
    time = next((name for name in (*feed.order_by, feed.time) if _is_time(name, rows.schema)), None)
    if time is not None:
        metrics.append(F.max(_time_us(time, rows.schema)).alias(NEWEST_US))
    return rows.observe(OBSERVED, *metrics)


class FeedQuery:
    """Starts the streaming query of a planned feed, and ends it between two micro-batches.

    Args:
        planned: the feed.
        url: the broker.
        on_published: receives the result of each micro-batch.

    Attributes:
        waits_for_stop: set when a micro-batch was refused and waits for the query's stop.
    """

    def __init__(self, planned: PlannedFeed, url: str, on_published: Callable[[WriteResult], None]) -> None:
        self._planned = planned
        self._url = url
        self._on_published = on_published
        self._options = SinkOptions(planned.feed.queue)
        self._stopping = threading.Event()
        self.waits_for_stop = threading.Event()
        logging.getLogger("py4j.clientserver").addFilter(_STOPPING_FILTER)

    def start(self, checkpoint: str, *, once: bool) -> "StreamingQuery":
        """Start the query; with `once` it ends when it has published all present rows.

        Raises:
            LastvalueError: the feed cannot publish to its queue.
        """
        feed = self._planned.feed
        options = parse_sink_options({**feed.sink, "queue": feed.queue, "url": self._url})
        checked = check_target(replace(options, key_property=feed.key_property), self._planned.messages)
        self._options = replace(checked, key_property=checked.key_property or _key(feed))
        writer = (
            observed(self._planned)
            .writeStream.queryName(feed.name)
            .foreachBatch(self._publish)
            .option("checkpointLocation", checkpoint)
        )
        if once:
            return writer.trigger(availableNow=True).start()
        return writer.trigger(processingTime=f"{feed.trigger_ms} milliseconds").start()

    def refuse_batches(self) -> None:
        """Refuse further micro-batches; the running one ends normally."""
        self._stopping.set()

    def _publish(self, batch: DataFrame, number: int) -> None:
        if self._stopping.is_set():
            self._refuse(batch)
        if self._planned.read_twice:
            batch = batch.persist()
        feed = self._planned.feed
        try:
            with job_name(batch, f"feed {feed.name}: micro-batch {number} into {feed.queue}"):
                result = self._send(batch, micro_batch_id(batch, number))
        finally:
            if self._planned.read_twice:
                batch.unpersist()
        self._on_published(result)

    def _refuse(self, batch: DataFrame) -> NoReturn:
        """Wait in Java until the query's stop interrupts the thread.

        Spark treats the error after an interrupt as the stop; it reports any other error as a failure.
        """
        self.waits_for_stop.set()
        java: Any = batch.sparkSession.sparkContext._jvm  # noqa: SLF001 - no other way into that thread
        try:
            java.java.lang.Thread.sleep(_STOP_MS)
        except Py4JJavaError as interrupted:
            raise StoppingError("the feed is stopping") from interrupted
        raise StoppingError("the feed is stopping, but its query was not stopped")

    def _send(self, batch: DataFrame, write_id: str) -> WriteResult:
        return publish_checked(self._planned.to_messages(batch), replace(self._options, write_id=write_id))


def _source(spark: "SparkSession", feed: FeedSettings, path: str | None) -> DataFrame:
    reader = spark.readStream.format(feed.format).options(**feed.options)
    kind = feed.format.lower()
    schema: str | StructType | None = feed.schema
    if schema is None and kind in _INFERRED:
        schema = spark.read.format(feed.format).options(**feed.options).load(path).schema
    if schema is not None:
        reader = reader.schema(schema)
    # By default these formats silently turn invalid dates and numbers into nulls.
    if kind in FORMATS_WITH_SCHEMA and "mode" not in {name.lower() for name in feed.options}:
        reader = reader.option("mode", "FAILFAST")
    return reader.load(path) if path is not None else reader.load()


def _check_names(feed: FeedSettings, schema: StructType, place: tuple[str | int, ...]) -> None:
    names: list[tuple[str, str | None]] = [
        *(("key", name) for name in feed.key),
        *(("order_by", name) for name in feed.order_by),
    ]
    names += [("value", feed.value), ("volume", feed.volume), ("time", feed.time)]
    for key, name in names:
        if name is not None and name not in schema.names:
            raise FeedFaultError(Fault((*place, key), missing_column(name, schema.names), name))
    for name in feed.key:
        kind = schema[name].dataType.simpleString()
        if kind not in _KEY_TYPES:
            reason = f"the column is {kind}, and a key is a string or a whole number; cast it in select"
            raise FeedFaultError(Fault((*place, "key"), reason, name))


def _by_intervals(rows: DataFrame, feed: FeedSettings) -> DataFrame:
    """The stream with one row per key and interval; Spark's state holds the open intervals."""
    time = feed.time or next(
        (name for name in feed.order_by if _is_time(name, rows.schema)),
        feed.order_by[0],
    )
    return conflate(
        rows.withWatermark(time, f"{feed.watermark_ms} milliseconds"),
        feed.key,
        feed.order_by,
        every=f"{feed.every_ms}ms",
        policy=_policy(feed),
        time=time,
        updates=UPDATES,
    )


def _by_batch(schema: StructType, feed: FeedSettings) -> tuple[Plan, bool]:
    """The conflation of single micro-batches, and whether it reads a micro-batch more than once."""
    key, policy = feed.key[0] if len(feed.key) == 1 else feed.key, _policy(feed)
    if isinstance(policy, Last) and feed.partitions == 1:
        return micro_batch_conflation(schema, key, feed.order_by, updates=UPDATES), False
    partitioning = _partitioning(feed)
    return (
        lambda batch: partitioning(
            conflate(batch, key, feed.order_by, policy=policy, time=feed.time, updates=UPDATES)
        )
    ), True


def _partitioning(feed: FeedSettings) -> Plan:
    """The partitions for the sink, with the same rows in the same order in each run."""
    if not feed.key:
        return (lambda batch: batch.coalesce(1)) if feed.partitions == 1 else (lambda batch: batch)
    count, keys = feed.partitions, [column(name) for name in feed.key]

    def partition(rows: DataFrame) -> DataFrame:
        others = [F.to_json(F.struct(*map(column, rows.columns)))]
        partitions = rows.coalesce(1) if count == 1 else rows.repartition(count, *keys)
        # The rows of a shuffle may have another order when a task runs again.
        return partitions.sortWithinPartitions(*keys, *others)

    return partition


def _message_columns(
    feed: FeedSettings, schema: StructType, spark: "SparkSession", place: tuple[str | int, ...]
) -> list[Column]:
    """The message's columns: those that the feed declares, and by default the row as JSON."""
    rows = _empty(spark, schema)
    declared: dict[str, Column] = {}
    for name, expression in feed.message.items():
        declared[name] = F.expr(expression)
        try:
            rows.select(declared[name])
        except PySparkException as error:
            raise FeedFaultError(Fault((*place, "message", name), _reason(error), expression)) from None
    if not feed.key and "body" in schema.names and "body" not in declared:
        # The rows are messages already.
        return [*(column(name) for name in schema.names if name not in declared), *_aliased(declared)]
    body = [column(name) for name in schema.names if not feed.key or name != UPDATES]
    defaults: dict[str, Column] = {}
    if "body" not in declared:
        defaults["body"] = F.to_json(F.struct(*body), dict(_TIME_FORMAT))
        defaults["content_type"] = F.lit("application/json")
    if feed.key:
        defaults["updates"] = column(UPDATES)
        order = [name for name in feed.order_by if name in schema.names]
        order = order or [name for name in ("interval_start", "last_time") if name in schema.names]
        values = [_order_value(name, schema).alias(name) for name in order if name not in feed.key]
        if len(feed.key) == 1:
            defaults["key"] = column(feed.key[0])
        else:
            # The queue makes the key of these.
            names = names_of_key(feed.key_property) if feed.key_property else feed.key
            values[:0] = [column(each).alias(name) for each, name in zip(feed.key, names, strict=True)]
            _check_properties(feed, rows, names, declared, place)
        if values:
            defaults["properties"] = F.struct(*values)
    return _aliased({**defaults, **declared})


def _check_properties(
    feed: FeedSettings,
    rows: DataFrame,
    names: Sequence[str],
    declared: Mapping[str, Column],
    place: tuple[str | int, ...],
) -> None:
    """Refuse properties of a feed's own that lack one of its key; of a map nobody knows the names."""
    if "properties" not in declared:
        return
    kind = rows.select(declared["properties"]).schema[0].dataType
    absent = [name for name in names if isinstance(kind, StructType) and name not in kind.names]
    if absent:
        reason = (
            f"they lack {absent[0]!r}, which is part of the key; add it, as in struct({', '.join(names)})"
        )
        raise FeedFaultError(Fault((*place, "message", "properties"), reason, feed.message["properties"]))


def _key(feed: FeedSettings) -> str:
    """The names of a feed's key, as the option `lvq_key` of a queue has them."""
    return SEPARATOR.join(feed.key)


def _empty(spark: "SparkSession", schema: StructType) -> DataFrame:
    """A table without rows. For `createDataFrame` a session makes its first RDD, in a quarter of a second."""
    nulls = (F.lit(None).cast(field.dataType).alias(field.name) for field in schema)
    return spark.range(0).select(*nulls)


def _aliased(columns: Mapping[str, Column]) -> list[Column]:
    return [expression.alias(name) for name, expression in columns.items()]


def _is_time(name: str | None, schema: StructType) -> bool:
    return name in schema.names and isinstance(schema[name].dataType, TimestampType | TimestampNTZType)


def _time_us(name: str, schema: StructType) -> Column:
    """A column of times, in microseconds since the epoch; one without a zone is in UTC."""
    zoned = isinstance(schema[name].dataType, TimestampType)
    return F.unix_micros(column(name)) if zoned else wall_clock_micros(column(name))


def _order_value(name: str, schema: StructType) -> Column:
    match schema[name].dataType:
        case TimestampType() | TimestampNTZType():
            return _time_us(name, schema)
        case DateType():
            return F.unix_date(column(name))
        case _:
            return column(name)


def _policy(feed: FeedSettings) -> Policy:
    value, volume = feed.value or "", feed.volume
    policies: dict[str, Callable[[], Policy]] = {
        "last": Last,
        "first": First,
        "count": Count,
        "max": lambda: Max(value),
        "min": lambda: Min(value),
        "sum": lambda: Sum(value),
        "ohlc": lambda: Ohlc(value, volume),
        "vwap": lambda: Vwap(value, volume or ""),
        "merge": lambda: Merge(value),
        "list": lambda: List(value, feed.most or 1),
    }
    return policies[feed.policy]()


def _within(place: tuple[str | int, ...], value: Any, work: Callable[[], Any]) -> Any:
    """Call `work`; its errors become faults of the value at that place of the file."""
    try:
        return work()
    except PySparkException as error:
        raise FeedFaultError(Fault(place, _reason(error), value)) from None
    except Py4JJavaError as error:
        text = failure_cause(str(error.java_exception.getMessage())).text
        raise FeedFaultError(Fault(place, text, value)) from None
    except UnusableColumnsError as error:
        raise FeedFaultError(Fault(place, str(error), NO_VALUE)) from None
    except FeedFaultError:
        raise
    except LastvalueError as error:
        raise FeedFaultError(Fault(place, str(error), value)) from None


def _reason(error: PySparkException) -> str:
    return failure_cause(error.getMessage() or str(error)).text
