"""Decodes AMQP 1.0 values of any type [1.0 part 1], with bounded depth and memory.

A decoder allocates at most a small multiple of the size of its input.
Counts are checked against the bytes that remain; array elements of zero width, against MAX_ZERO_WIDTH.
"""

import struct
from collections.abc import Callable
from typing import Final, final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
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
"""The largest depth of nested values; compiled recursion has no other limit."""

MAX_ZERO_WIDTH: Final = 256
"""Array elements that take no bytes, such as nulls; more of them in one value are refused."""

_Reading = tuple[struct.Struct, Callable[..., Value]]

ZERO_WIDTH: Final[dict[int, Value]] = {
    0x40: None,
    0x41: True,
    0x42: False,
    0x43: UInt(0),
    0x44: ULong(0),
}

# [1.0 §1.6] Format code: layout, and the type of the value.
FIXED: Final[dict[int, _Reading]] = {
    0x50: (struct.Struct(">B"), UByte),
    0x51: (struct.Struct(">b"), Byte),
    0x52: (struct.Struct(">B"), UInt),
    0x53: (struct.Struct(">B"), ULong),
    0x54: (struct.Struct(">b"), Int),
    0x55: (struct.Struct(">b"), int),
    0x60: (struct.Struct(">H"), UShort),
    0x61: (struct.Struct(">h"), Short),
    0x70: (struct.Struct(">I"), UInt),
    0x71: (struct.Struct(">i"), Int),
    0x72: (struct.Struct(">f"), Float),
    0x74: (struct.Struct(">4s"), Decimal),
    0x80: (struct.Struct(">Q"), ULong),
    0x81: (struct.Struct(">q"), int),
    0x82: (struct.Struct(">d"), float),
    0x83: (struct.Struct(">q"), Timestamp),
    0x84: (struct.Struct(">8s"), Decimal),
    0x94: (struct.Struct(">16s"), Decimal),
}

# The name of each format code's type in the specification.
KINDS: Final[dict[int, str]] = {
    0x40: "null",
    0x41: "boolean", 0x42: "boolean", 0x56: "boolean",
    0x50: "ubyte", 0x60: "ushort",
    0x43: "uint", 0x52: "uint", 0x70: "uint",
    0x44: "ulong", 0x53: "ulong", 0x80: "ulong",
    0x51: "byte", 0x61: "short",
    0x54: "int", 0x71: "int",
    0x55: "long", 0x81: "long",
    0x72: "float", 0x82: "double",
    0x74: "decimal32", 0x84: "decimal64", 0x94: "decimal128",
    0x73: "char", 0x83: "timestamp", 0x98: "uuid",
    0xA0: "binary", 0xB0: "binary",
    0xA1: "string", 0xB1: "string",
    0xA3: "symbol", 0xB3: "symbol",
    0x45: "list", 0xC0: "list", 0xD0: "list",
    0xC1: "map", 0xD1: "map",
    0xE0: "array", 0xF0: "array",
}  # fmt: skip


