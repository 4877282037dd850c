"""Queries on the history of a queue, on Spark: the answers of `history.recorded_history` for any size."""

import time
from pathlib import Path
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

from lastvalue.history import records as effects
from lastvalue.history.data_files import GAPS
from lastvalue.history.errors import InvalidTimeError
from lastvalue.history.moment import AVAILABLE, HELD, WAITING
from lastvalue.history.recorded_history import IN, OUT, REPLACED
from lastvalue.history.records import OF_THE_QUEUE, WITH_CONTENT
from lastvalue.history.tables import HistoryTables
from lastvalue.history.times import read_time
from lastvalue.pipeline.history.queue_history import (
    COLUMNS,
    STREAM,
    QueueHistory,
    is_before,
    milliseconds,
    read_tables,
)
from lastvalue.pipeline.retention.delivery_order import POSITION, STATE

_AT: Final = "_at"
_CHANGING: Final = ("updates", "expires", "delivery_count", "holder")
_SHOWN: Final = (*(name for name in COLUMNS if name != "reason"), STATE, POSITION)


def history_rows(spark: SparkSession, tables: Path | str, queue: str | None = None) -> DataFrame:
    """The rows of one queue's history, or of all histories, that the tables contain now.

    Raises:
        HistoryTablesError: the tables cannot be read.
    """
    landed = HistoryTables(tables)
    files = [file for file in landed.files if file.kind != GAPS and (queue is None or file.queue == queue)]
    return read_tables(spark, landed, files)


