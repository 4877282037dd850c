"""Encodes and decodes AMQP 1.0 primitive types [1.0 part 1]."""

import struct
from typing import Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import MAX_DEPTH, MAX_ZERO_WIDTH, Decoder
from lastvalue.codec.amqp10.encoded_values import string
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Char,
    Decimal,
    Described,
    EncodedValue,
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
from lastvalue.codec.octets import OCTETS


def decode_value(data: bytes, pos: i64, end: i64) -> tuple[Value, int]:
    """The value at pos, and the position after it.

    Raises:
        DecodeError: the bytes before end are not a valid value.
    """
    decoder = Decoder(data, pos, end)
    value = decoder.read()
    return value, decoder.pos


def skip_value(data: bytes, pos: i64, end: i64) -> i64:  # noqa: C901, PLR0912 - hot: no calls
    """The position after the value at pos, from its size alone; the content is not checked.

    Raises:
        DecodeError: the value does not fit before end.
    """
    depth: i64 = 0
    # One bit per level at which a descriptor has begun and its value has not.
    owed: i64 = 0
    one: i64 = 1
    while True:
        if pos >= end:
            raise DecodeError("the bytes end where a value must start")
        width: i64 = data[pos] >> 4
        pos += 1
        if width >= 0xA:
            if width & 1 == 0:
                if pos >= end:
                    raise DecodeError("the bytes end where a size must be")
                pos += 1 + data[pos]
            else:
                if end - pos < 4:
                    raise DecodeError("the bytes end where a size must be")
                pos += 4 + (data[pos] << 24 | data[pos + 1] << 16 | data[pos + 2] << 8 | data[pos + 3])
        elif width >= 5:
            pos += 1 << (width - 5)
        elif width == 0 and data[pos - 1] == 0:
            # A descriptor and a value follow; either may be described itself.
            depth += 1
            if depth >= MAX_DEPTH:
                raise DecodeError(f"values are nested deeper than {MAX_DEPTH}")
            owed |= one << depth
            continue
        elif width != 4:
            raise DecodeError(f"0x{data[pos - 1]:02x} is not an AMQP 1.0 type")
        while depth > 0 and not owed & (one << depth):
            depth -= 1
        if depth == 0:
            break
        owed &= ~(one << depth)
    if pos > end:
        raise DecodeError(f"a value exceeds the bytes left by {pos - end}")
    return pos


NULL_UINT: Final = -1
"""The result of `uint_at` for null."""

NO_UINT: Final = -2
"""The result of `uint_at` for a value that is neither a uint nor null."""


def uint_at(data: bytes, pos: i64) -> i64:
    """The uint at pos, NULL_UINT or NO_UINT; raises IndexError if the data ends within it."""
    code = data[pos]
    if code == 0x70:
        return data[pos + 1] << 24 | data[pos + 2] << 16 | data[pos + 3] << 8 | data[pos + 4]
    if code == 0x52:
        return data[pos + 1]
    if code == 0x43:
        return 0
    return NULL_UINT if code == 0x40 else NO_UINT


def uint_end(data: bytes, pos: i64) -> i64:
    """The position after the uint or null at pos."""
    code = data[pos]
    return pos + 5 if code == 0x70 else pos + 2 if code == 0x52 else pos + 1


# Narrowest first; the last layout itself checks the range.
_LAYOUTS: Final[dict[str, list[tuple[int, struct.Struct, int, int]]]] = {
    "boolean": [(0x56, struct.Struct(">?"), 0, 1)],
    "ubyte": [(0x50, struct.Struct(">B"), 0, 2**8 - 1)],
    "ushort": [(0x60, struct.Struct(">H"), 0, 2**16 - 1)],
    "uint": [(0x52, struct.Struct(">B"), 0, 2**8 - 1), (0x70, struct.Struct(">I"), 0, 2**32 - 1)],
    "ulong": [(0x53, struct.Struct(">B"), 0, 2**8 - 1), (0x80, struct.Struct(">Q"), 0, 2**64 - 1)],
    "byte": [(0x51, struct.Struct(">b"), -(2**7), 2**7 - 1)],
    "short": [(0x61, struct.Struct(">h"), -(2**15), 2**15 - 1)],
    "int": [(0x54, struct.Struct(">b"), -(2**7), 2**7 - 1), (0x71, struct.Struct(">i"), -(2**31), 2**31 - 1)],
    "long": [
        (0x55, struct.Struct(">b"), -(2**7), 2**7 - 1),
        (0x81, struct.Struct(">q"), -(2**63), 2**63 - 1),
    ],
    "timestamp": [(0x83, struct.Struct(">q"), -(2**63), 2**63 - 1)],
}

