"""Decodes AMQP 0-10 values and records [0-10 part 1], with bounded depth and memory.

The values are those of `codec.amqp10.values`: a datetime is a Timestamp in milliseconds, and types without an
equivalent (fixed binaries, decimals) are bytes.
"""

import struct
from collections.abc import Callable
from typing import Any, Final, final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp010.command_layouts import MESSAGE_REPLY_TO, STRUCTS
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.layouts import BIT, Layout, Ranges, Record
from lastvalue.codec.amqp10.sections import MOST_VALUES
from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Char,
    Float,
    Int,
    Short,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
    Value,
)

MAX_DEPTH: Final = 32
"""The largest depth of nested values; compiled recursion has no other limit."""
_LAST_MS: Final = 2**63 - 1

_NUMBERS: Final[dict[int, tuple[struct.Struct, Callable[[Any], Value]]]] = {
    0x01: (struct.Struct(">b"), Byte),
    0x02: (struct.Struct(">B"), UByte),
    0x08: (struct.Struct(">B"), bool),
    0x11: (struct.Struct(">h"), Short),
    0x12: (struct.Struct(">H"), UShort),
    0x21: (struct.Struct(">i"), Int),
    0x22: (struct.Struct(">I"), UInt),
    0x23: (struct.Struct(">f"), Float),
    0x31: (struct.Struct(">q"), int),
    0x32: (struct.Struct(">Q"), ULong),
    0x33: (struct.Struct(">d"), float),
}
_KINDS: Final = {
    0x01: "byte", 0x02: "ubyte", 0x08: "boolean", 0x11: "short", 0x12: "ushort", 0x21: "int", 0x22: "uint",
    0x23: "float", 0x31: "long", 0x32: "ulong", 0x33: "double", 0x38: "timestamp", 0x48: "uuid",
    0x84: "string", 0x85: "string", 0x86: "string", 0x94: "string", 0x95: "string", 0x96: "string",
    0xA8: "map", 0xA9: "list", 0xAA: "array", 0xAB: "struct32", 0x04: "char", 0x27: "char",
}  # fmt: skip
"""The type's name in AMQP 1.0 by code; other codes are binaries."""
_ENCODINGS: Final = {0x84: "latin-1", 0x85: "utf-8", 0x86: "utf-16-be", 0x94: "latin-1", 0x95: "utf-8",
                     0x96: "utf-16-be"}  # fmt: skip
_WIDTHS: Final = (1, 2, 4, 8, 16, 32, 64, 128)
_U16: Final = struct.Struct(">H")
_U32: Final = struct.Struct(">I")
_U64: Final = struct.Struct(">Q")
_RANGE: Final = struct.Struct(">II")

_FIELD_CODES: Final = {
    "uint8": 0x02, "uint16": 0x12, "uint32": 0x22, "uint64": 0x32, "sequence-no": 0x22, "datetime": 0x38,
    "uuid": 0x48, "str8": 0x85, "str16": 0x95, "vbin8": 0x80, "vbin16": 0x90, "vbin32": 0xA0, "map": 0xA8,
    "array": 0xAA, "struct32": 0xAB,
}  # fmt: skip


