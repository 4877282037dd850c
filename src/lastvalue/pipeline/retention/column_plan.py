"""The plan of `retained` with Spark's filters, aggregates and windows.

It supports the declarations for which `retained.plan_for` returns `Plan.COLUMNS`, and no others.
"""

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from lastvalue.pipeline.columns import capped, column
from lastvalue.pipeline.retention import entry_columns
from lastvalue.pipeline.retention.arrivals import QUEUE as QUEUE_COLUMN
from lastvalue.pipeline.retention.arrivals import Arrivals
from lastvalue.pipeline.retention.delivery_order import rank
from lastvalue.pipeline.retention.schema import (
    ARRIVAL_MS,
    AVAILABLE,
    DEADLINE_MS,
    HELD_BACK,
    PLACE,
    QUEUE,
    RETAINED_COLUMNS,
    SEQUENCE,
    STATE,
    UPDATES,
)
from lastvalue.queues.spec import LastValue, Placement, Priority, QueueSpec, WhenFull

_BEGINS: Final = "__lastvalue_begins"
"""Whether the key has no value when the message becomes its value."""
_CHAIN: Final = "__lastvalue_chain"
"""The number of an uninterrupted chain of values of the key."""
_EPOCH: Final = "__lastvalue_epoch"
"""The number of values without an order that the key has had so far."""
_EVENT: Final = "__lastvalue_event"
"""When the message becomes its key's value, in a form that can be compared."""
_KEY: Final = "__lastvalue_key"
_LAST: Final = "__lastvalue_last"
_KEYLESS_ID: Final = "__lastvalue_keyless_id"
_NEWEST: Final = "__lastvalue_newest"
_NOT_BEFORE_MS: Final = "__lastvalue_not_before_ms"
_ORDER: Final = "__lastvalue_order"
_RANK: Final = "__lastvalue_rank"
_TIME: Final = "time"

_KEYED: Final = (QUEUE, _KEY, _KEYLESS_ID)


def with_entry_columns(df: DataFrame, arrivals: Arrivals, spec: QueueSpec) -> DataFrame:
    """The rows that a queue accepts, with columns of the values that it reads from each."""
    columns = {
        QUEUE: column(QUEUE_COLUMN) if QUEUE_COLUMN in arrivals.types else sf.lit(None).cast("string"),
        SEQUENCE: entry_columns.sequence(),
        ARRIVAL_MS: entry_columns.arrival_ms(),
        DEADLINE_MS: entry_columns.deadline_ms(arrivals, spec.expiry),
        UPDATES: entry_columns.updates(arrivals),
        _NOT_BEFORE_MS: entry_columns.not_before_ms(arrivals, spec),
    }
    ordering = spec.ordering
    if isinstance(ordering, LastValue):
        columns[_KEY] = entry_columns.key(arrivals, ordering)
        # A message without a key is a group of its own.
        columns[_KEYLESS_ID] = sf.when(columns[_KEY].isNull(), columns[SEQUENCE])
        if ordering.order_by is not None:
            columns[_ORDER] = entry_columns.order_value(arrivals, ordering.order_by)
    elif isinstance(ordering, Priority):
        columns[_RANK] = rank(arrivals, ordering)[0]
    rows = df.withColumns(columns)
    if spec.refuses_delay and entry_columns.any_entry_may_wait(arrivals, spec):
        requested = entry_columns.requested_not_before_ms(arrivals)
        rows = rows.where(requested.isNull() | (requested <= sf.col(ARRIVAL_MS)))
    return rows


def retained_messages(rows: DataFrame, at_ms: int) -> DataFrame:
    """The retained messages of a queue where none replaces another: those that have not expired."""
    held = sf.col(_NOT_BEFORE_MS) > at_ms
    return _alive(rows, at_ms).withColumns(
        {PLACE: sf.col(SEQUENCE), STATE: sf.when(held, HELD_BACK).otherwise(AVAILABLE)}
    )


def retained_within_limit(rows: DataFrame, spec: QueueSpec, at_ms: int) -> DataFrame:
    """The retained messages of a queue or a ring with a limit of messages; none may expire."""
    if spec.limit.when_full is WhenFull.DROP_OLDEST:
        # At each arrival a ring drops the oldest message of the lowest level, so the best ones remain.
        best = [_RANK] if isinstance(spec.ordering, Priority) else []
        order = [*map(sf.col, best), sf.col(SEQUENCE).desc()]
    else:
        order = [sf.col(SEQUENCE)]
    number = sf.row_number().over(Window.partitionBy(QUEUE).orderBy(*order))
    needed = [
        QUEUE,
        SEQUENCE,
        DEADLINE_MS,
        UPDATES,
        _NOT_BEFORE_MS,
        *([_RANK] if _RANK in rows.columns else []),
    ]
    within = rows.select(*needed).withColumn(_LAST, number).where(sf.col(_LAST) <= spec.limit.messages)
    return retained_messages(within, at_ms).select(*RETAINED_COLUMNS)


