"""The engine of a connection, server side [MQTT 3.1.1; MQTT 5.0]."""

from enum import Enum
from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.codec.mqtt.errors import MqttError, protocol_error
from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import PUBLISH, decode_packet, decode_publish, level_of
from lastvalue.codec.mqtt.packet_encoder import encode_acks, encode_packet, encode_publish
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_31, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    Acks,
    Auth,
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Ping,
    Publish,
    SubAck,
    Subscribe,
    Unsubscribe,
)
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId, PropertyValue
from lastvalue.codec.mqtt.reason_codes import FIRST_FAILURE, ReasonCode, fitting_reason, has_return_code
from lastvalue.codec.mqtt.topic_names import TopicNames
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.model.message import NEVER
from lastvalue.protocols.engine import GONE, Engine, UsageError
from lastvalue.protocols.liveness import Liveness
from lastvalue.protocols.mqtt.login import begin_login
from lastvalue.protocols.mqtt.options import Options
from lastvalue.protocols.mqtt.topic_aliases import OwnTopicAliases, PeerTopicAliases
from lastvalue.protocols.sasl import WRONG, Authenticator, SaslExchange

Event: TypeAlias = Connect | Publish | Acks | Subscribe | Unsubscribe | Ping | Disconnect
"""What the peer has said, for the owner, who answers each with `Connection`'s methods; DISCONNECT has none.

A CONNECT comes once its peer has proved who it is, and a PUBLISH with its topic in place of an alias. If a
connection ends without a DISCONNECT, the client's will is published.
"""


class State(Enum):
    """The state of a connection."""

    START = "start"
    """CONNECT is to come."""
    PROVING = "proving"
    """The peer is to answer an AUTH."""
    CHECKING = "checking"
    """The peer's password is being checked."""
    ASKED = "asked"
    """The owner is to answer the peer's CONNECT."""
    OPEN = "open"
    CLOSING = "closing"
    """This side has said the end: nothing is read any more, so that the peer has time to read it."""
    CLOSED = "closed"


OPEN: Final = State.OPEN
_CLOSING: Final = State.CLOSING
_CLOSED: Final = State.CLOSED
_NOBODY: Final = Connect(0, "")
"""In place of the CONNECT that is to come."""

_OF_SERVERS: Final = (PacketType.CONNACK, PacketType.SUBACK, PacketType.UNSUBACK, PacketType.PINGRESP)
_TAKEN: Final = {
    State.START: frozenset((PacketType.CONNECT,)),
    State.PROVING: frozenset((PacketType.AUTH, PacketType.DISCONNECT)),
    OPEN: frozenset(PacketType) - {PacketType.CONNECT, *_OF_SERVERS},
}
"""The packets that the peer may send in a state [MQTT-3.1.0-1, MQTT-3.1.0-2]; in others what comes waits."""

_ON_PURPOSE: Final = frozenset(
    (
        ReasonCode.SERVER_SHUTTING_DOWN,
        ReasonCode.SESSION_TAKEN_OVER,
        ReasonCode.ADMINISTRATIVE_ACTION,
        ReasonCode.USE_ANOTHER_SERVER,
        ReasonCode.SERVER_MOVED,
    )
)
"""Reasons of an end that is nobody's fault."""

_AT_ONCE: Final = 250
"""So many messages are decoded, and handled by the owner, before the next packets are."""
_OTHER: Final = 5
"""Any other packet counts as this many of them."""
_SUCCESS: Final = ReasonCode.SUCCESS
_PLAIN_ACKS: Final = {
    0x40: PacketType.PUBACK,
    0x50: PacketType.PUBREC,
    0x62: PacketType.PUBREL,
    0x70: PacketType.PUBCOMP,
}
"""By the first byte, answers that have no more than a packet identifier if they are of two bytes."""
_ALL: Final = 1 << 40
_MOST_TEXT: Final = 1000
"""The characters of a reason string."""


