"""Sessions of browsers: each has a connection that the broker has authenticated, and no readable password.

A session ends when its browser says so, after IDLE_S without a request, after LIFETIME_S, when the broker
does not take its credentials any more, and when its user begins many others. When its connection is lost, the
secret that comes with the next request opens the credentials for another one; so it does in the next process
of the gateway, if sessions are kept in a file.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final

from lastvalue.http.broker_connections import BrokerConnections
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem
from lastvalue.http.sealed_credentials import open_credentials, sealed_credentials
from lastvalue.http.session_file import KeptSession, SessionFile
from lastvalue.model.admission import SESSIONS_OF_USER

IDLE_S: Final = 1800.0
LIFETIME_S: Final = 12 * 3600.0
_SECRET_BYTES: Final = 32


@dataclass(slots=True)
class Session:
    """A session.

    Attributes:
        caller: whose connection its requests use.
        csrf_token: what a request that changes something has to repeat.
        sealed: its credentials, which only its secret opens.
        ends_s, used_s: by the monotonic clock.
    """

    caller: Caller
    csrf_token: str
    sealed: str = field(repr=False)
    ends_s: float
    used_s: float
    timer: asyncio.TimerHandle | None = field(default=None, repr=False)


class Sessions:
    """The sessions of a gateway, by their secrets; it keeps only digests of these."""

    def __init__(self, connections: BrokerConnections, file: SessionFile | None = None) -> None:
        self._connections = connections
        self._file = SessionFile(None) if file is None else file
        # Those of the process before, until their browsers come back.
        self._kept = self._file.read()
        self._sessions: dict[str, Session] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def begin(self, credentials: Caller) -> tuple[str, Session]:
        """Begin a session; returns its secret, which only its browser keeps.

        Raises:
            AuthenticationError: the broker refuses the credentials.
            ClientError: the broker cannot be reached.
            Problem: there are too many callers.
        """
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        key = _digest(secret)
        caller = await self._connections.hold(key, credentials)
        now_s = time.monotonic()
        session = Session(
            caller,
            secrets.token_urlsafe(_SECRET_BYTES),
            sealed_credentials(credentials, secret),
            now_s + LIFETIME_S,
            now_s,
        )
        self._sessions[key] = session
        self._look_later(key, session)
        self._keep()
        if caller.user is not None:
            await self._end_oldest(caller.user)
        return secret, session

    def find(self, secret: str) -> Session:
        """The session of a secret, which is in use from now on.

        Raises:
            Problem: there is none, or it has ended.
        """
        key = _digest(secret)
        session = self._sessions.get(key) or self._continued(key)
        if session is None or self._connections.is_refused(session.caller) or _is_over(session, in_use=False):
            raise Problem(HTTPStatus.UNAUTHORIZED, "the session has ended; log in again")
        session.used_s = time.monotonic()
        return session

    def caller_of(self, session: Session, secret: str) -> Caller:
        """Whose connection a request of a session uses; if it was lost, with what opens another one."""
        if self._connections.is_open(session.caller):
            return session.caller
        return replace(session.caller, credentials=open_credentials(session.sealed, secret))

    async def end(self, session: Session) -> None:
        """End a session and close its connection."""
        if session.timer is not None:
            session.timer.cancel()
        self._sessions.pop(session.caller.session or "", None)
        self._keep()
        await self._connections.drop(session.caller)

    def close(self) -> None:
        """Forget all sessions, but for the file; their connections are closed with the others."""
        for session in self._sessions.values():
            if session.timer is not None:
                session.timer.cancel()
        self._sessions.clear()

    def _continued(self, key: str) -> Session | None:
        """A session of the process before."""
        kept = self._kept.pop(key, None)
        if kept is None:
            return None
        now_s = time.monotonic()
        rest_s = (kept.ends_ms - time.time_ns() // 1_000_000) / 1000
        caller = Caller(kept.user, session=key)
        session = Session(caller, kept.csrf_token, kept.sealed, now_s + min(rest_s, LIFETIME_S), now_s)
        self._sessions[key] = session
        self._look_later(key, session)
        return session

    def _keep(self) -> None:
        ahead_s = time.time_ns() / 1e9 - time.monotonic()
        open_ones = {
            key: KeptSession(
                each.caller.user, each.csrf_token, each.sealed, round((each.ends_s + ahead_s) * 1000)
            )
            for key, each in self._sessions.items()
        }
        self._file.write(self._kept | open_ones)

    async def _end_oldest(self, user: str) -> None:
        of_user = [each for each in self._sessions.values() if each.caller.user == user]
        for each in sorted(of_user, key=lambda session: session.used_s)[: -SESSIONS_OF_USER.most]:
            await self.end(each)

    def _look_later(self, key: str, session: Session) -> None:
        """Look at a session again when it may be over."""
        wait_s = max(1.0, min(session.used_s + IDLE_S, session.ends_s) - time.monotonic())
        session.timer = asyncio.get_running_loop().call_later(wait_s, self._look, key)

    def _look(self, key: str) -> None:
        session = self._sessions.get(key)
        if session is None:
            return
        in_use = self._connections.is_used(session.caller)
        if _is_over(session, in_use=in_use) or self._connections.is_refused(session.caller):
            task = asyncio.ensure_future(self.end(session))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        else:
            if in_use:
                # Who follows a queue uses the session.
                session.used_s = time.monotonic()
            self._look_later(key, session)


def is_same_token(given: str | None, session: Session) -> bool:
    """Whether a request repeats the session's token."""
    return given is not None and hmac.compare_digest(given.encode(), session.csrf_token.encode())


def _is_over(session: Session, *, in_use: bool) -> bool:
    now_s = time.monotonic()
    return now_s >= session.ends_s or (not in_use and now_s >= session.used_s + IDLE_S)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
