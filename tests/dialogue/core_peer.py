"""A client of CORE that says what it is told to, to a broker without a socket."""

from typing import Any

from turning_peer import TurningPeer

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import BY_CODE, HEADER_BYTES, Packet, PacketType, read_packet, write_packet
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.typed_properties import (
    BYTE,
    LONG,
    STRING,
    TypedProperties,
    read_properties,
    write_properties,
)
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.delivery.authentication import Authentication
from lastvalue.delivery.branches import Branches
from lastvalue.frontends.core.broker_state import BrokerState
from lastvalue.frontends.core.connection import CoreConnection
from lastvalue.protocols.core.connection import MAGIC
from lastvalue.protocols.core.options import Options
from lastvalue.protocols.sasl import Authenticator

VERSION = 136
SESSION = 10
ANYCAST = 1


class Received:
    """A message that came: its consumer, its number, its body and its properties."""

    def __init__(self, data: bytes) -> None:
        reader = CoreReader(data, HEADER_BYTES, len(data) - 12)
        self.body = reader.octets(reader.int32() - HEADER_BYTES)
        self.number = reader.int64()
        self.address = reader.nullable_simple_string()
        if reader.boolean():
            reader.octets(16)
        self.kind = reader.int8()
        self.durable = reader.boolean()
        self.expiration = reader.int64()
        self.timestamp = reader.int64()
        self.priority = reader.int8()
        self.properties = {name: value for name, (_, value) in read_properties(reader).items()}
        trailer = CoreReader(data, len(data) - 12)
        self.consumer = trailer.int64()
        self.deliveries = trailer.int32()


