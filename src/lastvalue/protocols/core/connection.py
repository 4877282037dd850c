"""The engine of a connection, server side.

Channel 0 is for pings and the topology, channel 1 makes sessions, the others belong to sessions.
"""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core.errors import (
    ILLEGAL_STATE,
    INCOMPATIBLE_VERSIONS,
    SECURITY_EXCEPTION,
    SESSION_CREATION_REJECTED,
    UNSUPPORTED_PACKET,
)
from lastvalue.codec.core.message_decoder import is_compressed, is_text
from lastvalue.codec.core.packets import (
    ACKNOWLEDGE,
    ACKNOWLEDGE_ONE,
    BY_CODE,
    CHECK_FAILOVER,
    CREATE_SESSION,
    CREATE_SESSION_V2,
    CREDIT,
    DISCONNECT_V3,
    EXCEPTION,
    FAILOVER_CHECKED,
    HEADER_BYTES,
    NEWEST_VERSION,
    NO_CORRELATION,
    OLDEST_VERSION,
    PACKETS_CONFIRMED,
    PING,
    REATTACH,
    REATTACHED,
    SEND,
    SEND_CONTINUATION,
    SEND_LARGE,
    SESSION_CREATED,
    SUBSCRIBE_TOPOLOGY,
    SUBSCRIBE_TOPOLOGY_V2,
    TOPOLOGY,
    TOPOLOGY_V3,
    Packet,
    PacketType,
    read_packet,
    write_packet,
)
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.octets import number_at
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.admission import FIRST_CORE_BYTES
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount, MemoryLimitError
from lastvalue.model.message import NEVER
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.compressed_messages import (
    CompressedMessage,
    may_be_compressed,
)
from lastvalue.protocols.core.events import (
    Acknowledged,
    Called,
    Credited,
    Event,
    LargeBegun,
    Published,
    PublishedRun,
    ReattachRequested,
    SessionRequested,
)
from lastvalue.protocols.core.large_messages import (
    MOST_HEAD_BYTES,
    LargeMessages,
    head_too_large,
    too_large,
)
from lastvalue.protocols.core.options import Options
from lastvalue.protocols.core.prepared_messages import STEP_BYTES, LargeText, PreparedMessage
from lastvalue.protocols.engine import GONE, Engine
from lastvalue.protocols.liveness import Liveness
from lastvalue.protocols.sasl import ANONYMOUS, EXTERNAL, FAILED, PLAIN, WRONG, Authenticator, SaslExchange

MAGIC: Final = b"ARTEMIS"
"""What a client sends before its first packet."""

HEADER: Final = MAGIC + b"\0"
"""The first eight bytes: no first packet is so large that its length begins with another one."""

_COMMAND_BYTES: Final = 64 * 1024
"""The largest packet that carries no message."""
_OVERHEAD: Final = 256 * 1024
"""How much larger than a body a packet may be."""

_MANAGEMENT_CHANNELS: Final = 10
"""Channels with lower numbers are the connection's own."""
_MOST_SESSIONS: Final = 2000
"""Sessions of one connection: each read counts what they hold."""
_LONGEST_TTL_MS: Final = 1 << 40
"""Some 34 years: a longer time would not fit into the moments that are computed from it."""
_SHUT_DOWN: Final = 3
_LENGTH_BYTES: Final = 4
"""Of a packet's length."""


