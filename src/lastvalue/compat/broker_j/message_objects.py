"""Messages as Broker-J's operations show and take them."""

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

from lastvalue.client import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.http.problems import FieldProblem
from lastvalue.model.jsonable import jsonable

_TEXT: Final = "text/plain"
FIELDS: Final = (
    "address",
    "appId",
    "content",
    "contentTransferEncoding",
    "correlationId",
    "expiration",
    "headers",
    "messageId",
    "mimeType",
    "notValidBefore",
    "persistent",
    "priority",
    "replyTo",
)
"""Of a message that is published."""


def message_object(message: Message, *, includes_headers: bool, held_by: str | None = None) -> dict[str, Any]:
    """What a message is, and where; `held_by` is the user whose consumer has it, None if none does."""
    shown: dict[str, Any] = {
        "id": message.sequence,
        "size": len(encode_message(message)),
        "messageType": "AMQP_1_0",
        "deliveryCount": message.delivery_count,
        "state": "Available" if held_by is None else "Acquired",
        "deliveredTo": held_by,
        "arrivalTime": message.arrival_time_ms,
        "persistent": message.durable,
        "messageId": jsonable(message.message_id),
        "correlationId": jsonable(message.correlation_id),
        "mimeType": message.content_type,
        "priority": message.priority,
        "replyTo": message.reply_to,
        "groupId": message.group_id,
    }
    if message.ttl_ms is not None and message.arrival_time_ms is not None:
        shown["expirationTime"] = message.arrival_time_ms + message.ttl_ms
    if includes_headers:
        shown["headers"] = jsonable(message.properties)
    return {name: value for name, value in shown.items() if value is not None}


def message_content(message: Message) -> tuple[bytes, str]:
    """The body's bytes and their media type; values that are neither bytes nor text are JSON."""
    body = message.body
    if isinstance(body, bytes):
        return body, message.content_type or "application/octet-stream"
    if isinstance(body, str):
        return body.encode(), message.content_type or _TEXT
    return json.dumps(jsonable(body)).encode(), "application/json"


def published_message(fields: Mapping[str, Any], now_ms: int) -> Message:
    """The message that `publishMessage` gives.

    `expiration` and `notValidBefore` are milliseconds since the epoch.

    Raises:
        Problem: a field has a wrong type, or is none that a message can have here.
    """
    unknown = [name for name, value in fields.items() if name not in FIELDS and value not in (None, "")]
    if unknown:
        raise _wrong(unknown[0], f"is not known; there are {', '.join(FIELDS)}")
    content = fields.get("content")
    if fields.get("contentTransferEncoding") == "base64":
        try:
            content = base64.b64decode(str(content), validate=True)
        except ValueError as error:
            raise _wrong("content", f"is not base64: {error}") from None
    headers = fields.get("headers") or {}
    if not isinstance(headers, dict):
        raise _wrong("headers", "must be a map")
    priority = _number(fields, "priority")
    expires_ms = _number(fields, "expiration")
    annotations = {
        "x-opt-delivery-time": _number(fields, "notValidBefore"),
        "x-opt-amqp-app-id": _text(fields, "appId"),
    }
    return Message(
        content,
        headers,
        {name: value for name, value in annotations.items() if value},
        message_id=_text(fields, "messageId"),
        correlation_id=_text(fields, "correlationId"),
        reply_to=_text(fields, "replyTo"),
        content_type=_text(fields, "mimeType"),
        durable=bool(fields.get("persistent", False)),
        priority=4 if priority is None else priority,
        ttl_ms=max(1, expires_ms - now_ms) if expires_ms else None,
    )


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise _wrong(name, "must be text")
    return value


def _number(fields: Mapping[str, Any], name: str) -> int | None:
    value = fields.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise _wrong(name, "must be a whole number")
    return value


def _wrong(name: str, fault: str) -> FieldProblem:
    return FieldProblem(f"message.{name}", f"message.{name} {fault}")