# The narrow format codes of types with a size; the wide ones are 0x10 more.
_SIZED: Final = {"binary": 0xA0, "string": 0xA1, "symbol": 0xA3, "list": 0xC0, "map": 0xC1, "array": 0xE0}

_WHOLE: Final = {
    "float": 0x72, "double": 0x82, "char": 0x73, "uuid": 0x98,
    "decimal32": 0x74, "decimal64": 0x84, "decimal128": 0x94,
}  # fmt: skip

_KIND_OF: Final[dict[type, str]] = {
    type(None): "null", bool: "boolean",
    UByte: "ubyte", UShort: "ushort", UInt: "uint", ULong: "ulong",
    Byte: "byte", Short: "short", Int: "int", int: "long",
    Float: "float", float: "double",
    Timestamp: "timestamp", Char: "char", UUID: "uuid",
    bytes: "binary", str: "string", Symbol: "symbol",
    list: "list", tuple: "list", dict: "map", Array: "array",
}  # fmt: skip

# The encodings of values that are false in Python.
_EMPTY: Final = {"null": b"\x40", "boolean": b"\x42", "uint": b"\x43", "ulong": b"\x44", "list": b"\x45"}

_FLOAT: Final = struct.Struct(">f")
_DOUBLE: Final = struct.Struct(">d")
_LONG: Final = struct.Struct(">cq")
_SIZE: Final = struct.Struct(">I")
_SIZE_COUNT: Final = struct.Struct(">II")
_UNCOUNTED: Final = -1


def encode_value(value: Value) -> bytes:
    """The smallest encoding of a value of the types in `values`, or of subclasses of them.

    Raises:
        EncodeError: the value has no encoding.
    """
    try:
        return _encoded(value, 0)
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError, struct.error) as fault:
        raise EncodeError(f"{value!r:.80} cannot be encoded: {fault}") from fault


def _encoded(value: Value, depth: i64) -> bytes:
    if depth >= MAX_DEPTH:
        raise EncodeError(f"values are nested deeper than {MAX_DEPTH}")
    # Large maps and lists have mostly these, which take a tenth of the time so.
    kind_of = type(value)
    if kind_of is str and isinstance(value, str):
        return string(value.encode())
    if kind_of is int and isinstance(value, int) and -(2**63) <= value < 2**63:
        return b"\x55" + OCTETS[value & 0xFF] if -128 <= value < 128 else _LONG.pack(b"\x81", value)
    if isinstance(value, Described):
        return b"\x00" + _encoded(value.descriptor, depth + 1) + _encoded(value.value, depth + 1)
    if isinstance(value, EncodedValue):
        return value.octets
    kind = _kind(value)
    if not value and kind in _EMPTY:
        return _EMPTY[kind]
    return b"\x41" if kind == "boolean" else _constructed(kind, [value], depth)


def _kind(value: Value) -> str:
    kind = _KIND_OF.get(type(value))
    if kind is None:
        if isinstance(value, Decimal):
            return f"decimal{len(value.encoded) * 8}"
        for ancestor in type(value).__mro__:
            kind = _KIND_OF.get(ancestor)
            if kind is not None:
                break
        else:
            raise EncodeError(f"{type(value).__name__} is not an AMQP 1.0 type: {value!r:.80}")
    if kind == "long" and isinstance(value, int) and value >= 2**63:
        return "ulong"
    return kind


