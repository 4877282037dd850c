"""Sessions whose connection is lost, until their client attaches them to another one, or takes too long."""

from collections.abc import Iterator
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadline
from lastvalue.broker.long_commands import ENDED_IN_A_STEP, Steps
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
        self._suspension: Suspension | None = suspension

    def fall_due(self, now: i64) -> None:
        """See Deadline."""
        suspension = self._suspension
        self.over()
        if suspension is not None:
            suspension.end(now)

    def over(self) -> None:
        """Nobody waits: the two are freed at once, not by the garbage collector."""
        self._suspension = None


@final
class Suspension(SessionHolder):
    """The sessions of a lost connection.

    Attributes:
        numbers: of the connections by which the queues live that the sessions declared for a while.
    """

    __slots__ = ("_sessions", "_shared", "_taken", "_wait", "numbers")

    def __init__(
        self, shared: BrokerState, sessions: list[Session], client: SessionHolder, numbers: list[int]
    ) -> None:
        super().__init__(client.host, client.identity, client.authentication)
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

    def waiting(self, name: str) -> int:
        """How many commands of a session wait for the journal."""
        session = self._sessions.get(name)
        return 0 if session is None else session.waiting

    def stored(self, name: str, count: i64) -> None:
        """The journal has what this many more commands of a session did."""
        session = self._sessions.get(name)
        if session is not None:
            session.stored(count)

    def take(self, name: str) -> Session | None:
        """A session for another connection, which has the numbers from now on."""
        session = self._sessions.pop(name, None)
        if session is not None:
            self._taken = True
            if not self._sessions:
                self._shared.broker.deadlines.set(self._wait, NEVER)
                self._wait.over()
        return session

    def end(self, now: i64) -> None:
        """End the sessions that nobody attached."""
        sessions = list(self._sessions.values())
        self._sessions = {}
        self._shared.broker.long_commands.begin(Steps(self._ending(sessions, now), 0), now)

    def _ending(self, sessions: list[Session], now: i64) -> Iterator[None]:
        yield from ending(sessions, now)
        if not self._taken:
            for number in self.numbers:
                self._shared.broker.ended(number, now)


def ending(sessions: list[Session], now: i64) -> Iterator[None]:
    """End sessions, a part in each step: what they were sent counts as delivered."""
    for ended, session in enumerate(sessions, 1):
        session.end(True, now)
        if ended % ENDED_IN_A_STEP == 0:
            yield
