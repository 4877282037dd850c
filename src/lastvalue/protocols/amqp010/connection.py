"""One AMQP 0-10 connection, server side [0-10 part 3].

Drive it as `protocols.engine.Engine` says: pass in bytes and the time; then take the events, act on them, and
write what `data_to_send` returns.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp010.command_layouts import (
    COMMANDS,
    CONNECTION_CLOSE,
    CONNECTION_CLOSE_OK,
    CONNECTION_HEARTBEAT,
    CONTROLS,
    MESSAGE_TRANSFER,
    SESSION_DETACHED,
)
from lastvalue.codec.amqp010.decoder import decode_record
from lastvalue.codec.amqp010.errors import DecodeError, FrameError
from lastvalue.codec.amqp010.frames import (
    BODY,
    CONTROL,
    FIRST_FRAME,
    FIRST_SEGMENT,
    FRAME_HEADER_SIZE,
    HEADER,
    LAST_FRAME,
    LAST_SEGMENT,
    PROTOCOL_HEADER,
    Frame,
    FrameReader,
)
from lastvalue.codec.amqp010.layouts import Layout, Record
from lastvalue.codec.amqp010.shortcuts.transfers import TransferHead
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.model.conditions import Condition
from lastvalue.model.memory_budget import MemoryAccount, MemoryLimitError
from lastvalue.model.message import NEVER
from lastvalue.protocols.amqp010.command_assembly import CommandAssembly
from lastvalue.protocols.amqp010.handshake import Handshake
from lastvalue.protocols.amqp010.session import (
    CHANNEL_BUSY,
    NORMAL,
    NOT_ATTACHED,
    Command,
    MessagesTransferred,
    Session,
    SessionAttached,
    SessionEnded,
    TransferBegan,
)
from lastvalue.protocols.amqp010.wire import Event, Wire
from lastvalue.protocols.engine import GONE, Engine
from lastvalue.protocols.liveness import Liveness
from lastvalue.protocols.sasl import Authenticator

CONNECTION_FORCED: Final = 320
FRAMING_ERROR: Final = 501
HEARTBEAT_MAX_S: Final = 120
_MOST_DESTINATIONS: Final = 256
_WHOLE: Final = FIRST_SEGMENT | LAST_SEGMENT | FIRST_FRAME | LAST_FRAME


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Options:
    """Sizes in bytes, times in milliseconds.

    Attributes:
        max_frame_size: the largest frame this side takes; 65535 at most.
        channel_max: the highest channel this side takes.
        heartbeat_max_s: the longest time between heartbeats, in seconds, that a peer may ask for.
        max_message_size: the largest message it takes.
        open_timeout_ms: the connection ends when it is not open after so long; 0 is never.
        close_timeout_ms: how long this side waits for the answer to its close.
        properties: of the server, for the peer.
    """

    max_frame_size: int = 65535
    channel_max: int = 255
    heartbeat_max_s: int = HEARTBEAT_MAX_S
    max_message_size: int = 8 * 1024 * 1024
    open_timeout_ms: int = 10_000
    close_timeout_ms: int = 10_000
    properties: Mapping[str, Any] = field(default_factory=dict)


@final
class ConnectionOpened(Event):
    """The peer has opened the connection."""

    __slots__ = ()


@final
class ConnectionClosed(Event):
    """The connection is over; all its sessions are."""

    __slots__ = ()


_MOST_COMMAND_BYTES: Final = 128 * 1024
_MOST_HEAD_BYTES: Final = 1 << 20
"""What is decoded value by value: some milliseconds."""


@mypyc_attr(native_class=False)
class ProtocolError(Exception):
    """The peer violates the protocol: the connection is closed with this code and text."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@final
