"""AMQP and MQTT over WebSocket: a connection whose bytes are the payload of binary messages.

[OASIS AMQP WSB; MQTT 5.0 §6]

The sans-IO part of `websockets` does the handshake and the frames.
"""

import logging
from collections import deque
from collections.abc import Mapping
from typing import Final

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from lastvalue.delivery.protocol_connection import ConnectionContext, ProtocolConnection
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.model.memory_budget import MemoryLimitError
from lastvalue.model.message import NEVER
from lastvalue.protocols.liveness import Liveness
from lastvalue.server.input_queue import PIECE_BYTES
from lastvalue.server.versions import Opener
from lastvalue.server.websocket_gate import WebSocketGate

MAX_MESSAGE_BYTES: Final = 1 << 20
"""Bytes of the largest WebSocket message; an AMQP message may span any number of them."""

_REASON_CHARACTERS: Final = 120
"""[RFC 6455 §5.5] The reason of a close has at most 123 bytes."""

ANSWER_WITHIN_MS: Final = 2_000
"""How long the peer may take to answer the close of its WebSocket."""

_UPGRADED: Final = 101
_FORBIDDEN: Final = 403
_LONG_HEAD: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n"
    b"The head of a request has at most %d bytes.\n"
) % FIRST_BYTES.most
_NO_HTTP: Final = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n"
    b"This port speaks WebSocket, with a subprotocol for AMQP or MQTT.\n"
)
_DATA: Final = (Opcode.BINARY, Opcode.CONT)

# Faults of peers are reported to them, and not to the operator.
_quiet = logging.getLogger("lastvalue.server.websocket.peers")
_quiet.setLevel(logging.CRITICAL)


