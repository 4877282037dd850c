"""Messages to AMQP 1.0 sections and back [1.0 §3.2].

The usual message, with application properties and a body, has a shortcut: the general encoder in
`codec.amqp10.content` would limit the rate of a sender.
"""

from collections.abc import Mapping
from typing import Final

from lastvalue.client.annotated_fields import ENCODED, annotated_fields, fields_in, updates_in
from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message, MessageId, message_with
from lastvalue.codec.amqp10.content import (
    BodyKind,
    MessageContent,
    decode_content,
    decode_readable,
    encode_content,
)
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.shortcuts.plain_message import decode_plain_message, encode_plain_message
from lastvalue.codec.amqp10.values import ULong, Value
from lastvalue.model.property_names import COUNTED, DUPLICATE_ID, UPDATES

MOST_TTL_MS: Final = 2**32 - 1


def checked_message(value: object) -> Message:
    """The value, which is a message.

    Raises:
        InvalidMessageError: it is something else.
    """
    if isinstance(value, Message):
        return value
    raise InvalidMessageError(f"{value!r:.80} is not a message; expected a Message, which has it as its body")


def encode_message(message: Message, duplicate_id: str | None = None) -> bytes:
    """Encode a message as AMQP 1.0 sections, with an id for duplicate detection if there is one.

    Raises:
        InvalidMessageError: a field is out of range, or AMQP does not allow its type there.
    """
    try:
        properties = message.properties
        if duplicate_id is not None:
            properties = {**properties, DUPLICATE_ID: duplicate_id}
        if _is_plain(message):
            return encode_plain_message(bool(message.durable), properties, message.body)
        return encode_content(_content(message, properties))
    except (EncodeError, TypeError, ValueError) as error:
        raise InvalidMessageError(f"the message cannot be encoded: {error}") from error


def decode_message(payload: bytes) -> Message:
    """Decode AMQP 1.0 sections; of those that are malformed, see `Message.malformed`.

    One producer's malformed message must not keep readers from the others on a queue.
    """
    plain = decode_plain_message(payload)
    if plain is not None:
        durable, encoded, annotations, properties, body = plain
        fields = _fields(annotations, properties, body, durable=durable)
        if UPDATES in annotations:
            if encoded:
                fields.update(fields_in(encoded))
            _counted(fields, annotations)
        elif encoded:
            fields[ENCODED] = encoded
        return message_with(fields)
    malformed: str | None = None
    try:
        content = decode_content(payload)
    except DecodeError as error:
        content, malformed = decode_readable(payload), str(error)
    said = content.message_annotations
    fields = _fields(said, content.application_properties, content.body, durable=content.durable)
    fields.update(annotated_fields(content.delivery_annotations))
    if UPDATES in said:
        _counted(fields, said)
    fields |= {
        "subject": content.subject,
        "message_id": _plain_identifier(content.message_id),
        "correlation_id": _plain_identifier(content.correlation_id),
        "reply_to": content.reply_to,
        "group_id": content.group_id,
        "content_type": content.content_type,
        "priority": content.priority,
        "ttl_ms": content.ttl_ms,
        "delivery_count": content.delivery_count,
        "malformed": malformed,
    }
    return message_with(fields)


# ---- The usual message


def _fields(
    annotations: Mapping[str, Value], properties: Mapping[str, Value], body: Value, *, durable: bool
) -> dict[str, object]:
    """The fields of a message with these sections alone."""
    fields: dict[str, object] = {"body": body, "properties": properties, "annotations": annotations}
    if durable:
        fields["durable"] = True
    duplicate_id = properties.get(DUPLICATE_ID)
    if isinstance(duplicate_id, str) and duplicate_id.startswith(COUNTED):
        fields["duplicate_id"] = duplicate_id if type(duplicate_id) is str else str(duplicate_id)
        fields["properties"] = {name: value for name, value in properties.items() if name != DUPLICATE_ID}
    return fields


def _counted(fields: dict[str, object], annotations: Mapping[str, Value]) -> None:
    """Count what the producer said that the message stands for: a queue that does not conflate says 1."""
    before = fields.get("updates")
    fields["updates"] = max(before if isinstance(before, int) else 1, updates_in(annotations))
    fields["annotations"] = {name: value for name, value in annotations.items() if name != UPDATES}


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


# ---- Any message


def _content(message: Message, properties: Mapping[str, object]) -> MessageContent:
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
        application_properties=properties,
        body=body,
        body_kind=BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE,
    )


def _wire_identifier(identifier: MessageId | None) -> MessageId | None:
    return ULong(identifier) if isinstance(identifier, int) else identifier


def _plain_identifier(identifier: MessageId | None) -> MessageId | None:
    return int(identifier) if isinstance(identifier, int) else identifier
