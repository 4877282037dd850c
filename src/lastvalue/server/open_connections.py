"""The connections that a server has open."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

from lastvalue.config.server_options import ServerOptions
from lastvalue.delivery.protocol_connection import SHUTTING_DOWN
from lastvalue.server.connection import ServerConnection

CLOSE_TIMEOUT_S: Final = 2.0
HAND_OVER_TIMEOUT_S: Final = 0.5
"""How long peers may take to close where a follower waits to lead, and other peers for it."""


class OpenConnections:
    """The connections of a server that are not over, and what is done to all of them.

    Attributes:
        members: these; each leaves by itself when it is over.
    """

    def __init__(self) -> None:
        # In the order in which they came.
        self.members: dict[ServerConnection, None] = {}

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[ServerConnection]:
        """Go through those of now, whichever end meanwhile."""
        return iter(list(self.members))

    def stop_reading(self) -> None:
        """Read nothing from peers for now."""
        for connection in self:
            connection.stop_reading()

    def resume_reading(self) -> None:
        """Read from peers again."""
        for connection in self:
            connection.resume_reading()

    def end_revoked(self) -> None:
        """End those whose users may not connect any more."""
        for connection in self:
            connection.end_revoked()

    def take_settings(self, before: ServerOptions, options: ServerOptions) -> None:
        """End those whose user, one of the setting `users`, is gone or has another password."""
        for connection in self:
            user = connection.user
            if user is not None and user in before.users and options.users.get(user) != before.users[user]:
                connection.shut_down(f"the user {user!r} has been removed, or the password has changed")

    def abort(self) -> None:
        """Drop all of them, with what waits in them."""
        for connection in self:
            connection.abort()

    async def close(self, confirm: Callable[[], Awaitable[None]], timeout_s: float) -> None:
        """Close all of them in order, with a reason, once `confirm` has confirmed their messages.

        Peers that do not close within the timeout are dropped.
        """
        closing = list(self)
        for connection in closing:
            connection.stop_reading()
        await confirm()
        for connection in closing:
            connection.shut_down(SHUTTING_DOWN)
        await _gone(closing, timeout_s)
        for connection in closing:
            connection.abort()
        await _gone(closing, CLOSE_TIMEOUT_S)


async def _gone(connections: list[ServerConnection], timeout_s: float) -> None:
    if connections:
        await asyncio.wait([connection.gone() for connection in connections], timeout=timeout_s)
