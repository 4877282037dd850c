"""One row for each key and interval, made of the values of all its rows.

A batch is not sorted, except for ties: the plans aggregate numbers, which Spark hashes and combines before
the shuffle (docs/pipeline/conflation.md). A stream is aggregated in one pass, because it cannot be read
twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, assert_never

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import BooleanType, MapType

from lastvalue.pipeline.columns import capped, column, is_comparable, missing_column
from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.terms import INTERVAL, KEY, KEYLESS_ID, UPDATES, Terms
from lastvalue.pipeline.conflation.tombstones import Tombstones
from lastvalue.queues.policy import Count, List, Max, Merge, Min, Ohlc, Sum, ValuePolicy, Vwap

_ALIVE: Final = "__lastvalue_alive"
_CLOSING: Final = "__lastvalue_closing"
_ENTRY: Final = "__lastvalue_entry"
_NAME: Final = "__lastvalue_name"
_OPENING: Final = "__lastvalue_opening"
_PLACE: Final = "__lastvalue_place"
_VOID: Final = "__lastvalue_void"

DELETED: Final = "deleted"

_OPEN, _HIGH, _LOW, _CLOSE, _VOLUME = "open", "high", "low", "close", "volume"


@dataclass(frozen=True, slots=True)
class Summaries:
    """A conflation with a policy of values."""

    terms: Terms
    policy: ValuePolicy
    tombstones: Tombstones | None

    @classmethod
    def of(cls, terms: Terms, policy: ValuePolicy, tombstones: Tombstones | None) -> "Summaries":
        """The plan for checked terms.

        Raises:
            InvalidConflationError: a value's column is missing, or of a type that the policy cannot use.
        """
        _check(terms, policy)
        return cls(terms, policy, tombstones)

    def of_batch(self, df: DataFrame, *, unique: bool, broadcast: bool) -> DataFrame:
        """The plan of a batch; it may read `df` more than once."""
        rows = self._with_life(self._grouped(df))
        match self.policy:
            case Ohlc() as policy if unique:
                result = self._aggregated(rows, self._ohlc_of_unique_order(policy))
            case Ohlc() as policy:
                result = self._ohlc_in_two_phases(rows, policy, broadcast=broadcast)
            case Merge():
                result = self._merged(rows)
            case List() as policy:
                result = self._aggregated(rows, [self._listed(policy)])
            case _:
                result = self._aggregated(rows, self._plain_aggregates())
        return self._finished(result)

    def of_stream(self, df: DataFrame) -> DataFrame:
        """The plan of a stream, in one aggregation."""
        groups = [column(self.terms.key).alias(KEY)]
        groups.append(sf.when(column(self.terms.key).isNull(), sf.expr("uuid()")).alias(KEYLESS_ID))
        if self.terms.every_us is not None:
            groups.append(self.terms.window().alias(INTERVAL))
        match self.policy:
            case Ohlc() as policy:
                aggregates = self._ohlc_by_order(policy)
            case Merge() as policy:
                aggregates = [self._merged_entries(policy).alias(policy.value)]
            case List() as policy:
                aggregates = [self._listed(policy)]
            case _:
                aggregates = self._plain_aggregates()
        result = df.groupBy(*groups).agg(*aggregates, *self.terms.totals())
        if self.terms.every_us is not None:
            result = result.withColumn(INTERVAL, sf.col(INTERVAL)["start"])
        return self._finished(result)

    # ---- What all policies have in common

    def _grouped(self, df: DataFrame) -> DataFrame:
        rows = self.terms.with_keyless_id(df).withColumn(KEY, column(self.terms.key))
        return rows if self.terms.every_us is None else rows.withColumn(INTERVAL, self.terms.interval())

    def _groups(self) -> list[str]:
        return [KEY, KEYLESS_ID, *([] if self.terms.every_us is None else [INTERVAL])]

    def _with_life(self, rows: DataFrame) -> DataFrame:
        """The rows with the column _ALIVE: false for tombstones and the rows that they delete."""
        if self.tombstones is None:
            return rows
        dead = is_tombstone(self.terms, self.tombstones)
        # A tombstone without a key deletes nothing; it is an ordinary row.
        groups = [name for name in self._groups() if name != KEYLESS_ID]
        order = sf.struct(*map(column, self.terms.order))
        voids = (
            rows.where(dead & sf.col(KEY).isNotNull())
            .groupBy(*(sf.col(name).alias(_side(name)) for name in groups))
            .agg(sf.max(order).alias(_VOID))
        )
        match = _all_of([sf.col(name).eqNullSafe(sf.col(_side(name))) for name in groups])
        alive = ~dead & (sf.col(_VOID).isNull() | (order > sf.col(_VOID)))
        marked = rows.join(voids, match, "left_outer").withColumn(_ALIVE, alive)
        return marked.drop(_VOID, *map(_side, groups))

    def _alive(self, value: Column) -> Column:
        return value if self.tombstones is None else sf.when(sf.col(_ALIVE), value)

    def _living(self) -> list[Column]:
        return [] if self.tombstones is None else [sf.max(sf.col(_ALIVE)).alias(_ALIVE)]

    def _aggregated(self, rows: DataFrame, aggregates: Sequence[Column]) -> DataFrame:
        return rows.groupBy(*self._groups()).agg(*aggregates, *self.terms.totals(), *self._living())

    def _finished(self, result: DataFrame) -> DataFrame:
        """The result's columns in their order, with deletions only if they are to stay."""
        columns = [sf.col(KEY).alias(self.terms.key), *(sf.col(name) for name in _names(self.policy))]
        columns += [sf.col(inner).alias(name) for inner, name in self.terms.added_columns.items()]
        if self.tombstones is not None and self.tombstones.keep:
            columns.append((~sf.col(_ALIVE)).alias(DELETED))
        elif self.tombstones is not None:
            result = result.where(sf.col(_ALIVE))
        return result.select(*columns)

    # ---- The policies

    def _plain_aggregates(self) -> list[Column]:
        match self.policy:
            case Max(value):
                return [sf.max(self._alive(column(value))).alias(value)]
            case Min(value):
                return [sf.min(self._alive(column(value))).alias(value)]
            case Sum(value):
                return [sf.sum(self._alive(column(value))).alias(value)]
            case Count():
                return [sf.count(self._alive(sf.lit(1))).alias("count")]
            case Vwap(value, volume):
                price, size = column(value).cast("double"), column(volume).cast("double")
                weighed = sf.sum(self._alive(price * size))
                weight = self._alive(sf.when(column(value).isNotNull(), column(volume)))
                mean = sf.try_divide(weighed, sf.sum(weight.cast("double")))
                return [mean.alias("vwap"), sf.sum(weight).alias(_VOLUME)]
            case Ohlc() | Merge() | List():
                raise AssertionError(self.policy)
            case _:
                assert_never(self.policy)

    def _range(self, policy: Ohlc) -> list[Column]:
        value = self._alive(column(policy.value))
        aggregates = [sf.max(value).alias(_HIGH), sf.min(value).alias(_LOW)]
        if policy.volume is not None:
            traded = sf.when(column(policy.value).isNotNull(), column(policy.volume))
            aggregates.append(sf.sum(self._alive(traded)).alias(_VOLUME))
        return aggregates

    def _counting(self, policy: Ohlc, value: Column) -> Column:
        """The value if the row counts, otherwise null."""
        return self._alive(sf.when(column(policy.value).isNotNull(), value))

    def _ohlc_of_unique_order(self, policy: Ohlc) -> list[Column]:
        fault = "conflate(unique=True): a row with a key has no order value"
        checked = sf.coalesce(
            column(self.terms.order[0]), sf.when(sf.col(KEY).isNotNull(), sf.raise_error(sf.lit(fault)))
        )
        # A row without a key is a group of its own, so it opens and closes it with any order value.
        order = self._counting(policy, sf.when(sf.col(KEY).isNull(), sf.lit(0)).otherwise(checked))
        value = column(policy.value)
        return [
            sf.min_by(value, order).alias(_OPEN),
            *self._range(policy),
            sf.max_by(value, order).alias(_CLOSE),
        ]

    def _ohlc_by_order(self, policy: Ohlc) -> list[Column]:
        value = column(policy.value).alias("value")
        ranked = self._counting(policy, sf.struct(*_ranks(self.terms.order), value))
        return [
            sf.min(ranked)["value"].alias(_OPEN),
            *self._range(policy),
            sf.max(ranked)["value"].alias(_CLOSE),
        ]

    def _ohlc_in_two_phases(self, rows: DataFrame, policy: Ohlc, *, broadcast: bool) -> DataFrame:
        """Find each group's first and last order value, then the values there.

        For an aggregate of (order, value) pairs Spark would sort all rows. Rows without a key are not joined:
        each is a group of its own, and its id changes when the rows are read again.
        """
        order = self._counting(policy, column(self.terms.order[0]))
        counted = sf.count(self._counting(policy, sf.lit(1)))
        # A null is less than any value, but min() ignores nulls.
        opening = sf.when(sf.count(order) == counted, sf.min(order)).alias(_OPENING)
        aggregates = [*self._range(policy), *self.terms.totals(), *self._living()]
        groups = [name for name in self._groups() if name != KEYLESS_ID]
        ranges = (
            rows.where(sf.col(KEY).isNotNull())
            .groupBy(*groups)
            .agg(opening, sf.max(order).alias(_CLOSING), *aggregates)
        )
        side = ranges.select(*(sf.col(name).alias(_side(name)) for name in ranges.columns))
        side = sf.broadcast(side) if broadcast else side.hint("shuffle_hash")
        match = _all_of([sf.col(name).eqNullSafe(sf.col(_side(name))) for name in groups])
        joined = rows.join(side, match & sf.col(KEY).isNotNull(), "left_outer")
        opens, closes, needed = self._ends(policy)
        carried = [
            sf.coalesce(sf.any_value(_side(name)), own).alias(name)
            for name, own in zip(ranges.columns[-len(aggregates) :], aggregates, strict=True)
        ]
        return joined.where(needed).groupBy(*self._groups()).agg(opens, closes, *carried)

    def _ends(self, policy: Ohlc) -> tuple[Column, Column, Column]:
        """Opening and closing value of rows that are joined to their ranges, and which rows they need."""
        own, keyless = column(self.terms.order[0]), sf.col(KEY).isNull()
        first = keyless | own.eqNullSafe(sf.col(_side(_OPENING)))
        last = keyless | own.eqNullSafe(sf.col(_side(_CLOSING)))
        value = column(policy.value).alias("value")
        further = _ranks(self.terms.order[1:])
        ranked = self._counting(policy, sf.struct(*further, value) if further else value)
        opens, closes = sf.min(sf.when(first, ranked)), sf.max(sf.when(last, ranked))
        if further:
            opens, closes = opens["value"], closes["value"]
        # Without a last order value, the group has no value, or all its order values are null.
        needed = first | last | sf.col(_side(_CLOSING)).isNull()
        return opens.alias(_OPEN), closes.alias(_CLOSE), needed

    def _merged(self, rows: DataFrame) -> DataFrame:
        """Find the newest entry of each name, then collect the entries in maps."""
        assert isinstance(self.policy, Merge)  # noqa: S101 - `of_batch` chose by it
        entries = rows.select(
            "*", sf.posexplode_outer(self._alive(column(self.policy.value))).alias(_PLACE, _NAME, _ENTRY)
        )
        once = sf.coalesce(sf.col(_PLACE), sf.lit(0)) == 0
        newest = sf.max(sf.struct(*_ranks(self.terms.order), sf.col(_ENTRY).alias("value")))
        updates = sf.sum(sf.when(once, self.terms.count()).otherwise(0))
        groups = self._groups()
        totals, further = _retotalled(self.terms, updates)
        by_name = entries.groupBy(*groups, _NAME).agg(newest.alias(_ENTRY), *totals, *self._living())
        present = sf.col(_NAME).isNotNull() & sf.col(_ENTRY)["value"].isNotNull()
        entry = sf.when(present, sf.struct(sf.col(_NAME), sf.col(_ENTRY)["value"]))
        merged = sf.map_from_entries(sf.sort_array(sf.collect_list(entry)))
        return by_name.groupBy(*groups).agg(merged.alias(self.policy.value), *further, *self._living())

    def _merged_entries(self, policy: Merge) -> Column:
        """The same in one aggregate, which holds all entries of a group."""
        order = _ranks(self.terms.order)

        def ranked(entry: Column) -> Column:
            return sf.struct(*order, entry["value"].alias("value"), entry["key"].alias("name"))

        entries = sf.flatten(sf.collect_list(sf.transform(sf.map_entries(column(policy.value)), ranked)))
        newest_first = sf.sort_array(entries, asc=False)
        names = sf.array_sort(sf.array_distinct(sf.transform(entries, lambda entry: entry["name"])))

        def newest(name: Column) -> Column:
            return sf.filter(newest_first, lambda entry: entry["name"] == name)[0]["value"]

        merged = sf.map_from_arrays(names, sf.transform(names, newest))
        return sf.map_filter(merged, lambda _, value: value.isNotNull())

    def _listed(self, policy: List) -> Column:
        """The newest values of a group, in one aggregate, which holds all of them."""
        value = column(policy.value)
        ranked = sf.struct(*_ranks(self.terms.order), value.alias("value"))
        oldest_first = sf.sort_array(sf.collect_list(self._alive(sf.when(value.isNotNull(), ranked))))
        first = sf.greatest(sf.lit(1), sf.size(oldest_first) - policy.most + 1)
        newest = sf.slice(oldest_first, first, policy.most)
        return sf.transform(newest, lambda each: each["value"]).alias(policy.value)


