"""The driver of every connection: bytes between a socket and an engine, one write a turn."""

import asyncio
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from types import TracebackType
from typing import Final, final

from mypy_extensions import i64

from lastvalue.delivery.protocol_connection import ConnectionContext, ProtocolConnection
from lastvalue.model.message import NEVER
from lastvalue.server.authentication import AuthenticationPolicy
from lastvalue.server.connection_limiter import ConnectionSlot
from lastvalue.server.connection_log import ConnectionLog, PeerAddress, foreign_bytes
from lastvalue.server.log_events import CONNECTION_FAILED
from lastvalue.server.login import EXPIRED, UNPROVEN, Login, Peer
from lastvalue.server.runtime import Runtime, TurnMember
from lastvalue.server.socket_protocol import (
    LARGE_READ,
    READ_SIZE,
    SMALL_READ,
    SMALL_READS,
    SmallReadProtocol,
    SocketProtocol,
    end_output,
)
from lastvalue.server.tls import certificate_name
from lastvalue.server.versions import HEADER_SIZE, Port

UNREAD_BYTES: Final = 1 << 20
"""Unread bytes of answers from which on nothing is read from a peer, so that no more pile up."""

LINGER_S: Final = 2.0
"""How long a peer may take to read the last bytes."""

_NOT_OFFERED: Final = "the peer asks for a protocol that is not offered"
_SILENT: Final = "nothing came in time"