def _constructed(kind: str, items: list[Value], depth: i64) -> bytes:
    """A constructor that suits all items, then the items."""
    layouts = _LAYOUTS.get(kind)
    if layouts is not None:
        return _numbers(layouts, items)
    narrow = _SIZED.get(kind)
    if narrow is None:
        if kind not in _WHOLE:
            raise EncodeError(f"{kind} is not an AMQP 1.0 type")
        return bytes((_WHOLE[kind],)) + b"".join([_whole(kind, item) for item in items])
    contents = [_content(kind, item, depth) for item in items]
    if max([len(content) + (count >= 0) for count, content in contents], default=0) < 256 and (
        max([count for count, _ in contents], default=0) < 256
    ):
        return bytes((narrow,)) + b"".join([_narrow(count, content) for count, content in contents])
    return bytes((narrow + 0x10,)) + b"".join([_wide(count, content) for count, content in contents])


def _numbers(layouts: list[tuple[int, struct.Struct, int, int]], items: list[Value]) -> bytes:
    numbers = [item for item in items if isinstance(item, int)]
    if len(numbers) != len(items):
        raise EncodeError(f"no integers: {items!r:.80}")
    smallest = min(numbers, default=0)
    largest = max(numbers, default=0)
    for code, layout, low, high in layouts:
        if low <= smallest and largest <= high:
            return bytes((code,)) + b"".join([layout.pack(number) for number in numbers])
    raise EncodeError(f"{smallest if largest <= high else largest} is not between {low} and {high}")


def _whole(kind: str, value: Value) -> bytes:
    if isinstance(value, UUID):
        return value.bytes
    if isinstance(value, str):
        if len(value) != 1:
            raise EncodeError(f"a char must be one character, not {value!r:.80}")
        return value.encode("utf-32-be")
    if isinstance(value, Decimal):
        if kind != f"decimal{len(value.encoded) * 8}":
            raise EncodeError(f"a {kind} of {len(value.encoded)} bytes")
        return value.encoded
    return _FLOAT.pack(value) if kind == "float" else _DOUBLE.pack(value)


def _content(kind: str, value: Value, depth: i64) -> tuple[int, bytes]:
    """The number of values, or _UNCOUNTED, and their bytes."""
    if isinstance(value, str):
        return _UNCOUNTED, value.encode("ascii" if kind == "symbol" else "utf-8")
    if isinstance(value, bytes):
        return _UNCOUNTED, value
    if isinstance(value, Array):
        return len(value.items), _array_content(value, depth)
    if isinstance(value, dict):
        parts = []
        for key, item in value.items():
            parts.append(_encoded(key, depth + 1))
            parts.append(_encoded(item, depth + 1))
        return len(parts), b"".join(parts)
    if not isinstance(value, (list, tuple)):
        raise EncodeError(f"{value!r:.80} is not a valid {kind}")
    return len(value), b"".join([_encoded(item, depth + 1) for item in value])


def _array_content(array: Array, depth: i64) -> bytes:
    if depth + 1 >= MAX_DEPTH:
        raise EncodeError(f"values are nested deeper than {MAX_DEPTH}")
    for item in array.items:
        if _kind(item) != array.kind:
            raise EncodeError(f"{item!r:.80} in an array of {array.kind}")
    descriptor = b"" if array.descriptor is None else b"\x00" + _encoded(array.descriptor, depth + 1)
    if array.kind == "null":
        if len(array.items) > MAX_ZERO_WIDTH:
            raise EncodeError(f"an array of more than {MAX_ZERO_WIDTH} nulls")
        return descriptor + b"\x40"
    return descriptor + _constructed(array.kind, list(array.items), depth + 1)


def _narrow(count: int, content: bytes) -> bytes:
    if count < 0:
        return bytes((len(content),)) + content
    return bytes((len(content) + 1, count)) + content


def _wide(count: int, content: bytes) -> bytes:
    if count < 0:
        return _SIZE.pack(len(content)) + content
    return _SIZE_COUNT.pack(len(content) + 4, count) + content
