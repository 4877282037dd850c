"""The messages that a queue with a given declaration retains at a moment, after a history of arrivals.

    rows = retained(arrivals, {"lvq_key": "symbol", "maximum_ttl_ms": 60_000}, at)

Every plan gives the queue engine's answer: see docs/pipeline/retained.md.
"""

from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final, assert_never

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import StructType

from lastvalue.model.composite_key import names_of_key
from lastvalue.pipeline.columns import column
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
)
from lastvalue.pipeline.retention.delivery_order import (
    POSITION,
    STATE,
    Declaration,
    check_order,
    rank,
    read_declaration,
    with_positions,
)
from lastvalue.pipeline.retention.engine import RetentionEngine, RowReader
from lastvalue.pipeline.selection.conditions import MAX_SPARK_DEPTH, condition
from lastvalue.queues.spec import LastValue, Priority, QueueSpec, Sorted, WhenFull
from lastvalue.queues.spec_arguments import spec_to_arguments
from lastvalue.selectors import parse_selector
from lastvalue.selectors.expressions import depth

UPDATES: Final = "updates"
EXPIRES_TIME: Final = "expires_time"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Plan(Enum):
    """How `retained` finds its answer."""

    COLUMNS = "columns"
    """With Spark's filters, aggregates and windows."""
    BY_KEY = "engine by key"
    """With the queue engine, and some keys per task: without a limit keys are independent."""
    BY_QUEUE = "engine by queue"
    """With the queue engine, and whole queues per task."""


