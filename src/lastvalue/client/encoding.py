"""Messages to AMQP 1.0 sections and back [1.0 §3.2].

A producer's usual message, application properties and a body, is written directly: the general way through
`codec.amqp10.content` takes ten times as long, which would bound the rate of a sender.
"""

import struct
from collections.abc import Mapping
from typing import Final

from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message, MessageId
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.primitives import encode_value
from lastvalue.codec.amqp10.values import ULong, Value
from lastvalue.model.property_names import ENQUEUED_TIME, SEQUENCE_NUMBER, UPDATES

MOST_TTL_MS: Final = 2**32 - 1

_BYTE: Final = [bytes((number,)) for number in range(256)]
_LONG: Final = struct.Struct(">cq")
_DOUBLE: Final = struct.Struct(">cd")
_SIZE: Final = struct.Struct(">cI")
_SIZE_COUNT: Final = struct.Struct(">cII")
# [1.0 §3.2.1] A header with nothing but durable = true.
_DURABLE: Final = b"\x00\x53\x70\xc0\x02\x01\x41"
_APPLICATION_PROPERTIES: Final = b"\x00\x53\x74"
_DATA: Final = b"\x00\x53\x75"
_AMQP_VALUE: Final = b"\x00\x53\x77"


def encoded(message: Message) -> bytes:
    """The message's sections.

    Raises:
        InvalidMessageError: a field is out of range, or of a type that AMQP does not have or not have there.
    """
    try:
        if not _is_plain(message):
            return encode_content(_content(message))
        head = _DURABLE if message.durable else b""
        if not message.properties:
            return head + _body(message.body)
        return head + _APPLICATION_PROPERTIES + _simple_map(message.properties) + _body(message.body)
    except (EncodeError, TypeError, ValueError) as error:
        raise InvalidMessageError(f"the message cannot be encoded: {error}") from error


def decoded(payload: bytes) -> Message:
    """The message that sections are.

    Raises:
        InvalidMessageError: they are malformed.
    """
    try:
        content = decode_content(payload)
    except DecodeError as error:
        raise InvalidMessageError(f"what came is no message: {error}") from error
    place = content.delivery_annotations
    annotations = content.message_annotations
    # A queue that conflates counts what the producer said in; another says 1.
    updates = max(_whole_number(place.get(UPDATES)) or 1, _whole_number(annotations.get(UPDATES)) or 1)
    if UPDATES in annotations:
        annotations = {name: value for name, value in annotations.items() if name != UPDATES}
    return Message(
        content.body,
        content.application_properties,
        annotations,
        subject=content.subject,
        message_id=_plain_identifier(content.message_id),
        correlation_id=_plain_identifier(content.correlation_id),
        reply_to=content.reply_to,
        group_id=content.group_id,
        content_type=content.content_type,
        durable=content.durable,
        priority=content.priority,
        ttl_ms=content.ttl_ms,
        updates=updates,
        sequence=_whole_number(place.get(SEQUENCE_NUMBER)),
        enqueued_time_ms=_whole_number(place.get(ENQUEUED_TIME)),
        delivery_count=content.delivery_count,
    )


# ---- The usual message


def _is_plain(message: Message) -> bool:
    return (
        message.ttl_ms is None
        and message.updates == 1
        and message.subject is None
        and message.message_id is None
        and message.correlation_id is None
        and message.reply_to is None
        and message.group_id is None
        and message.content_type is None
        and message.priority == 4
        and not message.annotations
    )


def _simple_map(properties: Mapping[str, object]) -> bytes:
    """[1.0 §3.2.5] Application properties: text to simple values."""
    parts = []
    for name, value in properties.items():
        parts.append(_text(name))
        kind = type(value)
        if kind is str:
            parts.append(_text(value))  # type: ignore[arg-type] # kind says so
        elif kind is int and -(2**63) <= value < 2**63:  # type: ignore[operator] # kind says so
            parts.append(_LONG.pack(b"\x81", value))
        elif kind is float:
            parts.append(_DOUBLE.pack(b"\x82", value))
        elif isinstance(value, dict | list | tuple):
            raise InvalidMessageError(f"property {name!r} is a simple value, not {value!r:.80}; use the body")
        else:
            parts.append(encode_value(value))
    content = b"".join(parts)
    if len(content) < 255 and len(parts) < 256:
        return b"\xc1" + _BYTE[len(content) + 1] + _BYTE[len(parts)] + content
    return _SIZE_COUNT.pack(b"\xd1", len(content) + 4, len(parts)) + content


def _text(text: str) -> bytes:
    if not isinstance(text, str):
        raise InvalidMessageError(f"a property's name is text, not {text!r:.80}")
    utf8 = text.encode()
    size = len(utf8)
    return (b"\xa1" + _BYTE[size] if size < 256 else _SIZE.pack(b"\xb1", size)) + utf8


def _body(body: object) -> bytes:
    kind = type(body)
    if kind is str:
        return _AMQP_VALUE + _text(body)  # type: ignore[arg-type] # kind says so
    if kind is float:
        return _AMQP_VALUE + _DOUBLE.pack(b"\x82", body)
    if isinstance(body, bytes | bytearray | memoryview):
        size = len(body)
        return _DATA + (b"\xa0" + _BYTE[size] if size < 256 else _SIZE.pack(b"\xb0", size)) + bytes(body)
    return _AMQP_VALUE + encode_value(body)


# ---- Any message


def _content(message: Message) -> MessageContent:
    if not 0 <= message.priority <= 255:
        raise InvalidMessageError(f"priority is 0 to 255, not {message.priority}")
    if message.ttl_ms is not None and not 1 <= message.ttl_ms <= MOST_TTL_MS:
        raise InvalidMessageError(f"ttl_ms is 1 to {MOST_TTL_MS}, or None for ever; not {message.ttl_ms}")
    if message.updates < 1:
        raise InvalidMessageError(f"updates is 1 or more, not {message.updates}")
    body: Value = message.body
    if isinstance(body, bytearray | memoryview):
        body = bytes(body)
    return MessageContent(
        durable=message.durable,
        priority=message.priority,
        ttl_ms=message.ttl_ms,
        message_annotations=message.annotations
        if message.updates == 1
        else {**message.annotations, UPDATES: message.updates},
        message_id=_wire_identifier(message.message_id),
        subject=message.subject,
        reply_to=message.reply_to,
        correlation_id=_wire_identifier(message.correlation_id),
        content_type=message.content_type,
        group_id=message.group_id,
        application_properties=message.properties,
        body=body,
        body_kind=BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE,
    )


def _wire_identifier(identifier: MessageId | None) -> MessageId | None:
    return ULong(identifier) if isinstance(identifier, int) else identifier


def _plain_identifier(identifier: MessageId | None) -> MessageId | None:
    return int(identifier) if isinstance(identifier, int) else identifier


def _whole_number(value: object) -> int | None:
    return int(value) if isinstance(value, int) else None
