"""What a queue declared so would hold after a history of arrivals, at a moment.

    held = retained(arrivals, {"lvq_key": "symbol", "maximum_ttl_ms": 60_000}, at)

The answer is that of the queue engine, whichever plan finds it: see docs/pipeline/retained.md.
"""

from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final, assert_never

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import StructType

from lastvalue.pipeline.retention import column_plan, entry_columns, schema
from lastvalue.pipeline.retention.arrivals import (
    ARRIVAL,
    EXPIRES,
    FIELDS,
    NOT_BEFORE,
    QUEUE,
    SEQUENCE,
    SIZE,
    Arrivals,
    InvalidHistoryError,
    column,
)
from lastvalue.pipeline.retention.delivery_order import (
    POSITION,
    STATE,
    Declaration,
    check_order,
    positioned,
    rank,
    read_declaration,
)
from lastvalue.pipeline.retention.engine import Reader, RetentionEngine
from lastvalue.pipeline.selection.conditions import MAX_SPARK_DEPTH, condition
from lastvalue.queues.declaration import spec_to_arguments
from lastvalue.queues.spec import LastValue, Priority, QueueSpec, Sorted, WhenFull
from lastvalue.selectors import parse_selector
from lastvalue.selectors.tree import depth

UPDATES: Final = "updates"
EXPIRES_TIME: Final = "expires_time"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Plan(Enum):
    """How `retained` finds its answer."""

    COLUMNS = "columns"
    """By filters, aggregates and windows of Spark's own."""
    BY_KEY = "engine by key"
    """By the queue engine, each task with some keys: without a limit no key has to do with another."""
    BY_QUEUE = "engine by queue"
    """By the queue engine, each task with whole queues."""


def retained(
    df: DataFrame,
    declaration: Declaration,
    at: datetime,
    *,
    key_property: str = "key",
    plan: Plan | None = None,
    broadcast: bool = True,
) -> DataFrame:
    """What a queue of this declaration would hold at that moment, in delivery order.

    Its history is the rows that arrived until then, in the order of `sequence`; no consumer took any.
    The columns are those of `df` and, in their place where `df` has them: `position` in the order of
    delivery, from 1, null for what is held back; `updates`, how many the message stands for; `state`,
    `available` or `held_back`; `expires_time`, when it expires on the queue, or null.
    Where `df` has a column `queue`, each queue has its own history.

    `df` is read twice and has to be the same each time; but once where messages neither replace one another
    nor are limited.

    Args:
        df: messages; columns as in `lastvalue.pipeline.retention.arrivals`, of which `sequence` and
            `arrival_time` are required. `arrival_time` never falls where `sequence` rises.
        declaration: the queue's; what it says of its readers and its life is for nothing.
        at: with a time zone; what is due at that moment has happened.
        key_property: the property that the column `key` stands for.
        plan: how to find the answer; None is the fastest way that holds.
        broadcast: where each retained message stands fits into memory; if not, all rows are shuffled.

    Raises:
        InvalidSpecError: the arguments make no declaration.
        InvalidSelectorError: the declaration's filter is none.
        InvalidHistoryError: a column is missing that the declaration needs, or of a wrong type; `df` is a
            stream; `at` has no time zone; or the plan does not hold for the declaration.
    """
    spec = read_declaration(declaration)
    arrivals = Arrivals.of(df.schema, key_property)
    _check(arrivals, spec)
    if df.isStreaming:
        raise InvalidHistoryError("a history is a batch: read it with spark.read, not with spark.readStream")
    reader = _reader(arrivals, spec)
    reader.selector()
    if at.tzinfo is None:
        raise InvalidHistoryError(f"{at} has no time zone; give one, as in datetime(…, tzinfo=UTC)")
    at_ms = (at - _EPOCH) // timedelta(milliseconds=1)
    found = plan_for(arrivals, spec) if plan is None else _checked(plan, arrivals, spec)
    arrived = _until(df, at_ms)
    if found is Plan.COLUMNS:
        if spec.filter:
            arrived = _selected(arrived, arrivals, spec)
        rows = column_plan.noted(arrived, arrivals, spec)
        if not isinstance(spec.ordering, LastValue) and not spec.limit.messages:
            return _told(column_plan.messages(rows, at_ms), arrivals, spec)
        where = _by_columns(rows, arrivals, spec, at_ms)
    else:
        where = _by_engine(arrived, arrivals, spec, RetentionEngine(reader, at_ms), found)
    match = column(SEQUENCE) == sf.col(schema.SEQUENCE)
    if QUEUE in arrivals.types:
        match &= column(QUEUE).eqNullSafe(sf.col(schema.QUEUE))
    side = sf.broadcast(where) if broadcast else where.hint("shuffle_hash")
    return _told(arrived.join(side, match), arrivals, spec)


