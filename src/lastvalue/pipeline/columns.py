"""Columns by name, which of them Spark can compare, and names that are near a wrong one."""

from collections.abc import Collection
from difflib import get_close_matches

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql.types import ArrayType, CalendarIntervalType, DataType, MapType, StructType, VariantType

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


class InvalidConflationError(LastvalueError):
    """The columns named cannot be conflated by."""

    condition = Condition.INVALID_FIELD


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
    """The column as something that Spark can compare."""
    if is_comparable(kind):
        return column(name)
    text = sf.to_json(sf.struct(column(name)), {"ignoreNullFields": "false"})
    return sf.when(column(name).isNotNull(), text)


def missing_column(name: str, names: Collection[str]) -> str:
    """What to say of a column that is not there."""
    near = get_close_matches(name, names, n=1)
    hint = f"; is it {near[0]!r}?" if near else ""
    return f"there is no column {name!r}; there are {', '.join(names)}{hint}"
