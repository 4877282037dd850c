"""Messages that RabbitMQ's management API publishes and gets."""

import base64
import json
from http import HTTPStatus
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from lastvalue.client import Connection, Delivery, Message
from lastvalue.compat.rabbitmq.resources import DEFAULT_EXCHANGE
from lastvalue.http.page_size import PageSize, ahead_of
from lastvalue.http.problems import FieldProblem
from lastvalue.http.publish import publish
from lastvalue.http.stored_content import checked_message
from lastvalue.model.jsonable import jsonable

MOST_GOT = 1000


def _given(text: object) -> object:
    return None if text == "" else text


class PublishedProperties(BaseModel):
    """The properties that a message has here, too; the others have no meaning."""

    headers: Any = None
    message_id: Any = None
    correlation_id: Any = None
    reply_to: Any = None
    content_type: Any = None
    delivery_mode: Any = None
    priority: int | None = None
    expiration: Annotated[int | None, BeforeValidator(_given)] = None


class PublishedMessage(BaseModel):
    """A message to publish."""

    routing_key: str
    payload: str
    payload_encoding: Literal["string", "base64"] = "string"
    properties: PublishedProperties = PublishedProperties()

    async def publish(self, exchange: str, broker: Connection) -> bool:
        """Publish it to an exchange; whether a queue got it.

        Raises:
            Problem: the payload is not what it says.
        """
        message = checked_message(self._message(), "properties.content_type")
        # The exchange without a name has every queue under its own name.
        to_queue = exchange in ("", DEFAULT_EXCHANGE)
        address = self.routing_key if to_queue else exchange
        return await publish(broker, address, message)

    def _message(self) -> Message:
        properties = self.properties
        headers = properties.headers or {}
        if not isinstance(headers, dict):
            raise FieldProblem(
                "properties.headers", "properties.headers must be a map", status=HTTPStatus.BAD_REQUEST
            )
        body: object = self.payload
        if self.payload_encoding == "base64":
            try:
                body = base64.b64decode(self.payload, validate=True)
            except ValueError as error:
                detail = f"the payload is not base64: {error}"
                raise FieldProblem("payload", detail, status=HTTPStatus.BAD_REQUEST) from None
        return Message(
            body,
            headers,
            subject=self.routing_key,
            message_id=properties.message_id,
            correlation_id=properties.correlation_id,
            reply_to=properties.reply_to,
            content_type=properties.content_type,
            durable=properties.delivery_mode == 2,
            priority=4 if properties.priority is None else properties.priority,
            ttl_ms=properties.expiration or None,
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
        deliveries: list[Delivery] = []
        size = PageSize()
        async with queue.receive(limit=count, credit=ahead_of(info, count), timeout_s=5.0) as receiver:
            async for delivery in receiver:
                got.append(self._document(delivery.message, name, max(0, info.depth - len(got) - 1)))
                deliveries.append(delivery)
                size.add(delivery.message)
                if len(got) == count or size.is_full:
                    break
            # Not before: what is released comes again.
            for delivery in deliveries:
                self._settle(delivery)
        return got

    def _settle(self, delivery: Delivery) -> None:
        match self.ackmode:
            case "ack_requeue_false":
                delivery.accept()
            case "reject_requeue_false":
                delivery.reject()
            case "ack_requeue_true" | "reject_requeue_true":
                delivery.release()

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
