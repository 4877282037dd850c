"""What asyncio calls for each socket.

asyncio looks for its own class, from which a compiled one cannot inherit.
"""

import asyncio
from typing import Final, Protocol, cast

READ_SIZE: Final = 64 * 1024
"""Bytes of the read buffer; larger pieces of it would cost more, as the allocator would map them."""

_read_view = memoryview(bytearray(READ_SIZE))


class SocketOwner(Protocol):
    """Reads from a socket, and writes to its transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """The connection is open."""

    def data_received(self, data: bytes) -> None:
        """Bytes came."""

    def pause_writing(self) -> None:
        """The kernel's buffer is full."""

    def resume_writing(self) -> None:
        """The kernel's buffer has room again."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""


class SocketProtocol(asyncio.BufferedProtocol):
    """Reads into one buffer that all sockets share, and calls the owner of each."""

    __slots__ = ("_owner",)

    def __init__(self, owner: SocketOwner) -> None:
        self._owner = owner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is open."""
        # uvloop's transports do not inherit from asyncio's.
        self._owner.connection_made(cast("asyncio.Transport", transport))

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's signature
        """The buffer to read into."""
        return _read_view

    def buffer_updated(self, nbytes: int) -> None:
        """Bytes came."""
        self._owner.data_received(bytes(_read_view[:nbytes]))

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