def retained(
    df: DataFrame,
    declaration: Declaration,
    at: datetime,
    *,
    key_property: str = "key",
    plan: Plan | None = None,
    broadcast: bool = True,
) -> DataFrame:
    """The messages that a queue of this declaration would hold at a moment, in delivery order.

    The queue's history is the rows that arrived until then, in the order of `sequence`; no consumer took any.
    The result has the columns of `df`, with these added or replaced: `position` in the delivery order, from
    1, null for a message that is held back; `updates`, the number of updates that the message stands for;
    `state`, `available` or `held_back`; `expires_time`, when it expires on the queue, or null. If `df` has a
    column `queue`, each queue has its own history.

    `df` is read twice and must be the same each time. It is read once if messages do not replace one another
    and the queue has no limit.

    Args:
        df: messages; columns as in `lastvalue.pipeline.retention.arrivals`, of which `sequence` and
            `arrival_time` are required. `arrival_time` must not decrease as `sequence` increases.
        declaration: the queue's; its options for consumers and for its lifetime have no effect.
        at: the moment, with a time zone; events that are due then have happened.
        key_property: the property that the column `key` holds.
        plan: how to find the answer; None: the fastest plan that supports the declaration.
        broadcast: the positions of the retained messages fit into memory; otherwise all rows are shuffled.

    Raises:
        InvalidSpecError: the arguments are not a valid declaration.
        InvalidSelectorError: the declaration's filter is invalid.
        InvalidHistoryError: a column that the declaration needs is missing, or of a wrong type; `df` is a
            stream; `at` has no time zone; or the plan does not support the declaration.
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
    if plan is None:
        plan = plan_for(arrivals, spec)
    else:
        _check_plan(plan, arrivals, spec)
    arrived = _until(df, at_ms)
    if plan is Plan.COLUMNS:
        if spec.filter:
            arrived = _selected(arrived, arrivals, spec)
        rows = column_plan.with_entry_columns(arrived, arrivals, spec)
        if not isinstance(spec.ordering, LastValue) and not spec.limit.messages:
            return _in_delivery_order(column_plan.retained_messages(rows, at_ms), arrivals, spec)
        entries = _by_columns(rows, arrivals, spec, at_ms)
    else:
        entries = _by_engine(arrived, arrivals, spec, RetentionEngine(reader, at_ms), plan)
    match = column(SEQUENCE) == sf.col(schema.SEQUENCE)
    if QUEUE in arrivals.types:
        match &= column(QUEUE).eqNullSafe(sf.col(schema.QUEUE))
    side = sf.broadcast(entries) if broadcast else entries.hint("shuffle_hash")
    return _in_delivery_order(arrived.join(side, match), arrivals, spec)


def plan_for(arrivals: Arrivals, spec: QueueSpec) -> Plan:
    """The fastest plan that gives the queue engine's answer, chosen by columns and not by rows.

    * A limit concerns the whole queue, also one of nothing: `BY_QUEUE`. But if no message can expire or
      replace another, a limit of messages only needs counting: `COLUMNS`. On a ring, no message may be held
      back either.
    * A window of ids for duplicate detection also concerns the whole queue: `BY_QUEUE`. The same plan serves
      a filter that is nested too deep for Spark.
    * On a last-value queue with `order_by`, the present value of a key decides whether an update is stale. If
      the value can have expired, or if order values can be both texts and numbers, or whole numbers and
      fractions, only the sequence of updates gives the answer: `BY_KEY`.
    * Where messages without a body delete their key (`delete_on_empty`), or aged values leave: `BY_KEY`.
    * All other declarations: `COLUMNS`.
    """
    limit, ordering = spec.limit, spec.ordering
    may_expire = entry_columns.any_entry_may_expire(arrivals, spec.expiry)
    if (
        entry_columns.duplicate_id_columns(arrivals, spec)
        or depth(parse_selector(spec.filter).tree) > MAX_SPARK_DEPTH
    ):
        return Plan.BY_QUEUE
    if (
        limit.nothing
        or limit.size_bytes
        or limit.keys
        or (limit.messages and (may_expire or isinstance(ordering, LastValue)))
    ):
        return Plan.BY_QUEUE
    if limit.messages and limit.when_full is not WhenFull.REFUSE:
        ring = limit.when_full is WhenFull.DROP_OLDEST
        may_wait = entry_columns.any_entry_may_wait(arrivals, spec)
        return Plan.COLUMNS if ring and not may_wait else Plan.BY_QUEUE
    if spec.deletes_on_empty or spec.expiry.removes_aged:
        return Plan.BY_KEY
    if isinstance(ordering, LastValue) and ordering.order_by is not None:
        compares_alike = entry_columns.compares_alike(arrivals, ordering)
        return Plan.BY_KEY if may_expire or not compares_alike else Plan.COLUMNS
    return Plan.COLUMNS


def _check_plan(plan: Plan, arrivals: Arrivals, spec: QueueSpec) -> None:
    match plan:
        case Plan.BY_QUEUE:
            holds = True
        case Plan.BY_KEY:
            holds = (
                isinstance(spec.ordering, LastValue)
                and not spec.limit.exists
                and not entry_columns.duplicate_id_columns(arrivals, spec)
            )
        case Plan.COLUMNS:
            holds = plan_for(arrivals, spec) is Plan.COLUMNS
        case _:
            assert_never(plan)
    if not holds:
        raise InvalidHistoryError(
            f"the plan {plan.value!r} does not support this declaration and these columns; "
            f"{plan_for(arrivals, spec).value!r} does"
        )


def _check(arrivals: Arrivals, spec: QueueSpec) -> None:
    """Check that there are the columns that the declaration needs."""
    check_order(arrivals, spec.ordering)
    arrivals.require(ARRIVAL, "when each message arrived")
    ordering = spec.ordering
    if isinstance(ordering, LastValue):
        if ordering.conflates:
            raise InvalidHistoryError(
                "a queue with conflation makes its own values; `conflate` with the same policy computes them"
            )
        for name in names_of_key(ordering.key):
            arrivals.require_property(name, "the key (lvq_key)")
        if ordering.order_by is not None:
            arrivals.require_property(ordering.order_by, "which decides what is newer (order_by)")
    if spec.limit.size_bytes and SIZE not in arrivals.types:
        arrivals.require("body", f"whose size the limit in bytes counts (max_bytes), nor {SIZE!r}")


def _reader(arrivals: Arrivals, spec: QueueSpec) -> RowReader:
    """A reader of only those columns that the queue reads."""
    ordering = spec.ordering
    named = ["annotations", "ttl_ms", "updates"]
    properties = []
    if isinstance(ordering, LastValue):
        properties += names_of_key(ordering.key)
        properties += [name for name in (ordering.fallback_key, ordering.order_by) if name is not None]
    if isinstance(ordering, Sorted):
        properties.append(ordering.key)
    elif isinstance(ordering, Priority | LastValue) and ordering.levels:
        named.append("priority")
    if spec.holds:
        properties.append(entry_columns.NOT_VALID_BEFORE)
    named += [each.column for name in properties for each in arrivals.property_columns(name)]
    named += [each.column for each in entry_columns.duplicate_id_columns(arrivals, spec)]
    if spec.filter:
        named += [name for name in FIELDS if name != "body"]
    if spec.deletes_on_empty:
        named.append("body")
    if spec.limit.size_bytes:
        named += [SIZE] if SIZE in arrivals.types else FIELDS
    names = tuple(name for name in arrivals.types if name in named)
    return RowReader(spec_to_arguments(spec), arrivals.key_property, names)


def _until(df: DataFrame, at_ms: int) -> DataFrame:
    """The rows that arrived by then; the query fails if a row has no arrival time."""
    arrival = column(ARRIVAL)
    after = sf.timestamp_millis(sf.lit(at_ms + 1))
    return df.where((arrival < after) | arrival.isNull()).where(entry_columns.required(ARRIVAL).isNotNull())


def _selected(df: DataFrame, arrivals: Arrivals, spec: QueueSpec) -> DataFrame:
    """The rows that the queue's filter selects."""
    rows = df
    if "properties" not in arrivals.types:
        rows = df.withColumn("properties", sf.create_map().cast("map<string, string>"))
    # A selector can only name what is part of a message.
    fields = StructType([field for field in rows.schema.fields if field.name in FIELDS])
    matches = condition(fields, spec.filter, key_property=arrivals.key_property)
    return rows.where(matches).select(*map(column, df.columns))


