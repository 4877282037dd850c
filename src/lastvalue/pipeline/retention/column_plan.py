"""What queues retain, as plans of Spark's own: filters, aggregates and windows.

They hold for the declarations that `retained.plan_for` gives them, and no others.
"""

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from lastvalue.pipeline.retention import entry_columns
from lastvalue.pipeline.retention.arrivals import QUEUE as QUEUE_COLUMN
from lastvalue.pipeline.retention.arrivals import Arrivals, column
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
"""The key holds nothing when the message becomes its value."""
_CHAIN: Final = "__lastvalue_chain"
"""Which time it is that the key holds something."""
_EPOCH: Final = "__lastvalue_epoch"
"""How many values without an order the key has had."""
_EVENT: Final = "__lastvalue_event"
"""When the message becomes its key's value, as something that compares."""
_KEY: Final = "__lastvalue_key"
_LAST: Final = "__lastvalue_last"
_LONE: Final = "__lastvalue_lone"
_NEWEST: Final = "__lastvalue_newest"
_NOT_BEFORE_MS: Final = "__lastvalue_not_before_ms"
_ORDER: Final = "__lastvalue_order"
_RANK: Final = "__lastvalue_rank"
_TIME: Final = "time"

_KEYED: Final = (QUEUE, _KEY, _LONE)


def noted(df: DataFrame, arrivals: Arrivals, spec: QueueSpec) -> DataFrame:
    """The rows that a queue takes, with columns for what it reads of each."""
    notes = {
        QUEUE: column(QUEUE_COLUMN) if QUEUE_COLUMN in arrivals.types else sf.lit(None).cast("string"),
        SEQUENCE: entry_columns.sequence(),
        ARRIVAL_MS: entry_columns.arrival_ms(),
        DEADLINE_MS: entry_columns.deadline_ms(arrivals, spec.expiry),
        UPDATES: entry_columns.updates(arrivals),
        _NOT_BEFORE_MS: entry_columns.not_before_ms(arrivals, spec),
    }
    ordering = spec.ordering
    if isinstance(ordering, LastValue):
        notes[_KEY] = entry_columns.key(arrivals, ordering)
        # What has no key is alone.
        notes[_LONE] = sf.when(notes[_KEY].isNull(), notes[SEQUENCE])
        if ordering.order_by is not None:
            notes[_ORDER] = entry_columns.order_value(arrivals, ordering.order_by)
    elif isinstance(ordering, Priority):
        notes[_RANK] = rank(arrivals, ordering)[0]
    rows = df.withColumns(notes)
    if spec.refuses_delay and entry_columns.may_wait(arrivals, spec):
        asked = entry_columns.asked_ms(arrivals)
        rows = rows.where(asked.isNull() | (asked <= sf.col(ARRIVAL_MS)))
    return rows


def messages(rows: DataFrame, at_ms: int) -> DataFrame:
    """Of rows that never replace one another those that have not expired, and where they stand."""
    held = sf.col(_NOT_BEFORE_MS) > at_ms
    return _alive(rows, at_ms).withColumns(
        {PLACE: sf.col(SEQUENCE), STATE: sf.when(held, HELD_BACK).otherwise(AVAILABLE)}
    )


def within_limit(rows: DataFrame, spec: QueueSpec, at_ms: int) -> DataFrame:
    """Where messages stand that a full queue of so many messages took, or a ring kept; none may expire."""
    if spec.limit.when_full is WhenFull.DROP_OLDEST:
        # A ring drops the oldest of the lowest level at each arrival: so the others are the first of all.
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
    kept = rows.select(*needed).withColumn(_LAST, number).where(sf.col(_LAST) <= spec.limit.messages)
    return messages(kept, at_ms).select(*RETAINED_COLUMNS)


