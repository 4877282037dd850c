"""A message's values as selectors, sort keys and groups read them.

AMQP type                          field
boolean                            bool
integers of every width            int
timestamp                          int, its milliseconds
float, double                      float
string, symbol, char, uuid         str; a UUID in its usual form
binary                             bytes
decimals, list, map, array         bytes: their encoding
null                               None

The identifiers message-id, correlation-id and user-id of any type become text, numbers in decimal.
"""

import math
import struct
from typing import Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.keys import order_at
from lastvalue.codec.amqp10.sections import ABSENT
from lastvalue.codec.amqp10.values import Char, Timestamp, Value
from lastvalue.model.message import FieldValue

# [1.0 §3.2.4] The fields of the properties section, in their order.
PROPERTY_NAMES: Final = (
    "message-id",
    "user-id",
    "to",
    "subject",
    "reply-to",
    "correlation-id",
    "content-type",
    "content-encoding",
    "absolute-expiry-time",
    "creation-time",
    "group-id",
    "group-sequence",
    "reply-to-group-id",
)
_IDENTIFIERS: Final = (0, 1, 5)
_DOUBLE: Final = struct.Struct(">d")

DURABLE_FIELD: Final = -1
PRIORITY_FIELD: Final = -2
TTL_FIELD: Final = -3

STANDARD_FIELDS: Final[dict[str, int]] = {
    "header.durable": DURABLE_FIELD,
    "header.priority": PRIORITY_FIELD,
    "header.ttl": TTL_FIELD,
    **{f"properties.{name}": index for index, name in enumerate(PROPERTY_NAMES)},
}
"""The fields of the sections header and properties, with their index there."""


def utf8_of(name: str) -> bytes:
    """The UTF-8 bytes of a name; for a text without UTF-8, bytes that no message has."""
    return name.encode("utf-8", "surrogatepass")


def field_value_at(data: bytes, pos: i64, end: i64) -> FieldValue:
    """The value at pos as a field; see the table above.

    Raises:
        DecodeError: the bytes are not a valid value.
    """
    if pos < end:
        if data[pos] == 0xA1:
            return _short_text_at(data, pos, end)
        if data[pos] == 0x82 and pos + 9 <= end:
            double: float = _DOUBLE.unpack_from(data, pos + 1)[0]
            return double
    number = order_at(data, pos, end)
    return _unordered_at(data, pos, end) if number is None else number


def property_at(data: bytes, pos: i64, end: i64, index: i64) -> FieldValue:
    """The field at pos, which has this index in the properties section.

    Raises:
        DecodeError: the bytes are not a valid value.
    """
    value = field_value_at(data, pos, end)
    if index in _IDENTIFIERS:
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, bytes):
            return _text_of_bytes(value)
    return value


def text_value_at(data: bytes, pos: i64, end: i64) -> str | None:
    """The text of the value at pos: texts unchanged, numbers decimal, booleans `true` and `false`.

    Raises:
        DecodeError: the bytes are not a valid value.
    """
    if pos < end and data[pos] == 0xA1:
        return _short_text_at(data, pos, end)
    return text_of(Decoder(data, pos, end).read())


def _unordered_at(data: bytes, pos: i64, end: i64) -> FieldValue:
    decoder = Decoder(data, pos, end)
    value = decoder.read()
    if value is None or isinstance(value, bool | bytes):
        return value
    if isinstance(value, float):
        return float(value)
    return str(value) if isinstance(value, str | UUID) else data[pos : decoder.pos]


def _short_text_at(data: bytes, pos: i64, end: i64) -> str:
    if pos + 1 >= end or pos + 2 + data[pos + 1] > end:
        raise DecodeError("a text exceeds the bytes left")
    try:
        return data[pos + 2 : pos + 2 + data[pos + 1]].decode("utf-8")
    except UnicodeDecodeError as fault:
        raise DecodeError(f"text that is not {fault.encoding}: {fault.reason}") from fault


def _text_of_bytes(value: bytes) -> FieldValue:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value


def text_of(value: Value) -> str | None:
    """The text of a value: texts unchanged, numbers decimal, booleans `true` and `false`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _text_of_float(float(value))
    if isinstance(value, str):
        return str(value)
    return None


def _text_of_float(value: float) -> str:
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return f"{int(value)}.0"
    return repr(value)


def milliseconds_at(data: bytes, pos: i64) -> i64:
    """The time at pos in whole milliseconds; ABSENT if it is not a number."""
    value = Decoder(data, pos, len(data)).read()
    if isinstance(value, bool | Char) or not isinstance(value, int | float | Timestamp):
        return ABSENT
    if isinstance(value, float) and not math.isfinite(value):
        return ABSENT
    return max(0, min(int(value), 2**62))
