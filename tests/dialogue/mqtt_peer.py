"""A client of MQTT that says what it is told to, to a broker without a socket."""

from typing import Any, Self, TypeVar

from turning_peer import TurningPeer

from lastvalue.broker.broker import Broker
from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
    Unsubscribe,
)
from lastvalue.codec.mqtt.properties import Properties, PropertyId, PropertyValue
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.frontends.mqtt.broker_state import BrokerState, MqttSettings
from lastvalue.frontends.mqtt.connection import MqttConnection, opener
from lastvalue.protocols.mqtt.options import Options
from lastvalue.protocols.sasl import Authenticator

Kind = TypeVar("Kind", bound=Packet)
NEVER_EXPIRES = 0xFFFFFFFF


def mqtt_state(broker: Broker, **settings: Any) -> BrokerState:
    """What the connections of a broker share."""
    topics = settings.pop("topics", ())
    state = BrokerState(broker, MqttSettings(**settings))
    state.retained.divide(topics)
    opener(Options(), state)
    return state


class MqttPeer(TurningPeer):
    """One connection.

    Attributes:
        heard: what came and was not taken out.
    """

    conversation: MqttConnection

    def __init__(
        self, state: BrokerState, level: int = LEVEL_5, authenticator: Authenticator | None = None
    ) -> None:
        super().__init__(state.broker, authenticator)
        self.level = level
        self.heard: list[Packet] = []
        self._numbers = 0
        self._reader = FrameReader(1 << 28)
        self.conversation = MqttConnection(self.context, Options(), state, self.now)

    # ------------------------------------------------------------------ saying

    def say(self, *packets: Packet) -> Self:
        """Say packets, and have a turn."""
        return self.raw(b"".join(encode_packet(packet, self.level) for packet in packets))

    def at(self, now: int) -> Self:
        """Be at another time."""
        self.now = now
        self.broker.advance(now)
        self.conversation.advance(now, now)
        return self.turn()

    def lost(self) -> Self:
        """Lose the connection."""
        self.conversation.lost(self.now, self.now)
        return self.turn()

    def connect(self, client_id: str = "c", expiry_s: int = 0, **asked: Any) -> ConnAck:
        """Connect; the answer."""
        values: dict[int, PropertyValue] = {PropertyId.SESSION_EXPIRY_S: expiry_s} if expiry_s else {}
        values |= asked.pop("values", {})
        asked.setdefault("properties", Properties(values))
        self.say(Connect(self.level, client_id, **asked))
        return self.take(ConnAck)

    def subscribe(self, *filters: str | Subscription, qos: int = 0, **more: Any) -> list[ReasonCode]:
        """Subscribe with this QoS; the reasons of the answer."""
        asked = [Subscription(each, qos) if isinstance(each, str) else each for each in filters]
        self._numbers += 1
        self.say(Subscribe(self._numbers, tuple(asked), Properties(**more)))
        return list(self.take(SubAck).reasons)

    def unsubscribe(self, *filters: str) -> list[ReasonCode]:
        """Unsubscribe; the reasons of the answer."""
        self._numbers += 1
        self.say(Unsubscribe(self._numbers, filters))
        return list(self.take(SubAck).reasons)

    def publish(self, topic: str, payload: bytes = b"x", qos: int = 0, **more: Any) -> Self:
        """Publish a message; `retain`, and properties as `values` and `user`."""
        packet_id = more.pop("packet_id", 0)
        if qos and not packet_id:
            self._numbers += 1
            packet_id = self._numbers
        retain = more.pop("retain", False)
        duplicate = more.pop("duplicate", False)
        publish = Publish(topic, payload, qos, packet_id, Properties(**more))
        publish.retain = retain
        publish.duplicate = duplicate
        return self.say(publish)

    def answer(
        self, packet_type: PacketType, packet_id: int, reason: ReasonCode = ReasonCode.SUCCESS
    ) -> Self:
        """Send PUBACK, PUBREC, PUBREL or PUBCOMP."""
        return self.say(Ack(packet_type, packet_id, reason))

    def disconnect(self, reason: ReasonCode = ReasonCode.SUCCESS, **values: Any) -> Self:
        """Leave in order."""
        self.say(Disconnect(reason, Properties(**values)))
        return self.lost()

    def _hear(self, data: bytes) -> None:
        self._reader.feed(data)
        while self._reader.next():
            reader = self._reader
            packet = decode_packet(reader.first, reader.data, reader.start, reader.end, self.level)
            self.heard.append(packet)

    # ------------------------------------------------------------------ what was heard

    def take(self, kind: type[Kind]) -> Kind:
        """Take out the first packet of this kind."""
        for packet in self.heard:
            if isinstance(packet, kind):
                self.heard.remove(packet)
                return packet
        raise AssertionError(f"no {kind.__name__} among {self.heard}")

    def take_all(self, kind: type[Kind]) -> list[Kind]:
        """Have a turn, and take out the packets of this kind."""
        self.turn()
        found: list[Kind] = [packet for packet in self.heard if isinstance(packet, kind)]
        self.heard = [packet for packet in self.heard if not isinstance(packet, kind)]
        return found

    def acks(self) -> list[tuple[PacketType, int, ReasonCode]]:
        """The acknowledgements that came."""
        return [(each.packet_type, each.packet_id, each.reason) for each in self.take_all(Ack)]

    def messages(self) -> list[tuple[str, bytes]]:
        """The topics and payloads of the messages that came."""
        return [(each.topic, each.payload) for each in self.take_all(Publish)]
