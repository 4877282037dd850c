"""The typed properties of a CORE message, which are also the body of a JMS map message."""

from typing import Final, TypeAlias

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError, LargeStructureError
from lastvalue.codec.amqp10.sections import MOST_VALUES
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.writer import CoreWriter

NULL: Final = 0
BOOLEAN: Final = 2
BYTE: Final = 3
BYTES: Final = 4
SHORT: Final = 5
INT: Final = 6
LONG: Final = 7
FLOAT: Final = 8
DOUBLE: Final = 9
STRING: Final = 10
CHAR: Final = 11

PropertyValue: TypeAlias = bool | int | float | str | bytes | None

TypedProperties: TypeAlias = dict[str, tuple[int, PropertyValue]]
"""By name, in the order in which they are written: the type's code and the value; a CHAR is a text of one."""

MOST_PROPERTIES: Final = MOST_VALUES // 2
"""A name is a value, too."""
_SMALLEST_PROPERTY: Final = 5
"""The bytes of a property with an empty name and no value."""


def read_properties(reader: CoreReader) -> TypedProperties:
    """Read properties; of those with one name the last one counts.

    Raises:
        DecodeError: they are malformed.
        LargeStructureError: there are more than MOST_PROPERTIES.
    """
    properties: TypedProperties = {}
    if not reader.boolean():
        return properties
    count = reader.int32()
    if not 0 <= count <= reader.left() // _SMALLEST_PROPERTY:
        raise DecodeError(f"{count} properties cannot be in {reader.left()} bytes")
    if count > MOST_PROPERTIES:
        raise LargeStructureError(
            f"a message has {count} properties, or entries of its map; it may have {MOST_PROPERTIES}"
        )
    for _ in range(count):
        name = reader.simple_string()
        code: i64 = reader.int8()
        properties[name] = (code, read_value(reader, code))
    return properties


def write_properties(writer: CoreWriter, properties: TypedProperties) -> None:
    """Write properties; their values are of their types."""
    writer.boolean(len(properties) > 0)
    if not properties:
        return
    writer.int32(len(properties))
    for name, (code, value) in properties.items():
        writer.simple_string(name)
        write_value(writer, code, value)


def read_value(reader: CoreReader, code: i64) -> PropertyValue:
    """Read a value of a type, whose code has been read.

    Raises:
        DecodeError: it is malformed.
    """
    if code == STRING:
        return reader.simple_string()
    if code == INT:
        return reader.int32()
    if code == LONG:
        return reader.int64()
    if code == BOOLEAN:
        return reader.boolean()
    if code == DOUBLE:
        return reader.float64()
    return _read_rare(reader, code)


def _read_rare(reader: CoreReader, code: i64) -> PropertyValue:
    if code == NULL:
        return None
    if code == BYTE:
        return reader.int8()
    if code == SHORT:
        return reader.int16()
    if code == FLOAT:
        return reader.float32()
    if code == CHAR:
        return chr(reader.uint16())
    if code == BYTES:
        return reader.binary()
    raise DecodeError(f"a property's type is {NULL} or {BOOLEAN} to {CHAR}, not {code}")


def write_value(writer: CoreWriter, code: i64, value: PropertyValue) -> None:
    """Write a type's code and a value of that type."""
    writer.int8(code)
    if isinstance(value, str):
        if code == CHAR:
            writer.int16(ord(value))
        else:
            writer.simple_string(value)
    elif isinstance(value, bytes):
        writer.binary(value)
    elif isinstance(value, float):
        if code == FLOAT:
            writer.float32(value)
        else:
            writer.float64(value)
    elif value is not None:
        _write_integer(writer, code, int(value))


def _write_integer(writer: CoreWriter, code: i64, value: i64) -> None:
    if code == BOOLEAN:
        writer.boolean(value != 0)
    elif code == BYTE:
        writer.int8(value)
    elif code == SHORT:
        writer.int16(value)
    elif code == INT:
        writer.int32(value)
    else:
        writer.int64(value)
