"""The engine of a connection, server side [0-9-1 §2.2.4, §4.2]."""

from enum import Enum
from typing import Any, Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.codec.amqp091.dialects import DIALECTS, MODERN, Method
from lastvalue.codec.amqp091.errors import (
    ACCESS_REFUSED,
    CHANNEL_ERROR,
    COMMAND_INVALID,
    FRAME_ERROR,
    NOT_ALLOWED,
    UNEXPECTED_FRAME,
    FatalFrameError,
    ReplyError,
    reply_text,
)
from lastvalue.codec.amqp091.frames import (
    BODY,
    FRAME_MIN,
    FRAME_OVERHEAD,
    HEADER,
    HEARTBEAT,
    HEARTBEAT_FRAME,
    METHOD,
    OLD_HEARTBEAT,
    FrameReader,
)
from lastvalue.codec.amqp091.methods import decode_method, encode_method
from lastvalue.codec.amqp091.shortcuts.publish_reader import PublishReader
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.model.conditions import Condition
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import NEVER
from lastvalue.protocols.amqp091 import sasl
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.channel_reader import ChannelReader
from lastvalue.protocols.amqp091.events import (
    ChannelOpened,
    ConnectionEnded,
    ConnectionOpened,
    Event,
    Published,
    PublishedRun,
)
from lastvalue.protocols.amqp091.options import CAPABILITIES, Options
from lastvalue.protocols.amqp091.output import Output
from lastvalue.protocols.engine import GONE, QPID_JAVA, Engine
from lastvalue.protocols.liveness import Liveness
from lastvalue.protocols.sasl import FAILED, PLAIN, WRONG, Authenticator, SaslExchange


class State(Enum):
    """The state of a connection."""

    HEADER = "header"
    START = "start"
    SECURE = "secure"
    CHECKING = "checking"
    """The peer's password is being checked."""
    PROVEN = "proven"
    TUNE = "tune"
    OPENING = "opening"
    ACCEPTING = "accepting"
    """The peer has opened, and waits for the answer; so does what it sends ahead."""
    OPEN = "open"
    ENDING = "ending"
    """The peer has closed, and waits for the answer."""
    CLOSING = "closing"
    """This side has closed, and waits for the answer."""
    CLOSED = "closed"


OPEN: Final = State.OPEN
_BEARER: Final = ("OAUTHBEARER", "XOAUTH2")
"""Mechanisms whose secret is a token."""