@final
class Decoder:
    """A position in bytes, from which values are read up to an end.

    Its methods raise the errors of reading past the bytes; `decoded` turns these into a DecodeError.
    """

    __slots__ = ("_values_left", "data", "end", "pos")

    def __init__(self, data: bytes, pos: i64, end: i64, values_left: i64 = MOST_VALUES) -> None:
        self.data = data
        self.pos: i64 = pos
        self.end: i64 = end
        self._values_left: i64 = values_left

    def take(self, size: i64) -> bytes:
        """This many bytes."""
        start = self.pos
        if start + size > self.end:
            raise DecodeError(f"{size} bytes are announced, {self.end - start} are left")
        self.pos = start + size
        return self.data[start : self.pos]

    def size(self, width: i64) -> i64:
        """An unsigned number of 1, 2 or 4 bytes."""
        taken = self.take(width)
        number: i64 = 0
        for byte in taken:
            number = number << 8 | byte
        return number

    def record(self, layout: Layout) -> Record:
        """The fields of a record with two bytes of flags; stops after the last field."""
        low: i64 = self.size(1)
        flags: i64 = low | self.size(1) << 8
        values: dict[str, Value] = {}
        bit: i64 = 1
        for name, kind in layout.fields:
            if flags & bit:
                values[name] = True if kind is BIT or kind == BIT else self.field(kind)
            bit <<= 1
        if flags >= bit:
            raise DecodeError(f"{layout.name} has no field of the flags 0x{flags:04x}")
        return Record(layout, values)

    def field(self, kind: str) -> Value:
        """A field of one of the types in the tables."""
        code = _FIELD_CODES.get(kind)
        if code is not None:
            return self.value(code, 0)
        if kind == "sequence-set":
            return self.ranges()
        if kind == "struct:message.reply-to":
            size = self.size(2)
            inner = Decoder(self.data, self.pos, self.pos + size)
            self.take(size)
            return inner.record(MESSAGE_REPLY_TO)
        if kind == "struct:dtx.xid":
            return self.struct32()
        raise DecodeError(f"fields of the type {kind} are not supported")

    def ranges(self) -> Ranges:
        """A sequence-set."""
        size = self.size(2)
        taken = self.take(size)
        if size & 7:
            raise DecodeError(f"a set of command ids must be pairs of 8 bytes, not {size} bytes")
        return list(_RANGE.iter_unpack(taken))

    def struct32(self) -> Record:
        """A struct that begins with its size and its code."""
        size = self.size(4)
        if self.pos + size > self.end:
            raise DecodeError(f"a struct has {size} bytes, {self.end - self.pos} are left")
        inner = Decoder(self.data, self.pos, self.pos + size, self._values_left)
        self.pos += size
        code = int(inner.size(2))
        layout = STRUCTS.get(code)
        if layout is None:
            raise DecodeError(f"unknown struct code 0x{code:04x}")
        record = inner.record(layout)
        self._values_left = inner._values_left
        return record

    def typed(self, depth: i64) -> Value:
        """A value that begins with the code of its type."""
        return self.value(self.size(1), depth)

    def value(self, code: i64, depth: i64) -> Value:  # noqa: PLR0911 - a table of types
        """A value of the type with this code."""
        self._count_value()
        number = _NUMBERS.get(code)
        if number is not None:
            layout, kind = number
            return kind(layout.unpack(self.take(layout.size))[0])
        encoding = _ENCODINGS.get(code)
        if encoding is not None:
            return str(self.take(self.size(1 if code < 0x90 else 2)), encoding)
        if 0xA8 <= code <= 0xAB:
            return self._compound(code, depth)
        if code >= 0x80:
            return self._rest(code)
        taken = self.take(_WIDTHS[code >> 4])
        if code == 0x38:
            return Timestamp(min(_U64.unpack(taken)[0] * 1000, _LAST_MS))
        if code == 0x48:
            return UUID(bytes=taken)
        if code == 0x04:
            return Char(chr(taken[0]))
        if code == 0x27:
            return Char(chr(_U32.unpack(taken)[0]))
        return taken

    def _rest(self, code: i64) -> Value:
        group = code >> 4
        if group == 0xF:
            # void, and bit, whose presence means true
            return None if code == 0xF0 else True
        if group in (0xC, 0xD):
            return self.take(5 if group == 0xC else 9)
        if group <= 0xA:
            return self.take(self.size(1 << (group - 8)))
        raise DecodeError(f"unknown type code 0x{code:02x}")

    def _compound(self, code: i64, depth: i64) -> Value:
        if depth >= MAX_DEPTH:
            raise DecodeError(f"values are nested deeper than {MAX_DEPTH}")
        if code == 0xAB:
            return self.struct32()
        size = self.size(4)
        if self.pos + size > self.end:
            raise DecodeError(f"a value has {size} bytes, {self.end - self.pos} are left")
        inner = Decoder(self.data, self.pos, self.pos + size, self._values_left)
        self.pos += size
        if code == 0xA8:
            found = inner.map_entries(depth + 1)
        elif code == 0xA9:
            found = inner.list_items(depth + 1)
        else:
            found = inner.array_items(depth + 1)
        if inner.pos != inner.end:
            raise DecodeError(f"{inner.end - inner.pos} bytes are left over in a value of {size}")
        self._values_left = inner._values_left
        return found

    def map_entries(self, depth: i64) -> Value:
        """The content of a map at this depth; an empty map may have no bytes."""
        entries: dict[str, Value] = {}
        if self.pos == self.end:
            return entries
        for _ in range(self._count(2)):
            self._count_value()
            name = str(self.take(self.size(1)), "utf-8")
            entries[name] = self.typed(depth)
        return entries

    def list_items(self, depth: i64) -> Value:
        """The content of a list at this depth."""
        if self.pos == self.end:
            return []
        return [self.typed(depth) for _ in range(self._count(1))]

    def array_items(self, depth: i64) -> Value:
        """The content of an array at this depth."""
        if self.pos == self.end:
            return Array("string")
        code = self.size(1)
        kind = _KINDS.get(code, "binary")
        count = self._count(0 if code >= 0xF0 else 1)
        return Array(kind, [self.value(code, depth) for _ in range(count)])

    def _count_value(self) -> None:
        self._values_left -= 1
        if self._values_left < 0:
            raise DecodeError(f"a value has at most {MOST_VALUES} others in it, with their names")

    def _count(self, width: i64) -> i64:
        count = self.size(4)
        if (count > self.end - self.pos) if width == 0 else (count * width > self.end - self.pos):
            raise DecodeError(f"{count} values are announced in {self.end - self.pos} bytes")
        return count