def plan_for(arrivals: Arrivals, spec: QueueSpec) -> Plan:
    """The fastest plan that gives the queue engine's answer; it looks at columns, not at rows.

    * A limit is the queue's as a whole: `BY_QUEUE`. But where no message can expire or replace another, a
      number of messages is a matter of counting, and on a ring where none can wait either: `COLUMNS`.
    * A window of ids to take each message once is the queue's as a whole, too: `BY_QUEUE`; as is a filter
      that is nested too deep for Spark.
    * On a last-value queue with `order_by` it decides about each update what its key holds then. Where that
      may have expired, or where order values may be both texts and numbers, or whole numbers and fractions,
      only going through the updates tells: `BY_KEY`.
    * Everything else: `COLUMNS`.
    """
    limit, ordering = spec.limit, spec.ordering
    may_expire = entry_columns.may_expire(arrivals, spec.expiry)
    if entry_columns.ids(arrivals, spec) or depth(parse_selector(spec.filter).tree) > MAX_SPARK_DEPTH:
        return Plan.BY_QUEUE
    if limit.size_bytes or (limit.messages and (may_expire or isinstance(ordering, LastValue))):
        return Plan.BY_QUEUE
    if limit.messages and limit.when_full is not WhenFull.REJECT:
        ring = limit.when_full is WhenFull.DROP_OLDEST
        return Plan.COLUMNS if ring and not entry_columns.may_wait(arrivals, spec) else Plan.BY_QUEUE
    if isinstance(ordering, LastValue) and ordering.order_by is not None:
        return (
            Plan.BY_KEY
            if may_expire or not entry_columns.compares_alike(arrivals, ordering)
            else Plan.COLUMNS
        )
    return Plan.COLUMNS


def _checked(plan: Plan, arrivals: Arrivals, spec: QueueSpec) -> Plan:
    limited = spec.limit.messages > 0 or spec.limit.size_bytes > 0
    match plan:
        case Plan.BY_QUEUE:
            holds = True
        case Plan.BY_KEY:
            holds = (
                isinstance(spec.ordering, LastValue) and not limited and not entry_columns.ids(arrivals, spec)
            )
        case Plan.COLUMNS:
            holds = plan_for(arrivals, spec) is Plan.COLUMNS
        case _:
            assert_never(plan)
    if not holds:
        raise InvalidHistoryError(
            f"the plan {plan.value!r} does not hold for this declaration and these columns; "
            f"{plan_for(arrivals, spec).value!r} does"
        )
    return plan


def _check(arrivals: Arrivals, spec: QueueSpec) -> None:
    """There are the columns that the declaration needs."""
    check_order(arrivals, spec.ordering)
    arrivals.require(ARRIVAL, "when each message came")
    ordering = spec.ordering
    if isinstance(ordering, LastValue):
        arrivals.require_property(ordering.key, "the key (lvq_key)")
        if ordering.order_by is not None:
            arrivals.require_property(ordering.order_by, "which says what is newer (order_by)")
    if spec.limit.size_bytes and SIZE not in arrivals.types:
        arrivals.require("body", f"of which the limit in bytes is (max_bytes), nor {SIZE!r}")