@final
class Connection(Engine):
    """One connection with a client; what it has begun takes memory from an account.

    Attributes:
        authenticator: decides who may connect.
        identity: the peer's user, once known; `mechanism` is how the peer proved it.
        peer: the peer's properties.
        qpid_java: the peer is Qpid's JMS client for AMQP 0-8 to 0-10, by the product that it declares.
        vhost: that the peer opened.
        channels: the readers of the open channels by number; some may be gone.
        output: the bytes to write.
        reading_paused: nothing is read from the peer, so its silence does not count.
    """

    __slots__ = (
        "_events",
        "_exchange",
        "_liveness",
        "_memory",
        "_options",
        "_publishes",
        "_reader",
        "_state",
        "_zero",
        "authenticator",
        "channels",
        "identity",
        "mechanism",
        "output",
        "peer",
        "qpid_java",
        "reading_paused",
        "vhost",
    )

    def __init__(
        self, options: Options, authenticator: Authenticator, memory: MemoryAccount, now: i64
    ) -> None:
        super().__init__()
        self._memory = memory
        self.authenticator = authenticator
        self.identity = ""
        self.mechanism = ""
        self.peer: dict[str, Any] = {}
        self.qpid_java = False
        self.vhost = ""
        self.channels: dict[int, ChannelReader] = {}
        self.output = Output()
        self.reading_paused = False
        self._options = options
        self._events: list[Event] = []
        # Channel 0 stands for the connection itself.
        self._zero = Channel(0, self.output)
        self._exchange: SaslExchange | None = None
        self._reader = FrameReader(FIRST_BYTES.most)
        self._publishes = PublishReader(options.max_message_size)
        self._state = State.HEADER
        self._liveness = Liveness(0, options.open_timeout_ms, options.close_timeout_ms, now)

    # ------------------------------------------------------------------ output

    @property
    def opened(self) -> bool:
        """The peer has opened and neither side has closed."""
        return self._state is OPEN

    @property
    def ending(self) -> bool:
        """The peer has closed, and waits for the answer."""
        return self._state is State.ENDING

    @property
    def waiting_bytes(self) -> i64:
        """The number of buffered bytes of an incomplete frame."""
        return len(self._reader.data) - self._reader.position

    def capable(self, capability: str) -> bool:
        """Whether the peer has a capability."""
        capabilities: object = self.peer.get("capabilities")
        return isinstance(capabilities, dict) and capabilities.get(capability) is True

    def events(self) -> list[Event]:
        """Take out the events since the last call, oldest first."""
        events = self._events[:]
        # Channels share the list.
        self._events.clear()
        return events

    def data_to_send(self) -> bytes:
        """Take out the bytes to write."""
        data = self.output.take()
        if data:
            self._liveness.wrote()
        return data

    # ------------------------------------------------------------------ bytes

    def receive(self, data: bytes, now: i64) -> None:
        """Process bytes from the peer. No bytes of a peer raise an error."""
        if self.finished:
            return
        self._liveness.heard(now)
        ahead = self.waiting_bytes
        self._reader.feed(data)
        try:
            if self._state is State.HEADER:
                header = self._reader.take(8)
                if header is None:
                    return
                self.output.dialect = DIALECTS.get(header, MODERN)
                self._start()
            elif self._state is State.CHECKING:
                self._step(None)
            elif self._state is State.ACCEPTING and ahead > self._reader.max_frame_size:
                raise ReplyError(NOT_ALLOWED, "more than a frame came ahead of connection.open-ok", (10, 40))
            self._read_frames()
        except FatalFrameError as broken:
            self._finish(str(broken))
        except ReplyError as fault:
            self.fail(fault.code, str(fault), fault.method)

    def receive_eof(self, now: i64) -> None:
        """The peer has closed its side of the transport."""
        del now
        self._finish(GONE)

    def _read_frames(self) -> None:
        # What the peer sent ahead waits for the check of its password, and for the answer to its opening.
        while not self.finished and self._state not in (State.CHECKING, State.ACCEPTING):
            if self._state is OPEN:
                self._read_publishes()
            if not self._next_frame():
                return
            self._take_frame()

    def _read_publishes(self) -> None:
        """Take the next publishes, as long as they have the usual form."""
        reader = self._reader
        publishes = self._publishes
        data = reader.data
        size: i64 = len(data)
        pos = reader.position
        number: i64 = -1
        source: ChannelReader | None = None
        run: PublishedRun | None = None
        while size - pos > FRAME_OVERHEAD and data[pos] == METHOD:
            channel: i64 = data[pos + 1] << 8 | data[pos + 2]
            if channel != number:
                number = channel
                source = self.channels.get(number)
                run = None
            if source is None or not source.between:
                break
            end = publishes.read(data, pos, reader.max_frame_size)
            head = publishes.head
            if end == pos or head is None:
                break
            if head.mandatory:
                run = None
                self._events.append(
                    Published(source.channel, head, publishes.header, publishes.body, publishes.message)
                )
            elif run is not None and run.goes_with(head):
                run.heads.append(head)
                run.messages.append(publishes.message)
            else:
                run = PublishedRun(source.channel, head, publishes.message)
                self._events.append(run)
            pos = end
        reader.position = pos

    def _next_frame(self) -> bool:
        try:
            return self._reader.next()
        except FatalFrameError:
            raise
        except ReplyError as fault:
            # Without frame boundaries the answer to a close cannot be recognised either.
            self.fail(fault.code, str(fault))
            self._finish()
            return False

    def _take_frame(self) -> None:
        reader = self._reader
        kind = reader.kind
        source = self.channels.get(reader.channel)
        if self._state is OPEN and source is not None and not source.channel.gone:
            if kind == METHOD:
                source.take_method(reader.data, reader.start, reader.end)
                return
            if kind == BODY:
                source.take_body(reader.data, reader.start, reader.end)
                return
            if kind == HEADER:
                source.take_header(reader.data, reader.start, reader.end)
                return
        if kind in (HEARTBEAT, OLD_HEARTBEAT):
            if reader.channel != 0:
                raise ReplyError(FRAME_ERROR, "a heartbeat belongs on channel 0")
            return
        if kind not in (METHOD, HEADER, BODY):
            raise FatalFrameError(f"unknown frame type {kind}")
        if self._state in (State.CLOSING, State.ENDING):
            self._take_late(kind)
            return
        if kind != METHOD:
            raise ReplyError(UNEXPECTED_FRAME, f"a content on channel {reader.channel}, which is not open")
        self._take_method(decode_method(reader.data[reader.start : reader.end], self.output.dialect))

    def _take_late(self, kind: i64) -> None:
        """[0-9-1 connection.close] After a close everything but its answer is discarded."""
        reader = self._reader
        if kind != METHOD or reader.channel != 0:
            return
        method = decode_method(reader.data[reader.start : reader.end], self.output.dialect)
        if self._state is State.CLOSING:
            if isinstance(method, commands.Connection.Close):
                self._send(commands.Connection.CloseOk())
                self._finish()
            elif isinstance(method, commands.Connection.CloseOk):
                self._finish()

    def _take_method(self, method: Method) -> None:
        number = self._reader.channel
        if number != 0:
            self._open_channel(method, int(number))
        elif isinstance(method, commands.Connection.Close):
            if self._state in (OPEN, State.OPENING):
                # What came before it is answered first.
                self._state = State.ENDING
                self._events.append(ConnectionEnded(self._zero))
            else:
                self._send(commands.Connection.CloseOk())
                self._finish()
        elif self._state is State.START and isinstance(method, commands.Connection.StartOk):
            self._take_start_ok(method)
        elif self._state is State.SECURE and isinstance(method, commands.Connection.SecureOk):
            self._step(_octets(method.response))
        elif self._state is State.PROVEN and isinstance(method, commands.Connection.SecureOk):
            self._tune()
        elif self._state is State.TUNE and isinstance(method, commands.Connection.TuneOk):
            self._take_tune_ok(method)
        elif self._state is State.OPENING and isinstance(method, commands.Connection.Open):
            self.vhost = method.virtual_host
            self._state = State.ACCEPTING
            self._events.append(ConnectionOpened(self._zero))
        elif isinstance(method, commands.Connection.UpdateSecret) and self._state is OPEN:
            self._take_secret(str(method.new_secret))
            self._send(commands.Connection.UpdateSecretOk())
        else:
            raise ReplyError(
                COMMAND_INVALID,
                f"{method.name} is out of place",
                (method.index >> 16, method.index & 0xFFFF),
            )

    def _take_secret(self, secret: str) -> None:
        """[RabbitMQ] A new token for one that expires; other credentials do not."""
        check = self.authenticator.token
        if self.mechanism in _BEARER and check is not None and check(secret) != self.identity:
            raise ReplyError(ACCESS_REFUSED, "the token is not valid here, or is another user's", (10, 70))

    def _open_channel(self, method: Method, number: int) -> None:
        if self._state is not OPEN or not isinstance(method, commands.Channel.Open):
            raise ReplyError(
                CHANNEL_ERROR,
                f"channel {number} is not open: {method.name}",
                (method.index >> 16, method.index & 0xFFFF),
            )
        if number > self._options.channel_max:
            raise ReplyError(NOT_ALLOWED, f"channel {number}; at most {self._options.channel_max}", (20, 10))
        channel = Channel(number, self.output)
        self.channels[number] = ChannelReader(
            channel, self._events, self._options.max_message_size, self._memory
        )
        channel.send(commands.Channel.OpenOk())
        self._events.append(ChannelOpened(channel))

    # ------------------------------------------------------------------ opening

    def _start(self) -> None:
        self._state = State.START
        mechanisms = " ".join(sasl.offered_mechanisms(self.authenticator))
        capabilities = dict.fromkeys(CAPABILITIES, True)
        properties = {**self._options.properties, "capabilities": capabilities}
        major, minor = self.output.dialect.version
        start = commands.Connection.Start(major, minor, properties, mechanisms, "en_US")
        self._send(start)

    def _take_start_ok(self, method: commands.Connection.StartOk) -> None:
        self.peer = dict(method.client_properties or {})
        self.qpid_java = self.peer.get("product") == QPID_JAVA
        self._publishes.qpid = self.qpid_java
        self.mechanism = method.mechanism
        self._exchange = sasl.begin_sasl(self.authenticator, method.mechanism)
        response = _octets(method.response)
        # A longstr cannot be missing; PLAIN without a response asks for a challenge [Broker-J].
        self._step(None if method.mechanism == PLAIN and not response else response)

    def _step(self, response: bytes | None) -> None:
        step = FAILED if self._exchange is None else self._exchange.step(response)
        if step.pending:
            self._state = State.CHECKING
            return
        if step.challenge is not None:
            self._state = State.SECURE
            self._send(commands.Connection.Secure(step.challenge.decode()))
            return
        self._exchange = None
        if step.identity is None:
            self._state = State.OPENING
            refusal = self.authenticator.refusal()
            if refusal or self.capable("authentication_failure_close"):
                raise ReplyError(ACCESS_REFUSED, refusal or f"authentication failed: {WRONG}")
            # [0-9-1 §2.2.4] Other clients get no reason.
            self._finish(WRONG)
            return
        self.identity = step.identity
        if step.proof is not None:
            self._state = State.PROVEN
            self._send(commands.Connection.Secure(step.proof.decode()))
            return
        self._tune()

    def _tune(self) -> None:
        options = self._options
        self._state = State.TUNE
        self._send(commands.Connection.Tune(options.channel_max, options.frame_max, options.heartbeat_s))

    def _take_tune_ok(self, method: commands.Connection.TuneOk) -> None:
        ours = self._options.frame_max
        theirs = method.frame_max or ours
        if theirs < FRAME_MIN or theirs > ours:
            raise ReplyError(NOT_ALLOWED, f"a frame-max is {FRAME_MIN} to {ours}, not {theirs}", (10, 31))
        self.output.frame_max = theirs
        # [RabbitMQ] Some clients count the payload only.
        self._reader.max_frame_size = theirs + FRAME_OVERHEAD
        # [0-9-1 §4.2.7] A peer that is silent for two intervals is gone.
        self._liveness.agree(method.heartbeat * 1000)
        self._state = State.OPENING

    # ------------------------------------------------------------------ answers and ends

    def accept(self, now: i64) -> None:
        """Accept the connection, and read what the peer sent ahead of the answer."""
        if self._state is not State.ACCEPTING:
            return
        self._state = OPEN
        self._liveness.opened()
        self._send(commands.Connection.OpenOk())
        self.receive(b"", now)

    def fail(self, code: int, text: str, method: tuple[int, int] = (0, 0)) -> None:
        """Close from this side, and wait for the peer's answer; a second call does nothing."""
        if self.finished or self._state is State.CLOSING:
            return
        if code != Condition.CONNECTION_FORCED.amqp091:
            self.end_condition = f"amqp-0-9-1:{code}"
        if self._state is State.ENDING:
            self._send(commands.Connection.CloseOk())
        if self._state in (State.HEADER, State.ENDING):
            self._finish(text)
            return
        self.end_cause = text
        self._state = State.CLOSING
        self._liveness.closing()
        for source in self.channels.values():
            source.channel.open = False
        self._send(commands.Connection.Close(code, reply_text(code, text), method[0], method[1]))

    def end(self) -> None:
        """Answer the peer's close."""
        self._send(commands.Connection.CloseOk())
        self._finish()

    def _finish(self, cause: str = "") -> None:
        if not self.finished and not self.end_cause:
            self.end_cause = cause
        self._state = State.CLOSED
        self.finished = True
        for source in self.channels.values():
            source.channel.open = False

    def send(self, method: Method) -> None:
        """Send a method of the class connection."""
        self._send(method)

    def _send(self, method: Method) -> None:
        self.output.put(encode_method(method, 0, self.output.dialect))

    # ------------------------------------------------------------------ time

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, or NEVER."""
        return NEVER if self.finished else self._liveness.next_deadline()

    def advance(self, now: i64) -> None:
        """Do what is due: a heartbeat, or the end where the peer is too late."""
        if self.finished:
            return
        if self.reading_paused:
            self._liveness.heard(now)
        late = self._liveness.overdue(now)
        if late is not None:
            # A peer that is too late would not read a close.
            self._finish(late)
        elif self._liveness.heartbeat_due(now):
            self.output.put(HEARTBEAT_FRAME)


def _octets(longstr: str | bytes | None) -> bytes:
    """The bytes of a longstr, which pamqp decodes as text where it can."""
    if longstr is None:
        return b""
    return longstr.encode() if isinstance(longstr, str) else bytes(longstr)
