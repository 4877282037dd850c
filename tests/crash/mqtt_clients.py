"""Clients of MQTT that keep their side of a session over reconnects, for brokers that are killed."""

import select
import socket
from typing import Final

from served_broker import HOST

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
    Will,
)
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId

TIMEOUT_S: Final = 60
_EXPIRY_S: Final = 3600


class SessionClient:
    """A client with a session that lasts; its packets are handled one by one.

    Attributes:
        got: the payloads that came, each once as the protocol says it.
        answered: how many of its messages are acknowledged.
    """

    def __init__(self, client_id: str, will: Will | None = None) -> None:
        self.got: list[bytes] = []
        self.answered = 0
        self._client_id = client_id
        self._will = will
        self._socket: socket.socket | None = None
        self._reader = FrameReader(1 << 20)
        self._received: set[int] = set()
        # What it has published and is not done: the message, or None once it is released.
        self._sent: dict[int, Publish | None] = {}
        self._numbers = 0

    def connect(self, port: int) -> bool:
        """Connect, and send again what is not done; whether the broker has the session."""
        if self._socket is not None:
            self._socket.close()
        self._socket = socket.create_connection((HOST, port), TIMEOUT_S)
        self._reader = FrameReader(1 << 20)
        properties = Properties({PropertyId.SESSION_EXPIRY_S: _EXPIRY_S})
        self._say(
            Connect(LEVEL_5, self._client_id, clean_start=False, will=self._will, properties=properties)
        )
        answer = self.take()
        assert isinstance(answer, ConnAck)
        for packet_id, publish in list(self._sent.items()):
            if publish is None:
                self._say(Ack(PacketType.PUBREL, packet_id))
            else:
                publish.duplicate = True
                self._say(publish)
        return answer.session_present

    def leave(self) -> None:
        """Leave in order, and keep the session."""
        self._say(Disconnect())
        self.close()

    def wait_s(self, seconds: float) -> None:
        """Let time pass: nothing comes meanwhile."""
        assert self._socket is not None
        assert not select.select([self._socket], [], [], seconds)[0]

    def subscribe(self, topic_filter: str, qos: int) -> None:
        self._say(Subscribe(1, (Subscription(topic_filter, qos),)))
        while not isinstance(self.take(), SubAck):
            pass

    def publish(self, topic: str, payload: bytes, qos: int, *, retain: bool = False) -> None:
        self._numbers += 1
        publish = Publish(topic, payload, qos, self._numbers, NONE)
        publish.retain = retain
        self._sent[self._numbers] = publish
        self._say(publish)

    @property
    def waits(self) -> bool:
        """Whether an answer to what it has published is still to come."""
        return bool(self._sent)

    def take(self) -> Packet:
        """Handle the next packet.

        Raises:
            OSError: the broker is gone.
        """
        while not self._reader.next():
            assert self._socket is not None
            data = self._socket.recv(1 << 16)
            if not data:
                raise ConnectionResetError("the broker is gone")
            self._reader.feed(data)
        reader = self._reader
        packet = decode_packet(reader.first, reader.data, reader.start, reader.end, LEVEL_5)
        if isinstance(packet, Publish):
            self._take_message(packet)
        elif isinstance(packet, Ack):
            self._take_ack(packet)
        return packet

    def _take_message(self, message: Publish) -> None:
        if message.qos < 2 or message.packet_id not in self._received:
            self.got.append(message.payload)
        if message.qos == 1:
            self._say(Ack(PacketType.PUBACK, int(message.packet_id)))
        elif message.qos == 2:
            self._received.add(int(message.packet_id))
            self._say(Ack(PacketType.PUBREC, int(message.packet_id)))

    def _take_ack(self, ack: Ack) -> None:
        if ack.packet_type is PacketType.PUBREL:
            self._received.discard(ack.packet_id)
            self._say(Ack(PacketType.PUBCOMP, ack.packet_id))
        elif ack.packet_type is PacketType.PUBREC:
            self._sent[ack.packet_id] = None
            self._say(Ack(PacketType.PUBREL, ack.packet_id))
        else:
            del self._sent[ack.packet_id]
            self.answered += 1

    def _say(self, packet: Packet) -> None:
        assert self._socket is not None
        self._socket.sendall(encode_packet(packet, LEVEL_5))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
