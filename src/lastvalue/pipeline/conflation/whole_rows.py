"""The newest, or the oldest, row of each key and interval, with all columns.

In a batch, Spark finds the winners by fixed-width numbers, which it hashes, and joins the rows to them; for
`max(struct(…))` or a window it would sort all rows with all their columns (docs/pipeline/conflation.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf
from pyspark.sql.types import IntegralType

from lastvalue.pipeline.columns import column, comparable, is_comparable
from lastvalue.pipeline.conflation.newest_in_files import NewestInFiles
from lastvalue.pipeline.conflation.terms import INTERVAL, KEY, KEYLESS_ID, UPDATES, Terms
from lastvalue.queues.policy import Last, RowPolicy

_CHOSEN: Final = "__lastvalue_chosen"
_PLACE: Final = "__lastvalue_place"
_ROW: Final = "__lastvalue_row"
_BLOCK: Final = "__lastvalue_block"
_MARKS: Final = "__lastvalue_marks"
_BLOCK_BITS: Final = 6
"""A block of order values has a bit in a long for each."""


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """Properties of a batch that affect its plan; see `conflate`."""

    unique: bool = False
    many_keys: bool = False
    broadcast: bool = True
    arrow: bool = True


@dataclass(frozen=True, slots=True)
class WholeRows:
    """A conflation that chooses one row of each group.

    Attributes:
        rank: the columns by which rows are compared, in this order; the first is the first order column.
        rank_is_row: the rank contains every column of the result, unchanged.
    """

    terms: Terms
    policy: RowPolicy
    rank: tuple[Column, ...]
    rank_is_row: bool

    @classmethod
    def of(cls, terms: Terms, policy: RowPolicy) -> "WholeRows":
        """The plan for checked terms."""
        key, order = terms.key, terms.order
        # Rows that are compared have the same key; it is in the rank so that the rank can be the whole row.
        others = [name for name in terms.row_columns if name not in (key, *order)]
        ranked = [*order, *others, *({key} - set(order))]
        return cls(
            terms,
            policy,
            rank=tuple(comparable(name, terms.types[name]) for name in ranked),
            rank_is_row=all(is_comparable(terms.types[name]) for name in ranked),
        )

    def in_two_phases(self, df: DataFrame, plan: BatchPlan) -> DataFrame:
        """Join the rows to the winners, then break ties among the few rows that remain.

        A left join with a filter costs as much as a semi-join, keeps rows without a key and adds the counts.
        """
        terms, unique = self.terms, plan.unique
        own = self.rank[0]
        winners = self._winners(df, plan)
        whole = isinstance(terms.types[terms.order[0]], IntegralType)
        if unique and plan.many_keys and plan.broadcast and whole and not terms.added_columns:
            return self._join_bitmaps(df, winners)
        if unique:
            match = own == sf.col(_CHOSEN)
        else:
            match = (column(terms.key) == sf.col(KEY)) & own.eqNullSafe(sf.col(_CHOSEN))
            # If the order is the time, equal order values are in one interval.
            if terms.every_us is not None and terms.order[0] != terms.time:
                match &= terms.interval().eqNullSafe(sf.col(INTERVAL))
        side = sf.broadcast(winners) if plan.broadcast else winners.hint("shuffle_hash")
        chosen = sf.col(_CHOSEN if unique else KEY).isNotNull() | column(terms.key).isNull()
        survivors = df.join(side, match, "left_outer").where(chosen)
        if not unique:
            survivors = self._without_ties(survivors)
        return survivors.select(*map(column, terms.row_columns), *self._added_to_rows())

    def in_files(self, df: DataFrame, *, unique: bool) -> DataFrame | None:
        """The same for plain Parquet files, read by column; None if `df` is anything else."""
        plan = NewestInFiles.of(df, self.terms, self.policy, unique=unique)
        return None if plan is None else plan.rows(df.sparkSession)

    def one_pass(self, *, streaming: bool) -> Callable[[DataFrame], DataFrame]:
        """Aggregate whole rows; Spark combines them before a shuffle."""
        terms = self.terms
        newest = isinstance(self.policy, Last)
        if self.rank_is_row:
            chosen = (sf.max if newest else sf.min)(sf.struct(*self.rank))
        else:
            row = sf.struct(*map(column, terms.row_columns))
            chosen = (sf.max_by if newest else sf.min_by)(row, sf.struct(*self.rank))
        groups = self._groups(streaming=streaming)
        totals = [chosen.alias(_ROW), *terms.totals()]
        result = [sf.col(_ROW)[name].alias(name) for name in terms.row_columns]
        for inner, name in terms.added_columns.items():
            start = streaming and inner == INTERVAL
            result.append((sf.col(INTERVAL)["start"] if start else sf.col(inner)).alias(name))
        return lambda rows: rows.groupBy(*groups).agg(*totals).select(*result)

    def _groups(self, *, streaming: bool) -> list[Column]:
        """A row without a key is a group of its own."""
        key = column(self.terms.key)
        # In a stream the id must be unique across micro-batches. A batch avoids uuid(): each plan has another
        # seed for it, so Spark would compile every plan again.
        keyless_id = sf.when(
            key.isNull(), sf.expr("uuid()") if streaming else sf.monotonically_increasing_id()
        )
        groups = [key.alias(KEY), keyless_id.alias(KEYLESS_ID)]
        if self.terms.every_us is not None:
            groups.append((self.terms.window() if streaming else self.terms.interval()).alias(INTERVAL))
        return groups

    def _join_bitmaps(self, df: DataFrame, winners: DataFrame) -> DataFrame:
        """Join the rows to a bitmap of winners, of which each broadcast row holds 64 bits.

        If order values are close together, as sequences are, the bitmap is a fraction of the winners.
        """
        own, chosen = self.rank[0].cast("long"), sf.col(_CHOSEN).cast("long")
        marks = winners.groupBy(sf.shiftright(chosen, _BLOCK_BITS).alias(_BLOCK)).agg(
            sf.bit_or(sf.call_function("shiftleft", sf.lit(1).cast("long"), _place_in_block(chosen))).alias(
                _MARKS
            )
        )
        joined = df.join(sf.broadcast(marks), sf.shiftright(own, _BLOCK_BITS) == sf.col(_BLOCK), "left_outer")
        marked = sf.call_function("shiftright", sf.col(_MARKS), _place_in_block(own)).bitwiseAND(1) == 1
        key = column(self.terms.key)
        return joined.where(marked | key.isNull()).select(*map(column, self.terms.row_columns))

    def _winners(self, df: DataFrame, plan: BatchPlan) -> DataFrame:
        """The chosen order value and the totals of each group: only numbers, which Spark need not sort."""
        terms, unique = self.terms, plan.unique
        own = self.rank[0]
        if unique:
            fault = "conflate(unique=True): a row with a key has no order value"
            own = sf.coalesce(own, sf.raise_error(sf.lit(fault)))
        if isinstance(self.policy, Last):
            chosen = sf.max(own)
        elif unique:
            chosen = sf.min(own)
        else:
            # A null is less than any value, but min() ignores nulls.
            chosen = sf.when(sf.count(own) == sf.count(sf.lit(1)), sf.min(own))
        interval = [] if terms.every_us is None else [terms.interval().alias(INTERVAL)]
        rows = df.where(column(terms.key).isNotNull())
        if plan.many_keys:
            # Spark then aggregates once, after the shuffle, and not also before it.
            rows = rows.repartition(column(terms.key))
        return rows.groupBy(column(terms.key).alias(KEY), *interval).agg(
            chosen.alias(_CHOSEN), *terms.totals()
        )

    def _added_to_rows(self) -> list[Column]:
        """The added columns of rows that are joined to winners; a row without a key has no winner."""
        own = {UPDATES: self.terms.count(), **self.terms.moments()}
        if self.terms.every_us is not None:
            own[INTERVAL] = self.terms.interval()
        return [
            (own[inner] if inner == INTERVAL else sf.coalesce(sf.col(inner), own[inner])).alias(name)
            for inner, name in self.terms.added_columns.items()
        ]

    def _without_ties(self, survivors: DataFrame) -> DataFrame:
        # A row without a key has a window of its own, so that these rows are not all in one task.
        keyless_id = sf.when(column(self.terms.key).isNull(), sf.monotonically_increasing_id())
        groups = [column(self.terms.key), sf.col(KEYLESS_ID)]
        if self.terms.every_us is not None:
            groups.append(self.terms.interval())
        newest = isinstance(self.policy, Last)
        order = [part.desc_nulls_last() if newest else part.asc_nulls_first() for part in self.rank]
        place = sf.row_number().over(Window.partitionBy(*groups).orderBy(*order))
        rows = survivors.withColumn(KEYLESS_ID, keyless_id)
        return rows.withColumn(_PLACE, place).where(sf.col(_PLACE) == 1)


def _place_in_block(order: Column) -> Column:
    return order.bitwiseAND(2**_BLOCK_BITS - 1).cast("int")
