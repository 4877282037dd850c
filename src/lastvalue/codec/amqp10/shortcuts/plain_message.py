"""The fast path for the usual message: durable or not, annotations, application properties, a body."""

import struct
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import FIXED, ZERO_WIDTH
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.sections import (
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    DELIVERY_ANNOTATIONS,
    MESSAGE_ANNOTATIONS,
)
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value
from lastvalue.codec.amqp10.values import Value
from lastvalue.codec.octets import OCTETS, number_at

_LONG: Final = struct.Struct(">cq")
_DOUBLE: Final = struct.Struct(">cd")
_SIZE: Final = struct.Struct(">cI")
_SIZE_COUNT: Final = struct.Struct(">cII")
# [1.0 §3.2.1] A header with nothing but durable = true.
_DURABLE: Final = b"\x00\x53\x70\xc0\x02\x01\x41"
_APPLICATION_PROPERTIES: Final = b"\x00\x53\x74"
_DATA: Final = b"\x00\x53\x75"
_AMQP_VALUE: Final = b"\x00\x53\x77"

PlainMessage: TypeAlias = tuple[bool, bytes, dict[str, Value], dict[str, Value], Value]
"""Whether it is durable; its delivery annotations as they came; message annotations, properties and body."""

_SMALL_ULONG: Final = 0x53
_SMALL_MAP: Final = 0xC1
_SMALL_BINARY: Final = 0xA0
_SMALL_TEXT: Final = 0xA1
_SMALL_SYMBOL: Final = 0xA3
_LARGE_BINARY: Final = 0xB0
_LARGE_TEXT: Final = 0xB1


def encode_plain_message(durable: bool, properties: Mapping[Any, object], body: object) -> bytes:
    """The same sections as from `encode_content`, except the width of numbers.

    Raises:
        EncodeError, ValueError: a value has no encoding in its field.
    """
    head = _DURABLE if durable else b""
    if not properties:
        return head + _body(body)
    return head + _APPLICATION_PROPERTIES + _simple_map(properties) + _body(body)


def _simple_map(properties: Mapping[Any, object]) -> bytes:
    """[1.0 §3.2.5] Application properties: text to simple values."""
    parts: list[bytes] = []
    for name, value in properties.items():
        if not isinstance(name, str):
            raise EncodeError(f"a property's name must be text, not {name!r:.80}")
        parts.append(_text(name))
        kind = type(value)
        if kind is str and isinstance(value, str):
            parts.append(_text(value))
        elif kind is int and isinstance(value, int) and -(2**63) <= value < 2**63:
            parts.append(_LONG.pack(b"\x81", value))
        elif kind is float:
            parts.append(_DOUBLE.pack(b"\x82", value))
        elif isinstance(value, dict | list | tuple):
            raise EncodeError(f"property {name!r} needs a simple value, not {value!r:.80}; use the body")
        else:
            parts.append(encode_value(value))
    content = b"".join(parts)
    if len(content) < 255 and len(parts) < 256:
        return b"\xc1" + OCTETS[len(content) + 1] + OCTETS[len(parts)] + content
    return _SIZE_COUNT.pack(b"\xd1", len(content) + 4, len(parts)) + content


def _text(text: str) -> bytes:
    utf8 = text.encode()
    size = len(utf8)
    return (b"\xa1" + OCTETS[size] if size < 256 else _SIZE.pack(b"\xb1", size)) + utf8


def _body(body: object) -> bytes:
    kind = type(body)
    if kind is str and isinstance(body, str):
        return _AMQP_VALUE + _text(body)
    if kind is float:
        return _AMQP_VALUE + _DOUBLE.pack(b"\x82", body)
    if isinstance(body, bytes | bytearray | memoryview):
        size = len(body)
        return _DATA + (b"\xa0" + OCTETS[size] if size < 256 else _SIZE.pack(b"\xb0", size)) + bytes(body)
    return _AMQP_VALUE + encode_value(body)