@final
class Connection(Engine):
    """One connection with a client; what it has begun takes memory from an account.

    Attributes:
        authenticator: decides who may connect.
        identity: the user of its first session; "" before that.
        mechanism: by which the user was proved.
        version: of the protocol that the peer speaks; 0 before it says so.
        channels: of its sessions.
        output: the bytes to write.
        opened: it has a session, or has had one, and neither side has closed.
        reading_paused: nothing is read from the peer, so its silence does not count.
        input_waits: a part of the input waits for another call of `receive`, which may pass no bytes.
        gone: the peer went away and left sessions, which it may attach to another connection.
        ttl_ms: how long the peer may be silent; -1 is without limit.
    """

    __slots__ = (
        "_asked", "_begun", "_data", "_events", "_exchange", "_large", "_liveness",
        "_max_message_size", "_memory", "_options", "_pos", "_prepared", "_step_bytes", "authenticator",
        "channels", "gone", "identity", "input_waits", "mechanism", "opened", "output", "reading_paused",
        "ttl_ms", "version",
    )  # fmt: skip

    def __init__(
        self, options: Options, authenticator: Authenticator, memory: MemoryAccount, now: i64
    ) -> None:
        super().__init__()
        self.authenticator = authenticator
        self.identity = ""
        self.mechanism = ""
        self.version: i64 = 0
        self.ttl_ms: i64 = options.idle_timeout_ms
        self.channels: dict[int, Channel] = {}
        self.output = OutputBuffer()
        self.opened = False
        self.reading_paused = False
        self.input_waits = False
        self.gone = False
        self._options = options
        self._max_message_size: i64 = options.max_message_size
        self._memory = memory
        self._events: list[Event] = []
        self._large = LargeMessages(options.max_message_size, memory)
        # The message whose body is made ready, and how many bytes this call may still make of it.
        self._prepared: PreparedMessage | None = None
        self._step_bytes: i64 = 0
        self._data = bytearray()
        self._pos: i64 = 0
        self._begun = False
        self._asked: Packet | None = None
        self._exchange: SaslExchange | None = None
        self._liveness = Liveness(options.idle_timeout_ms, options.open_timeout_ms, 0, now)

    @property
    def waiting_bytes(self) -> i64:
        """The number of buffered bytes: of an incomplete packet, and of a message that is made ready."""
        prepared = self._prepared
        return len(self._data) - self._pos + (0 if prepared is None else prepared.waiting_bytes)

    def events(self) -> list[Event]:
        """Take out the events since the last call, oldest first."""
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
        self.input_waits = False
        if self.finished:
            return
        self._liveness.heard(now)
        self._data += data
        self._step_bytes = STEP_BYTES
        try:
            if not self._begun:
                if len(self._data) < len(MAGIC):
                    return
                self._pos = len(MAGIC)
                self._begun = True
            if self._asked is not None:
                self._step()
            if self._prepared is not None:
                self._prepare(self._prepared)
            self._read_packets()
        except (DecodeError, MemoryLimitError) as fault:
            self.fail(ILLEGAL_STATE, str(fault))
        del self._data[: self._pos]
        self._pos = 0
        self.input_waits = self._step_bytes <= 0 and not self.finished

    def receive_eof(self, now: i64) -> None:
        """The peer has closed its side of the transport."""
        del now
        self.gone = not self.finished and bool(self.channels)
        self._finish("" if self.opened and not self.channels else GONE)

    def _read_packets(self) -> None:
        data = b""
        run: PublishedRun | None = None
        same = b""
        # What the peer sent ahead waits for the check of its password.
        while self._asked is None and not self.finished and self._step_bytes > 0:
            pos = self._pos
            if data:
                size = self._packet_bytes(data, pos, len(data) - pos)
            else:
                # Of a packet that has not come whole, the rest is not copied with each part.
                size = self._packet_bytes(
                    bytes(self._data[pos : pos + _LENGTH_BYTES + 1]), 0, len(self._data) - pos
                )
            if size == 0:
                return
            end = pos + size
            self._pos = end
            if not data:
                data = bytes(self._data)
            if run is None or data[pos + _LENGTH_BYTES : pos + HEADER_BYTES] != same:
                run = self._take_packet(data, pos, end)
                same = data[pos + _LENGTH_BYTES : pos + HEADER_BYTES]
            if run is not None and not self._take_message(run, end):
                run = None

    def _packet_bytes(self, data: bytes, pos: i64, left: i64) -> i64:
        """The size of the packet that begins at pos, with `left` bytes there; 0 where it is not whole."""
        if left < _LENGTH_BYTES:
            return 0
        length = number_at(data, pos)
        if length > _COMMAND_BYTES or length < HEADER_BYTES - _LENGTH_BYTES or not self.opened:
            most: i64 = self._most_bytes(0 if left == _LENGTH_BYTES else data[pos + _LENGTH_BYTES])
            if not HEADER_BYTES - _LENGTH_BYTES <= length <= most:
                raise DecodeError(
                    f"a packet of {length} bytes; {HEADER_BYTES - _LENGTH_BYTES} to {most} are taken"
                )
        return _LENGTH_BYTES + length if left - _LENGTH_BYTES >= length else 0

    def _most_bytes(self, code: i64) -> i64:
        """The size of the largest packet of a type, 0 where that has not come yet."""
        if not self.opened:
            return FIRST_CORE_BYTES.most
        carries_message = code == 0 or SEND.code <= code <= SEND_CONTINUATION.code
        return self._options.max_message_size + _OVERHEAD if carries_message else _COMMAND_BYTES

    def _take_packet(self, data: bytes, pos: i64, end: i64) -> PublishedRun | None:
        """Take a packet; the run that begins where it is a message."""
        reader = CoreReader(data[pos:end], _LENGTH_BYTES)
        code = reader.int8()
        number = reader.int64()
        channel = self.channels.get(number)
        if channel is None:
            self._take_own(number, code, reader)
        elif code != SEND.code:
            self._take_command(channel, code, reader)
        else:
            run = PublishedRun(channel, data, pos)
            self._events.append(run)
            return run
        return None

    # ------------------------------------------------------------------ commands of sessions

    def _take_command(self, channel: Channel, code: i64, reader: CoreReader) -> None:
        size: i64 = len(reader.data)
        if code == ACKNOWLEDGE.code or code == ACKNOWLEDGE_ONE.code:
            numbers = (reader.int64(), reader.int64())
            acknowledged = Acknowledged(channel, size, numbers, code == ACKNOWLEDGE_ONE.code)
            acknowledged.answered = reader.boolean()
            self._events.append(acknowledged)
        elif code == CREDIT.code:
            self._events.append(Credited(channel, size, reader.int64(), reader.int32()))
        elif code == PACKETS_CONFIRMED.code:
            channel.confirmed(reader.int32())
        elif code == SEND_LARGE.code:
            head = reader.rest()
            self._large.begin(channel, head)
            self._events.append(LargeBegun(channel, size, head))
        elif code == SEND_CONTINUATION.code:
            packet = read_packet(SEND_CONTINUATION, reader, channel.version)
            self._take_part(self._large.add(channel, packet, size))
        else:
            packet_type = BY_CODE.get(code)
            if packet_type is None:
                raise DecodeError(f"a packet of the unknown type {code}")
            self._events.append(Called(channel, size, read_packet(packet_type, reader, channel.version)))

    def _take_message(self, run: PublishedRun, end: i64) -> bool:
        """Add a message to a run; false where it cannot be taken, and ends the run."""
        run.measure(end)
        data = run.data
        head_bytes = run.trailer - run.head
        if run.head - run.body <= self._max_message_size and head_bytes <= MOST_HEAD_BYTES:
            is_small = run.head - run.body <= STEP_BYTES
            if is_small and not (
                may_be_compressed(data, run.body) and is_compressed(data[run.head : run.trailer])
            ):
                run.add()
                return True
            published = run.published()
            published.head = data[run.head : run.trailer]
            published.body = data[run.body : run.head]
            self._take_part(published)
            return False
        published = run.published()
        if head_bytes > MOST_HEAD_BYTES:
            published.fault = head_too_large()
        else:
            published.fault = too_large(self._options.max_message_size)
        self._events.append(published)
        return False

    def _take_part(self, published: Published) -> None:
        """Take a part of a message, or a whole one whose body may have to be made ready."""
        body, head = published.body, published.head
        size: i64 = len(body)
        if published.converted or size <= 1:
            self._events.append(published)
        elif not published.inflated and may_be_compressed(body, 0) and is_compressed(head):
            self._prepare(CompressedMessage(published, self._max_message_size, self._memory))
        elif size > STEP_BYTES and is_text(head, body):
            self._prepare(LargeText(published, self._memory))
        else:
            self._events.append(published)

    def _prepare(self, message: PreparedMessage) -> None:
        """Make a body ready as far as this call may."""
        self._prepared = message
        self._step_bytes -= message.step(self._step_bytes)
        if message.is_over:
            self._prepared = None
            self._take_part(message.published)

    # ------------------------------------------------------------------ commands of the connection

    def _take_own(self, number: i64, code: i64, reader: CoreReader) -> None:
        packet_type = BY_CODE.get(code)
        if packet_type is None:
            raise DecodeError(f"a packet of the unknown type {code}")
        if number >= _MANAGEMENT_CHANNELS:
            # A session that has ended: what its client sent before it knew means nothing.
            if not self.opened:
                raise DecodeError(f"{packet_type.name} on channel {number}, which has no session")
            return
        packet = read_packet(packet_type, reader, self.version or NEWEST_VERSION)
        if packet_type is PING:
            self._take_ping(packet)
        elif packet_type is SUBSCRIBE_TOPOLOGY or packet_type is SUBSCRIBE_TOPOLOGY_V2:
            self._take_subscription(packet, number)
        elif packet_type is CREATE_SESSION or packet_type is CREATE_SESSION_V2:
            self._take_session(packet)
        elif packet_type is REATTACH:
            self._events.append(ReattachRequested(packet))
        elif packet_type is CHECK_FAILOVER:
            self.send(FAILOVER_CHECKED, {"ok": True})
        elif packet_type is not PACKETS_CONFIRMED:
            text = f"{packet_type.name} is out of place on channel {number}"
            self.send(EXCEPTION, {"code": UNSUPPORTED_PACKET, "text": text, "correlation": NO_CORRELATION})

    def _take_ping(self, packet: Packet) -> None:
        """[Artemis] The client says how long it may be silent, and waits for the same packet."""
        ttl_ms = packet.number("ttl_ms")
        self.ttl_ms = min(ttl_ms, _LONGEST_TTL_MS)
        self._liveness.expect(max(0, self.ttl_ms))
        self.send(PING, {"ttl_ms": ttl_ms}, 0)

    def _take_subscription(self, packet: Packet, number: i64) -> None:
        """The topology of a broker that is alone: one node, to which the peer is connected."""
        self.version = min(packet.number("version", OLDEST_VERSION), NEWEST_VERSION)
        values = {
            "node": self._options.node_id, "event": 1, "last": True, "server_version": NEWEST_VERSION
        }  # fmt: skip
        self.send(TOPOLOGY if self.version >= 131 else TOPOLOGY_V3, values, number)

    def _take_session(self, packet: Packet) -> None:
        version = packet.number("version")
        if not OLDEST_VERSION <= version <= NEWEST_VERSION:
            known = f"{OLDEST_VERSION} to {NEWEST_VERSION}"
            self.refuse(INCOMPATIBLE_VERSIONS, f"version {version} of CORE is not spoken; {known} are")
            return
        self.version = version
        user = packet.optional_text("username")
        mechanism = ANONYMOUS if user is None else PLAIN
        self._asked = packet
        self._exchange = self.authenticator.begin(mechanism)
        self.mechanism = mechanism
        self._step()

    def _step(self) -> None:
        packet = self._asked
        if packet is None:
            return
        user, password = packet.text("username"), packet.text("password")
        response = b"\0" + user.encode("utf-8", "replace") + b"\0" + password.encode("utf-8", "replace")
        step = FAILED if self._exchange is None else self._exchange.step(response)
        if step.pending:
            return
        self._asked = self._exchange = None
        if step.identity is None:
            self.refuse(SECURITY_EXCEPTION, self.authenticator.refusal() or WRONG)
        elif self.identity and step.identity != self.identity:
            text = f"the connection is of user {self.identity!r}; another user needs another connection"
            self.refuse(SECURITY_EXCEPTION, text)
        else:
            self._events.append(SessionRequested(packet, step.identity, self.mechanism))

    # ------------------------------------------------------------------ answers and ends

    def create(self, packet: Packet, identity: str, memory: MemoryAccount) -> Channel | None:
        """Create the session that a peer asked for, with its own memory; None if the channel has one."""
        number = packet.number("session_channel")
        if number < _MANAGEMENT_CHANNELS or number in self.channels:
            self.refuse(ILLEGAL_STATE, f"channel {number} is in use; sessions have channels of their own")
            return None
        if len(self.channels) >= _MOST_SESSIONS:
            text = f"a connection has at most {_MOST_SESSIONS} sessions; use another connection"
            self.refuse(SESSION_CREATION_REJECTED, text)
            return None
        self.identity = identity
        self._open()
        channel = Channel(number, self.version, packet.number("window"), self.output, memory)
        self.channels[number] = channel
        self.send(SESSION_CREATED, {"version": self.version})
        return channel

    def reattach(self, channel: Channel, last: i64, identity: str) -> None:
        """Continue with a session of an earlier connection, whose peer has what was sent up to this."""
        self.identity = identity
        self.version = channel.version
        self._open()
        self.channels[channel.number] = channel
        channel.attach(self.output, last)
        self.send(REATTACHED, {"last_command": channel.last_command, "reattached": True})

    def proves(self, identity: str) -> bool:
        """Whether the peer is this user: by a session that it has here, its certificate, or as nobody."""
        if self.identity:
            return self.identity == identity
        return any(self._shown(mechanism) == identity for mechanism in (ANONYMOUS, EXTERNAL))

    def _shown(self, mechanism: str) -> str | None:
        """The user that a peer is by a mechanism which asks it for nothing more."""
        exchange = self.authenticator.begin(mechanism)
        return None if exchange is None else exchange.step(b"").identity

    def refuse_reattachment(self) -> None:
        """The peer may not have such a session, or there is none: the client creates another one."""
        self.send(REATTACHED, {"last_command": NO_CORRELATION, "reattached": False})

    def refuse(self, code: int, text: str) -> None:
        """Refuse what the peer asked for on channel 1; without a session it has failed."""
        if not self.opened:
            self.end_cause = self.end_cause or text
        self.send(EXCEPTION, {"code": code, "text": text, "correlation": NO_CORRELATION})

    def refuse_large(self, channel: Channel, fault: LastvalueError) -> None:
        """Take no more of the message that comes in parts: at its end it is refused."""
        self._large.refuse(channel, fault)

    def forget(self, channel: Channel) -> None:
        """A session has ended."""
        if self.channels.get(channel.number) is channel:
            del self.channels[channel.number]
        self._large.drop(channel)

    def send(self, packet_type: PacketType, values: dict[str, object], number: i64 = 1) -> None:
        """Send a packet of the connection."""
        self.output.put(write_packet(packet_type, number, self.version or NEWEST_VERSION, values))

    def fail(self, code: int, text: str) -> None:
        """Close from this side; a second call does nothing."""
        if self.finished:
            return
        self.end_cause = text
        self.end_condition = f"core:{code}"
        self.send(EXCEPTION, {"code": code, "text": text, "correlation": NO_CORRELATION})
        self.disconnect(text)

    def disconnect(self, text: str) -> None:
        """Tell the peer that the connection ends, so that it connects again; and end it."""
        if self.finished:
            return
        values: dict[str, object] = {"node": self._options.node_id, "reason": _SHUT_DOWN}
        if self._begun and self.version >= 131:
            self.send(DISCONNECT_V3, values, 0)
        self._finish(text)

    def _open(self) -> None:
        self.opened = True
        self.end_cause = ""
        self._liveness.opened()

    def _finish(self, cause: str = "") -> None:
        if not self.finished and not self.end_cause:
            self.end_cause = cause
        self.finished = True
        self.opened = False
        for channel in self.channels.values():
            channel.detach()

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
            self._finish(late)
