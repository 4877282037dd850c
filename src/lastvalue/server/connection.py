"""One driver for every connection: bytes between a socket and an engine, one write a turn."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.server.authentication import Door, Peer
from lastvalue.server.runtime import Runtime
from lastvalue.server.tls import certificate_name

logger = logging.getLogger(__name__)

READ_SIZE: Final = 64 * 1024
"""A larger buffer costs more: what is cut out of it falls to the system's memory map."""

UNSENT_BYTES: Final = 128 * 1024
"""What the kernel may hold unsent: a message that is there cannot be replaced by a newer one any more."""

_TCP_NOTSENT_LOWAT: Final = 25

_read_buffer = bytearray(READ_SIZE)
_read_view = memoryview(_read_buffer)


class ServerConnection(asyncio.BufferedProtocol):
    """Reads into one buffer that all connections share; writes what the engine has, once a turn."""

    def __init__(
        self,
        engine: Connection,
        runtime: Runtime,
        door: Door,
        on_open: Callable[["ServerConnection"], None],
        on_close: Callable[["ServerConnection"], None],
        *,
        refuse_unknown_filters: bool = False,
    ) -> None:
        self.engine = engine
        self.frontend = Frontend(engine, runtime.broker, self._touched, refuse_unknown_filters)
        self.closed = asyncio.get_running_loop().create_future()
        self._runtime = runtime
        self._door = door
        self._on_open = on_open
        self._on_close = on_close
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = -1
        self._peer = "?"

    # ------------------------------------------------------------------ asyncio's calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Set the socket so that little waits in it."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(transport)
        self._transport = transport
        # asyncio's TLS pauses from this size on, also when that is nothing, and would never resume then.
        encrypted = transport.get_extra_info("ssl_object") is not None
        transport.set_write_buffer_limits(high=1 if encrypted else 0, low=0)
        peer = transport.get_extra_info("socket")
        self._peer = str(transport.get_extra_info("peername"))
        if peer is not None and peer.family in (socket.AF_INET, socket.AF_INET6):
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with contextlib.suppress(OSError):
                peer.setsockopt(socket.IPPROTO_TCP, _TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        self.engine.authenticate_by(self._door.authenticator(_known_of(transport)))
        self._on_open(self)
        self._set_timer(self._runtime.wire_clock.now_ms())

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's signature
        """The buffer to read into."""
        return _read_view

    def buffer_updated(self, nbytes: int) -> None:
        """Bytes came."""
        runtime = self._runtime
        wire_now = runtime.wire_clock.now_ms()
        self.engine.receive(bytes(_read_view[:nbytes]), wire_now)
        self._handle(runtime.clock.now_ms() if runtime.clock.is_manual else wire_now)

    def eof_received(self) -> bool:
        """The peer sends no more: the transport is closed."""
        return False

    def pause_writing(self) -> None:
        """The kernel does not take all: no message is chosen until it does."""
        self.frontend.set_writable(False)

    def resume_writing(self) -> None:
        """The kernel has taken what waited."""
        self.frontend.set_writable(True)
        self.frontend.resume()
        self._runtime.schedule()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone: what this connection held is available again."""
        now = self._runtime.clock.now_ms()
        if exc is not None:
            logger.info("connection from %s lost: %s", self._peer, exc)
        self.engine.receive_eof(self._runtime.wire_clock.now_ms())
        self._handle(now)
        self.frontend.close(now)
        self._transport = None
        if self._timer is not None:
            self._timer.cancel()
        if not self.closed.done():
            self.closed.set_result(None)
        self._on_close(self)
        self._runtime.schedule()

    # ------------------------------------------------------------------ the turn

    def _touched(self) -> None:
        self._runtime.touch(self)

    def seal(self, position: int) -> None:
        """This turn's publishes are in the journal up to this position."""
        self.frontend.touched = False
        self.frontend.seal(position)

    def confirm(self, flushed: int) -> bool:
        """Confirm what is flushed; true while more waits."""
        return self._transport is not None and self.frontend.confirm(flushed)

    def write(self, now: int) -> None:
        """Write what the engine has, and close where it is finished."""
        transport = self._transport
        if transport is None:
            return
        data = self.engine.data_to_send()
        if data:
            transport.write(data)
            self.frontend.resume()
        if self.engine.finished:
            transport.close()
        self._set_timer(now)

    def _handle(self, now: int) -> None:
        try:
            self.frontend.handle(now)
        except Exception:
            # A fault of ours must not take the other connections with it.
            logger.exception("internal error on the connection from %s; closing it", self._peer)
            self.frontend.close(now)
            if self._transport is not None:
                self._transport.abort()

    # ------------------------------------------------------------------ time and the end

    def _set_timer(self, now: int) -> None:
        deadline = self.engine.next_deadline()
        if deadline < 0:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._timer_ms = -1
        elif self._timer is None:
            # A deadline that moved on is looked at when the timer rings; none is ever missed.
            self._timer_ms = deadline
            delay = max(0, deadline - now) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._advance)

    def _advance(self) -> None:
        self._timer = None
        now = self._runtime.wire_clock.now_ms()
        self.engine.advance(now)
        self._handle(self._runtime.clock.now_ms())
        self._set_timer(now)

    def stop_reading(self) -> None:
        """Take nothing more from the peer."""
        if self._transport is not None:
            self._transport.pause_reading()

    def shut_down(self, close: Callable[[Connection], None]) -> None:
        """Close from this side; `close` gives the engine its reason. The peer's close is read again."""
        close(self.engine)
        if self._transport is not None:
            self._transport.resume_reading()
        self.frontend.touch()

    def abort(self) -> None:
        """Drop the socket."""
        if self._transport is not None:
            self._transport.abort()


def _known_of(transport: asyncio.Transport) -> Peer:
    """What is known of a peer before it says anything."""
    address = transport.get_extra_info("peername")
    here = not isinstance(address, tuple) or ip_address(str(address[0]).partition("%")[0]).is_loopback
    encrypted = transport.get_extra_info("ssl_object") is not None
    return Peer(encrypted or here, certificate_name(transport.get_extra_info("peercert")))