def decode_plain_message(payload: bytes) -> PlainMessage | None:
    """The parts of a message of the usual form, as `decode_content` has them.

    None is one of another form, which may be malformed. Delivery annotations are not read, as few are asked
    for what these say; see `decode_simple_map`.
    """
    try:
        return _parts(payload)
    except (IndexError, ValueError, struct.error):
        return None


def decode_simple_map(data: bytes) -> dict[str, Value]:
    """A map of names to simple values.

    Raises:
        DecodeError: it is something else, or malformed.
    """
    pairs: dict[str, Value] = {}
    try:
        if _take_pairs(data, 0, pairs) == len(data):
            return pairs
    except (IndexError, ValueError, struct.error):
        pass
    value, end = decode_value(data, 0, len(data))
    if end != len(data) or not isinstance(value, dict):
        raise DecodeError("delivery annotations must be a map")
    return {str(name): each for name, each in value.items()}


def _parts(payload: bytes) -> PlainMessage:
    """The parts; raises ValueError, IndexError or struct.error where the form is another one."""
    durable = payload.startswith(_DURABLE)
    pos: i64 = len(_DURABLE) if durable else 0
    place = b""
    annotations: dict[str, Value] = {}
    properties: dict[str, Value] = {}
    last: i64 = 0
    section: i64 = payload[pos + 2]
    while section < DATA:
        if section <= last or payload[pos] != 0 or payload[pos + 1] != _SMALL_ULONG:
            raise ValueError
        last = section
        start: i64 = pos + 3
        if section == APPLICATION_PROPERTIES:
            pos = _take_pairs(payload, start, properties)
        elif section == DELIVERY_ANNOTATIONS:
            if payload[start] != _SMALL_MAP:
                raise ValueError
            pos = start + 2 + payload[start + 1]
            place = payload[start:pos]
        elif section == MESSAGE_ANNOTATIONS:
            pos = _take_pairs(payload, start, annotations)
        else:
            raise ValueError
        section = payload[pos + 2]
    if payload[pos] != 0 or payload[pos + 1] != _SMALL_ULONG:
        raise ValueError
    body, end = _simple_value(payload, pos + 3)
    if end != len(payload) or section != (DATA if isinstance(body, bytes) else AMQP_VALUE):
        raise ValueError
    return durable, place, annotations, properties, body


def _take_pairs(data: bytes, pos: i64, into: dict[str, Value]) -> i64:
    """Add the pairs of the map at this place; returns where it ends."""
    end: i64 = pos + 2 + data[pos + 1]
    values: i64 = data[pos + 2]
    if data[pos] != _SMALL_MAP:
        raise ValueError
    pos += 3
    while pos < end:
        kind: i64 = data[pos]
        start: i64 = pos + 2
        pos = start + data[pos + 1]
        if kind == _SMALL_SYMBOL:
            name = data[start:pos].decode("ascii")
        elif kind == _SMALL_TEXT:
            name = data[start:pos].decode("utf-8")
        else:
            raise ValueError
        into[name], pos = _simple_value(data, pos)
    if pos != end or 2 * len(into) != values:
        raise ValueError
    return end


def _simple_value(data: bytes, pos: i64) -> tuple[Value, i64]:
    """A value of a simple type, and where it ends."""
    code: i64 = data[pos]
    fixed = FIXED.get(code)
    if fixed is not None:
        layout, kind = fixed
        raw = layout.unpack_from(data, pos + 1)[0]
        return (raw if kind is int or kind is float else kind(raw)), pos + 1 + layout.size
    start: i64 = pos + 2
    if code in (_SMALL_TEXT, _SMALL_BINARY):
        end: i64 = start + data[pos + 1]
    elif code in (_LARGE_TEXT, _LARGE_BINARY):
        start = pos + 5
        end = start + number_at(data, pos + 1)
    elif code in ZERO_WIDTH:
        return ZERO_WIDTH[code], pos + 1
    else:
        raise ValueError
    if end > len(data):
        raise ValueError
    octets = data[start:end]
    return (octets.decode("utf-8") if code & 1 else octets), end
