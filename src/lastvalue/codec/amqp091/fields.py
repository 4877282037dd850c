"""Converts AMQP 1.0 values to fields of tables [0-9-1 §4.2.5.5]: the reverse of `tables`.

AMQP 1.0                           field
boolean                            t
byte, ubyte, short, ushort         b, B, s, u
int, uint, long                    I, i, l
ulong                              l; if too large for that, S with its digits
float, double                      f, d
decimals                           D if they fit; else x, their encoding
string, symbol, char, uuid         S
binary                             x
timestamp                          T, whole seconds
list, array, map                   A, A, F with the names' text
described                          its value
null                               V
"""

import struct
from typing import Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Decimal,
    Described,
    Float,
    Int,
    Short,
    Timestamp,
    UByte,
    UInt,
    UShort,
    Value,
)

_SIZE: Final = struct.Struct(">I")
_LONG: Final = struct.Struct(">cq")
_DOUBLE: Final = struct.Struct(">cd")
_SECONDS: Final = struct.Struct(">cQ")

# By format code: the field type, and the width of its bytes, which are the same in both.
SAME: Final[dict[int, tuple[bytes, int]]] = {
    0x50: (b"B", 1),
    0x51: (b"b", 1),
    0x60: (b"u", 2),
    0x61: (b"s", 2),
    0x70: (b"i", 4),
    0x71: (b"I", 4),
    0x72: (b"f", 4),
    0x81: (b"l", 8),
    0x82: (b"d", 8),
}
_LAYOUTS: Final[dict[type, struct.Struct]] = {
    UByte: struct.Struct(">cB"),
    Byte: struct.Struct(">cb"),
    UShort: struct.Struct(">cH"),
    Short: struct.Struct(">ch"),
    UInt: struct.Struct(">cI"),
    Int: struct.Struct(">ci"),
    Float: struct.Struct(">cf"),
}
_TYPES: Final[dict[type, bytes]] = {
    UByte: b"B",
    Byte: b"b",
    UShort: b"u",
    Short: b"s",
    UInt: b"i",
    Int: b"I",
    Float: b"f",
}


def short_string(text: bytes) -> bytes:
    """A shortstr; a longer text is cut off after a whole character."""
    if len(text) > 255:
        text = text[:255].decode("utf-8", "ignore").encode()
    return bytes((len(text),)) + text


def long_string(octets: bytes) -> bytes:
    """A longstr."""
    return _SIZE.pack(len(octets)) + octets


def table(entries: dict[bytes, bytes]) -> bytes:
    """A table of these names and fields."""
    return long_string(b"".join([short_string(name) + field for name, field in entries.items()]))


def write_field(data: bytes, pos: i64, end: i64) -> tuple[bytes, i64]:
    """The field of the value at pos, and the position after it.

    Raises:
        DecodeError: the bytes are not a valid value.
    """
    if pos < end:
        code: i64 = data[pos]
        if code == 0xA1 or code == 0xA3:
            stop = pos + 2 + data[pos + 1] if pos + 1 < end else end + 1
            if stop > end:
                raise DecodeError("a text exceeds the bytes left")
            return b"S" + _SIZE.pack(stop - pos - 2) + data[pos + 2 : stop], stop
        same = SAME.get(code)
        if same is not None:
            stop = pos + 1 + same[1]
            if stop > end:
                raise DecodeError("a number exceeds the bytes left")
            return same[0] + data[pos + 1 : stop], stop
    stop = skip_value(data, pos, end)
    return field_of(Decoder(data, pos, stop).read()), stop


def field_of(value: Value) -> bytes:  # noqa: C901, PLR0911 - a table of types
    """The field of a decoded value."""
    if value is None:
        return b"V"
    if isinstance(value, bool):
        return b"t\x01" if value else b"t\x00"
    # Before int and float: mypyc treats their subclasses as these types after a check for them.
    kind = type(value)
    layout = _LAYOUTS.get(kind)
    if layout is not None:
        return layout.pack(_TYPES[kind], value)
    if isinstance(value, Timestamp):
        return _SECONDS.pack(b"T", max(0, value // 1000))
    if isinstance(value, int):
        return _LONG.pack(b"l", value) if value < 2**63 else b"S" + long_string(str(value).encode())
    if isinstance(value, float):
        return _DOUBLE.pack(b"d", value)
    if isinstance(value, str):
        return b"S" + long_string(value.encode())
    if isinstance(value, bytes):
        return b"x" + long_string(value)
    if isinstance(value, UUID):
        return b"S" + long_string(str(value).encode())
    if isinstance(value, Decimal):
        return _decimal(value)
    return _compound(value)


def _compound(value: Value) -> bytes:
    if isinstance(value, dict):
        entries = {_name(key): field_of(item) for key, item in value.items()}
        return b"F" + table(entries)
    if isinstance(value, Array):
        return b"A" + long_string(b"".join([field_of(item) for item in value.items]))
    if isinstance(value, list):
        return b"A" + long_string(b"".join([field_of(item) for item in value]))
    return field_of(value.value) if isinstance(value, Described) else b"V"


def _name(key: Value) -> bytes:
    return key if isinstance(key, bytes) else str(key).encode("utf-8", "replace")


def _decimal(value: Decimal) -> bytes:
    if len(value.encoded) == 8:
        bits = int.from_bytes(value.encoded, "big")
        scale = 398 - (bits >> 53 & 0x3FF)
        coefficient = bits & (1 << 53) - 1
        # The two bits after the sign say that the coefficient has another layout.
        if bits >> 61 & 3 != 3 and 0 <= scale <= 255 and coefficient < 1 << 31:
            signed = -coefficient if bits >> 63 else coefficient
            return b"D" + bytes((scale,)) + signed.to_bytes(4, "big", signed=True)
    return b"x" + long_string(value.encoded)
