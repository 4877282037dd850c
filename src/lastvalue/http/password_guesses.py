"""Limits the wrong passwords of each caller, before the broker counts them for the gateway's own address."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus
from typing import Final

from lastvalue.client.errors import AuthenticationError
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem
from lastvalue.model.admission import (
    GATEWAY_LOGINS_AT_ONCE,
    GATEWAY_PASSWORDS_OF_ADDRESS,
    GATEWAY_PASSWORDS_OF_USER,
)
from lastvalue.model.peer_host import network_of
from lastvalue.model.wrong_passwords import WrongPasswords

REFUSED_FOR_MS: Final = 1000
"""How long after the broker refused a caller without credentials others are refused unasked."""


class PasswordGuesses:
    """How many wrong passwords each address had in the last minute."""

    def __init__(self) -> None:
        self._wrong = WrongPasswords(
            GATEWAY_PASSWORDS_OF_ADDRESS.most, GATEWAY_PASSWORDS_OF_USER.most, apart=True
        )
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
        user = caller.user or ""
        if self._wrong.refuses(address, user, _now_ms()):
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too many wrong passwords; try again later",
                **{"Retry-After": "12"},
            )
        if self._checking[address] >= GATEWAY_LOGINS_AT_ONCE.most:
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS, "too many logins at once; try again", **{"Retry-After": "1"}
            )
        self._checking[address] += 1
        try:
            yield
        except AuthenticationError:
            self._wrong.count(address, user, _now_ms(), right=False)
            raise
        finally:
            self._checking[address] -= 1
            if not self._checking[address]:
                del self._checking[address]


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
