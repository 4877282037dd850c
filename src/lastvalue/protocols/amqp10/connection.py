"""One AMQP 1.0 connection, either side [1.0 §2.2, §2.4].

Drive it as `protocols.engine.Engine` says: bytes and the time in; then take the events, act on them, and send
what `data_to_send` gives.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.dispositions import DispositionHead, parse_disposition
from lastvalue.codec.amqp10.errors import DecodeError, FieldError, FrameError
from lastvalue.codec.amqp10.frames import (
    AMQP_HEADER,
    EMPTY_FRAME,
    KIND_AMQP,
    KIND_SASL,
    MIN_MAX_FRAME_SIZE,
    SASL_HEADER,
    FrameSplitter,
    encode_frame,
)
from lastvalue.codec.amqp10.performatives import (
    SASL_AUTH,
    SASL_OK,
    AmqpError,
    Attach,
    Begin,
    Close,
    Detach,
    End,
    Flow,
    Open,
    Performative,
    SaslInit,
    SaslMechanisms,
    SaslOutcome,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.transfers import TransferHead, parse_transfer
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.faults import LinkFault, PeerFault, SessionFault
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.session import Link, LinkDetached, Session
from lastvalue.protocols.amqp10.transitions import Input, State, after
from lastvalue.protocols.amqp10.wire import Event, Wire
from lastvalue.protocols.engine import UsageError

_TRANSFER: Final = 0x14
_DISPOSITION: Final = 0x15

# What the next bytes are.
_SASL_HEADER_OR_AMQP: Final = 0
_SASL_FRAMES: Final = 1
_AMQP: Final = 2
_AMQP_FRAMES: Final = 3


@final
class Connection:
    """The engine of one connection.

    Attributes:
        identity: the user, once known.
        remote: the peer's open, or None before it came.
        sessions: by this side's channel.
        wire: what waits to be sent; sessions and links write to it too.
    """

    __slots__ = (
        "_by_remote",
        "_disposition",
        "_heartbeat_ms",
        "_held",
        "_idle_ms",
        "_last_received",
        "_next_heartbeat",
        "_splitter",
        "_stage",
        "_started",
        "_state",
        "_transfer",
        "_wrote",
        "error",
        "finished",
        "identity",
        "options",
        "remote",
        "role",
        "sessions",
        "wire",
    )

    def __init__(self, role: Role, options: ConnectionOptions, now: i64) -> None:
        self.role = role
        self.options = options
        self.identity: str | None = None
        self.remote: Open | None = None
        self.error: AmqpError | None = None
        self.sessions: dict[int, Session] = {}
        self.finished = False
        self._by_remote: dict[int, Session] = {}
        self.wire = Wire()
        self._splitter = FrameSplitter(MIN_MAX_FRAME_SIZE)
        self._transfer = TransferHead()
        self._disposition = DispositionHead()
        self._state = State.START
        self._stage: i64 = _SASL_HEADER_OR_AMQP
        self._started: i64 = now
        self._last_received: i64 = now
        self._idle_ms: i64 = options.idle_timeout_ms
        self._heartbeat_ms: i64 = 0
        self._next_heartbeat: i64 = -1
        self._wrote = False
        self._held = b""
        if role is Role.CLIENT:
            sasl = options.credentials is not None
            self._stage = _SASL_HEADER_OR_AMQP if sasl else _AMQP
            self.wire.put(SASL_HEADER if sasl else AMQP_HEADER)

    # ------------------------------------------------------------------ outlets

    @property
    def output_size(self) -> int:
        """Bytes that wait to be taken."""
        return self.wire.size

    @property
    def opened(self) -> bool:
        """Both sides have opened and neither has closed."""
        return self._state is State.OPEN

    def events(self) -> list[Event]:
        """What happened since the last call, oldest first."""
        events = self.wire.events
        if events:
            self.wire.events = []
        return events

    def data_to_send(self) -> bytes:
        """What is to be written, taken out of the engine."""
        data = self.wire.take()
        if data:
            self._wrote = True
        return data

    # ------------------------------------------------------------------ commands

    def open(self) -> None:
        """Client side: open, behind the SASL exchange where there is one."""
        if self._state is State.START:
            header = self.wire.take()
            self._send_open()
            if self._stage == _SASL_HEADER_OR_AMQP:
                self._held = self.wire.take()
                self.wire.put(header)
            else:
                self.wire.put(header + self.wire.take())

    def begin(self) -> Session:
        """Begin a session; SessionBegun tells the peer's answer."""
        if self._state is not State.OPEN:
            raise UsageError(f"the connection is {self._state.value}; a session needs an open one")
        session = self._new_session()
        session.begin(answering=False)
        return session

    def close(self, error: AmqpError | None = None) -> None:
        """Close; ConnectionClosed tells when the peer has closed too."""
        if self._move(Input.SEND_CLOSE):
            self.error = error
            self.wire.perform(Close(error), 0)
        elif self._state is State.START:
            self.finished = True

    # ------------------------------------------------------------------ bytes

    def receive(self, data: bytes, now: i64) -> None:
        """Take bytes from the peer. Never raises for what a peer did."""
        if self.finished:
            return
        self._last_received = now
        self._splitter.feed(data)
        while not self.finished:
            try:
                self._read()
                return  # noqa: TRY300 - the loop goes on after a fault that ends less than the connection
            except LinkFault as fault:
                self._fault_link(fault)
            except SessionFault as fault:
                self._fault_session(fault)
            except (PeerFault, FieldError, DecodeError, FrameError) as fault:
                self._fail(fault.condition, str(fault))

    def receive_eof(self, now: i64) -> None:  # noqa: ARG002 - every input of an engine takes the time
        """The peer will send no more."""
        if self.finished:
            return
        self.finished = True
        if self._state is not State.CLOSED:
            gone = AmqpError(Condition.CONNECTION_FORCED.amqp10, "the peer went away without closing")
            self.wire.events.append(ConnectionClosed(gone))
        self._state = State.CLOSED

    def _read(self) -> None:
        splitter = self._splitter
        while not self.finished:
            if self._stage == _AMQP_FRAMES:
                if not splitter.next():
                    return
                self._read_frame(splitter)
            elif self._stage == _SASL_FRAMES:
                if not splitter.next():
                    return
                if splitter.kind != KIND_SASL:
                    raise FrameError("a frame of AMQP within the SASL exchange")
                self._take_sasl(decode_performative(splitter.data, splitter.body, splitter.end)[0])
            elif not self._take_header(splitter.take_protocol_header()):
                return

    def _read_frame(self, splitter: FrameSplitter) -> None:
        data = splitter.data
        body = splitter.body
        end = splitter.end
        if splitter.kind != KIND_AMQP:
            raise FrameError(
                f"a frame of type {splitter.kind} after the connection opened; AMQP frames are of type 0"
            )
        if body == end:
            return
        session = self._by_remote.get(splitter.channel)
        if session is not None and session.state is State.OPEN and self._state is State.OPEN:
            if parse_transfer(data, body, end, self._transfer):
                session.take_transfer(self._transfer, data, end)
                return
            if parse_disposition(data, body, end, self._disposition):
                session.take_disposition(self._disposition)
                return
        performative = decode_performative(data, body, end)[0]
        self._take(performative, splitter.channel, session)

    # ------------------------------------------------------------------ the beginning

    def _take_header(self, header: bytes | None) -> bool:
        if header is None:
            return False
        if self.role is Role.CLIENT:
            self._take_header_as_client(header)
        else:
            self._take_header_as_server(header)
        return True

    def _take_header_as_client(self, header: bytes) -> None:
        wanted = SASL_HEADER if self._stage == _SASL_HEADER_OR_AMQP else AMQP_HEADER
        if header != wanted:
            raise FrameError(f"the peer answered {wanted!r} with {header!r}; it wants another protocol")
        if self._stage == _SASL_HEADER_OR_AMQP:
            self._stage = _SASL_FRAMES
        else:
            self._expect_frames()

    def _take_header_as_server(self, header: bytes) -> None:
        authenticator = self.options.authenticator
        if header == SASL_HEADER and self._stage == _SASL_HEADER_OR_AMQP and authenticator is not None:
            self._stage = _SASL_FRAMES
            self.wire.put(SASL_HEADER)
            self._put_sasl(SaslMechanisms(authenticator.mechanisms))
        elif header == AMQP_HEADER and (
            self._stage == _AMQP or authenticator is None or authenticator.anonymous
        ):
            self.wire.put(AMQP_HEADER)
            self._expect_frames()
        else:
            # [1.0 §2.2] A peer that asks for another protocol is told the one to use, and left.
            self.wire.put(AMQP_HEADER if authenticator is None else SASL_HEADER)
            self._finish(AmqpError(Condition.FRAMING_ERROR.amqp10, f"no protocol header of ours: {header!r}"))

    def _expect_frames(self) -> None:
        self._stage = _AMQP_FRAMES
        self._splitter.max_frame_size = self.options.max_frame_size

    def _take_sasl(self, frame: Performative) -> None:
        if self.role is Role.SERVER and isinstance(frame, SaslInit):
            self._take_sasl_init(frame)
        elif self.role is Role.CLIENT and isinstance(frame, SaslMechanisms):
            self._answer_mechanisms(frame)
        elif self.role is Role.CLIENT and isinstance(frame, SaslOutcome):
            self._take_outcome(frame)
        else:
            raise FrameError(f"{type(frame).__name__} is out of place in the SASL exchange")

    def _take_sasl_init(self, init: SaslInit) -> None:
        authenticator = self.options.authenticator
        if authenticator is not None:
            self.identity = authenticator.identify(init.mechanism, init.initial_response)
        if self.identity is None:
            self._put_sasl(SaslOutcome(SASL_AUTH))
            self._finish(AmqpError(Condition.UNAUTHORIZED_ACCESS.amqp10, "authentication failed"))
            return
        self._put_sasl(SaslOutcome(SASL_OK))
        self._stage = _AMQP

    def _answer_mechanisms(self, frame: SaslMechanisms) -> None:
        credentials = self.options.credentials
        offered = frame.sasl_server_mechanisms
        mechanism = None if credentials is None else credentials.choose(offered)
        if credentials is None or mechanism is None:
            text = (
                f"the peer offers {', '.join(offered) or 'no mechanism'}; none of them fits the credentials"
            )
            self._finish(AmqpError(Condition.UNAUTHORIZED_ACCESS.amqp10, text))
            return
        self._put_sasl(SaslInit(mechanism, credentials.response(), self.options.hostname))

    def _take_outcome(self, outcome: SaslOutcome) -> None:
        if outcome.code != SASL_OK:
            text = f"the peer refused the credentials (SASL code {outcome.code})"
            self._finish(AmqpError(Condition.UNAUTHORIZED_ACCESS.amqp10, text))
            return
        self._stage = _AMQP
        self.wire.put(AMQP_HEADER + self._held)
        self._held = b""

    def _put_sasl(self, frame: Performative) -> None:
        self.wire.put(encode_frame(encode_performative(frame), 0, KIND_SASL))

    # ------------------------------------------------------------------ performatives

    def _take(self, performative: Performative, channel: int, session: Session | None) -> None:
        if isinstance(performative, Open):
            self._take_open(performative)
        elif isinstance(performative, Close):
            self._take_close(performative)
        elif self.remote is None:
            raise PeerFault(Condition.NOT_ALLOWED, "the first frame of a connection is an open")
        elif self._state is not State.OPEN:
            return  # [1.0 §2.4.6] After our close with an error, all but the peer's close is discarded.
        elif isinstance(performative, Begin):
            self._take_begin(performative, channel)
        elif session is None:
            raise PeerFault(Condition.NOT_ALLOWED, f"channel {channel} has no session; begin one")
        elif isinstance(performative, End):
            self._take_end(performative, session)
        elif session.state is State.OPEN:
            self._take_in_session(performative, session)

    def _take_in_session(self, performative: Performative, session: Session) -> None:
        if isinstance(performative, Flow):
            session.take_flow(performative)
        elif isinstance(performative, Attach):
            self._take_attach(performative, session)
        elif isinstance(performative, Detach):
            session.take_detach(performative)
        else:
            raise PeerFault(Condition.NOT_ALLOWED, f"{type(performative).__name__} is out of place")

    def _take_open(self, remote: Open) -> None:
        if self.remote is not None:
            raise PeerFault(Condition.NOT_ALLOWED, "a connection is opened once")
        self.remote = remote
        self._move(Input.RECEIVE_OPEN)
        self.wire.max_frame_size = max(MIN_MAX_FRAME_SIZE, remote.max_frame_size)
        if remote.idle_time_out:
            # [1.0 §2.4.5] Twice as often as needed, told in ticks: silence of two ticks never happens.
            self._heartbeat_ms = max(1, remote.idle_time_out // 4)
            self._next_heartbeat = self._last_received + self._heartbeat_ms
        if self._state is State.OPEN_RECEIVED:
            self._send_open()
        self.wire.events.append(ConnectionOpened(remote))

    def _send_open(self) -> None:
        options = self.options
        self._move(Input.SEND_OPEN)
        performative = Open(
            container_id=options.container_id,
            hostname=options.hostname,
            max_frame_size=options.max_frame_size,
            channel_max=options.channel_max,
            # [1.0 §2.4.5] Half of what is enforced.
            idle_time_out=options.idle_timeout_ms // 2 or None,
            offered_capabilities=options.offered_capabilities,
            desired_capabilities=options.desired_capabilities,
            properties=options.properties,
        )
        self.wire.perform(performative, 0)

    def _take_close(self, close: Close) -> None:
        ours_first = self._state in (State.CLOSE_SENT, State.CLOSE_PIPELINED)
        if not self._move(Input.RECEIVE_CLOSE):
            raise PeerFault(Condition.NOT_ALLOWED, "a close before the open")
        if not ours_first and self._move(Input.SEND_CLOSE):
            self.wire.perform(Close(), 0)
        self._finish(close.error if close.error is not None or not ours_first else self.error)

    def _take_begin(self, begin: Begin, channel: int) -> None:
        if channel > self.options.channel_max:
            raise PeerFault(Condition.FRAMING_ERROR, f"channel {channel}; at most {self.options.channel_max}")
        if channel in self._by_remote:
            raise PeerFault(Condition.NOT_ALLOWED, f"channel {channel} has a session; end it first")
        if begin.remote_channel is None:
            session = self._new_session()
            session.take_begin(begin, channel)
            session.begin(answering=True)
        else:
            answered = self.sessions.get(begin.remote_channel)
            if answered is None or answered.remote_channel >= 0:
                raise PeerFault(Condition.NOT_ALLOWED, f"nothing was begun on channel {begin.remote_channel}")
            session = answered
            session.take_begin(begin, channel)
        self._by_remote[channel] = session
        self.wire.events.append(SessionBegun(session))

    def _take_end(self, end: End, session: Session) -> None:
        ours_first = session.state is State.CLOSE_SENT
        session.move(Input.RECEIVE_CLOSE)
        if not ours_first:
            session.end()
            self.wire.events.append(SessionEnded(session, end.error))
        del self._by_remote[session.remote_channel]
        self.sessions.pop(session.channel, None)

    def _take_attach(self, attach: Attach, session: Session) -> None:
        for other in self.sessions.values():
            for link in list(other.links.values()):
                if _is_same_link(link, attach):
                    # [1.0 §2.6.1] A link that is attached anew is stolen from where it was attached.
                    error = AmqpError(Condition.STOLEN.amqp10, f"link {attach.name!r} was attached again")
                    self.wire.events.append(LinkDetached(link, closed=True, error=error))
                    link.terms.detach(error, closed=True)
        session.take_attach(attach)

    def _new_session(self) -> Session:
        channel = 0
        while channel in self.sessions:
            channel += 1
        if self.remote is not None and channel > self.remote.channel_max:
            raise UsageError(f"the peer takes {self.remote.channel_max + 1} sessions a connection")
        options = self.options
        session = Session(
            channel, self.wire, options.incoming_window, options.handle_max, options.max_message_size
        )
        self.sessions[channel] = session
        return session

    # ------------------------------------------------------------------ faults

    def _fault_link(self, fault: LinkFault) -> None:
        session = self._by_remote.get(self._splitter.channel)
        if session is not None:
            session.fault_link(self._transfer.handle, AmqpError(fault.condition.amqp10, str(fault)))

    def _fault_session(self, fault: SessionFault) -> None:
        session = self._by_remote.get(self._splitter.channel)
        if session is not None:
            error = AmqpError(fault.condition.amqp10, str(fault))
            session.end(error)
            self.wire.events.append(SessionEnded(session, error))

    def _fail(self, condition: Condition, text: str) -> None:
        error = AmqpError(condition.amqp10, text)
        self.error = error
        if self._stage == _AMQP_FRAMES:
            if self._state in (State.START, State.OPEN_RECEIVED):
                self._send_open()
            if self._move(Input.SEND_CLOSE):
                self.wire.perform(Close(error), 0)
        # Where frames cannot be told apart the peer's close cannot be waited for either.
        self._finish(error)

    def _finish(self, error: AmqpError | None) -> None:
        self.finished = True
        self._state = State.CLOSED
        self.wire.events.append(ConnectionClosed(error))

    def _move(self, action: Input) -> bool:
        state = after(self._state, action)
        if state is None:
            return False
        self._state = state
        return True

    # ------------------------------------------------------------------ time

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, milliseconds since the epoch, or -1."""
        if self.finished:
            return -1
        soonest: i64 = -1
        if self._state is State.OPEN:
            soonest = self._next_heartbeat
            if self._idle_ms > 0:
                idle = self._last_received + self._idle_ms
                soonest = idle if soonest < 0 or idle < soonest else soonest
        elif self.options.open_timeout_ms > 0:
            soonest = self._started + self.options.open_timeout_ms
        return soonest

    def advance(self, now: i64) -> None:
        """Let time pass: heartbeats, and the end of a connection that is silent or does not open."""
        if self.finished:
            return
        if self._state is not State.OPEN:
            if 0 < self.options.open_timeout_ms <= now - self._started:
                self._fail(Condition.RESOURCE_LIMIT_EXCEEDED, "the connection did not open in time")
            return
        if 0 < self._idle_ms <= now - self._last_received:
            self._fail(
                Condition.RESOURCE_LIMIT_EXCEEDED, f"nothing was heard for {now - self._last_received} ms"
            )
        elif 0 <= self._next_heartbeat <= now:
            if not self._wrote:
                self.wire.put(EMPTY_FRAME)
            self._wrote = False
            self._next_heartbeat = now + self._heartbeat_ms


def _is_same_link(link: Link, attach: Attach) -> bool:
    terms = link.terms
    return (
        terms.remote is not None
        and not terms.closing
        and (terms.name == attach.name and terms.remote.role == attach.role)
    )


@final
@mypyc_attr(acyclic=True)
class ConnectionOpened(Event):
    """The peer opened."""

    __slots__ = ("remote",)

    def __init__(self, remote: Open) -> None:
        self.remote = remote


@final
@mypyc_attr(acyclic=True)
class ConnectionClosed(Event):
    """The connection is over; `error` is None where both sides just closed."""

    __slots__ = ("error",)

    def __init__(self, error: AmqpError | None) -> None:
        self.error = error


@final
@mypyc_attr(acyclic=True)
class SessionBegun(Event):
    """The peer began a session, or answered this side's begin."""

    __slots__ = ("session",)

    def __init__(self, session: Session) -> None:
        self.session = session


@final
@mypyc_attr(acyclic=True)
class SessionEnded(Event):
    """The peer ended a session, or broke its rules so that it was ended; its links are gone."""

    __slots__ = ("error", "session")

    def __init__(self, session: Session, error: AmqpError | None) -> None:
        self.session = session
        self.error = error
