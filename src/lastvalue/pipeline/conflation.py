"""The newest row of each key.

    newest = conflate(updates, key="symbol", order_by="sequence", updates="updates")

In batch, Spark finds the winners on fixed-width numbers, which it hashes, and joins the rows to them; a
`max(struct(…))` or a window would sort all rows with all their columns first (docs/pipeline/conflation.md).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf
from pyspark.sql.types import (
    ArrayType,
    CalendarIntervalType,
    DataType,
    DateType,
    IntegralType,
    LongType,
    MapType,
    NumericType,
    StructType,
    TimestampNTZType,
    TimestampType,
    VariantType,
)

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

_KEY: Final = "__lastvalue_key"
_LONE: Final = "__lastvalue_lone"
_NEWEST: Final = "__lastvalue_newest"
_PLACE: Final = "__lastvalue_place"
_ROW: Final = "__lastvalue_row"
_UPDATES: Final = "__lastvalue_updates"


class InvalidConflationError(LastvalueError):
    """The columns named cannot be conflated by."""

    condition = Condition.INVALID_FIELD


def conflate(
    df: DataFrame,
    key: str,
    order_by: str | Sequence[str],
    *,
    updates: str | None = None,
    unique: bool = False,
    broadcast: bool = True,
) -> DataFrame:
    """One row per key: the one with the greatest order value.

    Equal order values are told apart by the further columns of `order_by`, then by all columns from left to
    right, greatest first; so the result depends on the rows alone. A null is less than any value.
    Rows without a key are never conflated and all stay.

    A batch reads `df` twice. A stream keeps one row per key in Spark's state, for ever.

    Args:
        df: batch or streaming.
        key: its column; any type that Spark can group by.
        order_by: columns that say which of two rows is newer: numbers, timestamps or dates.
        updates: adds a column of that name: how many rows each stands for. Where `df` has it, its values are
            added up, a null counting as 1.
        unique: no two rows share a value of the first order column, and none is null, as with a sequence.
            Saves comparing keys and breaking ties. A null fails the query; a repeated value may let two rows
            of a key stay.
        broadcast: the winners (key, order value, count) fit into memory; if not, all rows are shuffled.
            For batches.

    Raises:
        InvalidConflationError: a column is missing or of a type that cannot be compared.
    """
    plan = _Plan.of(df.schema, key, order_by, updates)
    if df.isStreaming:
        return plan.one_pass()(df)
    return plan.in_two_phases(df, unique=unique, broadcast=broadcast)


def conflate_micro_batch(
    df: DataFrame, key: str, order_by: str | Sequence[str], *, updates: str | None = None
) -> DataFrame:
    """The same rows as `conflate`, found in one task without a shuffle.

    For the micro-batches of a stream, which hold thousands of rows rather than millions: there the second job
    of `conflate` costs more time than it saves. Reads `df` once.
    """
    return micro_batch_conflation(df.schema, key, order_by, updates=updates)(df)


def micro_batch_conflation(
    schema: StructType, key: str, order_by: str | Sequence[str], *, updates: str | None = None
) -> Callable[[DataFrame], DataFrame]:
    """`conflate_micro_batch` for every DataFrame of that schema.

    Its plan is prepared here once, which takes tens of milliseconds, and applied to each micro-batch.
    """
    conflated = _Plan.of(schema, key, order_by, updates).one_pass()
    return lambda df: conflated(df.coalesce(1))


@dataclass(frozen=True, slots=True)
class _Plan:
    """The columns of a conflation, checked.

    Attributes:
        kept: the columns of the result, but for the count.
        rank: what is compared, in this order, to find the newest of a key's rows.
        rank_is_row: the rank holds every column kept, as it is.
        count: how many updates a row stands for before this conflation.
        total: the aggregate that adds the counts up.
        updates: the name of the count in the result, if it is wanted.
    """

    kept: tuple[str, ...]
    key: str
    rank: tuple[Column, ...]
    rank_is_row: bool
    count: Column
    total: Column
    updates: str | None

    @classmethod
    def of(cls, schema: StructType, key: str, order_by: str | Sequence[str], updates: str | None) -> "_Plan":
        types = {field.name: field.dataType for field in schema.fields}
        order = (order_by,) if isinstance(order_by, str) else tuple(order_by)
        _check(types, key, order, updates)
        kept = [name for name in types if name != updates]
        # The key is equal among those compared, but a rank that is a row holds it.
        ranked = [*order, *(name for name in kept if name not in (key, *order)), *({key} - set(order))]
        counted = updates is not None and updates in types
        count = (
            sf.coalesce(_column(str(updates)).cast("long"), sf.lit(1)) if counted else sf.lit(1).cast("long")
        )
        return cls(
            kept=tuple(kept),
            key=key,
            rank=tuple(_comparable(name, types[name]) for name in ranked),
            rank_is_row=all(_is_comparable(types[name]) for name in ranked),
            count=count,
            total=sf.sum(count) if counted else sf.count(sf.lit(1)),
            updates=updates,
        )

    def in_two_phases(self, df: DataFrame, *, unique: bool, broadcast: bool) -> DataFrame:
        """Join the rows to the winners, then break ties among the few that are left.

        A left join with a filter costs what a semi-join does, keeps rows without a key and brings the counts.
        """
        newest = self.rank[0]
        winners = self._winners(df, unique=unique)
        if unique:
            match = newest == sf.col(_NEWEST)
        else:
            match = (_column(self.key) == sf.col(_KEY)) & newest.eqNullSafe(sf.col(_NEWEST))
        side = sf.broadcast(winners) if broadcast else winners.hint("shuffle_hash")
        found = sf.col(_NEWEST if unique else _KEY).isNotNull() | _column(self.key).isNull()
        survivors = df.join(side, match, "left_outer").where(found)
        if not unique:
            survivors = self._without_ties(survivors)
        result = list(map(_column, self.kept))
        if self.updates is not None:
            result.append(sf.coalesce(sf.col(_UPDATES), self.count).alias(self.updates))
        return survivors.select(*result)

    def one_pass(self) -> Callable[[DataFrame], DataFrame]:
        """Aggregate whole rows; Spark combines them before a shuffle."""
        # A row without a key is a group of its own.
        lone = sf.when(_column(self.key).isNull(), sf.expr("uuid()"))
        groups = [_column(self.key).alias(_KEY), lone.alias(_LONE)]
        if self.rank_is_row:
            newest = sf.max(sf.struct(*self.rank))
        else:
            newest = sf.max_by(sf.struct(*map(_column, self.kept)), sf.struct(*self.rank))
        totals = [newest.alias(_ROW), self.total.alias(_UPDATES)]
        result = [sf.col(_ROW)[name].alias(name) for name in self.kept]
        if self.updates is not None:
            result.append(sf.col(_UPDATES).alias(self.updates))
        return lambda df: df.groupBy(*groups).agg(*totals).select(*result)

    def _winners(self, df: DataFrame, *, unique: bool) -> DataFrame:
        """Of each key its greatest order value and its count: numbers only, which Spark need not sort."""
        newest = self.rank[0]
        if unique:
            fault = "conflate(unique=True): a row with a key has no order value"
            newest = sf.coalesce(newest, sf.raise_error(sf.lit(fault)))
        return (
            df.where(_column(self.key).isNotNull())
            .groupBy(_column(self.key).alias(_KEY))
            .agg(sf.max(newest).alias(_NEWEST), self.total.alias(_UPDATES))
        )

    def _without_ties(self, survivors: DataFrame) -> DataFrame:
        # A row without a key is alone in its window, so that all of them do not meet in one task.
        lone = sf.when(_column(self.key).isNull(), sf.monotonically_increasing_id())
        window = Window.partitionBy(_column(self.key), sf.col(_LONE))
        place = sf.row_number().over(window.orderBy(*(part.desc_nulls_last() for part in self.rank)))
        return survivors.withColumn(_LONE, lone).withColumn(_PLACE, place).where(sf.col(_PLACE) == 1)


def _check(types: Mapping[str, DataType], key: str, order: tuple[str, ...], updates: str | None) -> None:
    if not order:
        raise InvalidConflationError("order_by names no column")
    for name in (key, *order):
        if name not in types:
            raise InvalidConflationError(f"there is no column {name!r}; there are {', '.join(types)}")
    if not _is_comparable(types[key]):
        raise InvalidConflationError(f"column {key!r} cannot be a key: it is {types[key].simpleString()}")
    for name in order:
        if not isinstance(types[name], _ORDERS):
            raise InvalidConflationError(
                f"column {name!r} cannot say which row is newer: it is {types[name].simpleString()}; "
                "cast it to a number, a timestamp or a date"
            )
    if updates in (key, *order):
        raise InvalidConflationError(f"{updates!r} is key or order already: name the count differently")
    if updates and not isinstance(types.get(updates, LongType()), IntegralType):
        raise InvalidConflationError(
            f"column {updates!r} holds no counts: it is {types[updates].simpleString()}"
        )


_ORDERS: Final = (NumericType, DateType, TimestampType, TimestampNTZType)


def _is_comparable(kind: DataType) -> bool:
    match kind:
        case MapType() | VariantType() | CalendarIntervalType():
            return False
        case ArrayType():
            return _is_comparable(kind.elementType)
        case StructType():
            return all(_is_comparable(field.dataType) for field in kind.fields)
        case _:
            return True


def _comparable(name: str, kind: DataType) -> Column:
    """The column as something that Spark can compare."""
    return _column(name) if _is_comparable(kind) else sf.to_json(sf.struct(_column(name)))


def _column(name: str) -> Column:
    return sf.col("`" + name.replace("`", "``") + "`")
