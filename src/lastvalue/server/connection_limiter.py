"""Limits of connections: how many a user has, and how many new and unknown ones an address has."""

import sys
from typing import Protocol

from lastvalue.model.rate_limit import RateLimit
from lastvalue.server.log_events import CONNECTION_DROPPED


class UnknownConnection(Protocol):
    """A connection whose peer has not logged in."""

    @property
    def checking(self) -> bool:
        """The peer's password is being checked."""

    def give_way(self, cause: str) -> None:
        """End it: there are newer ones of its address."""


class ConnectionLimiter:
    """Counts connections of all listeners, and decides about each at once.

    Apart from `TlsHandshakes`, whose peers wait for a place at one listener: the two share no count and no
    moment, only the table of limits from which both come.

    Args:
        per_user: how many connections a user may have; 0 is any number. Anonymous peers are one user.
        most: how many there may be.
        rate: how many an address may make in a second, and at once after a quiet one; 0 is any number.
        unknown: how many of an address may be without a login; 0 is any number.
    """

    def __init__(self, per_user: int = 0, rate: int = 0, most: int = sys.maxsize, unknown: int = 0) -> None:
        self.per_user = per_user
        self._most = most
        self._most_unknown = unknown
        self._unknown: dict[str, dict[ConnectionSlot, UnknownConnection]] = {}
        self._crowded = False
        self._users: dict[str, int] = {}
        self._arrivals = RateLimit(rate, 1000, self._too_fast)

    def _too_fast(self, address: str) -> None:
        cause = f"more than {self._arrivals.most} new connections a second"
        CONNECTION_DROPPED.log(peer=address, cause=cause)

    def adjust(self, per_user: int, rate: int, most: int, unknown: int) -> None:
        """Use these limits for connections from now on; those that are open stay."""
        self.per_user = per_user
        self._most = most
        self._most_unknown = unknown
        self._arrivals.most = rate

    def admits(self, address: str, number: int, now_ms: int) -> bool:
        """Count a new connection from an address, with the others; whether the limits allow it."""
        crowded = number >= self._most
        if crowded and not self._crowded:
            CONNECTION_DROPPED.log(peer=address, cause=f"there are {self._most} connections")
        self._crowded = crowded
        admitted = not crowded and self._arrivals.allows(address, now_ms)
        if admitted:
            self._arrivals.count(address, now_ms)
        return admitted

    def add_unknown(self, address: str, slot: "ConnectionSlot", connection: UnknownConnection) -> None:
        """Count a connection without a login; if its address has too many, the oldest gives way.

        One whose password is being checked is spared, as it has nearly logged in.
        """
        unknown = self._unknown.setdefault(address, {})
        unknown[slot] = connection
        while 0 < self._most_unknown < len(unknown):
            oldest = next((each for each, its in unknown.items() if not its.checking), next(iter(unknown)))
            cause = f"{address} has more than {self._most_unknown} connections that have not logged in"
            unknown.pop(oldest).give_way(cause)

    def remove_unknown(self, address: str, slot: "ConnectionSlot") -> None:
        """A connection has logged in, or is over."""
        unknown = self._unknown.get(address)
        if unknown is not None and unknown.pop(slot, None) is not None and not unknown:
            del self._unknown[address]

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


class ConnectionSlot:
    """One connection as one of its address until its peer is known, and as its user's."""

    __slots__ = ("_address", "_limiter", "_user")

    def __init__(self, limiter: ConnectionLimiter, address: str = "") -> None:
        self._limiter = limiter
        self._address = address
        self._user: str | None = None

    def await_login(self, connection: UnknownConnection) -> None:
        """Count the connection as unknown until `known` or `leave`."""
        self._limiter.add_unknown(self._address, self, connection)

    def known(self) -> None:
        """The peer has logged in."""
        self._limiter.remove_unknown(self._address, self)

    def enter(self, user: str) -> str | None:
        """Count the connection for its user, who may change; the reason why it is refused, or None."""
        if user == self._user:
            return None
        if not self._limiter.enter(user):
            return f"user {user!r} has {self._limiter.per_user} connections, and may have no more; close one"
        self._leave_user()
        self._user = user
        return None

    def leave(self) -> None:
        """The connection is over."""
        self.known()
        self._leave_user()

    def _leave_user(self) -> None:
        if self._user is not None:
            self._limiter.leave(self._user)
            self._user = None
