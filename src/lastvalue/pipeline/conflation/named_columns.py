"""Keys of several columns, and keys and orders that are expressions: a column each, and not in the result."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Final, Self, TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from lastvalue.pipeline.columns import column, missing_column
from lastvalue.pipeline.conflation.errors import InvalidConflationError

ColumnOrName: TypeAlias = Column | str
Columns: TypeAlias = ColumnOrName | Sequence[ColumnOrName]

_KEY: Final = "__lastvalue_named_key"
_ORDER: Final = "__lastvalue_named_order"
_PLAIN: Final = re.compile(r"Column<'(.*)'>")


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """Rows with a column for the key and for each order value.

    Attributes:
        rows: the rows, with the columns that had to be made.
        key: the name of the key's column.
        order: those of the order values.
        parts: the names of the columns that a made key consists of.
    """

    rows: DataFrame
    key: str
    order: tuple[str, ...]
    parts: tuple[str, ...] = ()

    @classmethod
    def of(cls, df: DataFrame, key: Columns, order_by: Columns) -> Self:
        """The rows with what has to be made.

        Raises:
            InvalidConflationError: a key has no column, or one that is not there.
        """
        made: dict[str, Column] = {}
        keys, orders = _listed(key), _listed(order_by)
        names = [_name(df, each) for each in keys]
        if not names:
            raise InvalidConflationError("the key names no column")
        parts: tuple[str, ...] = ()
        name = names[0]
        if len(keys) > 1 or name is None:
            name, parts = _KEY, tuple(_title(df, each) for each in keys)
            values = [_value(df, each) for each in keys]
            # A row that lacks a part has no key.
            whole = reduce(and_, [value.isNotNull() for value in values])
            made[name] = sf.when(
                whole, sf.struct(*(value.alias(part) for value, part in zip(values, parts, strict=True)))
            )
        order: list[str] = []
        for number, each in enumerate(orders):
            known = _name(df, each)
            if known is None:
                known = f"{_ORDER}_{number}"
                made[known] = _value(df, each)
            order.append(known)
        return cls(df.withColumns(made) if made else df, name, tuple(order), parts)

    def without_made(self, result: DataFrame) -> DataFrame:
        """A result without the columns that were made, and with all parts of the key."""
        named = [name for name in result.columns if not name.startswith(_ORDER)]
        if not self.parts:
            return result if len(named) == len(result.columns) else result.select(*map(column, named))
        absent = [part for part in self.parts if part not in named]
        parts = [column(_KEY).getField(part).alias(part) for part in absent]
        return result.select(*parts, *(column(name) for name in named if name != _KEY))


def _listed(columns: Columns) -> list[ColumnOrName]:
    return [columns] if isinstance(columns, str | Column) else list(columns)


def _name(df: DataFrame, wanted: ColumnOrName) -> str | None:
    """The name of a column that is there; None for an expression."""
    if isinstance(wanted, str):
        return wanted
    plain = _PLAIN.fullmatch(str(wanted))
    return plain[1] if plain is not None and plain[1] in df.columns else None


def _title(df: DataFrame, wanted: ColumnOrName) -> str:
    return wanted if isinstance(wanted, str) else df.select(wanted).columns[0]


def _value(df: DataFrame, wanted: ColumnOrName) -> Column:
    if not isinstance(wanted, str):
        return wanted
    if wanted not in df.columns:
        raise InvalidConflationError(missing_column(wanted, df.columns))
    return column(wanted)
