"""What asyncio calls for each socket.

asyncio looks for its own class, from which a compiled one cannot inherit.
"""

import asyncio
from typing import Final, Protocol, cast

READ_SIZE: Final = 64 * 1024
"""Bytes of a read buffer; larger pieces of it would cost more, as the allocator would map them."""

LARGE_READ: Final = 16 * 1024
"""After one read of this many bytes, a connection of uvloop reads into the buffer."""

SMALL_READ: Final = 4 * 1024
SMALL_READS: Final = 16
"""After this many reads in a row of less than SMALL_READ, it goes back to small reads."""


class SocketOwner(Protocol):
    """Reads from a socket, and writes to its transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """The connection is open."""

    def get_buffer(self, sizehint: int) -> memoryview:
        """The buffer to read into."""
        ...

    def buffer_updated(self, nbytes: int) -> None:
        """This many bytes came into the buffer."""

    def data_received(self, data: bytes) -> None:
        """These bytes came."""

    def pause_writing(self) -> None:
        """The kernel's buffer is full."""

    def resume_writing(self) -> None:
        """The kernel's buffer has room again."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""


class _SocketCallbacks(asyncio.BaseProtocol):
    __slots__ = ("_owner",)

    def __init__(self, owner: SocketOwner) -> None:
        self._owner = owner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is open."""
        # uvloop's transports do not inherit from asyncio's.
        self._owner.connection_made(cast("asyncio.Transport", transport))

    def eof_received(self) -> bool:
        """The peer has closed its side: the transport is closed."""
        return False

    def pause_writing(self) -> None:
        """The kernel's buffer is full."""
        self._owner.pause_writing()

    def resume_writing(self) -> None:
        """The kernel's buffer has room again."""
        self._owner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self._owner.connection_lost(exc)


class SocketProtocol(_SocketCallbacks, asyncio.BufferedProtocol):
    """Calls the owner of a socket: for what comes there is nothing in between."""

    __slots__ = ("buffer_updated", "get_buffer")

    def __init__(self, owner: SocketOwner) -> None:
        super().__init__(owner)
        self.get_buffer = owner.get_buffer  # type: ignore[method-assign]  # nothing is called in between
        self.buffer_updated = owner.buffer_updated  # type: ignore[method-assign]  # nothing is called in between


class SmallReadProtocol(_SocketCallbacks, asyncio.Protocol):
    """The same for a socket of uvloop on which little comes at a time.

    uvloop makes an object of what comes itself, which costs half of asking for a buffer and copying that.
    What is read so may be as large as uvloop's own buffer, 256,000 bytes, more than the caches hold.
    """

    __slots__ = ("data_received",)

    def __init__(self, owner: SocketOwner) -> None:
        super().__init__(owner)
        self.data_received = owner.data_received  # type: ignore[method-assign]  # nothing is called in between


def end_output(transport: asyncio.Transport) -> bool:
    """Close this side of a socket, and let the peer close its own; False if all of it is closed at once."""
    if transport.is_closing() or not transport.can_write_eof():
        transport.close()
        return False
    try:
        transport.write_eof()
    except OSError:
        # The peer has reset the connection, which the loop has not read yet.
        transport.abort()
        return False
    return True
