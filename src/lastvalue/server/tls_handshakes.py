"""TLS handshakes of accepted connections: a limited number at a time, and none for a peer that is silent."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from lastvalue.model.admission import TLS_GIVES_WAY_MS
from lastvalue.server.fair_queue import FairQueue

_GIVES_WAY_S: Final = TLS_GIVES_WAY_MS.most / 1000
NO_TLS: Final = "no TLS on a port that needs it"
_TOO_LONG: Final = "the TLS handshake took too long"
_PEER_ENDED_IT: Final = "the peer ended the handshake, perhaps because it does not trust the certificate"

# [RFC 8446 §5.1] The content type, the version and the length.
_RECORD_HEADER_SIZE: Final = 5
_HANDSHAKE_RECORD: Final = 22
_MOST_RECORD_BYTES: Final = 1 << 14


class HandshakeOwner(Protocol):
    """Makes a connection's protocol, and hears if there will be none."""

    def protocol(self) -> asyncio.BaseProtocol:
        """The protocol of the encrypted connection."""

    def failed(self, cause: str) -> None:
        """The connection is gone before its handshake was over."""


@dataclass(eq=False, slots=True)
class _Handshake:
    """One peer until its handshake is over.

    Attributes:
        address: of the peer's machine.
        began_s: by the loop's time.
        expected: bytes for which it waits, so that it begins with a whole record.
        end_cause: why this side ends it; empty while it does not.
    """

    peer: socket.socket
    address: str
    owner: HandshakeOwner
    deadline: asyncio.TimerHandle | None = None
    began_s: float = 0.0
    task: asyncio.Task[None] | None = None
    expected: int = 0
    end_cause: str = ""


class TlsHandshakes:
    """Does the handshakes of one port.

    TLS takes some 300 KB a connection, so it begins with the peer's whole first record: until then the peer
    costs its socket. Where all places are taken, peers wait for one; addresses take turns.

    Args:
        context: of the listener.
        most: handshakes at a time.
        timeout_s: from the accepted connection to the end of its handshake.
    """

    def __init__(self, context: ssl.SSLContext, most: int, timeout_s: float) -> None:
        self._context = context
        self._most = most
        self._timeout_s = timeout_s
        self._loop = asyncio.get_running_loop()
        self._silent: set[_Handshake] = set()
        self._waiting: FairQueue[_Handshake] = FairQueue()
        self._running: dict[_Handshake, None] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._room: asyncio.TimerHandle | None = None

    def adjust(self, most: int, timeout_s: float) -> None:
        """Use these limits for handshakes that begin from now on."""
        self._most = most
        self._timeout_s = timeout_s

    def begin(self, peer: socket.socket, address: str, owner: HandshakeOwner) -> Callable[[str], None]:
        """Begin a handshake when the peer does; the socket belongs to it from now on.

        The function that is returned ends the handshake, with the cause, until its owner has a connection.
        """
        handshake = _Handshake(peer, address, owner)
        handshake.deadline = self._loop.call_later(self._timeout_s, self._end, handshake, _TOO_LONG)
        self._silent.add(handshake)
        self._expect(handshake, _RECORD_HEADER_SIZE)
        self._loop.add_reader(peer, self._heard, handshake)
        return partial(self._end, handshake)

    async def close(self) -> None:
        """End all handshakes."""
        if self._room is not None:
            self._room.cancel()
        for handshake in (*self._silent, *self._waiting, *self._running):
            self._end(handshake, "the broker is shutting down")
        if self._ending:
            await asyncio.wait(self._ending)

    def _heard(self, handshake: _Handshake) -> None:
        size = _record_size(handshake.peer)
        if handshake.expected == _RECORD_HEADER_SIZE < size:
            self._expect(handshake, size)
            return
        self._loop.remove_reader(handshake.peer)
        if not size:
            self._end(handshake, NO_TLS if _peeked(handshake.peer) else "")
            return
        self._expect(handshake, 1)
        self._silent.discard(handshake)
        self._waiting.add(handshake.address, handshake)
        self._fill()

    def _expect(self, handshake: _Handshake, size: int) -> None:
        """Call back when the peer has sent this many bytes, or has closed."""
        handshake.expected = size
        handshake.peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)

    def _fill(self) -> None:
        """Begin the handshakes for which there are places, and see to it that there will be some."""
        while self._waiting and len(self._running) < self._most:
            handshake = self._waiting.take()
            self._running[handshake] = None
            handshake.began_s = self._loop.time()
            handshake.task = self._loop.create_task(self._shake(handshake))
        if self._waiting and self._room is None:
            oldest = next(iter(self._running))
            self._room = self._loop.call_at(oldest.began_s + _GIVES_WAY_S, self._make_room)

    def _make_room(self) -> None:
        """End the handshakes that give way to those that wait."""
        self._room = None
        slow_s = self._loop.time() - _GIVES_WAY_S
        slow = [each for each in self._running if each.began_s <= slow_s]
        for handshake in slow[: len(self._waiting)]:
            self._end(handshake, _TOO_LONG)
        self._fill()

    async def _shake(self, handshake: _Handshake) -> None:
        cause: str | None = "the handshake was ended"
        try:
            await self._loop.connect_accepted_socket(
                handshake.owner.protocol,
                handshake.peer,
                ssl=self._context,
                ssl_handshake_timeout=self._timeout_s,
            )
            cause = None
        except OSError as fault:
            cause = f"TLS: {getattr(fault, 'reason', None) or str(fault) or _PEER_ENDED_IT}"
            _drop_frames(fault)
        finally:
            self._forget(handshake)
            if cause is not None:
                handshake.owner.failed(handshake.end_cause or cause)
            self._fill()

    def _end(self, handshake: _Handshake, cause: str) -> None:
        """Drop a peer whose handshake is not over."""
        self._forget(handshake)
        if handshake.task is None:
            self._loop.remove_reader(handshake.peer)
            handshake.peer.close()
            handshake.owner.failed(cause)
        else:
            handshake.end_cause = cause
            self._ending.add(handshake.task)
            handshake.task.add_done_callback(self._ending.discard)
            # A task that is cancelled before its transport has begun leaves uvloop's connection open.
            with contextlib.suppress(OSError):
                handshake.peer.shutdown(socket.SHUT_RDWR)

    def _forget(self, handshake: _Handshake) -> None:
        self._silent.discard(handshake)
        self._waiting.discard(handshake.address, handshake)
        self._running.pop(handshake, None)
        if handshake.deadline is not None:
            handshake.deadline.cancel()


def _drop_frames(fault: BaseException) -> None:
    """Forget where a fault was raised: asyncio's frames there refer to it, and have 280 KB of TLS."""
    fault.__traceback__ = None


def _record_size(peer: socket.socket) -> int:
    """The size of the peer's first record; 0 where it has closed the connection, or speaks no TLS."""
    head = _peeked(peer)
    if len(head) < _RECORD_HEADER_SIZE or head[0] != _HANDSHAKE_RECORD:
        return 0
    return _RECORD_HEADER_SIZE + min(int.from_bytes(head[3:]), _MOST_RECORD_BYTES)


def _peeked(peer: socket.socket) -> bytes:
    """The first bytes that the peer has sent; none if it has sent nothing, or is gone."""
    try:
        return peer.recv(_RECORD_HEADER_SIZE, socket.MSG_PEEK)
    except OSError:
        return b""
