"""Limits of connections: how many a user has, and how fast an address makes new ones."""

import logging
from typing import Final

logger = logging.getLogger(__name__)

_FORGETS_AT: Final = 4096
"""Addresses beyond which the quiet ones are dropped."""


class ConnectionLimiter:
    """Counts connections.

    Args:
        per_user: how many connections a user may have; 0 is any number. Anonymous peers are one user.
        rate: how many an address may make in a second, and at once after a quiet one; 0 is any number.
    """

    def __init__(self, per_user: int = 0, rate: int = 0) -> None:
        self.per_user = per_user
        self._rate = rate
        self._users: dict[str, int] = {}
        self._arrivals: dict[str, _Arrivals] = {}

    def admits(self, address: str, now_ms: int) -> bool:
        """Count a new connection from an address; whether it is within the rate."""
        if not self._rate:
            return True
        arrivals = self._arrivals.get(address)
        if arrivals is None:
            if len(self._arrivals) >= _FORGETS_AT:
                self._forget(now_ms)
            arrivals = self._arrivals[address] = _Arrivals(self._rate, now_ms)
        arrivals.refill(self._rate, now_ms)
        if arrivals.left >= 1:
            arrivals.left -= 1
            arrivals.logged = False
            return True
        if not arrivals.logged:
            arrivals.logged = True
            logger.warning("more than %d new connections a second from %s: dropped", self._rate, address)
        return False

    def enter(self, user: str) -> bool:
        """Count a connection of a user; false, without counting it, where that exceeds the limit."""
        number = self._users.get(user, 0)
        if 0 < self.per_user <= number:
            return False
        self._users[user] = number + 1
        return True

    def leave(self, user: str) -> None:
        """A counted connection is over."""
        number = self._users[user] - 1
        if number:
            self._users[user] = number
        else:
            del self._users[user]

    def _forget(self, now_ms: int) -> None:
        """Drop the addresses whose full rate is available again, so that the table does not grow for ever."""
        self._arrivals = {
            address: arrivals
            for address, arrivals in self._arrivals.items()
            if now_ms - arrivals.at_ms < 1000
        }


class _Arrivals:
    """The rest of an address's rate.

    Attributes:
        logged: the log says that the address exceeds the rate.
    """

    __slots__ = ("at_ms", "left", "logged")

    def __init__(self, left: int, now_ms: int) -> None:
        self.left = float(left)
        self.at_ms = now_ms
        self.logged = False

    def refill(self, rate: int, now_ms: int) -> None:
        """Add the share of the time since the last connection."""
        self.left = min(float(rate), self.left + max(0, now_ms - self.at_ms) * rate / 1000)
        self.at_ms = now_ms


class ConnectionSlot:
    """One connection as its user's."""

    def __init__(self, limiter: ConnectionLimiter) -> None:
        self._limiter = limiter
        self._user: str | None = None

    def enter(self, user: str) -> str | None:
        """Count the connection for its user; the reason why it is refused, or None."""
        if not self._limiter.enter(user):
            return f"user {user!r} has {self._limiter.per_user} connections, and may have no more; close one"
        self._user = user
        return None

    def leave(self) -> None:
        """The connection is over."""
        if self._user is not None:
            self._limiter.leave(self._user)
            self._user = None
