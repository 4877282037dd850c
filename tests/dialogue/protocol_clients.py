"""One message said and heard in each protocol, by clients of one broker without a socket."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID

from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from broker_peer import BrokerPeer
from pamqp import commands
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp010.command_layouts import MESSAGE_REPLY_TO
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import ROLE_RECEIVER, Accepted, Disposition, Transfer
from lastvalue.codec.amqp10.values import Array, Timestamp
from lastvalue.frontends.amqp010.broker_state import BrokerState

GROUP_ID, GROUP_SEQUENCE = "JMSXGroupID", "JMSXGroupSeq"
NORMAL_PRIORITY = 4


@dataclass(frozen=True)
class Said:
    """What every protocol can say of a message.

    Attributes:
        body: bytes; to readers of AMQP 1.0 it may be another value.
        exchange: that it is published to, with the key; the default one has the queue's name as the key.
        created_s: seconds since the epoch.
        headers: by name; times are `Timestamp`, in milliseconds.
    """

    body: Any = b""
    exchange: str = ""
    key: str = "q"
    durable: bool = False
    priority: int = NORMAL_PRIORITY
    ttl_ms: int | None = None
    message_id: str | None = None
    correlation_id: str | None = None
    reply_to: str | None = None
    user_id: bytes | None = None
    content_type: str | None = None
    content_encoding: str | None = None
    app_id: str | None = None
    created_s: int | None = None
    group_id: str | None = None
    group_sequence: int | None = None
    headers: dict[str, Any] = field(default_factory=dict)


class Wire(Protocol):
    """A client of one protocol."""

    def say(self, said: Said) -> None: ...

    def hear(self, queue: str) -> Said:
        """The next message of a queue, taken from it."""
        ...


def plain(value: Any) -> Any:
    """A value without the width that its protocol gave it."""
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | Array):
        return [plain(item) for item in (value.items if isinstance(value, Array) else value)]
    if isinstance(value, datetime):
        return Timestamp(int(value.timestamp()) * 1000)
    if isinstance(value, bool | Timestamp) or value is None:
        return value
    if isinstance(value, bytearray):
        return bytes(value)
    for kind in (int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return value


def _nested(headers: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in headers.items() if isinstance(value, list | dict)}


def _group(said: Said) -> dict[str, Any]:
    told = {GROUP_ID: said.group_id, GROUP_SEQUENCE: said.group_sequence}
    return {name: value for name, value in told.items() if value is not None}


class Amqp10Wire:
    """AMQP 1.0: headers are application properties, nested ones message annotations."""

    def __init__(self, broker: Broker) -> None:
        self._clock = Clock()
        self._broker = broker

    def say(self, said: Said) -> None:
        nested = _nested(said.headers)
        if said.app_id is not None:
            nested["x-opt-amqp-app-id"] = said.app_id
        content = MessageContent(
            durable=said.durable,
            priority=said.priority,
            ttl_ms=said.ttl_ms,
            message_id=None if said.message_id is None else UUID(said.message_id),
            user_id=said.user_id,
            to=said.exchange or None,
            subject=said.key if said.exchange else None,
            reply_to=said.reply_to,
            correlation_id=said.correlation_id,
            content_type=said.content_type,
            content_encoding=said.content_encoding,
            creation_time=None if said.created_s is None else 1000 * said.created_s,
            group_id=said.group_id,
            group_sequence=said.group_sequence,
            message_annotations=nested,
            application_properties={
                name: value for name, value in said.headers.items() if name not in nested
            },
            body=said.body,
            body_kind=BodyKind.DATA,
        )
        peer = BrokerPeer(self._broker, self._clock)
        peer.writes(address=said.exchange or said.key)
        peer.transfer(0, encode_content(content), settled=True)
        peer.vanish()

    def hear(self, queue: str) -> Said:
        peer = BrokerPeer(self._broker, self._clock)
        peer.reads(credit=1, address=queue)
        peer.turn()
        (payload,) = [each.payload for each in peer.frames() if isinstance(each.performative, Transfer)]
        peer.say(Disposition(role=ROLE_RECEIVER, first=0, settled=True, state=Accepted()))
        peer.vanish()
        content = decode_content(payload)
        headers = plain({**content.application_properties, **content.message_annotations})
        return Said(
            body=content.body,
            exchange=content.to or "",
            key=content.subject or "" if content.to else "q",
            durable=content.durable,
            priority=content.priority,
            ttl_ms=content.ttl_ms,
            message_id=None if content.message_id is None else str(content.message_id),
            correlation_id=None if content.correlation_id is None else str(content.correlation_id),
            reply_to=content.reply_to,
            user_id=content.user_id,
            content_type=content.content_type,
            content_encoding=content.content_encoding,
            app_id=headers.pop("x-opt-amqp-app-id", None),
            created_s=None if content.creation_time is None else content.creation_time // 1000,
            group_id=content.group_id,
            group_sequence=content.group_sequence,
            headers=headers,
        )


class Amqp091Wire:
    """AMQP 0-9-1, by pamqp."""

    def __init__(self, broker: Broker) -> None:
        self._peer = Amqp091Peer(broker)
        self._peer.now = Clock().now
        self._peer.open()

    def say(self, said: Said) -> None:
        created = None if said.created_s is None else datetime.fromtimestamp(said.created_s, UTC)
        headers = {name: _field(value) for name, value in said.headers.items()}
        self._peer.publish(
            said.body,
            said.key,
            said.exchange,
            delivery_mode=2 if said.durable else 1,
            priority=said.priority,
            expiration=None if said.ttl_ms is None else str(said.ttl_ms),
            message_id=said.message_id,
            correlation_id=said.correlation_id,
            reply_to=said.reply_to,
            user_id=None if said.user_id is None else said.user_id.decode(),
            content_type=said.content_type,
            content_encoding=said.content_encoding,
            app_id=said.app_id,
            timestamp=created,
            headers={**headers, **_group(said)} or None,
        )

    def hear(self, queue: str) -> Said:
        self._peer.say(commands.Basic.Get(queue=queue, no_ack=True))
        method, told, body = self._peer.content(commands.Basic.GetOk)
        headers = plain(dict(told.headers or {}))
        return Said(
            body=body,
            exchange=method.exchange,
            key=method.routing_key or "" if method.exchange else "q",
            durable=told.delivery_mode == 2,
            priority=NORMAL_PRIORITY if told.priority is None else told.priority,
            ttl_ms=None if told.expiration is None else int(told.expiration),
            message_id=told.message_id,
            correlation_id=told.correlation_id,
            reply_to=told.reply_to,
            user_id=None if told.user_id is None else told.user_id.encode(),
            content_type=told.content_type,
            content_encoding=told.content_encoding,
            app_id=told.app_id,
            created_s=None if told.timestamp is None else int(told.timestamp.timestamp()),
            group_id=headers.pop(GROUP_ID, None),
            group_sequence=headers.pop(GROUP_SEQUENCE, None),
            headers=headers,
        )


def _field(value: Any) -> Any:
    """A header as pamqp wants it."""
    if isinstance(value, Timestamp):
        return datetime.fromtimestamp(value // 1000, UTC)
    if isinstance(value, list):
        return [_field(item) for item in value]
    if isinstance(value, dict):
        return {name: _field(item) for name, item in value.items()}
    return bytearray(value) if isinstance(value, bytes) else value


class Amqp010Wire:
    """AMQP 0-10."""

    def __init__(self, broker_state: BrokerState) -> None:
        self._peer = Amqp010Peer(broker_state, opens=False)
        self._peer.now = Clock().now
        self._peer.open()

    def say(self, said: Said) -> None:
        delivery: dict[str, Any] = {"delivery_mode": 2 if said.durable else 1, "priority": said.priority}
        if said.ttl_ms is not None:
            delivery["ttl"] = said.ttl_ms
        if said.created_s is not None:
            delivery["timestamp"] = Timestamp(1000 * said.created_s)
        properties: dict[str, Any] = {
            "message_id": None if said.message_id is None else UUID(said.message_id),
            "correlation_id": None if said.correlation_id is None else said.correlation_id.encode(),
            "user_id": said.user_id,
            "app_id": None if said.app_id is None else said.app_id.encode(),
            "content_type": said.content_type,
            "content_encoding": said.content_encoding,
            "application_headers": {**said.headers, **_group(said)} or None,
        }
        if said.reply_to is not None:
            exchange, _, key = said.reply_to.rpartition("/")
            properties["reply_to"] = Record(MESSAGE_REPLY_TO, {"exchange": exchange, "routing_key": key})
        told = {name: value for name, value in properties.items() if value is not None}
        self._peer.send(
            said.key, said.body, exchange=said.exchange, delivery=delivery, properties=told or None
        )

    def hear(self, queue: str) -> Said:
        self._peer.subscribe(queue)
        (transfer,) = self._peer.take()
        self._peer.do("message.accept", transfers=[(transfer.number, transfer.number)])
        self._peer.do("message.cancel", destination="d")
        delivery, told = transfer.delivery, transfer.properties
        headers = plain(transfer.headers)
        reply: Record | None = told.get("reply_to")
        exchange = delivery.get("exchange", "")
        created: int | None = delivery.get("timestamp")
        return Said(
            body=transfer.body or b"",
            exchange=exchange,
            key=delivery.get("routing_key", "") if exchange else "q",
            durable=delivery.get("delivery_mode") == 2,
            priority=plain(delivery.get("priority", NORMAL_PRIORITY)),
            ttl_ms=plain(delivery.get("ttl")),
            message_id=str(told["message_id"]) if "message_id" in told else None,
            correlation_id=_text(told.get("correlation_id")),
            reply_to=None if reply is None else _address(reply),
            user_id=told.get("user_id"),
            content_type=told.get("content_type"),
            content_encoding=told.get("content_encoding"),
            app_id=_text(told.get("app_id")),
            created_s=None if created is None else int(created) // 1000,
            group_id=headers.pop(GROUP_ID, None),
            group_sequence=headers.pop(GROUP_SEQUENCE, None),
            headers=headers,
        )


def _text(octets: bytes | None) -> str | None:
    return None if octets is None else octets.decode()


def _address(reply: Record) -> str:
    exchange, key = reply.text("exchange"), reply.text("routing_key")
    return f"{exchange}/{key}" if exchange else key
