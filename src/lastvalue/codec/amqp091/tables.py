"""Converts field tables [0-9-1 §4.2.5.5] to AMQP 1.0 maps, without values in between.

field                              AMQP 1.0
t                                  boolean
b, B, s U, u, I, i                 byte, ubyte, short, ushort, int, uint
l L                                long
f, d                               float, double
D                                  decimal64
S                                  string; binary if it is not UTF-8
x                                  binary
T                                  timestamp
A, F                               list, map
V                                  null

The types of integers are those that clients use; the specification's differ.
"""

import struct
from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp091.errors import SYNTAX_ERROR, ReplyError
from lastvalue.codec.amqp10.decoder import MAX_DEPTH
from lastvalue.codec.amqp10.encoded_values import binary, encoded_list, encoded_map, string

_SIGNED: Final = struct.Struct(">i")
_MILLISECONDS: Final = struct.Struct(">q")

# By field type: the number of bytes, and the AMQP 1.0 constructor if the bytes are the same.
SAME: Final[dict[int, tuple[int, bytes]]] = {
    ord("b"): (1, b"\x51"),
    ord("B"): (1, b"\x50"),
    ord("s"): (2, b"\x61"),
    ord("U"): (2, b"\x61"),
    ord("u"): (2, b"\x60"),
    ord("I"): (4, b"\x71"),
    ord("i"): (4, b"\x70"),
    ord("l"): (8, b"\x81"),
    ord("L"): (8, b"\x81"),
    ord("f"): (4, b"\x72"),
    ord("d"): (8, b"\x82"),
}

_DECIMAL64_BIAS: Final = 398
_MOST_SECONDS: Final = 2**63 // 1000


def text_of(octets: bytes) -> bytes:
    """A string, or a binary if the bytes are not UTF-8."""
    if not octets.isascii():
        try:
            octets.decode("utf-8")
        except UnicodeDecodeError:
            return binary(octets)
    return string(octets)


def decimal64(scale: int, value: int) -> bytes:
    """Value / 10**scale as a decimal64, its coefficient an integer [IEEE 754-2008 §3.5.2]."""
    sign = 1 << 63 if value < 0 else 0
    return (sign | (_DECIMAL64_BIAS - scale) << 53 | abs(value)).to_bytes(8, "big")


def read_table(data: bytes, pos: i64, end: i64, depth: i64 = 0) -> list[tuple[bytes, int, bytes]]:
    """The entries of the table at pos: name, field type, and the value in AMQP 1.0; each name once.

    Raises:
        ReplyError: there is no table before end.
    """
    try:
        stop = _stop(data, pos, end)
        pos += 4
        found: dict[bytes, tuple[bytes, int, bytes]] = {}
        while pos < stop:
            start = pos + 1
            pos = start + data[pos]
            name = data[start:pos]
            if not name.isascii():
                name.decode("utf-8")
            if pos >= stop:
                raise ReplyError(SYNTAX_ERROR, "a table ends within a name")
            kind = data[pos]
            value, pos = read_field(data, pos, stop, depth)
            found[name] = (name, kind, value)
    # Distinct names: mypyc allows one type per variable.
    except (IndexError, struct.error) as short:
        raise ReplyError(SYNTAX_ERROR, "a table ends within a field") from short
    except UnicodeDecodeError as garbled:
        raise ReplyError(SYNTAX_ERROR, "a name in a table is not valid UTF-8") from garbled
    return list(found.values())


def table_end(data: bytes, pos: i64, end: i64) -> i64:
    """The position after the table at pos.

    Raises:
        ReplyError: there is no table before end.
    """
    try:
        return _stop(data, pos, end)
    except IndexError as fault:
        raise ReplyError(SYNTAX_ERROR, "the bytes end where a table must start") from fault


def _stop(data: bytes, pos: i64, end: i64) -> i64:
    """The end of a field whose size is in the four bytes at pos."""
    stop: i64 = pos + 4 + (data[pos] << 24 | data[pos + 1] << 16 | data[pos + 2] << 8 | data[pos + 3])
    if stop > end:
        raise ReplyError(SYNTAX_ERROR, f"a field exceeds the bytes left by {stop - end}")
    return stop


def read_field(data: bytes, pos: i64, end: i64, depth: i64) -> tuple[bytes, i64]:
    """The field at pos in AMQP 1.0, and the position after it; raises IndexError if the data ends within it.

    Raises:
        ReplyError: the field exceeds the bytes before end, or has an unknown type.
    """
    kind: i64 = data[pos]
    pos += 1
    if kind == 0x53:
        stop = _stop(data, pos, end)
        return text_of(data[pos + 4 : stop]), stop
    same = SAME.get(kind)
    if same is not None:
        stop = pos + same[0]
        if stop > end:
            raise ReplyError(SYNTAX_ERROR, "a number exceeds the bytes left")
        return same[1] + data[pos:stop], stop
    return _read_rare(kind, data, pos, end, depth)


def _read_rare(kind: i64, data: bytes, pos: i64, end: i64, depth: i64) -> tuple[bytes, i64]:  # noqa: C901, PLR0911 - a table of types
    if depth >= MAX_DEPTH - 3:
        raise ReplyError(SYNTAX_ERROR, f"tables are nested deeper than {MAX_DEPTH - 3}")
    if kind == 0x74:
        if pos >= end:
            raise ReplyError(SYNTAX_ERROR, "a boolean exceeds the bytes left")
        return b"\x42" if data[pos] == 0 else b"\x41", pos + 1
    if kind == 0x56:
        return b"\x40", pos
    if kind == 0x54 or kind == 0x44:
        stop = pos + 8 if kind == 0x54 else pos + 5
        if stop > end:
            raise ReplyError(SYNTAX_ERROR, "a number exceeds the bytes left")
        if kind == 0x44:
            return b"\x84" + decimal64(data[pos], _SIGNED.unpack_from(data, pos + 1)[0]), stop
        return timestamp(int.from_bytes(data[pos:stop], "big")), stop
    stop = _stop(data, pos, end)
    if kind == 0x78:
        return binary(data[pos + 4 : stop]), stop
    parts: list[bytes] = []
    if kind == 0x46:
        for name, _, value in read_table(data, pos, end, depth + 1):
            parts.append(string(name))
            parts.append(value)
        return encoded_map(parts), stop
    if kind != 0x41:
        raise ReplyError(SYNTAX_ERROR, f"0x{kind:02x} is not a field type")
    pos += 4
    while pos < stop:
        value, pos = read_field(data, pos, stop, depth + 1)
        parts.append(value)
    return encoded_list(parts), stop


def timestamp(seconds: int) -> bytes:
    """A timestamp of AMQP 1.0; a later time becomes the latest that fits."""
    return b"\x83" + _MILLISECONDS.pack(min(seconds, _MOST_SECONDS - 1) * 1000)
