"""The gateway's connections to the broker: one for each caller, shared by the caller's requests."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

from lastvalue.client import Connection, connect
from lastvalue.client.errors import AuthenticationError, ClientError
from lastvalue.client.url import parse_url
from lastvalue.http.caller import Caller
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.password_guesses import PasswordGuesses
from lastvalue.http.problems import Problem
from lastvalue.model.admission import CALLERS_OF_USER

WINDOW: Final = 32
"""Frames that a broker may send for all requests of a caller before it hears that half of them have come.

What it does for a page then takes some tenths of a millisecond at a time, however large the page is.
"""

MOST_CALLERS: Final = 1000
IDLE_S: Final = 300.0
"""A caller's connection is closed after this many seconds without a request."""


@dataclass(slots=True)
class _Shared:
    """A caller's connection, the user that it is of once it is open, and how many requests use it."""

    connection: Connection
    user: str | None = None
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
        self._refused: set[str] = set()

    def __len__(self) -> int:
        """How many connections are kept."""
        return len(self._shared)

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
            if caller.session is not None and caller.credentials is None:
                raise _session_ended()
            shared = await self._add(caller.without_credentials, self._connect(caller))
        shared.requests += 1
        try:
            async with shared.opening:
                if not shared.connection.is_open:
                    if caller.session is not None and caller.credentials is None:
                        # Only the secret of the session opens its credentials.
                        raise _session_ended()
                    shared.connection = self._connect(caller)
                    with self._guesses.checking(replace(caller.proof, address=caller.address)):
                        await shared.connection.open()
                    shared.user = await _user_of(shared.connection, caller.proof)
                    if caller.session is None:
                        await self._bound(caller, shared)
            yield shared.connection
        except AuthenticationError:
            # The next request may have others.
            self._shared.pop(caller, None)
            if caller.session is None:
                raise
            self._refused.add(caller.session)
            raise _session_ended() from None
        finally:
            shared.requests -= 1
            shared.used_s = time.monotonic()

    async def hold(self, session: str, credentials: Caller) -> Caller:
        """Open a connection with these credentials and keep it, without them, for a session: its caller.

        Raises:
            ClientError: the broker cannot be reached, or refuses the credentials.
            Problem: there are too many callers.
        """
        connection = self._connect(credentials)
        with self._guesses.checking(credentials):
            await connection.open()
        try:
            caller = Caller(await _user_of(connection, credentials), session=session)
            shared = await self._add(caller, connection)
        except (Problem, ClientError):
            await connection.close()
            raise
        shared.user = caller.user
        return caller

    def user_of(self, caller: Caller) -> str | None:
        """The user of a caller whose connection is open; None if it is anonymous."""
        return self._shared[caller].user

    def is_open(self, caller: Caller) -> bool:
        """Whether the connection that is kept for a caller is open."""
        shared = self._shared.get(caller)
        return shared is not None and shared.connection.is_open

    def is_refused(self, caller: Caller) -> bool:
        """Whether the broker has refused to open the connection of a session again."""
        return caller.session in self._refused

    def is_used(self, caller: Caller) -> bool:
        """Whether a request uses the caller's connection."""
        shared = self._shared.get(caller)
        return shared is not None and shared.requests > 0

    async def drop(self, caller: Caller) -> None:
        """Close a caller's connection, which ends the requests that use it."""
        self._refused.discard(caller.session or "")
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

    async def _bound(self, caller: Caller, shared: _Shared) -> None:
        """Close what a user has left idle beyond CALLERS_OF_USER.

        Raises:
            Problem: the user has too many that are in use.
        """
        others = {
            name: each
            for name, each in self._shared.items()
            if each.user == shared.user and name.leader == caller.leader and name.session is None
        }
        excess = len(others) - CALLERS_OF_USER.most
        idle = sorted(
            (name for name, each in others.items() if each.requests == 0),
            key=lambda name: others[name].used_s,
        )
        for name in idle[: max(0, excess)]:
            await self._shared.pop(name).connection.close()
        if excess > len(idle):
            del self._shared[caller]
            await shared.connection.close()
            text = f"a user has at most {CALLERS_OF_USER.most} tokens or passwords in use at once; share one"
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, text)

    async def close(self) -> None:
        """Close all connections."""
        shared, self._shared = self._shared, {}
        for each in shared.values():
            await each.connection.close()

    def _connect(self, caller: Caller) -> Connection:
        scheme = "amqps" if parse_url(self._settings.url).tls else "amqp"
        places = caller.leader or (self.address,)
        proof = caller.proof
        user = "" if proof.user is None else f"{quote(proof.user, safe='')}:{quote(proof.password, safe='')}@"
        return connect(
            [f"{scheme}://{user}{place}" for place in places],
            token=proof.token,
            tls=self._settings.tls,
            container_id=f"lastvalue-http-{uuid4().hex[:8]}",
            product="lastvalue-http",
            window=WINDOW,
            # A request waits for nothing: it is answered that the broker is away.
            reconnect=False,
        )


async def _user_of(connection: Connection, caller: Caller) -> str | None:
    """The user as who the broker knows a caller; None if it is anonymous."""
    if caller.token is None:
        return caller.user
    verdicts: Any = await connection.manage("MAY", body={}, kind="permission")
    return str(verdicts["user"])


def _session_ended() -> Problem:
    return Problem(HTTPStatus.UNAUTHORIZED, "the session has ended; log in again")
