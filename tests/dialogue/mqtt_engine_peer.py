"""A client that says packets to an engine of MQTT, and reads what the engine says."""

from typing import Any, Self, TypeVar

from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5
from lastvalue.codec.mqtt.packets import Acks, Connect, Packet, Publish
from lastvalue.codec.mqtt.properties import NONE, Properties, property_octets
from lastvalue.protocols.mqtt.connection import Connection
from lastvalue.protocols.mqtt.options import Options
from lastvalue.protocols.sasl import Authenticator

Kind = TypeVar("Kind", bound=Packet | Acks)


class EnginePeer:
    """The client of an engine.

    Args:
        level: of the protocol.
        options: of the engine.
        authenticator: of the engine.
    """

    def __init__(
        self, level: int = LEVEL_5, options: Options | None = None, authenticator: Authenticator | None = None
    ) -> None:
        self.level = level
        self.now = 0
        self.engine = Connection(options or Options(), authenticator or Authenticator(), 0)

    def say(self, *packets: Packet) -> Self:
        """Send packets in one piece."""
        return self.raw(b"".join(encode_packet(packet, self.level) for packet in packets))

    def raw(self, octets: bytes) -> Self:
        """Send octets."""
        self.engine.receive(octets, self.now)
        return self

    def connect(self, **asked: Any) -> Self:
        """Send a CONNECT with these fields."""
        values: dict[str, Any] = {"client_id": "c", "clean_start": True} | asked
        return self.say(Connect(self.level, **values))

    def open(self, **asked: Any) -> Self:
        """Send a CONNECT that is accepted; the CONNACK is read."""
        self.connect(**asked)
        self.event(Connect)
        self.engine.accept(session_present=False)
        self.heard()
        return self

    def at(self, now: int) -> Self:
        """Let time pass."""
        self.now = now
        self.engine.advance(now)
        return self

    def event(self, kind: type[Kind]) -> Kind:
        """Take out the only event, which is of this kind."""
        (event,) = self.engine.events()
        assert isinstance(event, kind)
        return event

    def heard(self) -> list[Packet]:
        """What the engine has said since the last call."""
        reader = FrameReader(1 << 28)
        reader.feed(self.engine.data_to_send())
        packets = []
        while reader.next():
            packets.append(decode_packet(reader.first, reader.data, reader.start, reader.end, self.level))
        assert reader.waiting_bytes == 0
        return packets

    def delivered(self, publish: Publish) -> bool:
        """Let the engine send a message."""
        return self.engine.publish(publish, property_octets(publish.properties))


def message(
    topic: str = "a", payload: bytes = b"x", qos: int = 0, packet_id: int = 0, properties: Properties = NONE
) -> Publish:
    """A PUBLISH."""
    return Publish(topic, payload, qos, packet_id, properties)
