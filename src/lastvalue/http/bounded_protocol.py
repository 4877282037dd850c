"""HTTP over one socket: what a peer may cost before a request of it is served."""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from lastvalue.model.admission import CONNECTIONS_OF_ADDRESS, OPENING_MS
from lastvalue.model.peer_host import network_of

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

_PIECE_BYTES: Final = 4096
"""A head that comes at once would be taken whole, however large."""

_open: Final = Counter[str]()
"""How many connections of each address have not become WebSockets."""


class _PeerLog(logging.LoggerAdapter[logging.Logger]):
    """Faults of peers are theirs, and not the operator's.

    Args:
        is_stopping: whether the gateway ends; requests that do not end in time are cancelled.
    """

    def __init__(self, logger: logging.Logger, is_stopping: Callable[[], bool]) -> None:
        super().__init__(logger, {})
        self._is_stopping = is_stopping

    @property
    def level(self) -> int:
        """The logger's."""
        return self.logger.level

    def warning(self, msg: object, *args: Any, **more: Any) -> None:
        """Log what a peer did wrong, for whoever looks for it."""
        self.debug(msg, *args, **more)

    def error(self, msg: object, *args: Any, **more: Any) -> None:
        """Log a fault of this side; an answer that is unfinished because the gateway ends is none."""
        fault = more.get("exc_info")
        if self._is_stopping() and (fault is None or isinstance(fault, asyncio.CancelledError)):
            self.debug("the gateway ends before a request: %s", str(msg).strip())
        else:
            super().error(msg, *args, **more)

    def exception(self, msg: object, *args: Any, **more: Any) -> None:
        """Log a fault of this side with its trace; text that is not UTF-8 is the peer's."""
        fault = sys.exc_info()[1]
        if isinstance(fault, UnicodeDecodeError):
            self.debug(msg, *args)
        else:
            self.error(msg, *args, exc_info=fault, **more)


class BoundedProtocol(H11Protocol):
    """HTTP, with little in memory that a slow follower has not read: it is no longer the newest.

    A head has to come whole in time; between requests uvicorn's own timer runs.
    `is_stopping` says whether the gateway ends: streams end before uvicorn says so.
    """

    def __init__(self, *args: Any, is_stopping: Callable[[], bool], **more: Any) -> None:
        super().__init__(*args, **more)
        self.logger = _PeerLog(self.logger, is_stopping)  # type: ignore[assignment]  # it is used as one
        self._head_timer: asyncio.TimerHandle | None = None
        self._address = ""

    # uvicorn narrows the argument, against asyncio's signature, from which mypy tells both.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio."""
        super().connection_made(transport)
        # Only now: what a handshake has left to send may pause the protocol at once.
        # asyncio's TLS pauses from this size on, even at 0, where it would never resume.
        encrypted = transport.get_extra_info("ssl_object") is not None
        # What is sent next is made when the peer's socket has taken what was sent before.
        transport.set_write_buffer_limits(high=1 if encrypted else 0, low=0)
        if self.client is not None and not self.config.proxy_headers:
            self._address = network_of(self.client[0])
            _open[self._address] += 1
            if _open[self._address] > CONNECTIONS_OF_ADDRESS.most:
                self.logger.debug(
                    "more than %d connections of %s", CONNECTIONS_OF_ADDRESS.most, self._address
                )
                transport.abort()
                return
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        while data and self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            piece, data = data[:_PIECE_BYTES], data[_PIECE_BYTES:]
            super().data_received(piece)
        if self.transport.is_closing():
            return
        if data:
            super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect_head()
        else:
            self._stop_timer()

    def on_response_complete(self) -> None:
        """See uvicorn."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            # A part of the next head came behind this request.
            self._expect_head()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """See uvicorn; who follows a queue is counted there."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._leave()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong with the peer's bytes, and close."""
        fault = sys.exc_info()[1]
        status = fault.error_status_hint if isinstance(fault, h11.RemoteProtocolError) else 400
        body = f"{fault or msg}\n".encode("ascii", "replace")
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        for part in (
            h11.Response(status_code=status, headers=headers), h11.Data(data=body), h11.EndOfMessage()
        ):  # fmt: skip
            self.transport.write(self.conn.send(part) or b"")
        self.transport.close()

    def _expect_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(OPENING_MS.most / 1000, self._close_late)

    def _close_late(self) -> None:
        self.logger.debug("no whole request of %s came in time", self._address)
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _leave(self) -> None:
        self._stop_timer()
        if self._address:
            _open[self._address] -= 1
            if not _open[self._address]:
                del _open[self._address]
            self._address = ""


class FollowerProtocol(WebSocketsSansIOProtocol):
    """A WebSocket over one socket, whose peer's faults are no warnings."""

    def __init__(self, *args: Any, is_stopping: Callable[[], bool], **more: Any) -> None:
        super().__init__(*args, **more)
        self.logger = _PeerLog(self.logger, is_stopping)  # type: ignore[assignment]  # it is used as one

    async def send(self, message: "ASGISendEvent") -> None:
        """See uvicorn, which takes an answer that refuses a WebSocket for no answer, and logs that."""
        await super().send(message)
        self.handshake_complete = self.handshake_complete or self.close_sent
