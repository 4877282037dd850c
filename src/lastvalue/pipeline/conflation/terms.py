"""The terms of a conflation: key, order, time and interval, checked against a schema, as Spark columns."""

from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import (
    DataType,
    DateType,
    IntegralType,
    LongType,
    NumericType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from lastvalue.pipeline.columns import capped, column, is_comparable, missing_column, wall_clock_micros
from lastvalue.pipeline.conflation.errors import InvalidConflationError

KEY: Final = "__lastvalue_key"
KEYLESS_ID: Final = "__lastvalue_keyless_id"
INTERVAL: Final = "__lastvalue_interval"
UPDATES: Final = "__lastvalue_updates"
FIRST_TIME: Final = "__lastvalue_first_time"
LAST_TIME: Final = "__lastvalue_last_time"

INTERVAL_START: Final = "interval_start"
TIMES: Final = {FIRST_TIME: "first_time", LAST_TIME: "last_time"}

_ORDERS: Final = (NumericType, DateType, TimestampType, TimestampNTZType)
_MOMENTS: Final = (TimestampType, TimestampNTZType)


@dataclass(frozen=True, slots=True)
class Terms:
    """The columns of a conflation, checked.

    Attributes:
        types: of the input's columns.
        order: the columns that decide which of two rows is newer.
        time: the column with the time of an update, or None.
        every_us: the length of an interval in microseconds; None: one row per key.
        updates: the name of the count in the result; None: no count.
    """

    types: dict[str, DataType]
    key: str
    order: tuple[str, ...]
    time: str | None
    every_us: int | None
    updates: str | None

    @classmethod
    def of(
        cls,
        schema: StructType,
        key: str,
        order_by: str | tuple[str, ...],
        *,
        time: str | None = None,
        every_us: int | None = None,
        updates: str | None = None,
    ) -> "Terms":
        """The terms.

        Raises:
            InvalidConflationError: a column is missing, or of a wrong type.
        """
        types = {field.name: field.dataType for field in schema.fields}
        order = (order_by,) if isinstance(order_by, str) else order_by
        if time is None:
            time = next((name for name in order if isinstance(types.get(name), _MOMENTS)), None)
        terms = cls(types, key, order, time, every_us, updates)
        terms._check()
        return terms

    @property
    def row_columns(self) -> tuple[str, ...]:
        """The columns of a row that stay in the result, without those that conflation adds."""
        added = {self.updates, *(TIMES.values() if self.time is not None else ())}
        if self.every_us is not None:
            added.add(INTERVAL_START)
        return tuple(name for name in self.types if name not in added)

    @property
    def added_columns(self) -> dict[str, str]:
        """The columns that conflation adds: internal name to name in the result."""
        names = {} if self.every_us is None else {INTERVAL: INTERVAL_START}
        if self.updates is not None:
            names[UPDATES] = self.updates
        return names | (TIMES if self.time is not None else {})

    def count(self) -> Column:
        """The number of updates that a row stands for before this conflation."""
        if self.updates is None or self.updates not in self.types:
            return sf.lit(1).cast("long")
        return capped(sf.coalesce(column(self.updates).cast("long"), sf.lit(1)))

    def moment_columns(self) -> dict[str, tuple[str, ...]]:
        """The columns of a row's first and last time; the first column with a value counts."""
        if self.time is None:
            return {}
        return {
            inner: (name, self.time) if self._is_moment(name) else (self.time,)
            for inner, name in TIMES.items()
        }

    def moments(self) -> dict[str, Column]:
        """The time of the first and the last update that a row stands for."""
        return {inner: sf.coalesce(*map(column, names)) for inner, names in self.moment_columns().items()}

    def totals(self) -> list[Column]:
        """The aggregates that every result has."""
        has_updates = self.updates is not None and self.updates in self.types
        updates = sf.sum(self.count()) if has_updates else sf.count(sf.lit(1))
        totals = [capped(updates).alias(UPDATES)]
        moments = self.moments()
        if moments:
            totals.append(sf.min(moments[FIRST_TIME]).alias(FIRST_TIME))
            totals.append(sf.max(moments[LAST_TIME]).alias(LAST_TIME))
        return totals

    def interval(self) -> Column:
        """The start of a row's interval; intervals are counted from 1970 in UTC."""
        assert self.time is not None  # noqa: S101 - checked with `every`
        assert self.every_us is not None  # noqa: S101 - the caller asks for it
        time = column(self.time)
        if isinstance(self.types[self.time], TimestampType):
            micros = sf.unix_micros(time)
            return sf.timestamp_micros(micros - sf.pmod(micros, sf.lit(self.every_us)))
        epoch = sf.expr("TIMESTAMP_NTZ '1970-01-01'")
        micros = wall_clock_micros(time)
        return sf.timestamp_add("MICROSECOND", micros - sf.pmod(micros, sf.lit(self.every_us)), epoch)

    def window(self) -> Column:
        """The interval for streams, which Spark closes by watermark; rows without a time are dropped."""
        assert self.time is not None  # noqa: S101 - checked with `every`
        return sf.window(column(self.time), f"{self.every_us} microseconds")

    def with_keyless_id(self, df: DataFrame) -> DataFrame:
        """The rows of a batch with the column KEYLESS_ID: a unique number for each row without a key."""
        return df.withColumn(KEYLESS_ID, sf.when(column(self.key).isNull(), sf.monotonically_increasing_id()))

    def check_number(self, name: str, use: str) -> None:
        """Raise InvalidConflationError unless the column exists and is a number."""
        if name not in self.types:
            raise InvalidConflationError(missing_column(name, self.types))
        if not isinstance(self.types[name], NumericType):
            raise InvalidConflationError(
                f"column {name!r} is not a {use}: it is {self.types[name].simpleString()}; "
                "cast it to a number"
            )

    def _is_moment(self, name: str) -> bool:
        return self.time is not None and self.types.get(name) == self.types[self.time] and name != self.time

    def _check(self) -> None:
        types = self.types
        if not self.order:
            raise InvalidConflationError("order_by names no column")
        for name in (self.key, *self.order, *([] if self.time is None else [self.time])):
            if name not in types:
                raise InvalidConflationError(missing_column(name, types))
        if not is_comparable(types[self.key]):
            raise InvalidConflationError(
                f"column {self.key!r} cannot be a key: it is {types[self.key].simpleString()}"
            )
        for name in self.order:
            if not isinstance(types[name], _ORDERS):
                raise InvalidConflationError(
                    f"column {name!r} cannot order rows: it is {types[name].simpleString()}; "
                    "cast it to a number, a timestamp or a date"
                )
        self._check_time()
        updates = self.updates
        if updates in (self.key, *self.order):
            raise InvalidConflationError(f"{updates!r} is key or order already: name the count differently")
        if updates and not isinstance(types.get(updates, LongType()), IntegralType):
            raise InvalidConflationError(
                f"column {updates!r} does not hold counts: it is {types[updates].simpleString()}"
            )

    def _check_time(self) -> None:
        if self.time is None:
            if self.every_us is not None:
                raise InvalidConflationError(
                    "an interval needs a time: name a timestamp column as `time`, or order by one"
                )
            return
        if not isinstance(self.types[self.time], _MOMENTS):
            raise InvalidConflationError(
                f"column {self.time!r} is not a time: it is {self.types[self.time].simpleString()}; "
                "cast it to a timestamp"
            )
