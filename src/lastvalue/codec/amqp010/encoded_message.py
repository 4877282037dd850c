"""Converts a message of AMQP 0-10 to AMQP 1.0 sections, in which the broker stores it.

docs/protocols/messages.md has the table of the properties.
"""

import struct
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp010.decoder import decode_list, decode_map
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import Properties
from lastvalue.codec.amqp10.encoded_values import binary_start
from lastvalue.codec.amqp10.errors import LargeStructureError
from lastvalue.codec.amqp10.sections import (
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    check_structure,
)
from lastvalue.codec.amqp10.shortcuts.quick_value import quick_value
from lastvalue.codec.amqp10.values import Array, Symbol, Timestamp, UByte, UInt, Value
from lastvalue.model.property_names import (
    ANNOTATION_PREFIX,
    APP_ID,
    GROUP_ID,
    GROUP_SEQUENCE,
    HEADERS,
    REPLY_EXCHANGE,
)

MAP: Final = "amqp/map"
LIST: Final = "amqp/list"
PERSISTENT: Final = 2
_MOST_TTL_MS: Final = 2**32 - 1
_MOST_SEQUENCE: Final = 2**32 - 1
_SIZE: Final = struct.Struct(">I")
_PAIR: Final = struct.Struct(">II")


def encoded_message(exchange: str, properties: Properties, body: bytes | None, names: Names) -> bytes:
    """The sections of a message that was published to an exchange; a body of None means no body section.

    Missing properties stay missing: their fields in the header are null.

    Raises:
        EncodeError: a header has a value that AMQP 1.0 cannot encode.
        LargeStructureError: there are too many values for those who read it.
    """
    delivery, message = properties.delivery, properties.message
    simple, annotations = _kept_headers(message)
    group_id, group_sequence = _taken_group(simple) if simple else (None, None)
    reply = message.record("reply_to")
    if reply is not None and reply.text("exchange") and not names.is_exchange(reply.text("exchange")):
        annotations[Symbol(REPLY_EXCHANGE)] = reply.text("exchange")
    ttl_ms = delivery.number("ttl")
    expiration = delivery.number("expiration")
    mode = delivery.number("delivery_mode")
    content_type = message.text("content_type")
    parts = [
        _list_section(
            HEADER,
            [
                mode == PERSISTENT if delivery.has("delivery_mode") else None,
                UByte(delivery.number("priority")) if delivery.has("priority") else None,
                UInt(min(ttl_ms, _MOST_TTL_MS)) if ttl_ms > 0 else None,
            ],
        ),
        _map_section(MESSAGE_ANNOTATIONS, annotations),
        _list_section(
            PROPERTIES,
            [
                _uuid(message),
                message.binary("user_id"),
                exchange or None,
                delivery.text("routing_key") if delivery.has("routing_key") else None,
                _reply_address(reply),
                _text_or_bytes(message.binary("correlation_id")),
                Symbol(_ascii(content_type)) if message.has("content_type") else None,
                Symbol(_ascii(message.text("content_encoding"))) if message.has("content_encoding") else None,
                Timestamp(expiration) if expiration > 0 else None,
                Timestamp(delivery.number("timestamp")) if delivery.has("timestamp") else None,
                group_id,
                group_sequence,
            ],
        ),
        _map_section(APPLICATION_PROPERTIES, simple),
    ]
    if body is not None:
        parts += _body(content_type, body)
    encoded = b"".join(parts)
    # Nobody could read it over this protocol.
    check_structure(encoded)
    return encoded


def _kept_headers(message: Record) -> tuple[dict[Value, Value], dict[Value, Value]]:
    """The application properties, and message annotations for the headers that cannot be among them."""
    simple: dict[Value, Value] = {}
    annotations: dict[Value, Value] = {}
    rest: dict[str, Value] = {}
    for name, value in message.map("application_headers").items():
        if not isinstance(value, dict | list | Array | Record):
            simple[name] = value
        elif name.isascii() and not name.startswith(ANNOTATION_PREFIX):
            annotations[Symbol(name)] = value
        else:
            rest[name] = value
    if rest:
        annotations[Symbol(HEADERS)] = rest
    app_id = message.binary("app_id")
    if app_id is not None:
        annotations[Symbol(APP_ID)] = _text_or_bytes(app_id)
    return simple, annotations


def _taken_group(simple: dict[Value, Value]) -> tuple[Value, Value]:
    """Take the group's id and the number in it out of the headers."""
    group_id, number = simple.get(GROUP_ID), simple.get(GROUP_SEQUENCE)
    if isinstance(group_id, str):
        del simple[GROUP_ID]
    else:
        group_id = None
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _MOST_SEQUENCE:
        return group_id, None
    del simple[GROUP_SEQUENCE]
    return group_id, UInt(number)


def _list_section(section: i64, fields: list[Value]) -> bytes:
    while fields and fields[-1] is None:
        fields.pop()
    return _compound(section, 0xC0, len(fields), [quick_value(field) for field in fields]) if fields else b""


def _map_section(section: i64, entries: dict[Value, Value]) -> bytes:
    return _whole_map(section, entries) if entries else b""


def _whole_map(section: i64, entries: Mapping[Any, Value]) -> bytes:
    parts: list[bytes] = []
    for name, value in entries.items():
        parts.append(quick_value(name))
        parts.append(quick_value(value))
    return _compound(section, 0xC1, len(parts), parts)


def _compound(section: i64, code: i64, count: i64, parts: list[bytes]) -> bytes:
    """A section that is a list or a map of these values [1.0 §1.6.22]."""
    content = b"".join(parts)
    size: i64 = len(content)
    if size < 255 and count < 256:
        return bytes((0, 0x53, section, code, size + 1, count)) + content
    return bytes((0, 0x53, section, code + 0x10)) + _PAIR.pack(size + 4, count) + content


def _body(content_type: str, body: bytes) -> list[bytes]:
    """The section of a body, in parts; bytes where it is not what its type says, or has too many values."""
    try:
        if content_type == MAP:
            value = _whole_map(AMQP_VALUE, decode_map(body))
            check_structure(value)
            return [value]
        if content_type == LIST:
            value = _whole_list(decode_list(body))
            check_structure(value)
            return [value]
    except (DecodeError, LargeStructureError):
        return _data(body)
    return _data(body)


def _whole_list(items: list[Value]) -> bytes:
    if not items:
        return b"\x00\x53\x77\x45"
    return _compound(AMQP_VALUE, 0xC0, len(items), [quick_value(item) for item in items])


def _data(body: bytes) -> list[bytes]:
    # A large body is copied once, with the whole message.
    return [b"\x00\x53\x75", binary_start(len(body)), body]


def _uuid(message: Record) -> UUID | None:
    value = message.values.get("message_id")
    return value if isinstance(value, UUID) else None


def _reply_address(record: Record | None) -> str | None:
    if record is None:
        return None
    exchange, key = record.text("exchange"), record.text("routing_key")
    if not exchange:
        return key or None
    return f"{exchange}/{key}" if key else exchange


def _text_or_bytes(value: bytes | None) -> str | bytes | None:
    if value is None:
        return None
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()
