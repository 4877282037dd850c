"""The fast path for a producer's usual message: durable or not, application properties, a body."""

import struct
from collections.abc import Mapping
from typing import Any, Final

from lastvalue.codec.amqp10.errors import EncodeError
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.octets import OCTETS

_LONG: Final = struct.Struct(">cq")
_DOUBLE: Final = struct.Struct(">cd")
_SIZE: Final = struct.Struct(">cI")
_SIZE_COUNT: Final = struct.Struct(">cII")
# [1.0 §3.2.1] A header with nothing but durable = true.
_DURABLE: Final = b"\x00\x53\x70\xc0\x02\x01\x41"
_APPLICATION_PROPERTIES: Final = b"\x00\x53\x74"
_DATA: Final = b"\x00\x53\x75"
_AMQP_VALUE: Final = b"\x00\x53\x77"


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
