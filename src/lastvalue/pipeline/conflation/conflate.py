"""Makes one row of all rows of a key and interval: the newest, or a summary of their values.

For example `conflate(ticks, "symbol", "time", every="1m", policy=Ohlc("price", volume="size"))`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.interval import interval_us
from lastvalue.pipeline.conflation.named_columns import Columns, NamedColumns
from lastvalue.pipeline.conflation.row_counts import observe_batch, observe_stream
from lastvalue.pipeline.conflation.summaries import Summaries, is_tombstone
from lastvalue.pipeline.conflation.terms import Terms
from lastvalue.pipeline.conflation.tombstones import Tombstones
from lastvalue.pipeline.conflation.whole_rows import BatchPlan, WholeRows
from lastvalue.queues.policy import First, Last, Policy, RowPolicy, ValuePolicy, policy_from_text

if TYPE_CHECKING:
    from pyspark.sql import Observation

_LAST = Last()


def conflate(  # noqa: PLR0913 - all but three by name
    df: DataFrame,
    key: Columns,
    order_by: Columns,
    *,
    every: str | None = None,
    policy: Policy | str = _LAST,
    time: str | None = None,
    tombstones: Tombstones | None = None,
    updates: str | None = "updates",
    observe: "Observation | str | None" = None,
    unique: bool = False,
    many_keys: bool = False,
    broadcast: bool = True,
    arrow: bool = True,
) -> DataFrame:
    """One row per key, or per key and interval; by default the one with the greatest order value.

    Where order values are equal, the further columns of `order_by` decide; then, for whole rows, all columns
    from left to right, and for values the value; the greatest is the newest. So the result depends on the
    rows alone. A null is less than any value. Rows without a key are never conflated; all of them stay.

    A batch may be read twice. A stream holds one row per key and interval in Spark's state: for ever, or,
    with `every` and a watermark on the time, until the interval is over.

    Args:
        df: batch or streaming.
        key: the key's column, of any type that Spark can group by, or several that are the key together; a
            row that lacks one of them has no key. The result has the parts of such a key by their names; a
            whole row keeps a column of its own that has the name of an expression.
        order_by: columns that decide which of two rows is newer: numbers, timestamps or dates.
        every: the interval, such as `5s`. Intervals are counted from 1970 in UTC; the column `interval_start`
            is their start. Rows without a time share one interval; a stream drops them.
        policy: how many rows become one, or its text, such as `ohlc(price, size)`; see `queues.policy`.
        time: the timestamp of an update; by default the first timestamp of order_by. If there is one, the
            result has `first_time` and `last_time`.
        tombstones: which rows delete their key.
        updates: the column with the number of rows that each row stands for; None: no such column. If `df`
            has it, its values are added up, and a null counts as 1; `first_time` and `last_time` likewise.
        observe: counts rows, keys, and late, equal and duplicate rows; see `conflation.row_counts`.
        unique: no two rows share a value of the first order column, and none is null, as with a sequence.
            This saves comparing keys and breaking ties. A null fails the query; with a repeated value two
            rows of a key may stay.
        many_keys: a key has only a few dozen rows or fewer. Rows are then not combined before the shuffle,
            which would cost more than it saves. For batches, and policies of whole rows.
        broadcast: the winners (key, order value, count) fit into memory; otherwise all rows are shuffled. For
            batches.
        arrow: if a batch consists only of Parquet files on disk, and without `every`, find whole rows by
            column in Python workers. This is several times faster and does not need the three options above.

    Raises:
        InvalidConflationError: a column is missing or of a wrong type, or the policy does not support
            streams.
        InvalidSpecError: the text means no policy.
    """
    if isinstance(policy, str):
        policy = policy_from_text(policy)
    named = NamedColumns.of(df, key, order_by)
    df = named.rows
    terms = Terms.of(
        df.schema,
        named.key,
        named.order,
        time=time,
        every_us=None if every is None else interval_us(every),
        updates=updates,
    )
    if observe is not None and df.isStreaming:
        df = observe_stream(df, terms, observe)
    options = BatchPlan(unique, many_keys, broadcast, arrow)
    if isinstance(policy, Last | First):
        result = _whole_rows(df, terms, policy, tombstones, options)
    else:
        result = _summaries(df, terms, policy, tombstones, options)
    if observe is not None and not df.isStreaming:
        result = observe_batch(result, df, terms, observe)
    return named.without_made(result)


def conflate_micro_batch(
    df: DataFrame, key: str, order_by: str | Sequence[str], *, updates: str | None = None
) -> DataFrame:
    """The newest rows as `conflate` finds them, in one task without a shuffle, and without their times.

    For the micro-batches of a stream, with thousands of rows rather than millions: there the second job of
    `conflate` costs more time than it saves. Reads `df` once.
    """
    return micro_batch_conflation(df.schema, key, order_by, updates=updates)(df)


def micro_batch_conflation(
    schema: StructType, key: str | Sequence[str], order_by: str | Sequence[str], *, updates: str | None = None
) -> Callable[[DataFrame], DataFrame]:
    """`conflate_micro_batch` for every DataFrame of that schema.

    This call prepares the plan once, in tens of milliseconds; the returned function applies it. With a key of
    several columns it is prepared for each DataFrame.
    """
    if not isinstance(key, str):
        return partial(_newest_by_columns, key=key, order_by=order_by, updates=updates)
    order = order_by if isinstance(order_by, str) else tuple(order_by)
    terms = Terms.of(schema, key, order, updates=updates)
    one_pass = WholeRows.of(replace(terms, time=None), _LAST).one_pass(streaming=False)
    return lambda df: one_pass(df.coalesce(1))


def _newest_by_columns(
    df: DataFrame, *, key: Sequence[str], order_by: str | Sequence[str], updates: str | None
) -> DataFrame:
    named = NamedColumns.of(df, key, order_by)
    rows = micro_batch_conflation(named.rows.schema, named.key, named.order, updates=updates)(named.rows)
    return named.without_made(rows)


def _whole_rows(
    df: DataFrame, terms: Terms, policy: RowPolicy, tombstones: Tombstones | None, plan: BatchPlan
) -> DataFrame:
    if tombstones is not None and isinstance(policy, First):
        raise InvalidConflationError(
            "policy First does not support tombstones: the first row is before any deletion"
        )
    rows = WholeRows.of(terms, policy)
    if df.isStreaming:
        result = rows.one_pass(streaming=True)(df)
    else:
        in_files = rows.in_files(df, unique=plan.unique) if plan.arrow else None
        result = rows.in_two_phases(df, plan) if in_files is None else in_files
    if tombstones is None:
        return result
    dead = is_tombstone(terms, tombstones)
    return result if tombstones.keep else result.where(~dead)


def _summaries(
    df: DataFrame, terms: Terms, policy: ValuePolicy, tombstones: Tombstones | None, plan: BatchPlan
) -> DataFrame:
    if tombstones is not None:
        is_tombstone(terms, tombstones)
    summaries = Summaries.of(terms, policy, tombstones)
    if not df.isStreaming:
        return summaries.of_batch(df, unique=plan.unique, broadcast=plan.broadcast)
    if tombstones is not None:
        raise InvalidConflationError(
            f"in a stream, tombstones need policy Last, not {type(policy).__name__}: "
            "conflate each micro-batch in foreachBatch"
        )
    return summaries.of_stream(df)