@final
class Connection(Engine):
    """One connection with a client.

    Args:
        options: of the server.
        authenticator: decides who may connect.
        now: the time.
        names: of topics, which connections share; without them each name is parsed again.

    Attributes:
        authenticator: decides who may connect.
        identity: the peer's user, once known; `mechanism` is how the peer proved it.
        level: of the protocol; 0 before the peer says it.
        output: the bytes to write.
        reading_paused: nothing is read from the peer, so its silence does not count.
    """

    __slots__ = (
        "_aliases", "_checking", "_connect", "_events", "_exchange", "_in_flight", "_liveness", "_names",
        "_options", "_own_aliases", "_peer_max_packet_size", "_proof", "_reader", "_state", "_tells_problems",
        "authenticator", "identity", "level", "mechanism", "output", "reading_paused",
    )  # fmt: skip

    def __init__(
        self, options: Options, authenticator: Authenticator, now: i64, names: TopicNames | None = None
    ) -> None:
        super().__init__()
        self._names = names
        self.authenticator = authenticator
        self.identity = ""
        self.mechanism = ""
        self.level: i64 = 0
        self.output = OutputBuffer()
        self.reading_paused = False
        self._options = options
        self._events: list[Event] = []
        self._reader = FrameReader(FIRST_BYTES.most)
        self._state = State.START
        self._connect = _NOBODY
        self._exchange: SaslExchange | None = None
        self._checking = False
        self._proof: bytes | None = None
        # Messages from the peer above QoS 0 that are not answered: most of very many connections have none.
        self._in_flight: set[int] | None = None
        self._aliases: PeerTopicAliases | None = None
        self._own_aliases: OwnTopicAliases | None = None
        self._peer_max_packet_size: i64 = 0
        self._tells_problems = True
        self._liveness = Liveness(0, options.open_timeout_ms, options.close_timeout_ms, now)

    # ------------------------------------------------------------------ output

    @property
    def opened(self) -> bool:
        """The connection was accepted, and neither side has left."""
        return self._state is OPEN

    @property
    def ended(self) -> bool:
        """One side has left: no packet is read or sent any more."""
        return self._state is _CLOSING or self._state is _CLOSED

    @property
    def waiting_bytes(self) -> i64:
        """The number of buffered bytes of an incomplete packet."""
        return self._reader.waiting_bytes

    def events(self) -> list[Event]:
        """Take out the events since the last call, oldest first; none if nothing more has come."""
        if not self._events:
            self._read(_AT_ONCE)
        events = self._events
        self._events = []
        return events

    def put_back(self, events: list[Event]) -> None:
        """Give the first of these events back, which the owner has not processed."""
        self._events = events + self._events

    def data_to_send(self) -> bytes:
        """Take out the bytes to write."""
        return self.output.take()

    # ------------------------------------------------------------------ bytes

    def receive(self, data: bytes, now: i64) -> None:
        """Process bytes from the peer. No bytes of a peer raise an error."""
        if self.ended:
            return
        self._liveness.heard(now)
        self._reader.feed(data)
        try:
            if self._checking:
                self._step(None)
        except MqttError as fault:
            self.disconnect(fault.reason, str(fault))
        self._read(_AT_ONCE)

    def receive_eof(self, now: i64) -> None:
        """The peer has closed its side of the transport."""
        del now
        self._read(_ALL)
        self._finish(GONE)

    def _read(self, most_events: i64) -> None:
        """Decode what has come, up to this many events; a fault of the peer ends the connection."""
        if self.ended:
            return
        try:
            self._take_packets(most_events)
        except MqttError as fault:
            reader = self._reader
            if self.level == 0:
                # Of a CONNECT that is too large its begin has come, and the answer is as its level has it.
                self.level = level_of(reader.data, reader.start, reader.end)
            self.disconnect(fault.reason, str(fault))

    def _take_packets(self, most_events: i64) -> None:
        reader = self._reader
        left: i64 = most_events - len(self._events)
        # The hash of a state takes longer than a message.
        while (self._state is OPEN or self._state in _TAKEN) and left > 0 and reader.next():
            is_open, kind = self._state is OPEN, reader.first >> 4
            left -= 1
            if kind == PUBLISH and is_open:
                self._take_publish(
                    decode_publish(
                        reader.first, reader.data, reader.start, reader.end, self.level, self._names
                    )
                )
            elif not is_open or not self._take_plain_ack(reader):
                left -= _OTHER - 1
                self._check_kind(kind)
                if self.level == 0:
                    self.level = level_of(reader.data, reader.start, reader.end)
                self._take(decode_packet(reader.first, reader.data, reader.start, reader.end, self.level))
        most: i64 = self._options.max_packet_size if self._state is State.ASKED else FIRST_BYTES.most
        if not self.opened and self.waiting_bytes > most:
            raise MqttError(ReasonCode.QUOTA_EXCEEDED, f"at most {most} bytes may wait for the CONNACK")

    def _check_kind(self, kind: i64) -> None:
        """Refuse a packet that may not come now, whatever is in it.

        Raises:
            MqttError: it may not.
        """
        if kind not in _TAKEN[self._state]:
            name = PacketType(kind).name if kind > 0 else "a packet of the reserved type 0"
            raise protocol_error(
                f"[MQTT-3.1.0-1, MQTT-3.1.0-2] {name} may not come in the state {self._state.value!r}"
            )

    def _take(self, packet: Packet) -> None:
        if isinstance(packet, Connect):
            self._take_connect(packet)
        elif isinstance(packet, Ack):
            self._events.append(Acks(packet.packet_type, packet.packet_id, packet.reason))
        elif isinstance(packet, (Subscribe, Unsubscribe)):
            self._events.append(packet)
        elif isinstance(packet, Ping):
            self._send(Ping(PacketType.PINGRESP))
            self._events.append(packet)
        elif isinstance(packet, Disconnect):
            self._take_disconnect(packet)
        elif isinstance(packet, Auth):
            self._take_auth(packet)

    def _take_plain_ack(self, reader: FrameReader) -> bool:
        """Take an answer with nothing but a packet identifier, if it is one; those in a row are one event."""
        start = reader.start
        packet_type = _PLAIN_ACKS.get(int(reader.first)) if reader.end == start + 2 else None
        packet_id: i64 = 0 if packet_type is None else reader.data[start] << 8 | reader.data[start + 1]
        if packet_type is None or packet_id == 0:
            return False
        last = self._events[-1] if self._events else None
        if (
            isinstance(last, Acks)
            and last.packet_type is packet_type
            and last.last + 1 == packet_id < last.first + _AT_ONCE
            and last.reason is _SUCCESS
        ):
            last.last = packet_id
        else:
            self._events.append(Acks(packet_type, packet_id, _SUCCESS))
        return True

    def _take_publish(self, publish: Publish) -> None:
        if publish.properties is not NONE:
            if publish.properties.subscriptions:
                raise protocol_error("[MQTT-3.3.4-6] a client sends no subscription identifiers")
            if self._aliases is None:
                self._aliases = PeerTopicAliases(self._options.topic_alias_maximum)
            self._aliases.resolve(publish)
        if publish.qos > 0 and self.level >= LEVEL_5:
            if self._in_flight is None:
                self._in_flight = set()
            self._in_flight.add(int(publish.packet_id))
            if len(self._in_flight) > self._options.receive_maximum:
                raise MqttError(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    f"[MQTT-3.3.4-7] more than {self._options.receive_maximum} messages are not answered",
                )
        self._events.append(publish)

    def _take_disconnect(self, packet: Disconnect) -> None:
        expiry_s = packet.properties.number(PropertyId.SESSION_EXPIRY_S, -1)
        if expiry_s > 0 and self._connect.session_expiry_s == 0:
            raise protocol_error("[MQTT-3.14.2-2] a session without an expiry does not get one at the end")
        self._events.append(packet)
        text = packet.properties.text(PropertyId.REASON_STRING) or ""
        failed = packet.reason != ReasonCode.SUCCESS
        self._finish(f"the peer disconnected: {packet.reason.name} {text}".rstrip() if failed else "")

    # ------------------------------------------------------------------ login

    def _take_connect(self, connect: Connect) -> None:
        self._connect = connect
        self.level = connect.level
        properties = connect.properties
        self._peer_max_packet_size = properties.number(PropertyId.MAXIMUM_PACKET_SIZE)
        self._tells_problems = properties.number(PropertyId.REQUEST_PROBLEM_INFORMATION, 1) == 1
        most = properties.number(PropertyId.TOPIC_ALIAS_MAXIMUM)
        if min(most, self._options.topic_alias_maximum) > 0:
            self._own_aliases = OwnTopicAliases(min(most, self._options.topic_alias_maximum))
        if not connect.client_id and not connect.clean_start and self.level < LEVEL_5:
            raise MqttError(
                ReasonCode.CLIENT_IDENTIFIER_INVALID,
                "[MQTT 3.1.1, MQTT-3.1.3-8] a session that lasts needs a client identifier",
            )
        self.mechanism, self._exchange, response = begin_login(self.authenticator, connect)
        self._step(response)

    def _take_auth(self, packet: Auth) -> None:
        used = self._connect.properties.text(PropertyId.AUTHENTICATION_METHOD)
        if used is None or packet.properties.text(PropertyId.AUTHENTICATION_METHOD) != used:
            raise protocol_error(
                "[MQTT-4.12.0-5, MQTT-4.12.0-7] AUTH has the authentication method of the CONNECT"
            )
        response = packet.properties.octets(PropertyId.AUTHENTICATION_DATA)
        if packet.reason is ReasonCode.REAUTHENTICATE and self.opened and self._exchange is None:
            self._exchange = self.authenticator.begin(used)
        elif packet.reason is not ReasonCode.CONTINUE_AUTHENTICATION or not self._exchange or self._checking:
            raise protocol_error(
                f"[MQTT 5.0 §4.12] AUTH with the reason {packet.reason.name} is out of place"
            )
        self._step(response)

    def _step(self, response: bytes | None) -> None:
        """Go on with the login, or with another one of an open connection."""
        exchange = self._exchange
        if exchange is None:
            raise MqttError(ReasonCode.NOT_AUTHORIZED, WRONG)
        step = exchange.step(response)
        self._checking = step.pending
        if step.pending:
            if self._state is not OPEN:
                self._state = State.CHECKING
            return
        if step.challenge is not None:
            if self._state is not OPEN:
                self._state = State.PROVING
            self._send(Auth(ReasonCode.CONTINUE_AUTHENTICATION, self._proved(step.challenge)))
            return
        self._exchange = None
        if step.identity is None:
            named = self._connect.user_name is not None
            reason = ReasonCode.BAD_USER_NAME_OR_PASSWORD if named else ReasonCode.NOT_AUTHORIZED
            raise MqttError(reason, self.authenticator.refusal() or WRONG)
        if self._state is not OPEN:
            self._state = State.ASKED
            self.identity = step.identity
            self._proof = step.proof
            self._events.append(self._connect)
            return
        # [MQTT 5.0 §4.12.1] The peer of an open connection has proved that it still is its user.
        if step.identity != self.identity:
            text = f"the connection is of user {self.identity!r}; another user needs another connection"
            raise MqttError(ReasonCode.NOT_AUTHORIZED, text)
        self._send(Auth(ReasonCode.SUCCESS, self._proved(step.proof)))

    def _proved(self, octets: bytes | None) -> Properties:
        """[MQTT-4.12.0-5] The properties of an answer in an authentication with a method."""
        method = self._connect.properties.text(PropertyId.AUTHENTICATION_METHOD)
        values: dict[int, PropertyValue] = {}
        if method is not None:
            values[PropertyId.AUTHENTICATION_METHOD] = method
            if octets is not None:
                values[PropertyId.AUTHENTICATION_DATA] = octets
        return Properties(values)

    # ------------------------------------------------------------------ the owner's answer to a CONNECT

    def accept(self, session_present: bool, values: dict[int, PropertyValue] | None = None) -> None:
        """Answer a CONNECT: the peer is let in. `events` may have more then, of what was sent ahead.

        Args:
            session_present: the peer continues with an earlier session.
            values: of properties that the CONNACK has besides those that follow from the engine's options,
                by PropertyId; MQTT 5.0 alone has them.
        """
        if self._state is not State.ASKED:
            raise UsageError("a CONNECT is to be answered once")
        options = self._options
        keep_alive_s = self._connect.keep_alive_s
        properties = self._proved(self._proof)
        if self.level >= LEVEL_5:
            properties.values[PropertyId.RECEIVE_MAXIMUM] = options.receive_maximum
            properties.values[PropertyId.MAXIMUM_PACKET_SIZE] = options.max_packet_size
            properties.values[PropertyId.TOPIC_ALIAS_MAXIMUM] = options.topic_alias_maximum
            most_s = options.keep_alive_max_s
            if 0 < most_s < keep_alive_s:
                keep_alive_s = most_s
                properties.values[PropertyId.SERVER_KEEP_ALIVE_S] = most_s
            properties.values.update(values or {})
        self._state = OPEN
        self._reader.max_packet_size = options.max_packet_size
        # [MQTT-3.1.2-22] A client is gone after one and a half times its keep alive.
        self._liveness.expect(keep_alive_s * 1500)
        self._liveness.opened()
        present = session_present and self.level > LEVEL_31
        if not self._send(ConnAck(present, ReasonCode.SUCCESS, properties)):
            # [MQTT-3.1.2-24] What the peer is to know is larger than it takes.
            self._finish("the peer takes no packet as large as its CONNACK")
            return
        self._read(_AT_ONCE)

    # ------------------------------------------------------------------ what the owner sends

    def publish(self, publish: Publish, properties: bytes) -> bool:
        """Send a message; false, and it counts as delivered, if the peer takes none so large [MQTT-3.1.2-25].

        Args:
            publish: the message; its own properties are not read.
            properties: the octets of its properties, from `property_octets`, without a topic alias.
        """
        if self.ended:
            return True
        aliases = self._own_aliases
        topic = publish.topic
        proposed = b""
        octets = topic.encode("utf-8", "replace")
        if aliases is not None:
            alias = aliases.find(topic)
            if alias:
                octets = b""
            else:
                proposed = alias = aliases.propose()
            properties += alias
        data = encode_publish(publish, octets, properties, self.level)
        if not self.takes(len(data)):
            return False
        if aliases is not None and proposed:
            aliases.learn(topic, proposed)
        self.output.put(data)
        return True

    @property
    def shares(self) -> bool:
        """Whether messages that are encoded for several peers may be sent by `put`."""
        return self._own_aliases is None

    def takes(self, size: i64) -> bool:
        """Whether the peer takes a packet of so many bytes [MQTT-3.1.2-24]."""
        return not 0 < self._peer_max_packet_size < size

    def put(self, data: bytes, largest: i64) -> bool:
        """Send messages that are encoded for this level, the largest of this size; see `publish`."""
        fits = self.takes(largest)
        if fits and not self.ended:
            self.output.put(data)
        return fits

    def acknowledge(
        self,
        packet_type: PacketType,
        packet_id: i64,
        reason: ReasonCode = ReasonCode.SUCCESS,
        text: str = "",
    ) -> None:
        """Send PUBACK, PUBREC, PUBREL or PUBCOMP, with a reason and a text that says more."""
        if not text:
            self.acknowledge_all(packet_type, packet_id, packet_id, reason)
            return
        self._end_flight(packet_type, packet_id, packet_id, reason)
        fitting = fitting_reason(reason, packet_type)
        properties = self._explained(text)
        if not self._send(Ack(packet_type, int(packet_id), fitting, properties)):
            self._send(Ack(packet_type, int(packet_id), fitting))

    def acknowledge_all(self, packet_type: PacketType, first: i64, last: i64, reason: ReasonCode) -> None:
        """Send PUBACK, PUBREC, PUBREL or PUBCOMP for all packet identifiers from one to another."""
        self._end_flight(packet_type, first, last, reason)
        data = encode_acks(packet_type, first, last, fitting_reason(reason, packet_type), self.level)
        each: i64 = len(data) // (last - first + 1)
        if not self.ended and self.takes(each):
            self.output.put(data)

    def _end_flight(self, packet_type: PacketType, first: i64, last: i64, reason: ReasonCode) -> None:
        """Messages from the peer are answered, if this is the last answer to them."""
        is_end = packet_type is PacketType.PUBACK or packet_type is PacketType.PUBCOMP
        in_flight = self._in_flight
        if in_flight and (is_end or (packet_type is PacketType.PUBREC and reason >= FIRST_FAILURE)):
            in_flight.difference_update(range(first, last + 1))

    def answer_filters(
        self, packet_type: PacketType, packet_id: int, reasons: list[ReasonCode], text: str = ""
    ) -> None:
        """Answer a SUBSCRIBE by SUBACK, or an UNSUBSCRIBE by UNSUBACK: a reason for each of its filters."""
        fitting = tuple([fitting_reason(reason, packet_type) for reason in reasons])
        if not self._send(SubAck(packet_type, packet_id, fitting, self._explained(text))):
            self._send(SubAck(packet_type, packet_id, fitting))

    def disconnect(self, reason: ReasonCode, text: str, server_reference: str = "") -> None:
        """Say why the connection ends, and end it; a second call does nothing.

        What is said is lost where the peer's last bytes are not read, so its end is waited for.
        Before the peer is let in, CONNACK says it, else DISCONNECT; of MQTT 3.1.1 CONNACK alone can.

        Args:
            reason: as MQTT 5.0 has it.
            text: says more.
            server_reference: another server that the peer may use [MQTT 5.0 §4.11].
        """
        if self.ended:
            return
        values: dict[int, PropertyValue] = {}
        if server_reference:
            values[PropertyId.SERVER_REFERENCE] = server_reference
        explained = values | {PropertyId.REASON_STRING: text[:_MOST_TEXT]} if text else values
        if reason not in _ON_PURPOSE:
            self.end_condition = f"mqtt:0x{reason:02x}"
        said = self._end(reason, explained) or (explained is not values and self._end(reason, values))
        if not said:
            self._finish(text)
            return
        self.end_cause = text
        self._state = State.CLOSING
        self._reader.clear()
        self._liveness.closing()

    def _end(self, reason: ReasonCode, values: dict[int, PropertyValue]) -> bool:
        """Send the last packet; false if there is none, or the peer takes none so large."""
        properties = Properties(values)
        if self._state is not OPEN:
            if self.level < LEVEL_5 and not has_return_code(reason):
                return False
            return self._send(ConnAck(False, fitting_reason(reason, PacketType.CONNACK), properties))
        if self.level < LEVEL_5:
            return False
        return self._send(Disconnect(fitting_reason(reason, PacketType.DISCONNECT), properties))

    def _explained(self, text: str) -> Properties:
        if not text or not self._tells_problems:
            return NONE
        return Properties({PropertyId.REASON_STRING: text[:_MOST_TEXT]})

    def _send(self, packet: Packet) -> bool:
        """Send a packet; false if it is larger than the peer takes [MQTT-3.1.2-24].

        [MQTT-3.14.4-2] Nothing follows the end.
        """
        if self.ended:
            return True
        data = encode_packet(packet, int(self.level))
        if not self.takes(len(data)):
            return False
        self.output.put(data)
        return True

    def _finish(self, cause: str = "") -> None:
        if not self.finished and not self.end_cause:
            self.end_cause = cause
        self._state = State.CLOSED
        self._reader.clear()
        self.finished = True

    # ------------------------------------------------------------------ time

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, or NEVER."""
        return NEVER if self.finished else self._liveness.next_deadline()

    def advance(self, now: i64) -> None:
        """Do what is due: the end where the peer is too late."""
        if self.finished:
            return
        if self.reading_paused:
            self._liveness.heard(now)
        late = self._liveness.overdue(now)
        if late is not None:
            if self._state is OPEN:
                self.disconnect(ReasonCode.KEEP_ALIVE_TIMEOUT, late)
            self._finish(late)