@final
class ServerConnection(TurnMember):
    """Reads what comes, and writes once a turn; the first bytes choose the protocol.

    asyncio calls it through a `SocketProtocol`.

    Args:
        versions: the protocols of the port.
        runtime: runs the turns.
        authentication: decides who may connect.
        address: the peer's.
        among: the connections that are not over, which this one leaves at its end.
        open_timeout_ms: how long the peer may take for its first bytes, and for the token without which it
            may do nothing; 0 is without limit.

    Attributes:
        end_handshake: ends the TLS handshake before the connection, with the cause; None without one.
    """

    def __init__(
        self,
        versions: Port,
        runtime: Runtime,
        authentication: AuthenticationPolicy,
        address: PeerAddress,
        among: "dict[ServerConnection, None]",
        *,
        open_timeout_ms: int = 0,
    ) -> None:
        super().__init__()
        self._versions = versions
        self._protocol: ProtocolConnection | None = None
        self._slot = ConnectionSlot(authentication.limiter, address.network)
        self.end_handshake: Callable[[str], None] | None = None
        self._gave_way = False
        self._login: Login | None = None
        self._entered = False
        self._expiry_timer: asyncio.TimerHandle | None = None
        self._token_timer: asyncio.TimerHandle | None = None
        self._first = b""
        self._waiting_input = b""
        self._waiting_start = 0
        self._input_waits = False
        self._held_input = False
        self._write_scheduled = False
        self._writable = True
        self._withheld = b""
        self._withheld_until = 0
        self._stored_first = False
        self._reading_paused = False
        self._reads_ahead = False
        self._reads_small = False
        self._small_reads: i64 = 0
        self._open_timeout_ms = open_timeout_ms
        self._made_ms = -1
        self._closed: asyncio.Future[None] | None = None
        self._runtime = runtime
        self._authentication = authentication
        self._among = among
        self._transport: asyncio.Transport | None = None
        self._address = address
        self._log = ConnectionLog(address, runtime.wire_clock.now_ms())
        self._header: bytes | None = None
        self._unread_bytes = 0
        self._stopped = False
        self._closing_timer: asyncio.TimerHandle | None = None
        self._has_left = False
        self._slot.await_login(self)

    def __enter__(self) -> None:
        """Do what the peer asks for: an error of the broker ends this connection, and keeps the others.

        What the peer held is released in `connection_lost`, which follows.
        """

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        # The first is quick, and nearly always so.
        if error is None or not isinstance(error, Exception):
            return False
        self.fail(error)
        return True

    # ------------------------------------------------------------------ the socket's calls

    def protocol(self) -> asyncio.BaseProtocol:
        """See HandshakeOwner."""
        return SocketProtocol(self)

    def failed(self, cause: str) -> None:
        """See HandshakeOwner."""
        self._log.cause = cause
        self.connection_lost(None)

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Let nothing wait outside the kernel's buffer."""
        self._transport = transport
        self.end_handshake = None
        # uvloop reads up to 32 times before the turn; what came with one read is still in the caches then.
        self._reads_ahead = not isinstance(transport, asyncio.Transport)
        # asyncio's TLS pauses from this size on, even at 0, where it would never resume.
        tls = transport.get_extra_info("ssl_object")
        encrypted = tls is not None
        if tls is not None:
            self._log.peer.tls = tls.version() or ""
        transport.set_write_buffer_limits(high=1 if encrypted else 0, low=0)
        self._reads_small = self._reads_ahead and not encrypted
        if self._reads_small:
            transport.set_protocol(SmallReadProtocol(self))
        self._made_ms = self._runtime.wire_clock.now_ms()
        self._set_deadline()
        if self._gave_way:
            self.abort()

    def get_buffer(self, sizehint: int) -> memoryview:
        """The buffer to read into."""
        del sizehint
        return self._runtime.read_view

    def data_received(self, data: bytes) -> None:
        """Bytes came, of which uvloop has made an object."""
        transport = self._transport
        if len(data) >= LARGE_READ and transport is not None:
            self._small_reads = 0
            transport.set_protocol(SocketProtocol(self))
            if len(data) >= READ_SIZE:
                self._listen(transport, reading_paused=True)
        self._take_in(data)

    def buffer_updated(self, nbytes: int) -> None:
        """Bytes came."""
        data = self._runtime.read_view[:nbytes].tobytes()
        if self._reads_ahead and self._transport is not None:
            self._note_read(self._transport, len(data))
        self._take_in(data)

    def _note_read(self, transport: asyncio.Transport, size: i64) -> None:
        """So much was read at once by uvloop, which continues at once if the buffer is full."""
        if size >= READ_SIZE:
            self._listen(transport, reading_paused=True)
        if size >= SMALL_READ or not self._reads_small:
            self._small_reads = 0
            return
        self._small_reads += 1
        if self._small_reads == SMALL_READS:
            transport.set_protocol(SmallReadProtocol(self))

    def _take_in(self, data: bytes) -> None:
        if self._closing_timer is not None:
            return
        if self._input_waits:
            self._waiting_input = self._waiting_input[self._waiting_start :] + data
            self._waiting_start = 0
            return
        protocol = self._protocol
        if protocol is None:
            self._first += data
            protocol = self._begin()
            if protocol is None:
                return
            data = self._first
            self._first = b""
        inputs = self._runtime.inputs
        now_s = inputs.clock_s()
        if inputs.may_process(self.cost, now_s):
            self._runtime.begin_input()
            self._runtime.end_input(now_s, self._process(protocol, data, 0, now_s))
        else:
            self._wait_for_turn(data, 0, len(data))
            self._schedule_write()

    def _wait_for_turn(self, data: bytes, start: int, size: int) -> None:
        """Let input wait from there on, which is as much work as input of this size."""
        self._waiting_input = data
        self._waiting_start = start
        self._input_waits = True
        self._runtime.inputs.wait(self, size)

    def process_waiting(self) -> None:
        """See InputSource."""
        data = self._waiting_input
        start = self._waiting_start
        self._waiting_input = b""
        self._waiting_start = 0
        self._input_waits = False
        protocol = self._protocol
        if protocol is not None and self._transport is not None:
            self._process(protocol, data, start, self._runtime.inputs.clock_s())

    def _process(self, protocol: ProtocolConnection, data: bytes, start: int, began_s: float) -> float:
        """Process input in pieces, at least one, until the round ends; nothing is read while some is left.

        The first bytes, up to `start`, have been processed. The rest is not copied while it waits.
        Returns the time, from when it began.
        """
        wire_now = self._runtime.wire_clock.at(began_s)
        inputs = self._runtime.inputs
        done = start
        with self:
            more = True
            while more:
                if protocol.busy:
                    self._held_input = True
                    self._waiting_input = data
                    self._waiting_start = done
                    self._input_waits = True
                    break
                piece = b""
                if not protocol.input_waiting:
                    whole = done == 0 and len(data) <= self.cost.piece_bytes
                    piece = data if whole else data[done : done + self.cost.piece_bytes]
                done += len(piece)
                protocol.receive(piece, wire_now, self._queue_time(wire_now))
                more = done < len(data) or protocol.input_waiting
                ended_s = inputs.clock_s()
                self.cost.add(len(piece), ended_s - began_s, ended_s)
                began_s = ended_s
                if more and not inputs.may_process(self.cost, ended_s):
                    # What has begun and is not done is no small input.
                    left = READ_SIZE if protocol.input_waiting else len(data) - done
                    self._wait_for_turn(data, done, left)
                    break
        # There may be an answer to the peer even without an event.
        self._schedule_write()
        return began_s

    def _begin(self) -> ProtocolConnection | None:
        """Choose the protocol by the peer's header."""
        transport = self._transport
        if len(self._first) < HEADER_SIZE or transport is None:
            return None
        header = self._first[:HEADER_SIZE]
        opener = self._versions.opener(header)
        if not self._versions.is_web:
            self._header = header
        if opener is None:
            self._log.cause = foreign_bytes(header) or _NOT_OFFERED
            transport.write(self._versions.best(header) or b"")
            self._end(transport)
            return None
        login = self._login = self._authentication.login(_known_of(transport, self._address), self)
        context = ConnectionContext(
            self._runtime.broker,
            login.make_authenticator(),
            self._schedule_write,
            self._enter,
            self._log.peer,
            login,
        )
        protocol = opener(context, self._made_ms)
        protocol.set_writable(self._writable)
        self._protocol = protocol
        return protocol

    # ------------------------------------------------------------------ the login

    def _enter(self, user: str) -> str | None:
        refusal = self._slot.enter(user)
        if refusal is None and self._login is not None:
            self._login.enter(user)
            self._entered = True
            self._expect_token(self._login)
        self._log.entered(user, refusal, asyncio.get_running_loop().call_soon)
        return refusal

    def _expect_token(self, login: Login) -> None:
        """Close the connection in time if its peer is nobody yet."""
        if not login.needs_token:
            self._slot.known()
        if self._token_timer is not None:
            self._token_timer.cancel()
            self._token_timer = None
        if self._open_timeout_ms and login.needs_token:
            missing = partial(self.shut_down, UNPROVEN)
            self._token_timer = asyncio.get_running_loop().call_later(self._open_timeout_ms / 1000, missing)

    def password_checked(self) -> None:
        """See LoginOwner."""
        protocol = self._protocol
        if protocol is not None and self._transport is not None:
            wire_now = self._runtime.wire_clock.now_ms()
            with self:
                protocol.password_checked(wire_now, self._queue_time(wire_now))
            self._schedule_write()

    def token_lasts(self, seconds: float) -> None:
        """See LoginOwner."""
        if self._expiry_timer is not None:
            self._expiry_timer.cancel()
        expired = partial(self.shut_down, EXPIRED)
        self._expiry_timer = asyncio.get_running_loop().call_later(seconds, expired)

    @property
    def user(self) -> str | None:
        """The peer's user, once it has entered."""
        return None if self._login is None else self._login.user

    def end_revoked(self) -> None:
        """Close the connection if its user was removed from the users file, or the password changed."""
        reason = None if self._login is None else self._login.revoked
        if reason is not None:
            self.shut_down(reason)

    # ------------------------------------------------------------------ output and end

    def pause_writing(self) -> None:
        """The kernel's buffer is full: no message is chosen until it has room."""
        self._writable = False
        if self._protocol is not None:
            self._protocol.set_writable(False)

    def resume_writing(self) -> None:
        """The kernel's buffer has room again."""
        self._writable = True
        self._unread_bytes = 0
        if self._protocol is not None:
            if self._transport is not None:
                self._listen(self._transport, reading_paused=self._protocol.reading_paused)
            self._protocol.set_writable(self._withheld == b"")
            self._protocol.resume()
        self._runtime.schedule()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone: release everything that this connection held."""
        self._leave(exc)
        # The connection is freed at once, not by the garbage collector.
        self._transport = None
        if self._closing_timer is not None:
            self._closing_timer.cancel()
        if self._closed is not None and not self._closed.done():
            self._closed.set_result(None)
        self._among.pop(self, None)
        self._runtime.schedule()

    def _leave(self, exc: Exception | None) -> None:
        """Release everything but the socket; a second call does nothing."""
        if self._has_left:
            return
        self._has_left = True
        wire_now = self._runtime.wire_clock.now_ms()
        if self._protocol is not None:
            with self:
                self._protocol.lost(wire_now, self._queue_time(wire_now))
        first = self._header or (None if self._versions.is_web else self._first)
        if self._log.ended(self._protocol, self._login, first, exc, wire_now):
            tried = "" if self._login is None else self._login.tried
            self._authentication.failures[tried or "none"] += 1
            claimed = "" if self._login is None else self._login.claimed
            self._runtime.broker.connections.login_refused(self._log.peer, claimed)
        self._slot.leave()
        if self._login is not None:
            self._login.abandon()
            self._login = None
        if self._expiry_timer is not None:
            self._expiry_timer.cancel()
        if self._token_timer is not None:
            self._token_timer.cancel()
        self._protocol = None
        self.end_handshake = None
        self._runtime.connection_deadlines.set(self, NEVER)
        self._runtime.schedule()

    # ------------------------------------------------------------------ the turn

    def _schedule_write(self) -> None:
        if not self._write_scheduled:
            self._write_scheduled = True
            self._runtime.schedule_write(self)

    def seal(self, position: int, now: int) -> None:
        """This turn's publishes are in the journal up to this position."""
        self._write_scheduled = False
        protocol = self._protocol
        if protocol is not None:
            with self:
                protocol.seal(position, now)

    def confirm(self, flushed: int, now: int) -> bool:
        """Confirm what is flushed; true while more waits."""
        protocol = self._protocol
        if self._transport is not None and protocol is not None:
            with self:
                return protocol.confirm(flushed, now)
        return False

    def write(self) -> bool:
        """Write what the engine has, and close where it is finished; true while something is withheld."""
        transport = self._transport
        protocol = self._protocol
        if transport is None or protocol is None:
            return False
        with self:
            data = protocol.data_to_send()
            if protocol.provisional or protocol.stored_first or len(self._withheld) > 0:
                data = self._lasting(protocol, self._withheld + data)
            if protocol.finished and (transport.is_closing() or self._closing_timer is not None):
                return False
            if len(data) > 0:
                waiting = not self._writable
                # A transport that is closing takes bytes and drops them.
                transport.write(data)
                if waiting:
                    # No message is chosen then, so these bytes are answers that the peer asked for.
                    self._unread_bytes += len(data)
                protocol.resume()
        if self._held_input and not protocol.busy:
            self._held_input = False
            self._runtime.inputs.wait(self, len(self._waiting_input) - self._waiting_start)
        if protocol.finished and len(self._withheld) == 0:
            self._end(transport)
        else:
            self._listen(transport, reading_paused=protocol.reading_paused)
        self._set_deadline()
        return len(self._withheld) > 0

    def _lasting(self, protocol: ProtocolConnection, data: bytes) -> bytes:
        """What of the output may leave now: all or nothing.

        A reader takes its token to the next leader of a log, so it is shown only what that one surely has.
        What has an identifier that the peer keeps is stored first in files, too: after a start without it
        another message would have the identifier. No message is chosen meanwhile.
        """
        withheld = self._withheld != b""
        if protocol.stored_first:
            self._stored_first = True
        if protocol.provisional or protocol.stored_first:
            self._withheld_until = self._runtime.position
        elif not withheld:
            return data
        may_leave = self._runtime.is_lasting(self._withheld_until, stored=self._stored_first)
        self._withheld = b"" if may_leave else data
        if may_leave:
            self._stored_first = False
        if withheld is may_leave:
            protocol.set_writable(self._writable and may_leave)
        return data if may_leave else b""

    def _listen(self, transport: asyncio.Transport, *, reading_paused: bool) -> None:
        """Read from the peer, unless reading is paused."""
        waits = self._input_waits or len(self._withheld) > UNREAD_BYTES or self._unread_bytes > UNREAD_BYTES
        reading_paused = self._closing_timer is None and (reading_paused or self._stopped or waits)
        if not reading_paused and not self._entered and self._login is not None:
            reading_paused = self._login.checking
        # uvloop refuses this of a transport that a fault has closed just now.
        if reading_paused is not self._reading_paused and not transport.is_closing():
            self._reading_paused = reading_paused
            if reading_paused:
                transport.pause_reading()
            else:
                transport.resume_reading()

    def _end(self, transport: asyncio.Transport) -> None:
        """Say no more, and close the socket once the peer has closed its side, or after a timeout.

        What the peer still sends is read and dropped: if a socket is closed with unread input, the system
        takes back what the peer has not read [RFC 1122 §4.2.2.13]. Of TLS no single side can be closed.
        """
        if self._closing_timer is not None:
            return
        loop = asyncio.get_running_loop()
        self._closing_timer = loop.call_later(LINGER_S, self.abort)
        if not end_output(transport):
            return
        self._listen(transport, reading_paused=False)
        loop.call_soon(self._leave, None)

    def _queue_time(self, wire_now: int) -> int:
        runtime = self._runtime
        return runtime.clock.now_ms() if runtime.manual_time else wire_now

    # ------------------------------------------------------------------ time and the end

    def _set_deadline(self) -> None:
        protocol = self._protocol
        deadline: i64 = self._silent_until() if protocol is None else protocol.next_deadline()
        self._runtime.connection_deadlines.set(self, deadline)

    def _silent_until(self) -> i64:
        """How long the peer may send nothing at first."""
        return self._made_ms + self._open_timeout_ms if self._open_timeout_ms else NEVER

    def fall_due(self, now: i64) -> None:
        """See Deadline."""
        protocol = self._protocol
        if protocol is not None:
            with self:
                protocol.advance(now, self._queue_time(now))
            self._schedule_write()
        elif self._silent_until() <= now:
            self._log.cause = _SILENT
            self.abort()
            return
        self._set_deadline()

    def gone(self) -> asyncio.Future[None]:
        """A future that is done once the socket is gone."""
        if self._closed is None:
            self._closed = asyncio.get_running_loop().create_future()
            if self._transport is None:
                self._closed.set_result(None)
        return self._closed

    def stop_reading(self) -> None:
        """Read nothing more from the peer."""
        self._stopped = True
        if self._transport is not None:
            self._listen(self._transport, reading_paused=True)

    def resume_reading(self) -> None:
        """Read from the peer again, after `stop_reading`."""
        self._stopped = False
        self._schedule_write()

    def shut_down(self, reason: str) -> None:
        """Close from this side with a reason; the peer's close is still read."""
        if self._closing_timer is not None:
            return
        if self._protocol is None:
            self._log.cause = reason
            self.abort()
            return
        self._stopped = False
        self._protocol.shut_down(reason)
        if self._transport is not None:
            self._listen(self._transport, reading_paused=False)
        self._schedule_write()

    @property
    def checking(self) -> bool:
        """See UnknownConnection."""
        return self._login is not None and self._login.checking

    def give_way(self, cause: str) -> None:
        """See UnknownConnection."""
        self._log.cause = cause
        self._gave_way = True
        if self.end_handshake is not None:
            self.end_handshake(cause)
        self.abort()

    def fail(self, fault: Exception) -> None:
        """Drop the socket for a fault of the broker."""
        self._log.cause = "an internal error"
        CONNECTION_FAILED.log(fault, peer=self._log.peer.address)
        self.abort()

    def abort(self) -> None:
        """Drop the socket."""
        if self._transport is not None:
            self._transport.abort()


def _known_of(transport: asyncio.Transport, address: PeerAddress) -> Peer:
    """What is known of a peer before its first bytes."""
    here = not address.host or ip_address(address.host.partition("%")[0]).is_loopback
    encrypted = transport.get_extra_info("ssl_object") is not None
    return Peer(encrypted or here, certificate_name(transport.get_extra_info("peercert")), address.network)