def _by_columns(rows: DataFrame, arrivals: Arrivals, spec: QueueSpec, at_ms: int) -> DataFrame:
    ordering = spec.ordering
    if not isinstance(ordering, LastValue):
        return column_plan.retained_within_limit(rows, spec, at_ms)
    plain = ordering.order_by is None and not entry_columns.any_entry_may_expire(arrivals, spec.expiry)
    if plain and not entry_columns.any_entry_may_wait(arrivals, spec):
        return column_plan.newest_values(rows, ordering)
    return column_plan.retained_values(rows, ordering, at_ms)


def _by_engine(
    df: DataFrame, arrivals: Arrivals, spec: QueueSpec, engine: RetentionEngine, plan: Plan
) -> DataFrame:
    queue = column(QUEUE) if QUEUE in arrivals.types else sf.lit(None).cast("string")
    never = sf.lit(None).cast("long")
    rows = df.withColumns(
        {
            schema.QUEUE: queue,
            schema.SEQUENCE: entry_columns.sequence(),
            schema.ARRIVAL_MS: entry_columns.arrival_ms(),
            schema.EXPIRY_MS: sf.unix_millis(column(EXPIRES)) if EXPIRES in arrivals.types else never,
            schema.DELIVERY_MS: entry_columns.declared_not_before_ms()
            if NOT_BEFORE in arrivals.types
            else never,
        }
    )
    if plan is Plan.BY_KEY and isinstance(spec.ordering, LastValue):
        key = entry_columns.key(arrivals, spec.ordering)
        # Messages without a key are independent, so they are spread over the tasks.
        rows = rows.repartition(schema.QUEUE, key, sf.when(key.isNull(), sf.col(schema.SEQUENCE)))
    else:
        rows = rows.repartition(schema.QUEUE) if QUEUE in arrivals.types else rows.repartition(1)
    return (
        rows.select(*schema.ENGINE_COLUMNS, *map(column, engine.reader.columns))
        .sortWithinPartitions(schema.QUEUE, schema.SEQUENCE)
        .mapInArrow(engine, schema.RETENTION_SCHEMA)
    )


def _in_delivery_order(rows: DataFrame, arrivals: Arrivals, spec: QueueSpec) -> DataFrame:
    """The rows in delivery order, with the columns of the result."""
    added = {
        UPDATES: sf.col(schema.UPDATES),
        STATE: sf.col(schema.STATE),
        EXPIRES_TIME: sf.timestamp_millis(sf.col(schema.DEADLINE_MS)),
    }
    order = [*rank(arrivals, spec.ordering), sf.col(schema.PLACE)]
    names = [name for name in arrivals.types if name not in (POSITION, *added)]
    return with_positions(rows.withColumns(added), order).select(*map(column, [*names, POSITION, *added]))