@final
class Decoder:
    """Reads values one after the other from data[pos:end]; `pos` moves past each."""

    __slots__ = ("_zero_width", "data", "end", "pos")

    def __init__(self, data: bytes, pos: i64, end: i64) -> None:
        self.data = data
        self.pos: i64 = pos
        self.end: i64 = end
        self._zero_width: i64 = MAX_ZERO_WIDTH

    def read(self) -> Value:
        """The next value.

        Raises:
            DecodeError: the data ends, or the value is malformed or nested deeper than MAX_DEPTH.
        """
        try:
            return self._value(0)
        # Distinct names: mypyc allows one type per variable.
        except UnicodeDecodeError as garbled:
            raise DecodeError(f"text that is not {garbled.encoding}: {garbled.reason}") from garbled
        except (IndexError, OverflowError, RecursionError, TypeError, ValueError, struct.error) as fault:
            raise DecodeError(f"invalid value: {fault}") from fault

    def _value(self, depth: i64) -> Value:
        return self._of(self._constructor(), depth)

    def _constructor(self) -> i64:
        pos = self.pos
        if pos >= self.end:
            raise DecodeError("the bytes end where a value must start")
        self.pos = pos + 1
        return self.data[pos]

    def _of(self, code: i64, depth: i64) -> Value:
        """The value whose constructor was read."""
        if depth >= MAX_DEPTH:
            raise DecodeError(f"values are nested deeper than {MAX_DEPTH}")
        width = code >> 4
        if width >= 0xA:
            return self._sized(code, depth)
        if width == 4:
            return self._zero_width_value(code)
        return self._fixed(code, depth)

    def _fixed(self, code: i64, depth: i64) -> Value:
        if code == 0:
            descriptor = self._value(depth + 1)
            return Described(descriptor, self._value(depth + 1))
        if code == 0x56:
            return self._boolean()
        if code == 0x73:
            return Char(self._take(4).decode("utf-32-be"))
        if code == 0x98:
            return UUID(bytes=self._take(16))
        reading = FIXED.get(code)
        if reading is None:
            raise DecodeError(f"0x{code:02x} is not an AMQP 1.0 type")
        layout, kind = reading
        raw = layout.unpack(self._take(layout.size))[0]
        return raw if kind is int or kind is float else kind(raw)

    def _zero_width_value(self, code: i64) -> Value:
        if code == 0x45:
            return []
        if code > 0x45:
            raise DecodeError(f"0x{code:02x} is not an AMQP 1.0 type")
        return ZERO_WIDTH[code]

    def _boolean(self) -> bool:
        octet = self._take(1)[0]
        if octet > 1:
            raise DecodeError(f"a boolean must be 0 or 1, not {octet}")
        return octet == 1

    def _take(self, size: i64) -> bytes:
        pos = self.pos
        if size > self.end - pos:
            raise DecodeError(f"a value of {size} bytes where {self.end - pos} are left")
        self.pos = pos + size
        return self.data[pos : pos + size]

    def _size(self, width: i64) -> i64:
        size: i64 = int.from_bytes(self._take(width), "big")
        return size

    def _sized(self, code: i64, depth: i64) -> Value:
        """A variable width, compound or array value [1.0 §1.2]; code bit 0x10: its size takes 4 bytes."""
        width: i64 = 1 if code & 0x10 == 0 else 4
        size = self._size(width)
        kind = code & 0xEF
        if kind == 0xA1:
            return self._take(size).decode("utf-8")
        if kind == 0xA3:
            return Symbol(self._take(size).decode("ascii"))
        if kind == 0xA0:
            return self._take(size)
        if kind not in (0xC0, 0xC1, 0xE0):
            raise DecodeError(f"0x{code:02x} is not an AMQP 1.0 type")
        outer = self.end
        inner = self.pos + size
        if inner > outer:
            raise DecodeError(f"a value of {size} bytes where {outer - self.pos} are left")
        self.end = inner
        count = self._size(width)
        value: Value
        if kind == 0xE0:
            value = self._array(count, depth)
        elif count > inner - self.pos:
            raise DecodeError(f"{count} values in {inner - self.pos} bytes")
        elif kind == 0xC0:
            value = [self._value(depth + 1) for _ in range(count)]
        else:
            value = self._map(count, depth)
        if self.pos != inner:
            raise DecodeError(f"{inner - self.pos} bytes more than the values of a {KINDS[code]}")
        self.end = outer
        return value

    def _map(self, count: i64, depth: i64) -> dict[Value, Value]:
        if count & 1 != 0:
            raise DecodeError("a map has a key without a value")
        result: dict[Value, Value] = {}
        pairs: i64 = count >> 1
        for _ in range(pairs):
            key = self._value(depth + 1)
            if isinstance(key, (list, dict)):
                raise DecodeError("a list or a map cannot be a map's key")
            result[key] = self._value(depth + 1)
        if len(result) != pairs:
            raise DecodeError("a map has the same key twice")
        return result

    def _array(self, count: i64, depth: i64) -> Array:
        descriptor: Value = None
        code = self._constructor()
        if code == 0:
            descriptor = self._value(depth + 1)
            code = self._constructor()
        kind = KINDS.get(code)
        if kind is None:
            raise DecodeError(f"an array whose elements are of 0x{code:02x}, which is not an AMQP 1.0 type")
        if code >> 4 == 4:
            self._zero_width -= count
            if self._zero_width < 0:
                raise DecodeError(f"more than {MAX_ZERO_WIDTH} array elements of zero width")
        elif count > self.end - self.pos:
            raise DecodeError(f"an array of {count} elements in {self.end - self.pos} bytes")
        return Array(kind, [self._of(code, depth + 1) for _ in range(count)], descriptor)