class Peer(TurningPeer):
    """One connection."""

    conversation: CoreConnection

    def __init__(
        self,
        broker: Broker,
        options: Options | None = None,
        authenticator: Authenticator | None = None,
        shared: BrokerState | None = None,
        address: str = "10.0.0.9:1",
        authentication: Authentication | None = None,
    ) -> None:
        super().__init__(broker, authenticator, address, authentication)
        self.shared = shared or BrokerState(broker, Branches(broker))
        self.version = VERSION
        self.conversation = CoreConnection(self.context, options or Options(), self.shared, self.now)
        self._heard = b""
        self.heard: list[tuple[int, PacketType, bytes]] = []

    # ------------------------------------------------------------------ saying

    def say(self, kind: PacketType, channel: int = SESSION, **values: Any) -> "Peer":
        """Say a packet, and have a turn."""
        return self.raw(write_packet(kind, channel, self.version, values))

    def ask(self, kind: PacketType, answer: PacketType = packets.NULL_RESPONSE, **values: Any) -> Packet:
        """Say a packet that is answered; the answer."""
        if any(field.name == "wants_response" for field in kind.fields):
            values.setdefault("wants_response", True)
        return self.say(kind, **values).expect(answer)

    def begin(self) -> "Peer":
        """Say the first bytes."""
        return self.raw(MAGIC)

    def create(self, name: str = "session", channel: int = SESSION, **more: Any) -> "Peer":
        """Ask for a session that commits by itself, unless told otherwise."""
        values: dict[str, Any] = {
            "name": name,
            "session_channel": channel,
            "version": self.version,
            "min_large_message_size": 102_400,
            "auto_commit_sends": True,
            "auto_commit_acks": True,
            "window": -1,
        }
        return self.say(packets.CREATE_SESSION_V2, 1, **{**values, **more})

    def open(self, **more: Any) -> "Peer":
        """Open the connection with a session that has started."""
        self.begin().create(**more)
        assert self.expect(packets.SESSION_CREATED, 1).number("version") == self.version
        return self.say(packets.START)

    def declare(self, name: str = "q", address: str = "", routing: int = ANYCAST, **more: Any) -> "Peer":
        """Declare a queue."""
        values: dict[str, Any] = {"queue": name, "address": address or name, "routing_type": routing}
        self.ask(packets.CREATE_QUEUE_V2, **{**values, "max_consumers": -1, **more})
        return self

    def send(self, text: str, address: str = "q", *, answered: bool = True, **more: Any) -> "Peer":
        """Send a text message; `properties`, `durable`, `expiration` and `priority`."""
        body = CoreWriter()
        body.nullable_simple_string(text)
        data = message(body.data(), address, **more)
        return self.say(packets.SEND, message=data, wants_response=answered, correlation=7)

    def read(self, queue: str = "q", number: int = 1, credits_: int = -1, **more: Any) -> "Peer":
        """Have a consumer with credit."""
        self.ask(packets.CREATE_CONSUMER, packets.QUEUE_QUERIED, consumer=number, queue=queue, **more)
        return self.say(packets.CREDIT, consumer=number, credits=credits_)

    def at(self, now: int) -> "Peer":
        """Be at another time."""
        self.now = now
        self.conversation.advance(now, now)
        self.broker.advance(now)
        return self.turn()

    def vanish(self) -> "Peer":
        """The connection is lost."""
        self.conversation.lost(self.now, self.now)
        return self

    def _hear(self, data: bytes) -> None:
        self._heard += data
        while self._heard:
            size = 4 + int.from_bytes(self._heard[:4], "big")
            packet, self._heard = self._heard[:size], self._heard[size:]
            reader = CoreReader(packet, 4)
            kind = BY_CODE[int(reader.int8())]
            self.heard.append((int(reader.int64()), kind, packet))

    # ------------------------------------------------------------------ hearing

    def take(self, kind: PacketType, channel: int = SESSION) -> bytes:
        """The octets of the next packet on a channel, which must be of this kind."""
        for index, (number, heard, packet) in enumerate(self.heard):
            if number == channel:
                del self.heard[index]
                if heard is not kind:
                    raise AssertionError((heard.name, packet))
                return packet
        raise AssertionError(f"nothing more on channel {channel}, where {kind.name} should be")

    def expect(self, kind: PacketType, channel: int = SESSION) -> Packet:
        """The next packet on a channel, which must be of this kind."""
        return read_packet(kind, CoreReader(self.take(kind, channel), HEADER_BYTES), self.version)

    def received(self) -> Received:
        """The next message."""
        return Received(self.take(packets.RECEIVE))

    def texts(self) -> list[str | None]:
        """The texts of all messages that came."""
        found = []
        while self.heard:
            found.append(CoreReader(self.received().body).nullable_simple_string())
        return found

    def refused(self, kind: PacketType, **values: Any) -> int:
        """Say a packet that is refused; the code."""
        return int(self.ask(kind, packets.EXCEPTION, **values).number("code"))

    def silent(self) -> bool:
        """Whether there is nothing to hear."""
        return not self.heard


def head(address: str, properties: TypedProperties | None = None, **more: Any) -> bytes:
    """The headers and properties of a message."""
    writer = CoreWriter()
    writer.int64(0)
    writer.nullable_simple_string(address)
    user_id: bytes | None = more.get("user_id")
    writer.boolean(user_id is not None)
    writer.octets(user_id or b"")
    writer.int8(more.get("kind", 3))
    writer.boolean(more.get("durable", False))
    writer.int64(more.get("expiration", 0))
    writer.int64(more.get("timestamp", 0))
    writer.int8(more.get("priority", 4))
    write_properties(writer, properties or {})
    return writer.data()


def message(body: bytes, address: str, **more: Any) -> bytes:
    """A message as it is sent."""
    return (len(body) + HEADER_BYTES).to_bytes(4, "big") + body + head(address, **more)


def permit(broker: Broker, *rules: str) -> None:
    """Give everybody these rights."""
    permissions = Permissions([parse_rule(rule) for rule in rules])
    broker.authorization.permissions = lambda user: permissions


def keyed(value: str, name: str = "k") -> TypedProperties:
    """A text property."""
    return {name: (STRING, value)}


def anycast() -> TypedProperties:
    """The property of a message to a queue."""
    return {"_AMQ_ROUTING_TYPE": (BYTE, ANYCAST)}


def scheduled(at_ms: int) -> TypedProperties:
    """The property of a message with a delivery time."""
    return {"_AMQ_SCHED_DELIVERY": (LONG, at_ms)}
