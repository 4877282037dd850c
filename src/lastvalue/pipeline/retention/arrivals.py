"""The columns of a history of messages, and where in them a queue finds what it reads.

A history has the columns that can be published (see `outgoing`), and these:

| column | type | what it is |
| --- | --- | --- |
| sequence | whole number, required | the order of arrival; no two rows of a queue share one |
| arrival_time | timestamp, required | when the message came |
| queue | string | the queue that it came to; without the column all rows are of one |
| expiry_time | timestamp | when the producer lets it expire, whatever its ttl_ms |
| not_before_time | timestamp | when it may be delivered at the earliest, whatever its annotations say |
| correlation_id, reply_to | string | the property of that name |
| size_bytes | whole number | its encoded size; without it that of what the columns hold |

Columns of other names are nothing to a queue; they are passed on.
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
from lastvalue.pipeline.sink.sink_columns import COLUMNS

SEQUENCE: Final = "sequence"
ARRIVAL: Final = "arrival_time"
QUEUE: Final = "queue"
EXPIRES: Final = "expiry_time"
NOT_BEFORE: Final = "not_before_time"
SIZE: Final = "size_bytes"

_WHOLE: Final = COLUMNS["priority"]
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
FIELDS: Final = (*COLUMNS, "correlation_id", "reply_to")
"""The columns of which a message is made."""

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
"""The fields of a message that have a column, as a declaration spells them."""


class InvalidHistoryError(LastvalueError):
    """A DataFrame lacks a column that a queue's declaration needs, or has one of a wrong type."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True, slots=True)
class Place:
    """Where the value of a property may stand.

    Attributes:
        column: the column.
        entry: the name of its entry or field; None where the column is the value.
        kind: the type of the value.
    """

    column: str
    entry: str | None
    kind: DataType

    def value(self) -> Column:
        """The value; null where there is none."""
        found = column(self.column)
        return found if self.entry is None else found.getItem(self.entry)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The columns of a history, checked.

    Attributes:
        types: by name, in the order of the DataFrame.
        key_property: the property that the column `key` stands for.
    """

    types: Mapping[str, DataType]
    key_property: str

    @classmethod
    def of(cls, schema: StructType, key_property: str) -> "Arrivals":
        """The columns of this schema.

        Raises:
            InvalidHistoryError: one is of a wrong type.
        """
        types = {field.name: field.dataType for field in schema.fields}
        for name, kind in types.items():
            wanted = _ALWAYS.get(name) or COLUMNS.get(name, ())
            # What nobody reads of a body may be of any type.
            if name != "body" and wanted and _name_of(kind) not in wanted:
                raise InvalidHistoryError(
                    f"column {name!r} is {kind.simpleString()}; a history has it as {' or '.join(wanted)}"
                )
            if name in _TABLES:
                _check_entries(name, kind)
        return cls(types, key_property)

    def require(self, name: str, why: str) -> None:
        """There is a column of that name.

        Raises:
            InvalidHistoryError: there is none.
        """
        if name not in self.types:
            raise InvalidHistoryError(
                f"there is no column {name!r}, {why}; there are {', '.join(self.types)}"
            )

    def places(self, name: str) -> list[Place]:
        """Where a queue looks for the property of that name, first things first."""
        found = []
        if name == self.key_property and "key" in self.types:
            found.append(Place("key", None, self.types["key"]))
        for table in _TABLES:
            kind = self.types.get(table)
            if isinstance(kind, MapType):
                found.append(Place(table, name, kind.valueType))
            elif isinstance(kind, StructType) and name in kind.names:
                found.append(Place(table, name, kind[name].dataType))
        field = _FIELDS.get(name)
        if field in self.types:
            found.append(Place(str(field), None, self.types[str(field)]))
        return found

    def annotations(self, name: str) -> list[Place]:
        """Where the message annotation of that name stands: nowhere or in one place."""
        return [place for place in self.places(name) if place.column == "annotations"]

    def require_property(self, name: str, why: str) -> None:
        """There is a column where the property of that name may stand.

        Raises:
            InvalidHistoryError: there is none.
        """
        if not self.places(name):
            raise InvalidHistoryError(
                f"no column holds the property {name!r}, {why}: there is none of that name in a column "
                f"'properties', and the column 'key' stands for {self.key_property!r} (key_property); "
                f"there are {', '.join(self.types)}"
            )

    def text(self, name: str) -> Column:
        """The property as text, as `Message.text` gives it."""
        return first_of([(place.value(), _text(place)) for place in self.places(name)])


def column(name: str) -> Column:
    """The column of that name, whatever characters it has."""
    return sf.col("`" + name.replace("`", "``") + "`")


def first_of(found: list[tuple[Column, Column]]) -> Column:
    """Of pairs of a value and what it comes to, the latter of the first value that is not null."""
    result: Column | None = None
    for value, meaning in found:
        result = (
            sf.when(value.isNotNull(), meaning) if result is None else result.when(value.isNotNull(), meaning)
        )
    return sf.lit(None) if result is None else result


def _text(place: Place) -> Column:
    """What `Message.text` gives: a cast, where Spark writes the value as a queue does."""
    if isinstance(place.kind, StringType | IntegralType | BooleanType):
        return place.value().cast("string")
    if isinstance(place.kind, FloatType | DoubleType):
        return sf.udf(_text_of_float, "string", useArrow=True)(place.value().cast("double"))
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
    for entry, held in entries.items():
        if not isinstance(held, _SIMPLE):
            raise InvalidHistoryError(
                f"column '{name}.{entry}' is {held.simpleString()}; "
                "a message has text, numbers that are no decimals, booleans and binaries there: cast it"
            )


def _name_of(kind: DataType) -> str:
    return kind.simpleString().partition("<")[0]
