"""The columns of the names in a selector, with their types."""

from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    MapType,
    NullType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.columns import column, missing_column, wall_clock_micros
from lastvalue.pipeline.selection.values import BINARY, BOOLEAN, FLOATING, OTHER, TEXT, WHOLE, Value
from lastvalue.selectors.fields import DELIVERY_MODE, FIELDS, field_of

_HEADER: Final = {"header.durable": "durable", "header.priority": "priority", "header.ttl": "ttl_ms"}
_IDENTIFIERS: Final = ("message_id", "correlation_id", "user_id")
_PROPERTIES: Final = "properties."
_FIELD_NAMES: Final = frozenset(
    field.removeprefix(_PROPERTIES) for field in FIELDS.values() if field.startswith(_PROPERTIES)
)


class UnknownFieldError(LastvalueError):
    """A selector contains a name that the rows do not have."""

    condition = Condition.INVALID_FIELD


class Fields:
    """The names that a selector may use on rows of a schema."""

    def __init__(self, schema: StructType, key_property: str) -> None:
        self._types = {field.name: field.dataType for field in schema.fields}
        self._key_property = key_property
        self._messages = isinstance(self._types.get("properties"), MapType | StructType)

    def value(self, name: str) -> Value:
        """The value of a name in a row.

        Raises:
            UnknownFieldError: names are columns, and the column does not exist.
        """
        field = field_of(name)
        if field != name or field in _HEADER or field.startswith(_PROPERTIES):
            return self._standard(name, field)
        if not self._messages:
            return self._column(name)
        return _first_of(self._candidates(name))

    def _standard(self, name: str, field: str) -> Value:
        """A field that every message can have."""
        if field == DELIVERY_MODE:
            durable = self._standard(name, "header.durable").columns[BOOLEAN]
            return Value({TEXT: sf.when(durable, "PERSISTENT").otherwise("NON_PERSISTENT")})
        own = _HEADER.get(field) or field.removeprefix(_PROPERTIES).replace("-", "_")
        if own not in self._types and not self._messages:
            if name in self._types:
                return self._column(name)
            raise UnknownFieldError(f"{name} is the column {own!r}: {missing_column(own, self._types)}")
        return _with_default(own, self._column(own) if own in self._types else Value({}))

    def _candidates(self, name: str) -> list[Value]:
        """The values that a name other than a field can have in a message, in the order of precedence."""
        values = []
        if name == self._key_property and "key" in self._types:
            values.append(self._column("key"))
        for table in ("properties", "annotations"):
            kind = self._types.get(table)
            if isinstance(kind, MapType):
                values.append(_value(column(table)[name], kind.valueType))
            elif isinstance(kind, StructType) and name in kind.names:
                values.append(_value(column(table)[name], kind[name].dataType))
        own = name.replace("-", "_")
        if name in _FIELD_NAMES and own in self._types:
            values.append(self._column(own))
        return values

    def _column(self, name: str) -> Value:
        if name not in self._types:
            raise UnknownFieldError(missing_column(name, self._types))
        kind = self._types[name]
        if name in _IDENTIFIERS and isinstance(kind, IntegralType):
            return Value({TEXT: column(name).cast("string")})
        if name in _IDENTIFIERS and isinstance(kind, BinaryType):
            return Value({TEXT: sf.try_validate_utf8(column(name).cast("string"))})
        return _value(column(name), kind)


def _with_default(name: str, value: Value) -> Value:
    """The value, or the default of the message field."""
    if name == "priority":
        return Value({WHOLE: sf.coalesce(value.columns.get(WHOLE, sf.lit(None)), sf.lit(4)).cast("bigint")})
    if name == "durable":
        return Value({BOOLEAN: sf.coalesce(value.columns.get(BOOLEAN, sf.lit(None)), sf.lit(col=False))})
    return value


def _first_of(values: list[Value]) -> Value:
    """The first value that is not NULL, of any type."""
    columns: dict[str, Column] = {}
    present: Column | None = None
    for value in values:
        for kind, own in value.columns.items():
            visible = own if present is None else sf.when(~present, own)
            columns[kind] = sf.coalesce(columns[kind], visible) if kind in columns else visible
        present = value.present() if present is None else present | value.present()
    return Value(columns)


def _value(own: Column, kind: DataType) -> Value:
    match kind:
        case BooleanType():
            return Value({BOOLEAN: own})
        case IntegralType() | TimestampType() | TimestampNTZType() | DateType():
            return Value({WHOLE: _whole(own, kind)})
        case DecimalType() if kind.scale == 0:
            return Value({WHOLE: own})
        case FloatType() | DoubleType() | DecimalType():
            return Value({FLOATING: own.cast("double")})
        case StringType():
            return Value({TEXT: own if kind == StringType() else sf.collate(own, "UTF8_BINARY")})
        case _:
            opaque = BINARY if isinstance(kind, BinaryType) else OTHER
            return Value({} if isinstance(kind, NullType) else {opaque: own})


def _whole(own: Column, kind: DataType) -> Column:
    """A number, or a time in milliseconds since the epoch."""
    match kind:
        case TimestampType():
            return sf.unix_millis(own)
        case TimestampNTZType():
            return sf.floor(wall_clock_micros(own) / 1000)
        case DateType():
            return sf.unix_date(own).cast("bigint") * 86_400_000
        case _:
            return own.cast("bigint")
