"""Which protocol a peer speaks, by the first bytes that it sends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from lastvalue.frontends.protocol_connection import ConnectionContext, ProtocolConnection

HEADER_SIZE: Final = 8
_MAJOR: Final = 6
"""How much of a header is the same in all of a major version: `AMQP`, the class and the first number."""

Opener: TypeAlias = Callable[[ConnectionContext, int], ProtocolConnection]
"""Opens a connection from its context and the time at which it connected; no byte has been read."""


@dataclass(frozen=True)
class Version:
    """A protocol that is spoken.

    Attributes:
        headers: those that ask for it; the first is what a peer is told whose own is not known.
        open: opens a connection in it.
    """

    headers: tuple[bytes, ...]
    open: Opener


class Port(Protocol):
    """What is spoken on one port."""

    def opener(self, header: bytes) -> Opener | None:
        """What opens a connection of a peer whose first eight bytes these are, or None."""

    def best(self, header: bytes) -> bytes | None:
        """What a peer is told before it is left that `opener` has nothing for."""


class Versions:
    """The protocols that one port speaks, the one that is offered to strangers first.

    AMQP 1.0 answers strange headers by itself, so it need not be asked what it knows.
    """

    def __init__(self, preferred: Opener, others: Sequence[Version] = ()) -> None:
        self._preferred = preferred
        self._others = tuple(others)

    def opener(self, header: bytes) -> Opener | None:
        """What opens a connection of a peer whose first eight bytes these are.

        None where it is to be told the header that `best` names, and left.
        """
        for version in self._others:
            if header in version.headers:
                return version.open
        return None if self.best(header) is not None else self._preferred

    def best(self, header: bytes) -> bytes | None:
        """What a strange header is answered with: that of another protocol of the same major version.

        None where AMQP 1.0 answers it.
        """
        for version in self._others:
            if any(known[:_MAJOR] == header[:_MAJOR] for known in version.headers):
                return version.headers[0]
        return None
