"""Encodes AMQP 0-10 values and records [0-10 part 1], of the types that `decoder` returns."""

import struct
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp010.errors import EncodeError
from lastvalue.codec.amqp010.layouts import BIT, Ranges, Record
from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Char,
    Decimal,
    Described,
    Float,
    Int,
    Short,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
    Value,
)

MAX_DEPTH: Final = 32

_B: Final = struct.Struct(">B")
_H: Final = struct.Struct(">H")
_I: Final = struct.Struct(">I")
_Q: Final = struct.Struct(">Q")
_RANGE: Final = struct.Struct(">II")

_NUMBERS: Final[dict[type, tuple[int, struct.Struct]]] = {
    Byte: (0x01, struct.Struct(">b")),
    UByte: (0x02, _B),
    bool: (0x08, _B),
    Short: (0x11, struct.Struct(">h")),
    UShort: (0x12, _H),
    Int: (0x21, struct.Struct(">i")),
    UInt: (0x22, _I),
    Float: (0x23, struct.Struct(">f")),
    int: (0x31, struct.Struct(">q")),
    ULong: (0x32, _Q),
    float: (0x33, struct.Struct(">d")),
}
_FIELD_NUMBERS: Final = {
    "uint8": _B, "uint16": _H, "uint32": _I, "uint64": _Q, "sequence-no": _I,
}  # fmt: skip
_SIZES: Final = {"str8": (_B, 255), "str16": (_H, 65535), "vbin8": (_B, 255), "vbin16": (_H, 65535),
                 "vbin32": (_I, 2**32 - 1)}  # fmt: skip

MOST_RUNS: Final = 8191
"""Of command ids, in a set."""


def encode_fields(record: Record) -> bytes:
    """The flags and the fields of a record.

    Raises:
        EncodeError: a field's value does not fit its type.
    """
    flags: i64 = 0
    bit: i64 = 1
    values = record.values
    parts: list[bytes] = [b""]
    for name, kind in record.layout.fields:
        value = values.get(name)
        if value is not None and value is not False:
            flags |= bit
            if kind != BIT:
                try:
                    parts.append(_field(kind, value))
                except (struct.error, OverflowError, UnicodeEncodeError) as fault:
                    raise EncodeError(f"{record.layout.name}.{name} is {value!r:.80}: {fault}") from fault
        bit <<= 1
    parts[0] = bytes((flags & 0xFF, flags >> 8))
    return b"".join(parts)


def encode_struct(record: Record) -> bytes:
    """A struct with its size and its code.

    Raises:
        EncodeError: a field's value does not fit its type.
    """
    fields = encode_fields(record)
    return _I.pack(len(fields) + 2) + _H.pack(record.layout.code) + fields


def _field(kind: str, value: Any) -> bytes:  # noqa: PLR0911 - a table
    number = _FIELD_NUMBERS.get(kind)
    if number is not None:
        return number.pack(value)
    sized = _SIZES.get(kind)
    if sized is not None:
        content = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)
        if len(content) > sized[1]:
            raise EncodeError(f"{value!r:.80} has {len(content)} bytes; a {kind} has at most {sized[1]}")
        return sized[0].pack(len(content)) + content
    if kind == "sequence-set":
        return _ranges(value)
    if kind == "map":
        return encode_map(value)
    if kind == "array":
        return _array(value, 0)
    if kind == "datetime":
        return _Q.pack(max(0, value // 1000))
    if kind == "uuid":
        return bytes(value.bytes)
    if kind == "struct:message.reply-to":
        fields = encode_fields(value)
        return _H.pack(len(fields)) + fields
    # struct32, and the structs that are encoded like it
    return encode_struct(value)


def _ranges(value: Ranges) -> bytes:
    if len(value) > MOST_RUNS:
        raise EncodeError(f"{len(value)} runs of command ids; a set has at most {MOST_RUNS}")
    return _H.pack(8 * len(value)) + b"".join([_RANGE.pack(first, last) for first, last in value])


def encode_map(value: Mapping[str, Value], depth: i64 = 0) -> bytes:
    """A map with its size.

    Raises:
        EncodeError: a name is too long, or a value has no encoding.
    """
    if depth > MAX_DEPTH:
        raise EncodeError(f"values are nested deeper than {MAX_DEPTH}")
    parts = [b"", _I.pack(len(value))]
    for name, item in value.items():
        content = str(name).encode("utf-8", "surrogatepass")
        if len(content) > 255:
            raise EncodeError(f"the name {name!r:.80} has {len(content)} bytes; a name has at most 255")
        parts.append(_B.pack(len(content)))
        parts.append(content)
        parts.append(encode_typed(item, depth))
    parts[0] = _I.pack(sum([len(part) for part in parts]))
    return b"".join(parts)


def encode_list(value: "list[Value]", depth: i64 = 0) -> bytes:
    """A list with its size.

    Raises:
        EncodeError: a value has no encoding.
    """
    if depth > MAX_DEPTH:
        raise EncodeError(f"values are nested deeper than {MAX_DEPTH}")
    content = b"".join([encode_typed(item, depth) for item in value])
    return _I.pack(len(content) + 4) + _I.pack(len(value)) + content


def _array(array: Array, depth: i64) -> bytes:
    items = [encode_typed(item, depth) for item in array.items]
    codes = {item[0] for item in items}
    if len(codes) > 1:
        raise EncodeError("an array's values must have one type")
    code = codes.pop() if codes else 0x95
    content = b"".join([item[1:] for item in items])
    return _I.pack(len(content) + 5) + _B.pack(code) + _I.pack(len(items)) + content


def encode_typed(value: Value, depth: i64) -> bytes:  # noqa: C901, PLR0911, PLR0912 - a table of types
    """The code of a value's type, then the value.

    Raises:
        EncodeError: the value has no encoding.
    """
    number = _NUMBERS.get(type(value))
    if number is not None:
        try:
            return _B.pack(number[0]) + number[1].pack(value)
        except struct.error:
            if isinstance(value, int) and 0 <= value < 2**64:
                return b"\x32" + _Q.pack(value)
            raise EncodeError(f"{value!r:.80} is out of its type's range") from None
    if value is None:
        return b"\xf0"
    if isinstance(value, Char):
        # A char of one byte, which all peers read, or of four.
        return b"\x04" + value.encode("latin-1") if value <= "\xff" else b"\x27" + _I.pack(ord(value))
    if isinstance(value, str | Symbol):
        content = value.encode("utf-8", "surrogatepass")
        if len(content) < 65536:
            return b"\x95" + _H.pack(len(content)) + content
        return b"\xa0" + _I.pack(len(content)) + content
    if isinstance(value, bytes | bytearray | memoryview):
        return b"\xa0" + _I.pack(len(value)) + bytes(value)
    if isinstance(value, Timestamp):
        return b"\x38" + _Q.pack(max(0, value // 1000))
    if isinstance(value, Mapping):
        return b"\xa8" + encode_map(value, depth + 1)
    if isinstance(value, list | tuple):
        return b"\xa9" + encode_list(list(value), depth + 1)
    if isinstance(value, UUID):
        return b"\x48" + value.bytes
    if isinstance(value, Array):
        return b"\xaa" + _array(value, depth + 1)
    if isinstance(value, Record):
        return b"\xab" + encode_struct(value)
    if isinstance(value, Decimal):
        return b"\xa0" + _I.pack(len(value.encoded)) + value.encoded
    if isinstance(value, Described):
        return encode_typed(value.value, depth)
    raise EncodeError(f"{value!r:.80} has no AMQP 0-10 type")
