"""Columns by name, values that Spark can compare, and suggestions for misspelt names."""

from collections.abc import Collection
from difflib import get_close_matches

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql.types import ArrayType, CalendarIntervalType, DataType, MapType, StructType, VariantType

from lastvalue.model.message import MOST_UPDATES


def capped(updates: Column) -> Column:
    """A number of updates as queues count them, so that no sum of them overflows."""
    return sf.least(updates, sf.lit(MOST_UPDATES))


def column(name: str) -> Column:
    """The column of exactly that name, whatever characters it has."""
    return sf.col("`" + name.replace("`", "``") + "`")


def is_comparable(kind: DataType) -> bool:
    """Whether Spark can group and order by values of the type."""
    match kind:
        case MapType() | VariantType() | CalendarIntervalType():
            return False
        case ArrayType():
            return is_comparable(kind.elementType)
        case StructType():
            return all(is_comparable(field.dataType) for field in kind.fields)
        case _:
            return True


def comparable(name: str, kind: DataType) -> Column:
    """The column in a form that Spark can compare."""
    if is_comparable(kind):
        return column(name)
    text = sf.to_json(sf.struct(column(name)), {"ignoreNullFields": "false"})
    return sf.when(column(name).isNotNull(), text)


def missing_column(name: str, names: Collection[str]) -> str:
    """The text of an error about a column that does not exist."""
    near = get_close_matches(name, names, n=1)
    hint = f"; is it {near[0]!r}?" if near else ""
    return f"there is no column {name!r}; there are {', '.join(names)}{hint}"


def wall_clock_micros(time: Column) -> Column:
    """The microseconds of a time without a zone since 1970-01-01.

    Not by a difference of timestamps: Spark takes that in the session's zone, which may lack the hour.
    """
    days = sf.unix_date(time.cast("date")).cast("long")
    minutes = (days * 24 + sf.hour(time)) * 60 + sf.minute(time)
    return minutes * 60_000_000 + (sf.extract(sf.lit("SECOND"), time) * 1_000_000).cast("long")
