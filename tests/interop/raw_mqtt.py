"""A client of MQTT over a socket, which says what it is told to."""

import socket
from types import TracebackType
from typing import Final, Self, TypeVar

from lastvalue.codec.mqtt.frames import LARGEST_PACKET, FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5
from lastvalue.codec.mqtt.packets import (
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
)
from lastvalue.codec.mqtt.properties import NONE, Properties
from lastvalue.codec.mqtt.reason_codes import ReasonCode

SECONDS: Final = 60
_Expected = TypeVar("_Expected", bound=Packet)


class RawMqtt:
    """One blocking connection of MQTT 5.0, or of another level."""

    def __init__(self, host: str, port: int, level: int = LEVEL_5) -> None:
        self.socket = socket.create_connection((host, port), timeout=SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._level = level
        self._reader = FrameReader(LARGEST_PACKET)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def say(self, *packets: Packet) -> None:
        """Say packets."""
        self.socket.sendall(b"".join(encode_packet(each, self._level) for each in packets))

    def enter(self, connect: Connect) -> None:
        """Connect, and be let in."""
        self.say(connect)
        reason = self.expect(ConnAck).reason
        assert reason is ReasonCode.SUCCESS, reason

    def subscribe(self, *filters: str, qos: int = 0, properties: Properties = NONE) -> SubAck:
        """Subscribe, and wait for the answer."""
        self.say(Subscribe(1, tuple(Subscription(each, qos) for each in filters), properties))
        return self.expect(SubAck)

    def expect(self, kind: type[_Expected]) -> _Expected:
        """The next packet of this kind; those before it are dropped."""
        while not isinstance(packet := self.next_packet(), kind):
            assert not isinstance(packet, Disconnect), packet
        return packet

    def next_packet(self) -> Packet:
        """What comes next."""
        reader = self._reader
        while not reader.next():
            data = self.socket.recv(1 << 16)
            assert data, "the broker closed the connection"
            reader.feed(data)
        return decode_packet(reader.first, reader.data, reader.start, reader.end, self._level)


def published(
    topic: str, payload: bytes, qos: int = 0, packet_id: int = 0, *, retain: bool = False,
    properties: Properties = NONE,
) -> Publish:  # fmt: skip
    """A PUBLISH."""
    publish = Publish(topic, payload, qos, packet_id, properties)
    publish.retain = retain
    return publish