def as_of(
    spark: SparkSession,
    tables: Path | str,
    queue: str,
    at: str,
    *,
    url: str | None = None,
) -> DataFrame:
    """The messages of a queue at a time, in delivery order, with `state` and `position`.

    Args:
        spark: the session.
        tables: the directory of the tables.
        queue: its name.
        at: ISO 8601, a time before now as in "-5m", or "now".
        url: the broker's, for records that have not landed yet; without it, only the tables are read.

    Raises:
        InvalidTimeError: `at` is not a time, or is later than the records that can be read.
        HistoryUnavailableError: the history does not cover the time.
        HistoryGapError, HistoryTablesError, ClientError: the history cannot be read.
    """
    time_ms = read_time(at, time.time_ns() // 1_000_000)
    return _as_of(QueueHistory.of(spark, tables, queue, time_ms, url), time_ms)


def diff(
    spark: SparkSession,
    tables: Path | str,
    queue: str,
    first: str,
    second: str,
    *,
    url: str | None = None,
) -> DataFrame:
    """The differences of a queue between two times, by `change`: removed with a `reason`, added, replaced.

    Rows are messages of the later time, and for `removed` messages of the earlier one. `before` is the body
    of the message that was replaced.

    Raises:
        See `as_of`.
    """
    now_ms = time.time_ns() // 1_000_000
    first_ms, second_ms = read_time(first, now_ms), read_time(second, now_ms)
    if second_ms < first_ms:
        raise InvalidTimeError(f"the second time, {second}, is before the first, {first}")
    return _diff(QueueHistory.of(spark, tables, queue, second_ms, url), first_ms, second_ms)


def timeline(
    spark: SparkSession,
    tables: Path | str,
    queue: str,
    key: str,
    *,
    url: str | None = None,
) -> DataFrame:
    """The records of a key's messages and of the queue itself, oldest first.

    Raises:
        HistoryUnavailableError, HistoryGapError, HistoryTablesError, ClientError: see `as_of`.
    """
    history = QueueHistory.of(spark, tables, queue, None, url)
    mine = (sf.col("key") == key) | sf.col("effect").isin(*OF_THE_QUEUE)
    return history.rows.where(mine).orderBy(STREAM, "offset").select(*COLUMNS)


def _as_of(history: QueueHistory, time_ms: int) -> DataFrame:
    begin = history.begin(time_ms)
    records = history.rows.where((milliseconds("time") <= time_ms) & ~is_before(begin)).withColumn(
        _AT, sf.struct(STREAM, "offset")
    )
    messages = records.where(sf.col("effect").isin(*WITH_CONTENT))
    restart = history.restart(time_ms)
    if restart is not None:
        messages = messages.where(sf.col("durable") | ~is_before(restart))
    removed = records.where(sf.col("effect") == effects.REMOVED).select("sequence")
    messages = messages.join(removed, "sequence", "left_anti")
    changed = messages.join(_changes(records, restart), "sequence", "left")
    due = sf.coalesce(sf.col("_due"), sf.lit(col=False))
    waits = sf.col("not_before").isNotNull() & ~due
    own_holder = sf.col("holder")
    if restart is not None:
        own_holder = sf.when(~is_before(restart), own_holder)
    changed = changed.select(
        *[name for name in COLUMNS if name not in _CHANGING],
        sf.coalesce("_updates", "updates").alias("updates"),
        # One that is rescheduled without a time does not expire any more.
        sf.when(sf.col("_rescheduled"), sf.col("_expires")).otherwise(sf.col("expires")).alias("expires"),
        sf.coalesce("_count", "delivery_count", sf.lit(0)).alias("delivery_count"),
        sf.when(sf.col("_held").isNotNull(), sf.col("_held.holder")).otherwise(own_holder).alias("holder"),
        waits.alias("_waits"),
    )
    held = sf.col("holder").isNotNull()
    state = sf.when(held, HELD).when(sf.col("_waits"), WAITING).otherwise(AVAILABLE)
    lasting = sf.col("expires").isNull() | (milliseconds("expires") > time_ms) | held
    order = [sf.col("rank"), sf.coalesce("place", "sequence")]
    return (
        changed.where(lasting)
        .select(*COLUMNS, state.alias(STATE))
        # One task numbers the messages of a queue.
        .withColumn(POSITION, sf.row_number().over(Window.partitionBy("queue").orderBy(*order)))
        .orderBy(POSITION)
    )


def _changes(records: DataFrame, restart: tuple[int, int] | None) -> DataFrame:
    """The last change of each kind for each message since it arrived."""

    def last(effect: Column, *names: str) -> Column:
        return sf.max(sf.when(effect, sf.struct(_AT, *names)))

    effect = sf.col("effect")
    holding = effect.isin(effects.ACQUIRED, effects.RELEASED)
    if restart is not None:
        # After a restart all messages are available again.
        holding &= ~is_before(restart)
    return (
        records.where(effect.isin(effects.DUE, effects.ACQUIRED, effects.RELEASED, effects.RESCHEDULED))
        .groupBy("sequence")
        .agg(
            sf.max(effect == effects.DUE).alias("_due"),
            last(effect == effects.DUE, "updates")["updates"].alias("_updates"),
            sf.max(effect == effects.RESCHEDULED).alias("_rescheduled"),
            last(effect == effects.RESCHEDULED, "expires")["expires"].alias("_expires"),
            last(effect == effects.RELEASED, "delivery_count")["delivery_count"].alias("_count"),
            last(holding, "holder").alias("_held"),
        )
    )


def _diff(history: QueueHistory, first_ms: int, second_ms: int) -> DataFrame:
    identity = ["sequence", "arrival"]
    before, after = _as_of(history, first_ms), _as_of(history, second_ms)
    removed = before.join(after.select(*identity), identity, "left_anti")
    added = after.join(before.select(*identity), identity, "left_anti")
    between = (milliseconds("time") > first_ms) & (milliseconds("time") <= second_ms)
    reasons = (
        history.rows.where((sf.col("effect") == effects.REMOVED) & between)
        .groupBy("sequence")
        .agg(sf.max(sf.struct(STREAM, "offset", "reason"))["reason"].alias("_reason"))
    )
    removed = removed.join(reasons, "sequence", "left")
    removed_once = _unique_keys(removed).select("key", sf.col("body").alias("before"), "_reason")
    replaced = removed_once.join(_unique_keys(added).select("key"), "key").withColumn(
        "_replaced", sf.lit(REPLACED)
    )
    removals = removed.join(replaced.select("key"), "key", "left_anti").select(
        sf.lit(OUT).alias("change"), *_SHOWN, sf.col("_reason").alias("reason")
    )
    others = added.join(replaced, "key", "left").select(
        sf.coalesce("_replaced", sf.lit(IN)).alias("change"),
        *_SHOWN,
        sf.col("_reason").alias("reason"),
        "before",
    )
    changes = removals.unionByName(others, allowMissingColumns=True)
    return changes.orderBy(sf.col("change") != OUT, POSITION)


def _unique_keys(rows: DataFrame) -> DataFrame:
    """The rows whose key no other row has."""
    keyed = rows.where(sf.col("key").isNotNull())
    once = keyed.groupBy("key").count().where(sf.col("count") == 1).select("key")
    return keyed.join(once, "key", "left_semi")
