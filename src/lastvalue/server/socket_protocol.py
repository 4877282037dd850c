"""What asyncio calls for each socket.

asyncio looks for its own class, from which a compiled one cannot inherit.
"""

import asyncio
from typing import Final, Protocol, cast

READ_SIZE: Final = 64 * 1024
"""Bytes of the read buffer; larger pieces of it would cost more, as the allocator would map them."""

READ_VIEW: Final = memoryview(bytearray(READ_SIZE))
"""What all sockets are read into."""


class SocketOwner(Protocol):
    """Reads from a socket, and writes to its transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """The connection is open."""

    def get_buffer(self, sizehint: int) -> memoryview:
        """The buffer to read into."""
        ...

    def buffer_updated(self, nbytes: int) -> None:
        """So many bytes came."""

    def pause_writing(self) -> None:
        """The kernel's buffer is full."""

    def resume_writing(self) -> None:
        """The kernel's buffer has room again."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""


class SocketProtocol(asyncio.BufferedProtocol):
    """Calls the owner of a socket: for what comes there is nothing in between."""

    __slots__ = ("_owner", "buffer_updated", "get_buffer")

    def __init__(self, owner: SocketOwner) -> None:
        self._owner = owner
        self.get_buffer = owner.get_buffer  # type: ignore[method-assign]  # nothing is called in between
        self.buffer_updated = owner.buffer_updated  # type: ignore[method-assign]  # nor here

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
