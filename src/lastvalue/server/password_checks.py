"""Checks passwords in a thread, because that takes long on purpose, and limits wrong ones by the minute."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from lastvalue.model.wrong_passwords import WrongPasswords
from lastvalue.server.log_events import USERS_GUESSED, USERS_UNCHECKED

_WORKERS: Final = 2


@dataclass(eq=False)
class PasswordCheck:
    """One check of a password.

    Attributes:
        address: of the peer.
        user: that the peer says it is.
        fits: whether the password is right; runs in a thread.
        on_over: called on the event loop once `right` is known.
        right: the result; None until it is known.
        refused: it was not checked, because there were too many wrong ones.
        abandoned: nobody waits for the result any more.
    """

    address: str
    user: str
    fits: Callable[[], bool]
    on_over: Callable[[], None]
    right: bool | None = None
    refused: bool = False
    abandoned: bool = False


class PasswordChecks:
    """Checks passwords one after the other in few threads, and refuses the guesses of a peer unchecked.

    Args:
        per_address, per_user: see WrongPasswords.
    """

    def __init__(self, per_address: int = 0, per_user: int = 0) -> None:
        self._wrong = WrongPasswords(per_address, per_user, on_excess=_log_guesses)
        self._waiting: deque[PasswordCheck] = deque()
        self._running = 0
        self._threads = ThreadPoolExecutor(_WORKERS, thread_name_prefix="lastvalue-password")

    def adjust(self, per_address: int, per_user: int) -> None:
        """Use these limits from now on."""
        self._wrong.adjust(per_address, per_user)

    def begin(self, check: PasswordCheck) -> None:
        """Check a password when a thread is free; `check.on_over` is called later, from the event loop."""
        self._waiting.append(check)
        if self._running < _WORKERS:
            self._running += 1
            asyncio.get_running_loop().call_soon(self._next)

    def refuses(self, address: str, user: str) -> bool:
        """Whether there were too many wrong passwords of an address or for a user."""
        return self._wrong.refuses(address, user, _now_ms())

    def count(self, address: str, user: str, *, right: bool) -> None:
        """A peer showed a right or a wrong password."""
        self._wrong.count(address, user, _now_ms(), right=right)

    def close(self) -> None:
        """Check nothing more."""
        self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _next(self) -> None:
        """Begin the next check on the thread that is free."""
        while self._waiting:
            check = self._waiting.popleft()
            if check.abandoned:
                continue
            if not self.refuses(check.address, check.user):
                running = asyncio.get_running_loop().run_in_executor(self._threads, check.fits)
                running.add_done_callback(partial(self._over, check))
                return
            check.right = False
            check.refused = True
            check.on_over()
            # Others come in between, however many are refused.
            asyncio.get_running_loop().call_soon(self._next)
            return
        self._running -= 1

    def _over(self, check: PasswordCheck, done: "asyncio.Future[bool]") -> None:
        if done.cancelled():
            return
        fault = done.exception()
        if fault is not None:
            USERS_UNCHECKED.log(user=check.user, cause=fault)
        check.right = fault is None and done.result()
        self.count(check.address, check.user, right=check.right)
        if not check.abandoned:
            check.on_over()
        self._next()


def _log_guesses(of: str, key: str, most: int) -> None:
    USERS_GUESSED.log(**{of: key, "per_minute": most})


def _now_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)
