"""The gateway's connections to the broker: one for each caller, shared by the caller's requests."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import quote
from uuid import uuid4

from lastvalue.client import Connection, connect
from lastvalue.client.errors import AuthenticationError
from lastvalue.client.url import parse_url
from lastvalue.http.caller import Caller
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.password_guesses import PasswordGuesses
from lastvalue.http.problems import Problem

WINDOW: Final = 64
"""Frames that a broker may send for all requests of a caller before it hears that half of them have come.

What it does for a page then takes less than a millisecond at a time, however large the page is.
"""

MOST_CALLERS: Final = 1000
IDLE_S: Final = 300.0
"""After so many seconds without a request a caller's connection is closed."""


@dataclass(slots=True)
class _Shared:
    """A caller's connection, and how many requests use it."""

    connection: Connection
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    requests: int = 0
    used_s: float = 0.0

    @property
    def is_idle(self) -> bool:
        return self.requests == 0 and self.used_s < time.monotonic() - IDLE_S


class BrokerConnections:
    """One connection for each caller, opened at the first request and again if it was lost.

    The broker checks the credentials when the connection opens; a request with others has another connection.
    """

    def __init__(self, settings: GatewaySettings) -> None:
        self._settings = settings
        self._shared: dict[Caller, _Shared] = {}
        self._guesses = PasswordGuesses()

    @property
    def address(self) -> str:
        """Of the gateway's own broker."""
        broker = parse_url(self._settings.url)
        host = f"[{broker.host}]" if ":" in broker.host else broker.host
        return f"{host}:{broker.port}"

    @asynccontextmanager
    async def use(self, caller: Caller) -> AsyncIterator[Connection]:
        """The caller's connection, open.

        Raises:
            ClientError: the broker cannot be reached, or refuses the credentials.
            Problem: there are too many callers, or the caller had too many wrong passwords.
        """
        shared = self._shared.get(caller)
        if shared is None:
            if caller.session is not None:
                raise _session_ended()
            shared = await self._add(caller, self._connect(caller))
        shared.requests += 1
        try:
            async with shared.opening:
                if not shared.connection.is_open:
                    if caller.session is not None:
                        # Nobody has kept the password.
                        raise _session_ended()
                    shared.connection = self._connect(caller)
                    with self._guesses.checking(caller):
                        await shared.connection.open()
            yield shared.connection
        except AuthenticationError:
            # The next request may have others.
            self._shared.pop(caller, None)
            raise
        finally:
            shared.requests -= 1
            shared.used_s = time.monotonic()

    async def hold(self, caller: Caller, credentials: Caller) -> None:
        """Open a connection with these credentials and keep it, without them, for a caller.

        Raises:
            ClientError: the broker cannot be reached, or refuses the credentials.
            Problem: there are too many callers.
        """
        connection = self._connect(credentials)
        with self._guesses.checking(credentials):
            await connection.open()
        try:
            await self._add(caller, connection)
        except Problem:
            await connection.close()
            raise

    def is_open(self, caller: Caller) -> bool:
        """Whether the connection that is kept for a caller is open."""
        shared = self._shared.get(caller)
        return shared is not None and shared.connection.is_open

    def is_used(self, caller: Caller) -> bool:
        """Whether a request uses the caller's connection."""
        shared = self._shared.get(caller)
        return shared is not None and shared.requests > 0

    async def drop(self, caller: Caller) -> None:
        """Close a caller's connection, which ends the requests that use it."""
        shared = self._shared.pop(caller, None)
        if shared is not None:
            await shared.connection.close()

    async def _add(self, caller: Caller, connection: Connection) -> _Shared:
        idle = [each for each, shared in self._shared.items() if each.session is None and shared.is_idle]
        for each in idle:
            await self._shared.pop(each).connection.close()
        if len(self._shared) >= MOST_CALLERS:
            raise Problem(
                HTTPStatus.SERVICE_UNAVAILABLE, "the gateway serves too many callers; try again later"
            )
        return self._shared.setdefault(caller, _Shared(connection))

    async def close(self) -> None:
        """Close all connections."""
        shared, self._shared = self._shared, {}
        for each in shared.values():
            await each.connection.close()

    def _connect(self, caller: Caller) -> Connection:
        scheme = "amqps" if parse_url(self._settings.url).tls else "amqp"
        places = caller.leader or (self.address,)
        user = (
            "" if caller.user is None else f"{quote(caller.user, safe='')}:{quote(caller.password, safe='')}@"
        )
        return connect(
            [f"{scheme}://{user}{place}" for place in places],
            token=caller.token,
            tls=self._settings.tls,
            container_id=f"lastvalue-http-{uuid4().hex[:8]}",
            product="lastvalue-http",
            window=WINDOW,
            # A request waits for nothing: it is answered that the broker is away.
            reconnect=False,
        )


def _session_ended() -> Problem:
    return Problem(HTTPStatus.UNAUTHORIZED, "the session has ended; log in again")