def is_tombstone(terms: Terms, tombstones: Tombstones) -> Column:
    """Whether a row deletes its key.

    Raises:
        InvalidConflationError: the column of tombstones does not exist.
    """
    if tombstones.column not in terms.types:
        raise InvalidConflationError(missing_column(tombstones.column, terms.types))
    mark = column(tombstones.column)
    if isinstance(terms.types[tombstones.column], BooleanType):
        return sf.coalesce(mark, sf.lit(col=False))
    return mark.isNull()


def _retotalled(terms: Terms, updates: Column) -> tuple[list[Column], list[Column]]:
    """The totals of rows that were exploded into entries, and the aggregates that combine these totals."""
    names = [UPDATES, *terms.moments()]
    first = [capped(updates).alias(names[0]), *terms.totals()[1:]]
    merges = [lambda column: capped(sf.sum(column)), sf.min, sf.max]
    return first, [merge(sf.col(name)).alias(name) for name, merge in zip(names, merges, strict=False)]


def _ranks(order: Sequence[str]) -> list[Column]:
    return [column(name).alias(f"order{place}") for place, name in enumerate(order)]


def _all_of(conditions: Sequence[Column]) -> Column:
    return reduce(lambda both, condition: both & condition, conditions)


def _side(name: str) -> str:
    """The name of a column on the other side of a join."""
    return f"{name}_side"