def decode_record(data: bytes, pos: i64, end: i64, layout: Layout) -> tuple[Record, int]:
    """The record at pos, and the position after it.

    Raises:
        DecodeError: the bytes before end are not a record.
    """
    decoder = Decoder(data, pos, end)
    try:
        record = decoder.record(layout)
    except (UnicodeDecodeError, struct.error, ValueError, OverflowError) as fault:
        raise DecodeError(f"{layout.name}: {fault}") from fault
    return record, decoder.pos


def decode_structs(data: bytes) -> list[Record]:
    """The structs of a header segment, without those of unknown codes.

    Raises:
        DecodeError: the bytes are not structs.
    """
    decoder = Decoder(data, 0, len(data))
    found = []
    try:
        while decoder.pos < decoder.end:
            code = int(_U16.unpack_from(data, decoder.pos + 4)[0]) if decoder.pos + 6 <= decoder.end else -1
            if code in STRUCTS:
                found.append(decoder.struct32())
            else:
                decoder.take(decoder.size(4))
    except (UnicodeDecodeError, struct.error, ValueError, OverflowError) as fault:
        raise DecodeError(f"invalid header segment: {fault}") from fault
    return found


def decode_map(data: bytes) -> dict[str, Value]:
    """Decode a body that is a map.

    Raises:
        DecodeError: the body is not a map.
    """
    value = _whole(data, 0xA8)
    if not isinstance(value, dict):
        raise DecodeError("the body must be a map")
    return value


def decode_list(data: bytes) -> list[Value]:
    """Decode a body that is a list.

    Raises:
        DecodeError: the body is not a list.
    """
    value = _whole(data, 0xA9)
    if not isinstance(value, list):
        raise DecodeError("the body must be a list")
    return value


def _whole(data: bytes, code: i64) -> Value:
    decoder = Decoder(data, 0, len(data))
    try:
        value = decoder.value(code, 0)
    except (UnicodeDecodeError, struct.error, ValueError, OverflowError) as fault:
        raise DecodeError(f"the body: {fault}") from fault
    if decoder.pos != decoder.end:
        raise DecodeError(f"{decoder.end - decoder.pos} bytes follow the body's value")
    return value
