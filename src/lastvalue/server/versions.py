"""Chooses a peer's protocol by its first bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from lastvalue.delivery.protocol_connection import ConnectionContext, ProtocolConnection

HEADER_SIZE: Final = 8
_MAJOR: Final = 6
"""Bytes of a header that are the same in a major version: `AMQP`, the class and the first number."""

Opener: TypeAlias = Callable[[ConnectionContext, int], ProtocolConnection]
"""Opens a connection from its context and the time; no byte has been read."""


@dataclass(frozen=True)
class Version:
    """A protocol of a port.

    Attributes:
        headers: protocol headers that select it; the first is the answer to an unknown header.
        open: opens a connection in this protocol.
        begins: whether a peer's first eight bytes select it, of a protocol that has no header.
    """

    headers: tuple[bytes, ...]
    open: Opener
    begins: Callable[[bytes], bool] | None = None

    def takes(self, header: bytes) -> bool:
        """Whether a peer's first eight bytes select it."""
        return header in self.headers or (self.begins is not None and self.begins(header))


class Port(Protocol):
    """The protocols of one port.

    Attributes:
        is_web: a peer begins with HTTP.
    """

    is_web: bool

    def opener(self, header: bytes) -> Opener | None:
        """The function that opens a connection with a header, a peer's first eight bytes; or None."""

    def best(self, header: bytes) -> bytes | None:
        """The bytes that a peer with an unknown header gets before it is disconnected."""


class Versions:
    """The protocols of a port, at least one.

    Args:
        preferred: opens AMQP 1.0, which answers unknown headers itself; None if it is not offered.
        others: further protocols; without AMQP 1.0 the first one answers unknown headers.
    """

    is_web = False

    def __init__(self, preferred: Opener | None, others: Sequence[Version] = ()) -> None:
        self._preferred = preferred
        self._others = tuple(others)

    def opener(self, header: bytes) -> Opener | None:
        """The function that opens a connection with a header, a peer's first eight bytes.

        None if the peer gets the header of `best`, and is disconnected.
        """
        for version in self._others:
            if version.takes(header):
                return version.open
        return None if self.best(header) is not None else self._preferred

    def best(self, header: bytes) -> bytes | None:
        """The answer to an unknown header: one that is offered, of the same major version if possible.

        None if AMQP 1.0 answers; nothing where no protocol has a header.
        """
        for version in self._others:
            if any(known[:_MAJOR] == header[:_MAJOR] for known in version.headers):
                return version.headers[0]
        if self._preferred is not None:
            return None
        return next((version.headers[0] for version in self._others if version.headers), b"")
