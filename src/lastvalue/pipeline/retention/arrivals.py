"""The columns of a history of messages, and in which of them a queue finds a property.

A history has the columns that can be published (see `sink.sink_columns`), and these:

| column | type | what it is |
| --- | --- | --- |
| sequence | whole number, required | the order of arrival, unique for each row of a queue |
| arrival_time | timestamp, required | when the message arrived |
| queue | string | the queue where it arrived; without the column all rows belong to one queue |
| expiry_time | timestamp | when it expires according to its producer; overrides ttl_ms |
| not_before_time | timestamp | the earliest time of delivery; overrides its annotations |
| correlation_id, reply_to | string | the property of that name |
| size_bytes | whole number | its encoded size; by default the size of the columns' values, encoded |

A queue ignores columns of other names; they stay in the result.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    DoubleType,
    FloatType,
    IntegralType,
    MapType,
    StringType,
    StructType,
)

from lastvalue.codec.amqp10.fields import text_of
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.columns import column
from lastvalue.pipeline.sink.sink_columns import SINK_COLUMNS

SEQUENCE: Final = "sequence"
ARRIVAL: Final = "arrival_time"
QUEUE: Final = "queue"
EXPIRES: Final = "expiry_time"
NOT_BEFORE: Final = "not_before_time"
SIZE: Final = "size_bytes"

_WHOLE: Final = SINK_COLUMNS["priority"]
_ALWAYS: Final[Mapping[str, tuple[str, ...]]] = {
    SEQUENCE: tuple(_WHOLE),
    ARRIVAL: ("timestamp",),
    QUEUE: ("string",),
    EXPIRES: ("timestamp",),
    NOT_BEFORE: ("timestamp",),
    "correlation_id": ("string",),
    "reply_to": ("string",),
    SIZE: tuple(_WHOLE),
}
FIELDS: Final = (*SINK_COLUMNS, "correlation_id", "reply_to")
"""The columns that make up a message."""

_TABLES: Final = ("properties", "annotations")
_SIMPLE: Final = (StringType, BooleanType, IntegralType, FloatType, DoubleType, BinaryType)
_FIELDS: Final = {
    prefix + name: column
    for name, column in (
        ("subject", "subject"),
        ("message-id", "message_id"),
        ("group-id", "group_id"),
        ("content-type", "content_type"),
        ("correlation-id", "correlation_id"),
        ("reply-to", "reply_to"),
    )
    for prefix in ("", "properties.")
}
"""The fields of a message that have a column, in the spelling of declarations."""


class InvalidHistoryError(LastvalueError):
    """A DataFrame lacks a column that a queue's declaration needs, or has one of a wrong type."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True, slots=True)
class PropertyColumn:
    """A column, or an entry of a column, that may hold the value of a property.

    Attributes:
        column: the name of the column.
        entry: the name of the entry or field in it; None: the column itself is the value.
        kind: the type of the value.
    """

    column: str
    entry: str | None
    kind: DataType

    def value(self) -> Column:
        """The value, or null."""
        whole = column(self.column)
        return whole if self.entry is None else whole.getItem(self.entry)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The columns of a history, checked.

    Attributes:
        types: by name, in the order of the DataFrame.
        key_property: the property that the column `key` holds.
    """

    types: Mapping[str, DataType]
    key_property: str

    @classmethod
    def of(cls, schema: StructType, key_property: str) -> "Arrivals":
        """The columns of this schema.

        Raises:
            InvalidHistoryError: a column is of a wrong type.
        """
        types = {field.name: field.dataType for field in schema.fields}
        for name, kind in types.items():
            allowed = _ALWAYS.get(name) or SINK_COLUMNS.get(name, ())
            # A body may have any type, because a queue does not read it.
            if name != "body" and allowed and _name_of(kind) not in allowed:
                raise InvalidHistoryError(
                    f"column {name!r} is {kind.simpleString()}; a history has it as {' or '.join(allowed)}"
                )
            if name in _TABLES:
                _check_entries(name, kind)
        return cls(types, key_property)

    def require(self, name: str, why: str) -> None:
        """Check that there is a column of that name.

        Raises:
            InvalidHistoryError: the column does not exist.
        """
        if name not in self.types:
            raise InvalidHistoryError(
                f"there is no column {name!r}, {why}; there are {', '.join(self.types)}"
            )

    def property_columns(self, name: str) -> list[PropertyColumn]:
        """The columns in which a queue looks for the property of that name, in this order."""
        candidates = []
        if name == self.key_property and "key" in self.types:
            candidates.append(PropertyColumn("key", None, self.types["key"]))
        for table in _TABLES:
            kind = self.types.get(table)
            if isinstance(kind, MapType):
                candidates.append(PropertyColumn(table, name, kind.valueType))
            elif isinstance(kind, StructType) and name in kind.names:
                candidates.append(PropertyColumn(table, name, kind[name].dataType))
        field = _FIELDS.get(name)
        if field in self.types:
            candidates.append(PropertyColumn(str(field), None, self.types[str(field)]))
        return candidates

    def annotations(self, name: str) -> list[PropertyColumn]:
        """The column of the message annotation of that name; at most one."""
        return [each for each in self.property_columns(name) if each.column == "annotations"]

    def require_property(self, name: str, why: str) -> None:
        """Check that a column can hold the property of that name.

        Raises:
            InvalidHistoryError: there is no such column.
        """
        if not self.property_columns(name):
            raise InvalidHistoryError(
                f"no column holds the property {name!r}, {why}: a column 'properties' has none of that name, "
                f"and the column 'key' holds {self.key_property!r} (key_property); "
                f"there are {', '.join(self.types)}"
            )

    def text(self, name: str) -> Column:
        """The property as text, as in `Message.text`."""
        return first_of([(each.value(), _text(each)) for each in self.property_columns(name)])


def first_of(pairs: list[tuple[Column, Column]]) -> Column:
    """Of pairs of a value and its conversion, the conversion of the first value that is not null."""
    result: Column | None = None
    for value, converted in pairs:
        present = value.isNotNull()
        result = sf.when(present, converted) if result is None else result.when(present, converted)
    return sf.lit(None) if result is None else result


def _text(source: PropertyColumn) -> Column:
    """The text as in `Message.text`: a cast, if Spark writes the value as a queue does."""
    if isinstance(source.kind, StringType | IntegralType | BooleanType):
        return source.value().cast("string")
    if isinstance(source.kind, FloatType | DoubleType):
        return sf.udf(_text_of_float, "string", useArrow=True)(source.value().cast("double"))
    return sf.lit(None).cast("string")


def _text_of_float(value: float | None) -> str | None:
    return None if value is None else text_of(value)


def _check_entries(name: str, kind: DataType) -> None:
    if isinstance(kind, MapType):
        if not isinstance(kind.keyType, StringType):
            raise InvalidHistoryError(f"column {name!r} is {kind.simpleString()}; its keys have to be string")
        entries = {"value": kind.valueType}
    else:
        assert isinstance(kind, StructType)  # noqa: S101 - the type was checked
        entries = {field.name: field.dataType for field in kind.fields}
    for entry, type_ in entries.items():
        if not isinstance(type_, _SIMPLE):
            raise InvalidHistoryError(
                f"column '{name}.{entry}' is {type_.simpleString()}; "
                "a message has text, numbers other than decimals, booleans and binaries there: cast it"
            )


def _name_of(kind: DataType) -> str:
    return kind.simpleString().partition("<")[0]
