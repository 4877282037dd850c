"""Messages as JSON, and the message that JSON makes."""

import base64
from typing import Any, Final

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.json_text import json_text
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.sections import check_structure
from lastvalue.codec.amqp10.values import Byte
from lastvalue.codec.core.jms_names import BYTES_TYPE, JMS_TYPES, TEXT_TYPE
from lastvalue.codec.core.message_encoder import encode_message
from lastvalue.compat.artemis.management.management_call import ManagementCall, ManagementError, number, text
from lastvalue.compat.artemis.management.rows import Row
from lastvalue.model.errors import LastvalueError, ResourceLimitError
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import JMS_MESSAGE_TYPE
from lastvalue.queues.entry import Entry

_SHOWN_CHARACTERS: Final = 256
"""[Artemis] management-message-attribute-size-limit: of a longer text only its beginning is shown."""


def message_row(entry: Entry) -> Row:
    """A message of a queue: its headers, its properties by their names, and a text that is its body."""
    message = entry.message
    row: Row = {
        "messageID": int(entry.sequence),
        "durable": message.durable,
        "priority": int(message.priority),
        "expiration": 0 if entry.expires_ms == NEVER else int(entry.expires_ms),
        "size": len(message.encoded),
        "redelivered": entry.delivery_count > 0,
    }
    try:
        check_structure(message.encoded)
        content = decode_content(message.encoded)
        encoded = encode_message(message.encoded, "", entry.expires_ms)
    except LastvalueError:
        # A producer sent what nobody can read, or what would take long.
        return row
    row["type"] = encoded.kind
    row["address"] = content.to or ""
    row["timestamp"] = content.creation_time or 0
    row["userID"] = "" if content.message_id is None else str(content.message_id)
    row |= {name: _shown(value) for name, (_, value) in encoded.properties.items() if name not in row}
    if encoded.kind == TEXT_TYPE:
        row["text"] = _shown(content.body.decode() if isinstance(content.body, bytes) else content.body)
    return row


def _shown(value: object) -> object:
    if isinstance(value, bytes):
        value = base64.b64encode(value).decode()
    if value is not None and not isinstance(value, bool | int | float | str):
        value = json_text(value)
    if isinstance(value, str) and len(value) > _SHOWN_CHARACTERS:
        return f"{value[:_SHOWN_CHARACTERS]}, + {len(value) - _SHOWN_CHARACTERS} more"
    return value


def published(call: ManagementCall, name: str, *parameters: object) -> str:
    """Publish to a queue: (headers, type, body, durable, user, password[, createMessageId]); its sequence.

    Raises:
        ManagementError: a parameter is wrong.
        LastvalueError: the caller may not publish, or the queue does not take the message.
    """
    if len(parameters) not in (6, 7):
        raise ManagementError("sendMessage takes headers, type, body, durable, user and password")
    headers, kind, body, durable, user, _, *_ = parameters
    if user and user != call.owner.principal:
        raise ManagementError(f"the request is {call.owner.principal!r}'s; it cannot send as {user!r}")
    if headers is not None and not isinstance(headers, dict):
        raise ManagementError(f"headers are {headers!r}; expected a map")
    content = MessageContent(
        durable=durable is True,
        to=name,
        creation_time=call.moment,
        message_annotations={JMS_MESSAGE_TYPE: Byte(JMS_TYPES.get(number(kind, "type"), -1))},
        application_properties={str(key): value for key, value in (headers or {}).items()},
        **_body(number(kind, "type"), text(body, "body")),
    )
    message = read_message(encode_content(content))
    broker = call.broker
    target = broker.queue_target(name, call.owner)
    try:
        if not broker.publish(target, message, call.moment):
            raise ResourceLimitError(f"queue {name!r} is full")
    finally:
        broker.release(target)
    return str(int(broker.lookup(name).queue.sequence))


def _body(kind: int, body: str) -> dict[str, Any]:
    if kind == TEXT_TYPE:
        return {"body": body, "body_kind": BodyKind.VALUE}
    if kind not in (0, BYTES_TYPE):
        raise ManagementError(
            f"a message of type {kind}; expected 0, {TEXT_TYPE} (text) or {BYTES_TYPE} (bytes)"
        )
    try:
        return {"body": base64.b64decode(body, validate=True), "body_kind": BodyKind.DATA}
    except ValueError as fault:
        raise ManagementError(f"the body of a message of bytes is Base64: {fault}") from None
