"""One AMQP 1.0 connection, either side [1.0 §2.2, §2.4].

Drive it as `protocols.engine.Engine` says: pass in bytes and the time; then take the events, act on them, and
write what `data_to_send` returns.
"""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError, FrameError
from lastvalue.codec.amqp10.frames import EMPTY_FRAME, KIND_AMQP, MIN_MAX_FRAME_SIZE, FrameSplitter
from lastvalue.codec.amqp10.performatives import (
    AmqpError,
    Attach,
    Begin,
    Close,
    Detach,
    End,
    Flow,
    Open,
    Performative,
    decode_performative,
)
from lastvalue.codec.amqp10.shortcuts.dispositions import DispositionHead, parse_disposition
from lastvalue.codec.amqp10.shortcuts.transfers import TransferHead, parse_transfer
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.model.conditions import CONDITION_BY_SYMBOL, Condition
from lastvalue.model.memory_budget import LINK_BYTES, SESSION_BYTES, UNSETTLED_BYTES, MemoryAccount
from lastvalue.model.message import NEVER
from lastvalue.protocols.amqp10.faults import LinkFault, PeerFault, SessionFault, peer_error
from lastvalue.protocols.amqp10.handles import LinksByName
from lastvalue.protocols.amqp10.handshake import Handshake
from lastvalue.protocols.amqp10.lease import LEASE, heed_lease
from lastvalue.protocols.amqp10.options import ConnectionOptions, OpenPolicy, Role
from lastvalue.protocols.amqp10.session import Session, SessionBegun, SessionEnded
from lastvalue.protocols.amqp10.transitions import Input, State, after
from lastvalue.protocols.amqp10.wire import Event, Wire
from lastvalue.protocols.engine import GONE, Engine, UsageError
from lastvalue.protocols.liveness import MIN_IDLE_TIMEOUT_MS, Liveness
from lastvalue.protocols.sasl import Authenticator

OPEN: Final = State.OPEN
# Of very many connections most are idle, and many have no session: they share these, which stay empty.
_NO_SESSIONS: Final[dict[int, Session]] = {}
_NO_NAMES: Final[LinksByName] = {}
_FAILED: Final = Symbol("amqp:connection-establishment-failed")