def _names(policy: ValuePolicy) -> list[str]:
    match policy:
        case Max(value) | Min(value) | Sum(value) | Merge(value) | List(value):
            return [value]
        case Count():
            return ["count"]
        case Vwap():
            return ["vwap", _VOLUME]
        case Ohlc(_, volume):
            return [_OPEN, _HIGH, _LOW, _CLOSE, *([] if volume is None else [_VOLUME])]
        case _:
            assert_never(policy)


def _check(terms: Terms, policy: ValuePolicy) -> None:
    match policy:
        case Count():
            pass
        case Max(value) | Min(value) | List(value):
            _check_order(terms, value)
        case Sum(value):
            terms.check_number(value, "value to add up")
        case Ohlc(value, volume) | Vwap(value, volume):
            terms.check_number(value, "value")
            if volume is not None:
                terms.check_number(volume, "volume")
        case Merge(value):
            _check_map(terms, value)
        case _:
            assert_never(policy)
    if terms.key in (*_names(policy), *terms.added_columns.values()):
        raise InvalidConflationError(
            f"the key {terms.key!r} has the name of another column of the result: rename it first"
        )


def _check_order(terms: Terms, name: str) -> None:
    if name not in terms.types:
        raise InvalidConflationError(missing_column(name, terms.types))
    if not is_comparable(terms.types[name]):
        raise InvalidConflationError(
            f"column {name!r} has no greatest value: it is {terms.types[name].simpleString()}"
        )


def _check_map(terms: Terms, name: str) -> None:
    if name not in terms.types:
        raise InvalidConflationError(missing_column(name, terms.types))
    kind = terms.types[name]
    if not isinstance(kind, MapType) or not is_comparable(kind.valueType):
        raise InvalidConflationError(
            f"column {name!r} is not a map of values that can be compared: it is {kind.simpleString()}"
        )
