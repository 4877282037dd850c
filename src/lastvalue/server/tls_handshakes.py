"""TLS handshakes of accepted connections: so many at a time, and none for a peer that is silent."""

import asyncio
import logging
import socket
import ssl
from dataclasses import dataclass
from typing import Final, Protocol

logger = logging.getLogger(__name__)

GIVES_WAY_S: Final = 1.0
"""After this time an unfinished handshake gives its place to one that waits."""

# [RFC 8446 §5.1] The content type, the version and the length.
_RECORD_HEADER_SIZE: Final = 5
_HANDSHAKE_RECORD: Final = 22
_MOST_RECORD_BYTES: Final = 1 << 14


class HandshakeOwner(Protocol):
    """Makes a connection's protocol, and is told where there will be none."""

    def protocol(self) -> asyncio.BaseProtocol:
        """The protocol of the encrypted connection."""

    def failed(self) -> None:
        """The connection is gone before its handshake was over."""


@dataclass(eq=False, slots=True)
class _Handshake:
    """One peer until its handshake is over.

    Attributes:
        began_s: by the loop's time.
        expected: bytes for which it waits, so that it begins with a whole record.
    """

    peer: socket.socket
    owner: HandshakeOwner
    deadline: asyncio.TimerHandle | None = None
    began_s: float = 0.0
    task: asyncio.Task[None] | None = None
    expected: int = 0


class TlsHandshakes:
    """Does the handshakes of one port.

    TLS takes some 300 KB a connection, so it begins with the peer's whole first record: until then the peer
    costs its socket. Where all places are taken, peers wait for one in the order in which they came.

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
        self._waiting: dict[_Handshake, None] = {}
        self._running: dict[_Handshake, None] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._room: asyncio.TimerHandle | None = None

    def begin(self, peer: socket.socket, owner: HandshakeOwner) -> None:
        """Begin a handshake when the peer does; the socket belongs to it from now on."""
        handshake = _Handshake(peer, owner)
        handshake.deadline = self._loop.call_later(self._timeout_s, self._end, handshake)
        self._silent.add(handshake)
        self._expect(handshake, _RECORD_HEADER_SIZE)
        self._loop.add_reader(peer, self._heard, handshake)

    async def close(self) -> None:
        """End all handshakes."""
        if self._room is not None:
            self._room.cancel()
        for handshake in (*self._silent, *self._waiting, *self._running):
            self._end(handshake)
        if self._ending:
            await asyncio.wait(self._ending)

    def _heard(self, handshake: _Handshake) -> None:
        size = _record_size(handshake.peer)
        if handshake.expected == _RECORD_HEADER_SIZE < size:
            self._expect(handshake, size)
            return
        self._loop.remove_reader(handshake.peer)
        if not size:
            self._end(handshake)
            return
        self._expect(handshake, 1)
        self._silent.discard(handshake)
        self._waiting[handshake] = None
        self._fill()

    def _expect(self, handshake: _Handshake, size: int) -> None:
        """Be told when the peer has sent so many bytes, or has closed."""
        handshake.expected = size
        handshake.peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)

    def _fill(self) -> None:
        """Begin the handshakes for which there are places, and see to it that there will be some."""
        while self._waiting and len(self._running) < self._most:
            handshake = next(iter(self._waiting))
            del self._waiting[handshake]
            self._running[handshake] = None
            handshake.began_s = self._loop.time()
            handshake.task = self._loop.create_task(self._shake(handshake))
        if self._waiting and self._room is None:
            oldest = next(iter(self._running))
            self._room = self._loop.call_at(oldest.began_s + GIVES_WAY_S, self._make_room)

    def _make_room(self) -> None:
        """End the handshakes that give way to those that wait."""
        self._room = None
        slow_s = self._loop.time() - GIVES_WAY_S
        slow = [each for each in self._running if each.began_s <= slow_s]
        for handshake in slow[: len(self._waiting)]:
            self._end(handshake)
        self._fill()

    async def _shake(self, handshake: _Handshake) -> None:
        done = False
        try:
            await self._loop.connect_accepted_socket(
                handshake.owner.protocol,
                handshake.peer,
                ssl=self._context,
                ssl_handshake_timeout=self._timeout_s,
            )
            done = True
        except OSError as fault:
            logger.info("a TLS handshake failed: %s", fault)
        finally:
            self._forget(handshake)
            if not done:
                handshake.owner.failed()
            self._fill()

    def _end(self, handshake: _Handshake) -> None:
        """Drop a peer whose handshake is not over."""
        self._forget(handshake)
        if handshake.task is None:
            self._loop.remove_reader(handshake.peer)
            handshake.peer.close()
            handshake.owner.failed()
        else:
            self._ending.add(handshake.task)
            handshake.task.add_done_callback(self._ending.discard)
            handshake.task.cancel()

    def _forget(self, handshake: _Handshake) -> None:
        self._silent.discard(handshake)
        self._waiting.pop(handshake, None)
        self._running.pop(handshake, None)
        if handshake.deadline is not None:
            handshake.deadline.cancel()


def _record_size(peer: socket.socket) -> int:
    """The size of the peer's first record; 0 where it has closed the connection, or speaks no TLS."""
    try:
        head = peer.recv(_RECORD_HEADER_SIZE, socket.MSG_PEEK)
    except OSError:
        return 0
    if len(head) < _RECORD_HEADER_SIZE or head[0] != _HANDSHAKE_RECORD:
        return 0
    return _RECORD_HEADER_SIZE + min(int.from_bytes(head[3:]), _MOST_RECORD_BYTES)
