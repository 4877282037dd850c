"""Sessions whose connection is lost, until their client attaches them to another one, or takes too long."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadline
from lastvalue.frontends.core.broker_state import BrokerState, SessionHolder
from lastvalue.frontends.core.session import Session
from lastvalue.model.message import NEVER

LONGEST_MS: Final = 3_600_000
"""The longest time that sessions wait, whatever their client asks for."""


@final
class _Wait(Deadline):
    """The end of the time that sessions wait."""

    __slots__ = ("_suspension",)

    def __init__(self, suspension: "Suspension") -> None:
        super().__init__()
        self._suspension = suspension

    def fall_due(self, now: i64) -> None:
        """See Deadline."""
        self._suspension.end(now)


@final
class Suspension(SessionHolder):
    """The sessions of a lost connection.

    Attributes:
        numbers: of the connections by which the queues live that the sessions declared for a while.
    """

    __slots__ = ("_sessions", "_shared", "_taken", "_wait", "numbers")

    def __init__(
        self, shared: BrokerState, sessions: list[Session], host: str, identity: str, numbers: list[int]
    ) -> None:
        super().__init__(host, identity)
        self.numbers = numbers
        self._shared = shared
        self._sessions = {session.state.name: session for session in sessions}
        self._taken = False
        self._wait = _Wait(self)

    def begin(self, ttl_ms: i64, now: i64) -> None:
        """Wait for so long; less than 0 is as long as possible."""
        for name in self._sessions:
            self._shared.holders[name] = self
        wait_ms = LONGEST_MS if ttl_ms < 0 else min(ttl_ms, LONGEST_MS)
        self._shared.broker.deadlines.set(self._wait, now + wait_ms)

    def take(self, name: str) -> Session | None:
        """A session for another connection, which has the numbers from now on."""
        session = self._sessions.pop(name, None)
        if session is not None:
            self._taken = True
            if not self._sessions:
                self._shared.broker.deadlines.set(self._wait, NEVER)
        return session

    def end(self, now: i64) -> None:
        """End the sessions that nobody attached."""
        sessions = self._sessions
        self._sessions = {}
        for session in sessions.values():
            session.end(True, now)
        if not self._taken:
            for number in self.numbers:
                self._shared.broker.ended(number, now)
