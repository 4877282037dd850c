"""Limits the wrong passwords of each caller, before the broker counts them for the gateway's own address.

The limits are well below the broker's, which hold for all callers of the gateway together: so one caller who
guesses neither locks out the others nor, by guesses, a user.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus
from typing import Final

from lastvalue.client.errors import AuthenticationError
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem
from lastvalue.model.peer_host import network_of
from lastvalue.model.rate_limit import RateLimit

PER_ADDRESS: Final = 20
PER_ADDRESS_AND_USER: Final = 5
MOST_AT_ONCE: Final = 5
"""How many credentials of an address are being checked: what is not over is not counted yet."""

REFUSED_FOR_MS: Final = 1000
"""How long after the broker refused a caller without credentials others are refused unasked."""

_MINUTE_MS: Final = 60_000
_NAME_LENGTH: Final = 256


class PasswordGuesses:
    """How many wrong passwords each address had in the last minute."""

    def __init__(self) -> None:
        self._addresses = RateLimit(PER_ADDRESS, _MINUTE_MS)
        self._users = RateLimit(PER_ADDRESS_AND_USER, _MINUTE_MS)
        self._checking: Counter[str] = Counter()
        # By the brokers that are meant: until when callers without credentials are refused.
        self._refused_until_ms: dict[tuple[str, ...], int] = {}

    def checking(self, caller: Caller) -> AbstractContextManager[None]:
        """While the broker checks a caller's credentials; a refusal counts, but of one who has none.

        Raises:
            Problem: there were too many from the caller's address.
            AuthenticationError: the broker has just refused callers without credentials.
        """
        if caller.user is None and caller.token is None:
            return self._entering(caller)
        return self._guessing(caller)

    @contextmanager
    def _entering(self, caller: Caller) -> Iterator[None]:
        """A probe comes again and again, and guesses nothing; it need not cost the broker a connection."""
        if _now_ms() < self._refused_until_ms.get(caller.leader, 0):
            raise AuthenticationError("", 0, "no credentials were given")
        try:
            yield
        except AuthenticationError:
            self._refused_until_ms[caller.leader] = _now_ms() + REFUSED_FOR_MS
            raise

    @contextmanager
    def _guessing(self, caller: Caller) -> Iterator[None]:
        address = network_of(caller.address)
        user = f"{caller.user or ''!s:.{_NAME_LENGTH}} at {address}"
        now_ms = _now_ms()
        if not (self._addresses.allows(address, now_ms) and self._users.allows(user, now_ms)):
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too many wrong passwords; try again later",
                **{"Retry-After": "12"},
            )
        if self._checking[address] >= MOST_AT_ONCE:
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS, "too many logins at once; try again", **{"Retry-After": "1"}
            )
        self._checking[address] += 1
        try:
            yield
        except AuthenticationError:
            now_ms = _now_ms()
            self._addresses.count(address, now_ms)
            self._users.count(user, now_ms)
            raise
        finally:
            self._checking[address] -= 1
            if not self._checking[address]:
                del self._checking[address]


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