class WebSocketConnection(ProtocolConnection):
    """See ProtocolConnection. The peer's first bytes are the request of an HTTP upgrade.

    Args:
        context: of the connection.
        inner: open the connection within the WebSocket, by its subprotocol.
        gate: decides which requests may connect.
        open_timeout_ms: how long the handshake may take; 0 is any time.
        wire_now: the time.
    """

    def __init__(
        self,
        context: ConnectionContext,
        inner: Mapping[str, Opener],
        gate: WebSocketGate,
        open_timeout_ms: int,
        wire_now: int,
    ) -> None:
        super().__init__()
        self._contact = context
        self._openers = inner
        self._gate = gate
        self._liveness = Liveness(0, open_timeout_ms, ANSWER_WITHIN_MS, wire_now)
        self._made_ms = wire_now
        self._inner: ProtocolConnection | None = None
        self._writable = True
        self._pieces: deque[bytes] = deque()
        self._pieces_bytes = 0
        self._waiting_bytes = 0
        self._refusal = ""
        self._answer_only = b""

        subprotocols = [Subprotocol(name) for name in inner]
        self._protocol = ServerProtocol(subprotocols=subprotocols, max_size=MAX_MESSAGE_BYTES, logger=_quiet)

    # ------------------------------------------------------------------ bytes

    @property
    def busy(self) -> bool:
        """See ProtocolConnection."""
        return self._inner is not None and self._inner.busy

    def receive(self, data: bytes, wire_now: int, now: int) -> None:
        """See ProtocolConnection."""
        if self.finished:
            return
        if data:
            self.bytes_in += len(data)
            if self._inner is None and self.bytes_in > FIRST_BYTES.most:
                self._refusal = f"a head of more than {FIRST_BYTES.most} bytes"
                self._answer_only = _LONG_HEAD
                return
            self._protocol.receive_data(data)
            for event in self._protocol.events_received():
                if isinstance(event, Request):
                    self._answer(event)
                elif isinstance(event, Frame):
                    self._take(event)
        inner = self._inner
        if inner is not None and inner.input_waiting:
            inner.receive(b"", wire_now, now)
        elif inner is not None and self._pieces:
            piece = self._pieces.popleft()
            self._pieces_bytes -= len(piece)
            inner.receive(piece, wire_now, now)
        self._count_waiting()
        self.input_waiting = bool(self._pieces) or (inner is not None and inner.input_waiting)

    def _count_waiting(self) -> None:
        """Count the part of a frame that has come, and what of the last message is not processed."""
        waiting = len(self._protocol.reader.buffer) + self._pieces_bytes
        more = waiting - self._waiting_bytes
        try:
            if more > 0:
                self._contact.memory.take(more)
            else:
                self._contact.memory.release(-more)
        except MemoryLimitError as fault:
            self._pieces.clear()
            self._pieces_bytes = 0
            known = self._contact.memory.belongs
            code = CloseCode.TRY_AGAIN_LATER if known else CloseCode.MESSAGE_TOO_BIG
            self._protocol.fail(code, str(fault)[:_REASON_CHARACTERS])
        else:
            self._waiting_bytes = waiting

    def _answer(self, request: Request) -> None:
        protocol = self._protocol
        response = protocol.accept(request)
        headers = request.headers
        refusal = self._gate.refusal(headers.get_all("Host"), headers.get_all("Origin"))
        if response.status_code == _UPGRADED and refusal is not None:
            response = protocol.reject(_FORBIDDEN, refusal)
            self._refusal = refusal
        elif response.status_code != _UPGRADED:
            self._refusal = f"HTTP {response.status_code}: the request is not one for a WebSocket"
        protocol.send_response(response)
        if response.status_code == _UPGRADED:
            self._liveness.opened()
            self._inner = self._openers[str(protocol.subprotocol)](self._contact, self._made_ms)
            self._inner.set_writable(self._writable)

    def _take(self, frame: Frame) -> None:
        inner = self._inner
        if inner is None or inner.finished or self._protocol.state is not State.OPEN:
            return
        if frame.opcode in _DATA:
            data = bytes(frame.data)
            self._pieces_bytes += len(data)
            self._pieces += [data[at : at + PIECE_BYTES] for at in range(0, len(data), PIECE_BYTES)]
        elif frame.opcode is Opcode.TEXT:
            self._protocol.fail(CloseCode.UNSUPPORTED_DATA, "binary messages are expected")

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        if self._answer_only:
            self.finished = True
            return self._answer_only
        protocol = self._protocol
        inner = self._inner
        if inner is not None and protocol.state is State.OPEN:
            data = inner.data_to_send()
            self.provisional = inner.provisional
            self.stored_first = inner.stored_first
            if data:
                protocol.send_binary(data)
            if inner.finished:
                protocol.send_close(CloseCode.NORMAL_CLOSURE)
                self._liveness.closing()
        written = protocol.data_to_send()
        # An empty piece ends the output.
        if b"" in written:
            self.finished = True
            if inner is None and protocol.handshake_exc is not None and not any(written):
                self._refusal = "a request that is not HTTP"
                return _NO_HTTP
        output = b"".join(written)
        self.bytes_out += len(output)
        return output

    @property
    def end_cause(self) -> str:
        """See ProtocolConnection."""
        return self._refusal if self._inner is None else str(self._inner.end_cause)

    def password_checked(self, wire_now: int, now: int) -> None:
        """See ProtocolConnection."""
        if self._inner is not None:
            self._inner.password_checked(wire_now, now)

    # ------------------------------------------------------------------ time

    def advance(self, wire_now: int, now: int) -> None:
        """See ProtocolConnection."""
        if self._inner is not None:
            self._inner.advance(wire_now, now)
        if self._liveness.overdue(wire_now) is not None:
            self.finished = True

    def next_deadline(self) -> int:
        """See ProtocolConnection."""
        if self.finished:
            return NEVER
        inner: int = NEVER if self._inner is None else self._inner.next_deadline()
        return min(inner, int(self._liveness.next_deadline()))

    # ------------------------------------------------------------------ the turn

    def seal(self, position: int, now: int) -> None:
        """See ProtocolConnection."""
        if self._inner is not None:
            self._inner.seal(position, now)

    def confirm(self, flushed: int, now: int) -> bool:
        """See ProtocolConnection."""
        return self._inner is not None and self._inner.confirm(flushed, now)

    def set_writable(self, writable: bool) -> None:  # noqa: FBT001 - it is the state
        """See ProtocolConnection."""
        self._writable = writable
        if self._inner is not None:
            self._inner.set_writable(writable)

    def resume(self) -> None:
        """See ProtocolConnection."""
        if self._inner is not None:
            self._inner.resume()

    def shut_down(self, reason: str) -> None:
        """See ProtocolConnection."""
        if self._inner is None:
            self.finished = True
        else:
            self._inner.shut_down(reason)

    def lost(self, wire_now: int, now: int) -> None:
        """See ProtocolConnection."""
        self.finished = True
        if self._inner is not None:
            self._inner.lost(wire_now, now)
        else:
            self._contact.memory.close()
        self._drop_frames()

    def _drop_frames(self) -> None:
        """Forget what of `websockets` refers to itself, so that the connection is freed at once.

        Its parser is a generator that refers to its owner; a fault refers to the frames in which it was
        raised, and they to it.
        """
        protocol = self._protocol
        protocol.parser.close()
        for fault in (protocol.handshake_exc, protocol.parser_exc):
            if fault is not None:
                fault.__traceback__ = None
        protocol.handshake_exc = protocol.parser_exc = None


class WebSocketPort:
    """The protocols of a port for WebSockets only; see Versions."""

    is_web = True

    def __init__(self, inner: Mapping[str, Opener], gate: WebSocketGate, open_timeout_ms: int) -> None:
        self._inner = inner
        self._gate = gate
        self._open_timeout_ms = open_timeout_ms

    def opener(self, header: bytes) -> Opener:
        """The function that opens a connection with any header."""
        del header
        return self._open

    def best(self, header: bytes) -> None:
        """None: HTTP answers unknown peers."""

    def _open(self, context: ConnectionContext, wire_now: int) -> ProtocolConnection:
        return WebSocketConnection(context, self._inner, self._gate, self._open_timeout_ms, wire_now)