def _reader(arrivals: Arrivals, spec: QueueSpec) -> Reader:
    """Reads no more columns than the queue does."""
    ordering = spec.ordering
    named = ["annotations", "ttl_ms", "updates"]
    properties = []
    if isinstance(ordering, LastValue):
        properties += [ordering.key, *([ordering.order_by] if ordering.order_by else [])]
    if isinstance(ordering, Sorted):
        properties.append(ordering.key)
    elif isinstance(ordering, Priority | LastValue) and ordering.levels:
        named.append("priority")
    if spec.holds:
        properties.append(entry_columns.NOT_VALID_BEFORE)
    named += [place.column for name in properties for place in arrivals.places(name)]
    named += [place.column for place in entry_columns.ids(arrivals, spec)]
    if spec.filter:
        named += [name for name in FIELDS if name != "body"]
    if spec.limit.size_bytes:
        named += [SIZE] if SIZE in arrivals.types else FIELDS
    names = tuple(name for name in arrivals.types if name in named)
    return Reader(spec_to_arguments(spec), arrivals.key_property, names)


def _until(df: DataFrame, at_ms: int) -> DataFrame:
    """The rows that arrived by then; the query fails where one does not say when."""
    arrival = column(ARRIVAL)
    after = sf.timestamp_millis(sf.lit(at_ms + 1))
    return df.where((arrival < after) | arrival.isNull()).where(entry_columns.required(ARRIVAL).isNotNull())


def _selected(df: DataFrame, arrivals: Arrivals, spec: QueueSpec) -> DataFrame:
    """The rows that the queue's filter selects."""
    rows = df
    if "properties" not in arrivals.types:
        rows = df.withColumn("properties", sf.create_map().cast("map<string, string>"))
    # What no message is made of has no name in a selector either.
    fields = StructType([field for field in rows.schema.fields if field.name in FIELDS])
    wanted = rows.where(condition(fields, spec.filter, key_property=arrivals.key_property))
    return wanted.select(*map(column, df.columns))


def _by_columns(rows: DataFrame, arrivals: Arrivals, spec: QueueSpec, at_ms: int) -> DataFrame:
    ordering = spec.ordering
    if not isinstance(ordering, LastValue):
        return column_plan.within_limit(rows, spec, at_ms)
    plain = ordering.order_by is None and not entry_columns.may_expire(arrivals, spec.expiry)
    if plain and not entry_columns.may_wait(arrivals, spec):
        return column_plan.newest(rows, ordering)
    return column_plan.values(rows, ordering, at_ms)


def _by_engine(
    df: DataFrame, arrivals: Arrivals, spec: QueueSpec, retaining: RetentionEngine, plan: Plan
) -> DataFrame:
    queue = column(QUEUE) if QUEUE in arrivals.types else sf.lit(None).cast("string")
    never = sf.lit(None).cast("long")
    rows = df.withColumns(
        {
            schema.QUEUE: queue,
            schema.SEQUENCE: entry_columns.sequence(),
            schema.ARRIVAL_MS: entry_columns.arrival_ms(),
            schema.EXPIRY_MS: sf.unix_millis(column(EXPIRES)) if EXPIRES in arrivals.types else never,
            schema.DELIVERY_MS: entry_columns.told_ms() if NOT_BEFORE in arrivals.types else never,
        }
    )
    if plan is Plan.BY_KEY and isinstance(spec.ordering, LastValue):
        key = entry_columns.key(arrivals, spec.ordering)
        # What has no key is alone, and so spread.
        rows = rows.repartition(schema.QUEUE, key, sf.when(key.isNull(), sf.col(schema.SEQUENCE)))
    else:
        rows = rows.repartition(schema.QUEUE) if QUEUE in arrivals.types else rows.repartition(1)
    return (
        rows.select(*schema.ENGINE_COLUMNS, *map(column, retaining.reader.columns))
        .sortWithinPartitions(schema.QUEUE, schema.SEQUENCE)
        .mapInArrow(retaining, schema.RETENTION_SCHEMA)
    )


def _told(rows: DataFrame, arrivals: Arrivals, spec: QueueSpec) -> DataFrame:
    """The rows in delivery order, with what there is to tell of each."""
    told = {
        UPDATES: sf.col(schema.UPDATES),
        STATE: sf.col(schema.STATE),
        EXPIRES_TIME: sf.timestamp_millis(sf.col(schema.DEADLINE_MS)),
    }
    order = [*rank(arrivals, spec.ordering), sf.col(schema.PLACE)]
    names = [name for name in arrivals.types if name not in (POSITION, *told)]
    return positioned(rows.withColumns(told), order).select(*map(column, [*names, POSITION, *told]))
