"""A property's value as a queue reads it: canonical bytes as a key, a comparable value as an order.

AMQP type                          key
string, symbol                     the string's smallest encoding, 0xa1 or 0xb1 first
integers of every width            b"i" and the decimal number
boolean                            b"b1", b"b0"
timestamp                          b"t" and the decimal number
float, double                      b"f" and the double's 8 bytes
char, uuid, binary, decimals       b"c", b"u", b"x", b"d" and their bytes
list, map, array, described        b"v" and the value's smallest encoding
null                               no key
"""

import math
import struct
from typing import Final, final
from uuid import UUID

from librt.strings import read_i32_be, read_i64_be
from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Char, Decimal, Timestamp, Value
from lastvalue.model.message import NO_NUMBER, OrderPlace, OrderValue

_DOUBLE: Final = struct.Struct(">d")

# Format code: width, signed.
_INTEGERS: Final[dict[int, tuple[int, bool]]] = {
    0x43: (0, False),
    0x44: (0, False),
    0x50: (1, False),
    0x51: (1, True),
    0x52: (1, False),
    0x53: (1, False),
    0x54: (1, True),
    0x55: (1, True),
    0x60: (2, False),
    0x61: (2, True),
    0x70: (4, False),
    0x71: (4, True),
    0x80: (8, False),
    0x81: (8, True),
}
_TIMESTAMP: Final = 0x83
_FLOATS: Final = (0x72, 0x82)


def key_at(data: bytes, pos: i64, end: i64) -> bytes | None:
    """The canonical bytes of the value at pos; None if it is null.

    Raises:
        DecodeError: the bytes are not a valid value.
    """
    if pos < end:
        code: i64 = data[pos]
        if code == 0xA1:
            stop: i64 = pos + 2 + data[pos + 1]
            if stop <= end:
                return data[pos:stop]
        number = _integer_at(data, pos, end)
        if number is not None:
            return b"i%d" % number
    return _key_of(Decoder(data, pos, end).read())


def order_at(data: bytes, pos: i64, end: i64) -> OrderValue | None:
    """The number or text at pos; None if it is neither, or a number without an order (NaN).

    Raises:
        DecodeError: the bytes are not a valid value.
    """
    if pos < end:
        number = _integer_at(data, pos, end)
        if number is not None:
            return number
    value = Decoder(data, pos, end).read()
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str) and not isinstance(value, Char):
        return str(value)
    return None


@final
class NumberPlace(OrderPlace):
    """Where encodings that are alike have numbers of one type, by which their values are ordered."""

    __slots__ = ("_code", "_start")

    def __init__(self, start: i64, code: i64) -> None:
        self._start: i64 = start
        self._code: i64 = code

    def value(self, encoded: bytes) -> OrderValue | None:
        """See OrderPlace."""
        return order_at(encoded, self._start, len(encoded))

    def number(self, encoded: bytes) -> i64:
        """See OrderPlace; types of two bytes, which nobody uses, are left to `value`."""
        code = self._code
        at = self._start + 1
        if code in (0x81, _TIMESTAMP):
            return read_i64_be(encoded, at)
        if code == 0x80:
            number: i64 = read_i64_be(encoded, at)
            return number if number >= 0 else NO_NUMBER
        if code == 0x71:
            return i64(read_i32_be(encoded, at))
        if code == 0x70:
            return i64(read_i32_be(encoded, at)) & 0xFFFFFFFF
        if code in (0x54, 0x55):
            small: i64 = encoded[at]
            return small if small < 0x80 else small - 0x100
        return i64(encoded[at]) if code in (0x52, 0x53) else NO_NUMBER


def number_place(data: bytes, pos: i64) -> NumberPlace | None:
    """The place of the number at pos; None if the value there is no number."""
    code: i64 = data[pos]
    known = code in _INTEGERS or code == _TIMESTAMP or code in _FLOATS
    return NumberPlace(pos, code) if known else None


def _integer_at(data: bytes, pos: i64, end: i64) -> int | None:
    form = _INTEGERS.get(data[pos])
    if form is None:
        return None
    width, signed = form
    stop = pos + 1 + width
    if stop > end:
        raise DecodeError("an integer exceeds the bytes left")
    return int.from_bytes(data[pos + 1 : stop], "big", signed=signed)


def _key_of(value: Value) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return b"b1" if value else b"b0"
    if isinstance(value, Timestamp):
        return b"t%d" % value
    if isinstance(value, Char):
        return b"c" + value.encode()
    if isinstance(value, str):
        return encode_value(str(value))
    return _opaque_key(value)


def _opaque_key(value: Value) -> bytes:
    if isinstance(value, float):
        # Zero is one key, whatever its sign.
        return b"f" + _DOUBLE.pack(value + 0.0)
    if isinstance(value, UUID):
        return b"u" + value.bytes
    if isinstance(value, bytes):
        return b"x" + value
    if isinstance(value, Decimal):
        return b"d" + value.encoded
    try:
        return b"v" + encode_value(value)
    except EncodeError as fault:
        raise DecodeError(f"a key without a canonical form: {fault}") from fault