@final
class Connection(Engine):
    """The engine of one connection.

    Args:
        role: this side's.
        options: what it offers and demands.
        now: the time.
        memory: from which messages that have not arrived whole take memory; without it there is no limit.

    Attributes:
        remote: the peer's open, or None before it came.
        sessions: by this side's channel.
        wire: the output; sessions and links write to it, too.
        error: why this side closed, or None.
        open_policy: server side: decides who may open; None lets everyone.
        holds_endings: the peer's close, end or detach waits until the owner has answered what came before.
    """

    __slots__ = (
        "_authenticator",
        "_by_remote",
        "_disposition",
        "_handshake",
        "_held",
        "_identity",
        "_liveness",
        "_mechanism",
        "_names",
        "_open_due",
        "_splitter",
        "_state",
        "_transfer",
        "error",
        "holds_endings",
        "open_policy",
        "options",
        "remote",
        "role",
        "sessions",
        "wire",
    )

    def __init__(
        self, role: Role, options: ConnectionOptions, now: i64, memory: MemoryAccount | None = None
    ) -> None:
        super().__init__()
        self.role = role
        self.options = options
        self.remote: Open | None = None
        self.error: AmqpError | None = None
        self.sessions: dict[int, Session] = _NO_SESSIONS
        self.open_policy: OpenPolicy | None = None
        self._identity: str | None = None
        self._mechanism = ""
        self.wire = Wire(memory)
        self._by_remote: dict[int, Session] = _NO_SESSIONS
        self._names: LinksByName = _NO_NAMES
        self._splitter = FrameSplitter(FIRST_BYTES.most)
        self._transfer: TransferHead | None = None
        self._disposition: DispositionHead | None = None
        self._state = State.START
        self._open_due = False
        self.holds_endings = False
        self._held: Performative | None = None
        self._authenticator = options.authenticator
        # None once it is over.
        self._handshake: Handshake | None = Handshake(role, options, self.wire)
        self._liveness = Liveness(
            options.idle_timeout_ms, options.open_timeout_ms, options.close_timeout_ms, now
        )

    # ------------------------------------------------------------------ output

    @property
    def identity(self) -> str | None:
        """Server side: the peer's user, once known."""
        return self._identity if self._handshake is None else self._handshake.identity

    @property
    def mechanism(self) -> str:
        """Server side: the peer's SASL mechanism; empty without SASL."""
        return self._mechanism if self._handshake is None else self._handshake.mechanism

    @property
    def takes_tokens(self) -> bool:
        """Whether an open connection accepts tokens that identify the peer."""
        return self._authenticator is not None and self._authenticator.token is not None

    def user_of(self, token: str) -> str | None:
        """The user of a token, or None if it is not valid."""
        check = None if self._authenticator is None else self._authenticator.token
        return None if check is None else check(token)

    def identify(self, user: str) -> None:
        """The peer of an open connection has proved to be this user."""
        self._identity = user

    def authenticate_by(self, authenticator: Authenticator) -> None:
        """Server side: set who may connect; call it before any bytes come."""
        self._authenticator = authenticator
        if self._handshake is not None:
            self._handshake.authenticator = authenticator

    @property
    def output_size(self) -> int:
        """Bytes that wait for `data_to_send`."""
        return self.wire.size

    @property
    def open_bytes(self) -> i64:
        """The memory of what the peer has open: sessions, links, unsettled deliveries, a part of a frame."""
        size: i64 = self._splitter.waiting_bytes + len(self._names) * LINK_BYTES
        for session in self.sessions.values():
            size += SESSION_BYTES + len(session.windows.unsettled) * UNSETTLED_BYTES
        return size

    @property
    def streaming(self) -> bool:
        """Whether `data_to_send` has more bytes once the last ones are written."""
        return self.wire.streaming and not self.wire.blocked

    @property
    def opened(self) -> bool:
        """Both sides have opened and neither has closed."""
        return self._state is OPEN

    def events(self) -> list[Event]:
        """Take out the events since the last call, oldest first."""
        events = self.wire.events
        if events:
            self.wire.events = []
        return events

    def data_to_send(self) -> bytes:
        """Take out the bytes to write; where `streaming` is true, more bytes follow at once."""
        wire = self.wire
        if wire.ranges > 0:
            for session in self.sessions.values():
                session.settlements.flush()
        if wire.overlong > 0 and not self.finished:
            # [1.0 §2.8.15] frame-size-too-small is for a performative that the peer's frames cannot hold.
            text = f"a frame of {wire.overlong} bytes is needed; the peer takes {wire.max_frame_size}"
            self._fail(Condition.FRAME_SIZE_TOO_SMALL, text)
        if wire.streaming and not wire.blocked and not self.finished:
            self._stream()
        data = wire.take()
        if data:
            self._liveness.wrote()
        return data

    def _stream(self) -> None:
        """Send more frames of large messages, a few of each session at a time."""
        self.wire.streaming = False
        for session in self.sessions.values():
            if session.open:
                session.stream(False)

    # ------------------------------------------------------------------ commands

    def open(self) -> None:
        """Client side: open, after the SASL exchange where there is one; a second call does nothing."""
        if self._state is State.START:
            self._open_due = True
            if self._handshake is None or self._handshake.ready:
                self._send_open()

    def begin(self) -> Session:
        """Begin a session; SessionBegun is the peer's answer.

        Raises:
            UsageError: the connection is not open, or the peer allows no further session.
        """
        if self._state is not OPEN:
            raise UsageError(f"the connection is {self._state.value}; a session needs an open one")
        channel = self._free_channel()
        if channel > self._remote_channel_max():
            raise UsageError(f"the peer allows {channel} sessions a connection")
        session = self._new_session(channel)
        session.begin(answering=False)
        return session

    def close(self, error: AmqpError | None = None) -> None:
        """Close; ConnectionClosed follows when the peer has closed, too. A second call does nothing."""
        if self._state is State.START:
            self._finish(error)
        elif self._send_close(error):
            self._liveness.closing()

    # ------------------------------------------------------------------ bytes

    def receive(self, data: bytes, now: i64) -> None:
        """Process bytes from the peer. No bytes of a peer raise an error."""
        if self.finished:
            return
        self._liveness.heard(now)
        self._splitter.feed(data)
        if self._held is None:
            self.go_on()

    @property
    def ending_waits(self) -> bool:
        """Whether a close, end or detach of the peer waits for `go_on`."""
        return self._held is not None and not self.finished

    def go_on(self) -> None:
        """Process received bytes, with `holds_endings` up to the next end."""
        while not self.finished:
            try:
                if self._held is not None:
                    self._take_held(self._held, self._splitter.channel)
                elif self._handshake is None:
                    self._read_frames()
                else:
                    self._shake_hands(self._handshake)
                return  # noqa: TRY300 - the loop continues after a fault that ends less than the connection
            # The names differ because a compiled name has one type.
            except LinkFault as link_fault:
                self._fault_link(link_fault)
            except SessionFault as session_fault:
                self._fault_session(session_fault)
            except (PeerFault, DecodeError, FrameError) as fault:
                self._fail(fault.condition, str(fault))

    def give_back(self) -> bytes:
        """The bytes of an incomplete frame, for an owner that splits frames itself from now on."""
        return self._splitter.give_back()

    def receive_eof(self, now: i64) -> None:
        """The peer has closed its side of the transport."""
        del now
        if not self.finished:
            self._finish(peer_error(Condition.CONNECTION_FORCED, GONE) if self.error is None else self.error)

    def _shake_hands(self, handshake: Handshake) -> None:
        while handshake.read(self._splitter):
            if handshake.refusal is not None:
                self.error = handshake.refusal
                self._finish(handshake.refusal)
                return
            if handshake.ready and self._open_due and self._state is State.START:
                self._send_open()
            if handshake.done:
                self._identity, self._mechanism = handshake.identity, handshake.mechanism
                self._handshake = None
                self._read_frames()
                return

    def _read_frames(self) -> None:
        splitter = self._splitter
        transfer, disposition = self._transfer, self._disposition
        sessions = self._by_remote
        session: Session | None = None
        channel: i64 = -1
        while splitter.next():
            data = splitter.data
            body = splitter.body
            end = splitter.end
            if splitter.kind != KIND_AMQP:
                raise FrameError(f"a frame of type {splitter.kind}; AMQP frames are of type {KIND_AMQP}")
            if body == end:
                continue
            if splitter.channel != channel:
                channel = splitter.channel
                session = sessions.get(channel)
            if (
                session is not None
                and transfer is not None
                and disposition is not None
                and session.state is OPEN
                and self._state is OPEN
            ):
                if parse_transfer(data, body, end, transfer):
                    taken = session.take_transfer(transfer, data, splitter.start, end)
                    if taken > end:
                        splitter.pass_over(taken)
                    continue
                if parse_disposition(data, body, end, disposition):
                    session.take_disposition(disposition)
                    continue
            self._take_or_hold(decode_performative(data, body, end)[0], channel, session)
            if self.finished or self._held is not None:
                return
            # The channel may have a session now, or none any more.
            channel = -1
            sessions = self._by_remote
            transfer, disposition = self._transfer, self._disposition

    # ------------------------------------------------------------------ performatives

    def _take(self, performative: Performative, channel: int, session: Session | None) -> None:
        if isinstance(performative, Open | Close):
            if channel != 0:
                # [1.0 §2.4.1, §2.4.3]
                raise PeerFault(
                    Condition.NOT_ALLOWED,
                    f"an open or close on channel {channel}; they are sent on channel 0",
                )
            if isinstance(performative, Open):
                self._take_open(performative)
            else:
                self._take_close(performative)
        elif self.remote is None:
            raise PeerFault(Condition.NOT_ALLOWED, "the first frame of a connection is an open")
        elif self._state is not OPEN:
            return  # [1.0 §2.4.6] After this side's close, all but the peer's close is discarded.
        elif isinstance(performative, Begin):
            self._take_begin(performative, channel)
        elif session is None:
            raise PeerFault(Condition.NOT_ALLOWED, f"channel {channel} has no session; begin one")
        elif isinstance(performative, End):
            self._take_end(performative, session)
        elif session.open:
            self._take_in_session(performative, session)

    def _take_or_hold(self, performative: Performative, channel: int, session: Session | None) -> None:
        if self.holds_endings and isinstance(performative, Detach | End | Close):
            self._held = performative
        else:
            self._take(performative, channel, session)

    def _take_held(self, held: Performative, channel: int) -> None:
        """Take the end that has waited, and what came behind it."""
        self._held = None
        self._take(held, channel, self._by_remote.get(channel))
        if not self.finished:
            self._read_frames()

    def _take_in_session(self, performative: Performative, session: Session) -> None:
        if isinstance(performative, Flow):
            session.take_flow(performative)
        elif isinstance(performative, Attach):
            session.take_attach(performative)
        elif isinstance(performative, Detach):
            session.take_detach(performative)
        else:
            raise PeerFault(Condition.NOT_ALLOWED, f"{type(performative).__name__} is out of place")

    def _take_open(self, remote: Open) -> None:
        if self.remote is not None:
            raise PeerFault(Condition.NOT_ALLOWED, "a connection is opened once")
        if remote.max_frame_size < MIN_MAX_FRAME_SIZE:
            # [1.0 §2.7.1] Both peers must take frames of up to 512 octets.
            raise PeerFault(Condition.INVALID_FIELD, f"max-frame-size is at least {MIN_MAX_FRAME_SIZE}")
        self.remote = remote
        self._splitter.max_frame_size = self.options.max_frame_size
        self._move(Input.RECEIVE_OPEN)
        self.wire.max_frame_size = remote.max_frame_size
        if self._state is State.OPEN_RECEIVED:
            refusal = None if self.open_policy is None else self.open_policy.refusal(remote)
            self._send_open(refused=refusal is not None)
            if refusal is not None:
                self.close(refusal)
                return
        if remote.idle_time_out:
            if remote.idle_time_out < MIN_IDLE_TIMEOUT_MS:
                # [1.0 §2.4.5] A peer that cannot meet a proposed timeout closes with the reason.
                raise PeerFault(
                    Condition.NOT_ALLOWED, f"an idle-time-out is {MIN_IDLE_TIMEOUT_MS} ms or more"
                )
            self._liveness.keep_alive(remote.idle_time_out)
        heed_lease(remote, self.options, self._liveness)
        if self._state is OPEN:
            self._liveness.opened()
            self.wire.events.append(ConnectionOpened(remote))

    def _take_close(self, close: Close) -> None:
        ours_first = self._state in (State.CLOSE_SENT, State.CLOSE_PIPELINED)
        if not self._move(Input.RECEIVE_CLOSE):
            raise PeerFault(Condition.NOT_ALLOWED, "a close before the open")
        if not ours_first:
            self._send_close(None)
        self._finish(close.error if close.error is not None else self.error)

    def _take_begin(self, begin: Begin, channel: int) -> None:
        if channel > self.options.channel_max:
            # [1.0 §2.7.1] A channel outside the supported range closes the connection.
            raise PeerFault(Condition.FRAMING_ERROR, f"channel {channel}; at most {self.options.channel_max}")
        if channel in self._by_remote:
            raise PeerFault(Condition.NOT_ALLOWED, f"channel {channel} has a session; end it first")
        if begin.remote_channel is None:
            ours = self._free_channel()
            if ours > self._remote_channel_max():
                raise PeerFault(Condition.RESOURCE_LIMIT_EXCEEDED, f"channels 0 to {ours - 1} are in use")
            session = self._new_session(ours)
            session.take_begin(begin, channel)
            session.begin(answering=True)
        else:
            answered = self.sessions.get(begin.remote_channel)
            if answered is None or answered.remote_channel >= 0:
                raise PeerFault(Condition.NOT_ALLOWED, f"nothing was begun on channel {begin.remote_channel}")
            session = answered
            session.take_begin(begin, channel)
        self._by_remote[channel] = session
        if session.open:
            self.wire.events.append(SessionBegun(session))

    def _take_end(self, end: End, session: Session) -> None:
        ours_first = session.state is State.CLOSE_SENT
        session.move(Input.RECEIVE_CLOSE)
        if not ours_first:
            session.end()
            self.wire.events.append(SessionEnded(session, end.error))
        self._by_remote.pop(session.remote_channel, None)
        self.sessions.pop(session.channel, None)

    def _free_channel(self) -> int:
        channel = 0
        while channel in self.sessions:
            channel += 1
        return channel

    def _remote_channel_max(self) -> int:
        return 0 if self.remote is None else self.remote.channel_max

    def _new_session(self, channel: int) -> Session:
        if self._transfer is None:
            self._transfer, self._disposition = TransferHead(), DispositionHead()
            self.sessions, self._by_remote, self._names = {}, {}, {}
        session = self.sessions[channel] = Session(channel, self.wire, self.options, self._names)
        return session

    # ------------------------------------------------------------------ this side's open and close

    def _send_open(self, *, refused: bool = False) -> None:
        options = self.options
        properties = dict(options.properties)
        if self.open_policy is not None and self.remote is not None:
            properties |= self.open_policy.properties(self.remote)
        if self.remote is not None and options.lease_ms and LEASE in self.remote.desired_capabilities:
            properties[LEASE] = options.lease_ms
        if refused:
            # The peer learns by this that a close follows at once.
            properties[_FAILED] = True
        self._move(Input.SEND_OPEN)
        performative = Open(
            container_id=options.container_id,
            hostname=options.hostname,
            max_frame_size=options.max_frame_size,
            channel_max=options.channel_max,
            # [1.0 §2.4.5] Half of the timeout that is enforced.
            idle_time_out=options.idle_timeout_ms // 2 or None,
            offered_capabilities=options.offered_capabilities,
            desired_capabilities=options.desired_capabilities,
            properties=properties,
        )
        self.wire.perform(performative, 0)

    def _send_close(self, error: AmqpError | None) -> bool:
        """End the connection with its sessions and links, and report it."""
        for session in self.sessions.values():
            session.settlements.flush()
        if not self._move(Input.SEND_CLOSE):
            return False
        self.error = error
        self.wire.perform(Close(error), 0)
        self._cut_sessions()
        return True

    def _finish(self, error: AmqpError | None) -> None:
        self.finished = True
        if error is not None:
            self.end_cause = error.description or error.condition
            if error.condition != Condition.CONNECTION_FORCED.amqp10:
                self.end_condition = error.condition if error.condition in CONDITION_BY_SYMBOL else "other"
        self._state = State.CLOSED
        self._cut_sessions()
        self.wire.events.append(ConnectionClosed(error))

    def _cut_sessions(self) -> None:
        for session in self.sessions.values():
            session.cut()

    def _move(self, action: Input) -> bool:
        state = after(self._state, action)
        if state is None:
            return False
        self._state = state
        return True

    # ------------------------------------------------------------------ faults

    def _fault_link(self, fault: LinkFault) -> None:
        session = self._by_remote.get(self._splitter.channel)
        if session is not None and self._transfer is not None:
            session.fault_link(self._transfer.handle, peer_error(fault.condition, str(fault)))

    def _fault_session(self, fault: SessionFault) -> None:
        session, error = self._by_remote.get(self._splitter.channel), peer_error(fault.condition, str(fault))
        if session is not None:
            session.end(error)
            self.wire.events.append(SessionEnded(session, error))

    def _fail(self, condition: Condition, text: str) -> None:
        """Close for a fault of the peer, without waiting: it may never answer, or not in frames."""
        error = peer_error(condition, text)
        if self._handshake is None:
            if self._state is State.START or self._state is State.OPEN_RECEIVED:
                self._send_open()
            self._send_close(error)
        self.error = error
        self._finish(error)

    # ------------------------------------------------------------------ time

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, milliseconds since the epoch, or -1."""
        if self.finished:
            return NEVER
        return self._liveness.next_deadline()

    def advance(self, now: i64) -> None:
        """Do what is due: heartbeats, and the end of a connection that is silent or does not open."""
        if self.finished:
            return
        overdue = self._liveness.overdue(now)
        if overdue is not None:
            self._fail(Condition.RESOURCE_LIMIT_EXCEEDED, overdue)
        elif self._liveness.heartbeat_due(now):
            self.wire.put(EMPTY_FRAME)


@final
class ConnectionOpened(Event):
    """The peer opened."""

    __slots__ = ("remote",)

    def __init__(self, remote: Open) -> None:
        self.remote = remote


@final
class ConnectionClosed(Event):
    """The connection is over; `error` is None if both sides closed in order. It comes once."""

    __slots__ = ("error",)

    def __init__(self, error: AmqpError | None) -> None:
        self.error = error
