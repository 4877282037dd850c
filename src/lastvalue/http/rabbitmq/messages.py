"""Messages that RabbitMQ's management API publishes and gets."""

import base64
import binascii
import json
from http import HTTPStatus
from typing import Any, Literal

from pydantic import BaseModel, Field

from lastvalue.client import Connection, Message
from lastvalue.client.message_records import jsonable
from lastvalue.http.problems import Problem
from lastvalue.http.publish import publish
from lastvalue.http.rabbitmq.resources import DEFAULT_EXCHANGE

MOST_GOT = 1000


class PublishedMessage(BaseModel):
    """A message to publish."""

    routing_key: str
    payload: str
    payload_encoding: Literal["string", "base64"] = "string"
    properties: dict[str, Any] = {}

    async def publish(self, exchange: str, broker: Connection) -> bool:
        """Publish it to an exchange; whether a queue got it.

        Raises:
            Problem: the payload is not what it says.
        """
        message = self._message()
        # The exchange without a name has every queue under its own name.
        to_queue = exchange in ("", DEFAULT_EXCHANGE)
        address = self.routing_key if to_queue else exchange
        return await publish(broker, address, message)

    def _message(self) -> Message:
        properties = self.properties
        headers = properties.get("headers") or {}
        if not isinstance(headers, dict):
            raise Problem(HTTPStatus.BAD_REQUEST, "properties.headers must be a map")
        body: object = self.payload
        if self.payload_encoding == "base64":
            try:
                body = base64.b64decode(self.payload, validate=True)
            except binascii.Error as error:
                raise Problem(HTTPStatus.BAD_REQUEST, f"the payload is not base64: {error}") from None
        ttl = properties.get("expiration")
        return Message(
            body,
            headers,
            subject=self.routing_key,
            message_id=properties.get("message_id"),
            correlation_id=properties.get("correlation_id"),
            reply_to=properties.get("reply_to"),
            content_type=properties.get("content_type"),
            durable=properties.get("delivery_mode") == 2,
            priority=int(properties.get("priority", 4)),
            ttl_ms=int(ttl) if ttl else None,
        )


class MessageGet(BaseModel):
    """How messages are got."""

    count: int = Field(1, ge=1, le=MOST_GOT)
    ackmode: Literal["ack_requeue_true", "ack_requeue_false", "reject_requeue_true", "reject_requeue_false"]
    encoding: Literal["auto", "base64"] = "auto"
    truncate: int | None = Field(None, ge=0)

    async def get(self, name: str, broker: Connection) -> list[dict[str, Any]]:
        """Get messages of a queue; they stay on it where `ackmode` says so."""
        queue = broker.queue(name)
        info = await queue.info()
        count = min(self.count, info.available)
        if not count:
            return []
        got: list[dict[str, Any]] = []
        async with queue.receive(limit=count, credit=count, timeout_s=5.0) as receiver:
            async for delivery in receiver:
                got.append(self._document(delivery.message, name, max(0, info.depth - len(got) - 1)))
                match self.ackmode:
                    case "ack_requeue_false":
                        delivery.accept()
                    case "reject_requeue_false":
                        delivery.reject()
                    case "ack_requeue_true" | "reject_requeue_true":
                        delivery.release()
                if len(got) == count:
                    break
        return got

    def _document(self, message: Message, queue: str, left: int) -> dict[str, Any]:
        body = message.body
        if not isinstance(body, bytes | str):
            body = json.dumps(jsonable(body))
        payload = body.encode() if isinstance(body, str) else body
        shown = payload if self.truncate is None else payload[: self.truncate]
        text = _text(shown) if self.encoding == "auto" else None
        properties = {
            "headers": jsonable(message.properties),
            "message_id": jsonable(message.message_id),
            "correlation_id": jsonable(message.correlation_id),
            "reply_to": message.reply_to,
            "content_type": message.content_type,
            "delivery_mode": 2 if message.durable else 1,
            "priority": message.priority,
        }
        return {
            "payload": base64.b64encode(shown).decode() if text is None else text,
            "payload_bytes": len(payload),
            "payload_encoding": "base64" if text is None else "string",
            "redelivered": message.delivery_count > 0,
            "exchange": "",
            "routing_key": message.subject or queue,
            "message_count": left,
            "properties": {name: value for name, value in properties.items() if value is not None},
        }


def _text(payload: bytes) -> str | None:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        return None