class Connection(Engine):
    """The engine of one connection.

    `authenticator` decides who may connect; `enter` returns the reason why a user may not, or None. What has
    not arrived whole takes memory from an account.

    Attributes:
        sessions: by channel.
        wire: the output; sessions write to it, too.
        handshake: opens the connection, and has the peer's user.
    """

    __slots__ = (
        "_assemblies",
        "_closing",
        "_destinations",
        "_frame",
        "_head",
        "_heard_header",
        "_liveness",
        "_over",
        "_part",
        "_reader",
        "_run",
        "_session",
        "_start",
        "handshake",
        "options",
        "sessions",
        "wire",
    )

    def __init__(
        self,
        options: Options,
        authenticator: Authenticator,
        enter: Callable[[str], str | None],
        memory: MemoryAccount,
        now: i64,
    ) -> None:
        super().__init__()
        self.options = options
        self.sessions: dict[int, Session] = {}
        self.wire = Wire(memory)
        self.handshake = Handshake(self.wire, authenticator, enter, options.properties)
        self.handshake.channel_max = options.channel_max
        self.handshake.max_frame_size = options.max_frame_size
        self.handshake.heartbeat_max_s = options.heartbeat_max_s
        # [0-10 part 3] Until both have agreed on a size 4096 bytes are enough, but tokens have more.
        self._reader = FrameReader(FIRST_BYTES.most)
        self._head = TransferHead(options.max_frame_size)
        # A frame that waits until the owner has processed the events before it.
        self._frame: Frame | None = None
        self._assemblies: dict[int, CommandAssembly] = {}
        # The session of the last transfer, and destinations by how their commands are encoded.
        self._session: Session | None = None
        self._run: MessagesTransferred | None = None
        self._destinations: dict[bytes, str] = {}
        self._start = b""
        self._part = b""
        self._heard_header = False
        self._closing = False
        self._over = False
        self._liveness = Liveness(0, options.open_timeout_ms, options.close_timeout_ms, now)

    # ------------------------------------------------------------------ output

    @property
    def identity(self) -> str:
        """The peer's user; anonymous before it is known."""
        return self.handshake.identity

    def events(self) -> list[Event]:
        """Take out the events since the last call, oldest first."""
        events = self.wire.events
        if events:
            self.wire.events = []
        return events

    def put_back(self, events: list[Event]) -> None:
        """Give the first of these events back, which the owner has not processed."""
        self.wire.events = events + self.wire.events

    def data_to_send(self) -> bytes:
        """Take out the bytes to write."""
        for session in self.sessions.values():
            session.tell_completed()
        data = self.wire.take()
        if data:
            self._liveness.wrote()
        return data

    @property
    def open_bytes(self) -> i64:
        """The memory of what the peer has open: an incomplete frame or control, and sessions."""
        size: i64 = len(self._reader.data) - self._reader.position + len(self._part)
        for session in self.sessions.values():
            size += session.open_bytes
        return size

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, or -1."""
        return NEVER if self.finished else self._liveness.next_deadline()

    # ------------------------------------------------------------------ inlets

    def receive(self, data: bytes, now: i64) -> None:
        """Process bytes from the peer. No bytes of a peer raise an error."""
        if self.finished:
            return
        self._liveness.heard(now)
        if not self._heard_header:
            data = self._take_header(data)
            if not self._heard_header:
                return
        self._reader.feed(data)
        if self.handshake.pending:
            fault = self.handshake.password_checked()
            if fault is not None:
                self.close(CONNECTION_FORCED, fault)
        if self._frame is None:
            self.go_on()

    @property
    def ending_waits(self) -> bool:
        """Whether the peer's end of a session or of the connection waits for `go_on`."""
        frame = self._frame
        return frame is not None and _ends(frame) and not self.finished

    def go_on(self) -> bool:
        """Process received bytes, as far as possible before the owner takes the events; whether more wait.

        A session begins and ends in its place among the commands: the owner takes the events, and calls this
        again while it is true. Before an end it also answers what came before.
        """
        reader = self._reader
        head = self._head
        try:
            # What the peer sent ahead waits for the check of its password.
            while not self.finished and not self.handshake.pending:
                if (
                    self._frame is None
                    and head.find(reader.data, reader.position)
                    and self._take_transfer(head)
                ):
                    continue
                frame = self._frame
                self._frame = None
                if frame is None:
                    frame = reader.next()
                    if frame is None:
                        return False
                    if _ends(frame) or (self.wire.events and _begins(frame)):
                        self._frame = frame
                        return True
                self._take(frame)
        except FrameError as broken:
            self.close(FRAMING_ERROR, str(broken))
        except ProtocolError as fault:
            self.close(fault.code, str(fault))
        except DecodeError as malformed:
            # A compiled name has one type.
            self.close(FRAMING_ERROR, str(malformed))
        return False

    def receive_eof(self, now: i64) -> None:
        """The peer has closed its side of the transport."""
        del now
        self.finished = True
        self._end(GONE)

    def advance(self, now: i64) -> None:
        """Do what is due: heartbeats and timeouts."""
        if self.finished:
            return
        fault = self._liveness.overdue(now)
        if fault is not None:
            self.finished = True
            self._end(fault)
        elif self._liveness.heartbeat_due(now):
            self.wire.control(0, Record(CONNECTION_HEARTBEAT))

    def close(self, code: int, text: str) -> None:
        """Close from this side, and wait for the peer's answer."""
        if self._closing or self.finished:
            return
        if code != Condition.CONNECTION_FORCED.amqp010:
            self.end_condition = f"amqp-0-10:{code}"
        if not self._heard_header:
            self.finished = True
        else:
            values: dict[str, object] = {"reply_code": code, "reply_text": _short(text)}
            self.wire.control(0, Record(CONNECTION_CLOSE, values))
            self._closing = True
            self._liveness.closing()
        self._end(text)

    def _end(self, cause: str = "") -> None:
        if self._over:
            return
        self._over = True
        self.end_cause = cause
        for session in list(self.sessions.values()):
            self._detached(session)
        self.wire.events.append(ConnectionClosed())

    # ------------------------------------------------------------------ frames

    def _take_header(self, data: bytes) -> bytes:
        self._start += data
        if len(self._start) < len(PROTOCOL_HEADER):
            if not PROTOCOL_HEADER.startswith(self._start):
                self._refuse_header()
            return b""
        head, rest = self._start[:8], self._start[8:]
        self._start = b""
        if head != PROTOCOL_HEADER:
            self._refuse_header()
            return b""
        self._heard_header = True
        self.wire.put(PROTOCOL_HEADER)
        self.handshake.start()
        return rest

    def _refuse_header(self) -> None:
        # [0-10 part 3] A server that does not support a version answers with one that it supports.
        self.wire.put(PROTOCOL_HEADER)
        self.finished = True
        self._end("the header is of another version")

    def _take_transfer(self, head: TransferHead) -> bool:
        """Take a message whose segments have one frame each; false where it has to go frame by frame."""
        if self._closing or self._assemblies or head.end - head.header > self.options.max_message_size:
            return False
        session = self._session
        if session is None or session.channel != head.channel or session.over:
            session = self.sessions.get(int(head.channel))
            if session is None or session.over or not self.handshake.opened:
                return False
            self._session = session
        destination = head.destination
        if destination is None:
            destination = self._destination(head.command[FRAME_HEADER_SIZE:])
            head.destination = destination
        reader = self._reader
        data = reader.data
        reader.position = head.end
        header = data[head.header : head.header_end]
        body = data[head.body : head.end] if head.body >= 0 else None
        self._transferred(session, destination, header, body)
        return True

    def _transferred(self, session: Session, destination: str, header: bytes, body: bytes | None) -> None:
        """Add a message to the run of messages that came right before it."""
        number = session.arrived()
        events = self.wire.events
        run = self._run
        if (
            run is None
            or not events
            or events[-1] is not run
            or run.session is not session
            or run.first + len(run.headers) != number
            or run.destination != destination
        ):
            run = MessagesTransferred(session, number, destination)
            self._run = run
            events.append(run)
        run.headers.append(header)
        run.bodies.append(body)

    def _destination(self, command: bytes) -> str:
        """The destination of a transfer, cached by its encoding."""
        cached = self._destinations.get(command)
        if cached is not None:
            return cached
        record, _ = decode_record(command, 3 + command[2], len(command), MESSAGE_TRANSFER)
        destination = record.text("destination")
        if len(self._destinations) >= _MOST_DESTINATIONS:
            self._destinations.clear()
        self._destinations[command] = destination
        return destination

    def _take(self, frame: Frame) -> None:  # noqa: C901, PLR0912 - hot: no calls
        if frame.kind == CONTROL and frame.flags & FIRST_FRAME and frame.flags & LAST_FRAME:
            self._take_control(frame)
            return
        if self._closing:
            return
        if not self.handshake.opened:
            self._take_part(frame)
            return
        session = self.sessions.get(int(frame.channel))
        if session is None or session.over:
            # Frames that were on their way when the session ended.
            if session is not None:
                self._forget_assembly(session)
            return
        assembly = self._assemblies.get(int(frame.channel))
        if assembly is None:
            if frame.kind == HEADER or frame.kind == BODY:
                raise ProtocolError(FRAMING_ERROR, "a message's segments follow its command")
            if frame.flags == _WHOLE:
                self._command(session, frame.kind, frame.payload, b"", None)
                return
            assembly = CommandAssembly(self.wire.memory)
            self._assemblies[int(frame.channel)] = assembly
        body_begins = frame.kind == BODY and not assembly.has_body
        try:
            assembly.add(frame.kind, frame.payload)
        except MemoryLimitError as fault:
            self._forget_assembly(session)
            session.fail(session.arrived(), MESSAGE_TRANSFER, fault.condition.amqp010, str(fault))
            return
        if assembly.command.size_bytes > _MOST_COMMAND_BYTES or assembly.header.size_bytes > _MOST_HEAD_BYTES:
            raise ProtocolError(
                FRAMING_ERROR,
                f"a command has at most {_MOST_COMMAND_BYTES} bytes, a message's header {_MOST_HEAD_BYTES}",
            )
        if assembly.size_bytes > self.options.max_message_size + 65536:
            raise ProtocolError(
                FRAMING_ERROR, f"messages have at most {self.options.max_message_size} bytes here"
            )
        if frame.flags & LAST_FRAME and frame.flags & LAST_SEGMENT:
            body = assembly.body.join() if assembly.has_body else None
            command, header = assembly.command.join(), assembly.header.join()
            del self._assemblies[int(frame.channel)]
            self._command(session, frame.kind, command, header, body)
        elif body_begins:
            self._tell_begun(session, assembly)

    def _tell_begun(self, session: Session, assembly: CommandAssembly) -> None:
        """Tell of a message whose body has begun, so that it can be refused before it has come."""
        command, header = assembly.head()
        if int.from_bytes(command[:2], "big") == MESSAGE_TRANSFER.code:
            destination = self._destination(command)
            self.wire.events.append(TransferBegan(session, session.next_command, destination, header))

    def _forget_assembly(self, session: Session) -> None:
        """Drop the command of a session that has not arrived whole."""
        assembly = self._assemblies.pop(int(session.channel), None)
        if assembly is not None:
            assembly.clear()

    def _command(self, session: Session, kind: i64, data: bytes, header: bytes, body: bytes | None) -> None:
        if kind == CONTROL:
            self._session_control(session.channel, _control(data))
            return
        layout: Layout | None = None
        if len(data) >= 4:
            layout = COMMANDS.get(data[0] << 8 | data[1])
        if layout is None:
            raise ProtocolError(540, f"there is no command 0x{data[:2].hex()}")
        # [0-10] session.header: its size, and a byte of flags.
        record, _ = decode_record(data, 3 + data[2], len(data), layout)
        if layout is MESSAGE_TRANSFER:
            self._transferred(session, record.text("destination"), header, body)
            return
        number = session.arrived()
        if layout.name == "execution.sync":
            session.complete_sync(number)
            return
        if layout.name in ("execution.result", "execution.exception"):
            session.complete(number)
            return
        self.wire.events.append(Command(session, number, record))

    def _take_part(self, frame: Frame) -> None:
        """Take a part of a control of the handshake: a token may need several frames."""
        if frame.kind != CONTROL:
            raise ProtocolError(FRAMING_ERROR, "the connection is not open; it needs connection.open first")
        self._part += frame.payload
        if len(self._part) > FIRST_BYTES.most:
            text = f"a control before the login has at most {FIRST_BYTES.most} bytes"
            raise ProtocolError(FRAMING_ERROR, text)
        if frame.flags & LAST_FRAME:
            record = _control(self._part)
            self._part = b""
            self._shake_hands(record)

    def _take_control(self, frame: Frame) -> None:
        record = _control(frame.payload)
        if record.layout.code >> 8 == 2:
            if not self._closing:
                self._session_control(frame.channel, record)
            return
        name = record.layout.name
        if name == "connection.close":
            self.wire.control(0, Record(CONNECTION_CLOSE_OK))
            self.finished = True
            self._end()
        elif name == "connection.close-ok":
            self.finished = True
            self._end()
        elif name != "connection.heartbeat" and not self._closing:
            self._shake_hands(record)

    def _shake_hands(self, record: Record) -> None:
        handshake = self.handshake
        fault = handshake.take(record)
        if fault is not None:
            raise ProtocolError(CONNECTION_FORCED, fault)
        if record.layout.name == "connection.tune-ok":
            self._reader.max_frame_size = self.options.max_frame_size
        if handshake.refused:
            self.finished = True
            self._end("the client asks for larger frames or more channels than it was offered")
        elif handshake.opened:
            self.wire.events.append(ConnectionOpened())
            self._liveness.agree(handshake.heartbeat_s * 1000)
            self._liveness.opened()

    # ------------------------------------------------------------------ sessions

    def _session_control(self, channel: i64, record: Record) -> None:
        if not self.handshake.opened:
            raise ProtocolError(FRAMING_ERROR, "the connection is not open; a session needs an open one")
        session = self.sessions.get(int(channel))
        name = record.layout.name
        if name == "session.attach":
            self._attach(channel, record, session)
        elif session is None:
            if name not in ("session.detached", "session.completed", "session.known-completed"):
                self._tell_detached(channel, record.binary("name") or b"", NOT_ATTACHED)
        elif name == "session.detach":
            session.tell_completed()
            self._tell_detached(channel, session.name, NORMAL)
            self._detached(session)
        elif name == "session.detached":
            self._detached(session)
        elif not session.over:
            session.take_control(record)

    def _attach(self, channel: i64, record: Record, present: Session | None) -> None:
        name = record.binary("name") or b""
        if channel > self.options.channel_max:
            raise ProtocolError(FRAMING_ERROR, f"channels are 0 to {self.options.channel_max}")
        if present is not None:
            if not present.over:
                self._tell_detached(channel, name, CHANNEL_BUSY)
                return
            self._detached(present)
        session = Session(self.wire, channel, name)
        self.sessions[int(channel)] = session
        self.wire.events.append(SessionAttached(session, record.has("force")))

    def _detached(self, session: Session) -> None:
        self.sessions.pop(int(session.channel), None)
        self._forget_assembly(session)
        if not session.over:
            session.over = True
            session.attached = False
            self.wire.events.append(SessionEnded(session))

    def _tell_detached(self, channel: i64, name: bytes, code: int) -> None:
        self.wire.control(channel, Record(SESSION_DETACHED, {"name": name, "code": code}))


def _begins(frame: Frame) -> bool:
    """Whether it is session.attach."""
    return frame.kind == CONTROL and frame.payload[:2] == b"\x02\x01"


def _ends(frame: Frame) -> bool:
    """Whether it is session.detach, session.detached or connection.close."""
    return frame.kind == CONTROL and frame.payload[:2] in (b"\x02\x03", b"\x02\x04", b"\x01\x0b")


def _control(data: bytes) -> Record:
    layout: Layout | None = None
    if len(data) >= 2:
        layout = CONTROLS.get(data[0] << 8 | data[1])
    if layout is None:
        raise ProtocolError(540, f"there is no control 0x{data[:2].hex()}")
    return decode_record(data, 2, len(data), layout)[0] if layout.fields else Record(layout)


def _short(text: str) -> str:
    """The part of a text that fits 255 bytes."""
    return text.encode()[:255].decode(errors="ignore")
