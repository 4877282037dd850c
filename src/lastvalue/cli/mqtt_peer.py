"""A blocking client of MQTT, for the commands that read from or write to a broker by it."""

import itertools
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from lastvalue.cli.exits import CommandFailedError
from lastvalue.client.errors import AuthenticationError, ConnectionLostError, connect_error
from lastvalue.client.url import BrokerUrl
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.frames import LARGEST_PACKET, FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Ping,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
)
from lastvalue.codec.mqtt.properties import PropertyId
from lastvalue.codec.mqtt.reason_codes import FIRST_FAILURE, ReasonCode

_KEEP_ALIVE_S: Final = 60
_PING_S: Final = 20.0
_TIMEOUT_S: Final = 30.0
_PORTION: Final = 1 << 16
_MOST_UNANSWERED: Final = 100
_MOST_PACKET_ID: Final = 0xFFFF
_WRONG: Final = (ReasonCode.BAD_USER_NAME_OR_PASSWORD, ReasonCode.NOT_AUTHORIZED)


class MqttPeer:
    """A client's connection of MQTT 5.0, or of 3.1.1 where the broker does not know that, as a context.

    Attributes:
        refused: topics of messages that the broker has refused, and why.
    """

    def __init__(self, broker: BrokerUrl) -> None:
        self.refused: list[tuple[str, ReasonCode]] = []
        self._broker = broker
        self._level = LEVEL_5
        self._reader = FrameReader(LARGEST_PACKET)
        self._numbers = itertools.cycle(range(1, _MOST_PACKET_ID + 1))
        self._unanswered: dict[int, str] = {}

    def __enter__(self) -> Self:
        answer = self._enter()
        if answer is None or answer.reason is ReasonCode.UNSUPPORTED_PROTOCOL_VERSION:
            self._socket.close()
            self._level = LEVEL_311
            answer = self._enter()
        if answer is None or answer.reason is not ReasonCode.SUCCESS:
            self._socket.close()
            broker = self._broker
            reason = None if answer is None else answer.reason
            if reason in _WRONG:
                raise AuthenticationError(broker.host, broker.port, "the broker refuses the credentials")
            why = "it closed the connection" if reason is None else f"reason code {reason.value:#04x}"
            raise CommandFailedError(f"{broker.host}:{broker.port} lets nobody in by MQTT: {why}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            # A broker that is gone hears no farewell.
            with suppress(ConnectionLostError):
                self._say(Disconnect())
        self._socket.close()

    def _enter(self) -> ConnAck | None:
        """Connect; None if the broker closes the connection, or answers as another version."""
        broker = self._broker
        tls = broker.tls_context()
        try:
            self._socket = socket.create_connection((broker.host, broker.port), _TIMEOUT_S)
            if tls is not None:
                self._socket = tls.wrap_socket(self._socket, server_hostname=broker.host)
        except OSError as error:
            raise connect_error(broker.host, broker.port, error) from error
        self._reader = FrameReader(LARGEST_PACKET)
        password = broker.password.encode() if broker.user is not None else None
        self._say(
            Connect(
                self._level, "", keep_alive_s=_KEEP_ALIVE_S, user_name=broker.user, password=password
            )
        )  # fmt: skip
        try:
            packet = self._next(_TIMEOUT_S)
        except (ConnectionLostError, CommandFailedError):
            return None
        return packet if isinstance(packet, ConnAck) else None

    # ------------------------------------------------------------------ packets

    def _say(self, packet: Packet) -> None:
        try:
            self._socket.sendall(encode_packet(packet, self._level))
        except OSError as error:
            raise ConnectionLostError(f"the connection broke: {error}") from error

    def _next(self, timeout_s: float) -> Packet | None:
        """The next packet; None if none comes for so long."""
        reader = self._reader
        self._socket.settimeout(timeout_s)
        try:
            while not reader.next():
                data = self._socket.recv(_PORTION)
                if not data:
                    raise ConnectionLostError(f"{self._broker.host} closed the connection")
                reader.feed(data)
            packet = decode_packet(reader.first, reader.data, reader.start, reader.end, self._level)
        except TimeoutError:
            return None
        except OSError as error:
            raise ConnectionLostError(f"the connection broke: {error}") from error
        except MqttError as error:
            raise CommandFailedError(f"{self._broker.host} says what is no MQTT: {error}") from error
        if isinstance(packet, Disconnect):
            raise ConnectionLostError(f"{self._broker.host} disconnected: {packet.reason.name}")
        return packet

    # ------------------------------------------------------------------ reading

    def messages(self, filters: Sequence[str], quiet_s: float | None = None) -> Iterator[Publish]:
        """What comes to these topics at QoS 0, until nothing has come for so long; without it for ever.

        At QoS 0 nothing is dropped by a broker that limits what is not acknowledged.

        Raises:
            CommandFailedError: the broker refuses a filter, or does not answer.
            ConnectionLostError: it has closed the connection.
        """
        self._say(Subscribe(1, tuple(Subscription(each) for each in filters)))
        wait_s, granted = _TIMEOUT_S, False
        ping_s = time.monotonic() + _PING_S
        while True:
            packet = self._next(wait_s)
            if isinstance(packet, SubAck):
                granted = True
                wait_s = _PING_S if quiet_s is None else quiet_s
                for text, reason in zip(filters, packet.reasons, strict=False):
                    if reason >= FIRST_FAILURE:
                        raise CommandFailedError(f"{self._broker.host} refuses the filter {text!r}")
            elif isinstance(packet, Publish):
                yield packet
            elif packet is None and not granted:
                raise CommandFailedError(f"{self._broker.host} does not answer a subscription")
            elif packet is None and quiet_s is not None:
                return
            if time.monotonic() > ping_s:
                self._say(Ping(PacketType.PINGREQ))
                ping_s = time.monotonic() + _PING_S

    # ------------------------------------------------------------------ writing

    def publish(self, message: Publish) -> None:
        """Publish a retained message; `settle` waits until it is confirmed."""
        self.settle(_MOST_UNANSWERED - 1)
        packet_id = next(self._numbers)
        # They are of the connection that it came over.
        for own in (PropertyId.TOPIC_ALIAS, PropertyId.SUBSCRIPTION_IDENTIFIER):
            message.properties.values.pop(own, None)
        copy = Publish(message.topic, message.payload, 1, packet_id, message.properties)
        copy.retain = True
        self._unanswered[packet_id] = message.topic
        self._say(copy)

    def settle(self, most: int) -> None:
        """Wait until at most this many messages are unconfirmed."""
        while len(self._unanswered) > most:
            packet = self._next(_TIMEOUT_S)
            if packet is None:
                raise ConnectionLostError("the broker does not confirm what is published")
            if isinstance(packet, Ack) and packet.packet_type is PacketType.PUBACK:
                topic = self._unanswered.pop(packet.packet_id, None)
                if topic is not None and packet.reason >= FIRST_FAILURE:
                    self.refused.append((topic, packet.reason))