def newest(rows: DataFrame, ordering: LastValue) -> DataFrame:
    """Where the newest values of the keys stand, where none has an order, expires or waits."""
    last = sf.max(SEQUENCE)
    place = last if ordering.placement is Placement.TAIL else sf.min(SEQUENCE)
    return (
        rows.groupBy(*_KEYED)
        .agg(last.alias(SEQUENCE), place.alias(PLACE), sf.sum(UPDATES).alias(UPDATES))
        .withColumns({STATE: sf.lit(AVAILABLE), DEADLINE_MS: sf.lit(None).cast("long")})
        .select(*RETAINED_COLUMNS)
    )


def values(rows: DataFrame, ordering: LastValue, at_ms: int) -> DataFrame:
    """Where the values of the keys stand, and those that wait to become one.

    Values may expire or have an order, but not both: which update is stale then depends on what expired.
    """
    due, deadline = sf.col(_NOT_BEFORE_MS), sf.col(DEADLINE_MS)
    # What expires while it waits becomes nobody's value.
    shown = rows.where(due.isNull() | (due > at_ms) | deadline.isNull() | (deadline > due))
    time = sf.coalesce(due, sf.col(ARRIVAL_MS))
    shown = shown.withColumns(
        {
            # What falls due does so before what comes at that time.
            _EVENT: sf.struct(time.alias(_TIME), due.isNull().alias("came"), SEQUENCE),
            # What waits is alone as yet.
            _LONE: sf.coalesce(_LONE, sf.when(due > at_ms, sf.col(SEQUENCE))),
        }
    )
    if ordering.order_by is not None:
        shown = _not_stale(shown)
    before = Window.partitionBy(*_KEYED).orderBy(_EVENT)
    begins = sf.lag(SEQUENCE).over(before).isNull() | (sf.lag(DEADLINE_MS).over(before) <= time)
    shown = shown.withColumn(_BEGINS, sf.coalesce(begins, sf.lit(False)))  # noqa: FBT003 - a literal
    until = before.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    shown = shown.withColumn(_CHAIN, sf.sum(sf.col(_BEGINS).cast("int")).over(until))
    place = sf.col(SEQUENCE)
    if ordering.placement is not Placement.TAIL:
        # Only what comes takes the place of what is there; what falls due has its own.
        place = sf.when(sf.col(_BEGINS) | due.isNotNull(), place)
    chains = shown.groupBy(*_KEYED, _CHAIN).agg(
        sf.max(sf.struct(_EVENT, DEADLINE_MS)).alias(_LAST),
        sf.sum(UPDATES).alias(UPDATES),
        sf.max(sf.when(place.isNotNull(), sf.struct(_EVENT, place.alias(PLACE)))).alias(PLACE),
    )
    last = chains.groupBy(*_KEYED).agg(sf.max(sf.struct(_CHAIN, _LAST, UPDATES, PLACE)).alias(_LAST))
    event = sf.col(_LAST)[_LAST][_EVENT]
    found = last.select(
        QUEUE,
        event[SEQUENCE].alias(SEQUENCE),
        sf.col(_LAST)[PLACE][PLACE].alias(PLACE),
        sf.col(_LAST)[UPDATES].alias(UPDATES),
        sf.when(event[_TIME] > at_ms, HELD_BACK).otherwise(AVAILABLE).alias(STATE),
        sf.col(_LAST)[_LAST][DEADLINE_MS].alias(DEADLINE_MS),
    )
    return _alive(found, at_ms)


def _not_stale(shown: DataFrame) -> DataFrame:
    """Those that are not older than what their key holds; one without an order replaces any."""
    order = sf.col(_ORDER)
    until = (
        Window.partitionBy(*_KEYED).orderBy(_EVENT).rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    shown = shown.withColumn(_EPOCH, sf.count_if(order.isNull()).over(until))
    before = Window.partitionBy(*_KEYED, _EPOCH).orderBy(_EVENT).rowsBetween(Window.unboundedPreceding, -1)
    shown = shown.withColumn(_NEWEST, sf.max(order).over(before))
    return shown.where(order.isNull() | sf.col(_NEWEST).isNull() | (order >= sf.col(_NEWEST)))


def _alive(rows: DataFrame, at_ms: int) -> DataFrame:
    deadline = sf.col(DEADLINE_MS)
    return rows.where(deadline.isNull() | (deadline > at_ms))