def newest_values(rows: DataFrame, ordering: LastValue) -> DataFrame:
    """The values of the keys, if none has an order, expires or is held back."""
    last = sf.max(SEQUENCE)
    place = last if ordering.placement is Placement.TAIL else sf.min(SEQUENCE)
    return (
        rows.groupBy(*_KEYED)
        .agg(last.alias(SEQUENCE), place.alias(PLACE), capped(sf.sum(UPDATES)).alias(UPDATES))
        .withColumns({STATE: sf.lit(AVAILABLE), DEADLINE_MS: sf.lit(None).cast("long")})
        .select(*RETAINED_COLUMNS)
    )


def retained_values(rows: DataFrame, ordering: LastValue, at_ms: int) -> DataFrame:
    """The values of the keys, and the messages that are held back.

    Values may expire or have an order, but not both: otherwise expired values decide which update is stale.
    """
    due, deadline = sf.col(_NOT_BEFORE_MS), sf.col(DEADLINE_MS)
    # A message that expires while it is held back never becomes a value.
    updates = rows.where(due.isNull() | (due > at_ms) | deadline.isNull() | (deadline > due))
    time = sf.coalesce(due, sf.col(ARRIVAL_MS))
    updates = updates.withColumns(
        {
            # A message that becomes due is before a message that arrives at that time.
            _EVENT: sf.struct(time.alias(_TIME), due.isNull().alias("came"), SEQUENCE),
            # A message that is held back is a group of its own.
            _KEYLESS_ID: sf.coalesce(_KEYLESS_ID, sf.when(due > at_ms, sf.col(SEQUENCE))),
        }
    )
    if ordering.order_by is not None:
        updates = _not_stale(updates)
    before = Window.partitionBy(*_KEYED).orderBy(_EVENT)
    begins = sf.lag(SEQUENCE).over(before).isNull() | (sf.lag(DEADLINE_MS).over(before) <= time)
    updates = updates.withColumn(_BEGINS, sf.coalesce(begins, sf.lit(col=False)))
    until = before.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    updates = updates.withColumn(_CHAIN, sf.sum(sf.col(_BEGINS).cast("int")).over(until))
    place = sf.col(SEQUENCE)
    if ordering.placement is not Placement.TAIL:
        # An arriving message takes the place of the present value; a message that becomes due has its own.
        place = sf.when(sf.col(_BEGINS) | due.isNotNull(), place)
    chains = updates.groupBy(*_KEYED, _CHAIN).agg(
        sf.max(sf.struct(_EVENT, DEADLINE_MS)).alias(_LAST),
        capped(sf.sum(UPDATES)).alias(UPDATES),
        sf.max(sf.when(place.isNotNull(), sf.struct(_EVENT, place.alias(PLACE)))).alias(PLACE),
    )
    last = chains.groupBy(*_KEYED).agg(sf.max(sf.struct(_CHAIN, _LAST, UPDATES, PLACE)).alias(_LAST))
    event = sf.col(_LAST)[_LAST][_EVENT]
    values = last.select(
        QUEUE,
        event[SEQUENCE].alias(SEQUENCE),
        sf.col(_LAST)[PLACE][PLACE].alias(PLACE),
        sf.col(_LAST)[UPDATES].alias(UPDATES),
        sf.when(event[_TIME] > at_ms, HELD_BACK).otherwise(AVAILABLE).alias(STATE),
        sf.col(_LAST)[_LAST][DEADLINE_MS].alias(DEADLINE_MS),
    )
    return _alive(values, at_ms)


def _not_stale(updates: DataFrame) -> DataFrame:
    """The updates that are not older than their key's value; one without an order replaces any value."""
    order = sf.col(_ORDER)
    until = (
        Window.partitionBy(*_KEYED).orderBy(_EVENT).rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    updates = updates.withColumn(_EPOCH, sf.count_if(order.isNull()).over(until))
    before = Window.partitionBy(*_KEYED, _EPOCH).orderBy(_EVENT).rowsBetween(Window.unboundedPreceding, -1)
    updates = updates.withColumn(_NEWEST, sf.max(order).over(before))
    return updates.where(order.isNull() | sf.col(_NEWEST).isNull() | (order >= sf.col(_NEWEST)))


def _alive(rows: DataFrame, at_ms: int) -> DataFrame:
    deadline = sf.col(DEADLINE_MS)
    return rows.where(deadline.isNull() | (deadline > at_ms))
