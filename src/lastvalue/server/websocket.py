"""AMQP over WebSocket: a connection whose bytes are the payload of binary messages [OASIS AMQP WSB].

The sans-IO part of `websockets` does the handshake and the frames.
"""

import logging
from typing import Final
from urllib.parse import urlsplit

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from lastvalue.frontends.protocol_connection import ConnectionContext, ProtocolConnection
from lastvalue.model.message import NEVER
from lastvalue.protocols.liveness import Liveness
from lastvalue.server.versions import Opener

SUBPROTOCOL: Final = Subprotocol("amqp")
MAX_MESSAGE_BYTES: Final = 1 << 20
"""Bytes of the largest WebSocket message; an AMQP message may span any number of them."""

ANSWER_WITHIN_MS: Final = 2_000
"""How long the peer may take to answer the close of its WebSocket."""

ANY_ORIGIN: Final = "*"
_FORBIDDEN: Final = 403
_NO_HTTP: Final = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n"
    b"This port speaks WebSocket, subprotocol amqp.\n"
)
_DATA: Final = (Opcode.BINARY, Opcode.CONT)

# Faults of peers are reported to them, and not to the operator.
_quiet = logging.getLogger("lastvalue.server.websocket.peers")
_quiet.setLevel(logging.CRITICAL)


class WebSocketConnection(ProtocolConnection):
    """See ProtocolConnection. The peer's first bytes are the request of an HTTP upgrade.

    Args:
        context: of the connection.
        inner: opens the AMQP connection within the WebSocket.
        origins: of web pages that may connect, besides those of this host; ANY_ORIGIN allows all.
        open_timeout_ms: how long the handshake may take; 0 is any time.
        wire_now: the time.
    """

    def __init__(
        self,
        context: ConnectionContext,
        inner: Opener,
        origins: tuple[str, ...],
        open_timeout_ms: int,
        wire_now: int,
    ) -> None:
        super().__init__()
        self._contact = context
        self._opener = inner
        self._origins = origins
        self._liveness = Liveness(0, open_timeout_ms, ANSWER_WITHIN_MS, wire_now)
        self._made_ms = wire_now
        self._inner: ProtocolConnection | None = None
        self._writable = True

        self._protocol = ServerProtocol(subprotocols=[SUBPROTOCOL], max_size=MAX_MESSAGE_BYTES, logger=_quiet)

    # ------------------------------------------------------------------ bytes

    def receive(self, data: bytes, wire_now: int, now: int) -> None:
        """See ProtocolConnection."""
        if self.finished:
            return
        protocol = self._protocol
        protocol.receive_data(data)
        for event in protocol.events_received():
            if isinstance(event, Request):
                self._answer(event)
            elif isinstance(event, Frame):
                self._take(event, wire_now, now)

    def _answer(self, request: Request) -> None:
        protocol = self._protocol
        response = self._refusal(request) or protocol.accept(request)
        protocol.send_response(response)
        if response.status_code == 101:
            self._liveness.opened()
            self._inner = self._opener(self._contact, self._made_ms)
            self._inner.set_writable(self._writable)

    def _refusal(self, request: Request) -> Response | None:
        """The reason why a web page may not connect, or None; programs have no origin, and may."""
        origin = request.headers.get("Origin")
        if origin is None or ANY_ORIGIN in self._origins or origin in self._origins:
            return None
        if urlsplit(origin).hostname == urlsplit(f"//{request.headers.get('Host', '')}").hostname:
            return None
        return self._protocol.reject(_FORBIDDEN, f"Web pages of {origin} may not connect here.\n")

    def _take(self, frame: Frame, wire_now: int, now: int) -> None:
        inner = self._inner
        if inner is None or inner.finished or self._protocol.state is not State.OPEN:
            return
        if frame.opcode in _DATA:
            inner.receive(bytes(frame.data), wire_now, now)
        elif frame.opcode is Opcode.TEXT:
            self._protocol.fail(CloseCode.UNSUPPORTED_DATA, "AMQP comes in binary messages")

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        protocol = self._protocol
        inner = self._inner
        if inner is not None and protocol.state is State.OPEN:
            data = inner.data_to_send()
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
                return _NO_HTTP
        return b"".join(written)

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


class WebSocketPort:
    """The protocols of a port for WebSockets only; see Versions."""

    def __init__(self, inner: Opener, origins: tuple[str, ...], open_timeout_ms: int) -> None:
        self._inner = inner
        self._origins = origins
        self._open_timeout_ms = open_timeout_ms

    def opener(self, header: bytes) -> Opener:  # noqa: ARG002 - as that of Versions
        """The function that opens a connection with any header."""
        return self._open

    def best(self, header: bytes) -> None:
        """None: HTTP answers unknown peers."""

    def _open(self, context: ConnectionContext, wire_now: int) -> ProtocolConnection:
        return WebSocketConnection(context, self._inner, self._origins, self._open_timeout_ms, wire_now)
