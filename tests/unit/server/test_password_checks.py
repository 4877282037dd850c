"""lastvalue.server.password_checks: passwords are checked in a thread, and guesses are refused unchecked."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest
from logged_events import logged

from lastvalue.server.password_checks import PasswordCheck, PasswordChecks


class Attempts:
    """Checks that are begun, and how they ended."""

    def __init__(self, per_address: int = 0, per_user: int = 0) -> None:
        self.checks = PasswordChecks(per_address, per_user)
        self.hashed: list[str] = []

    def begin(
        self, address: str, user: str, *, right: bool = False, gate: threading.Event | None = None
    ) -> tuple[PasswordCheck, asyncio.Event]:
        over = asyncio.Event()

        def fits() -> bool:
            if gate is not None:
                gate.wait(60)
            self.hashed.append(user)
            return right

        check = PasswordCheck(address, user, fits, over.set)
        self.checks.begin(check)
        return check, over

    async def result(self, address: str, user: str, *, right: bool = False) -> bool | None:
        check, over = self.begin(address, user, right=right)
        await asyncio.wait_for(over.wait(), 60)
        return check.right


@pytest.fixture
async def attempts() -> AsyncIterator[Callable[..., Attempts]]:
    made: list[Attempts] = []

    def make(per_address: int = 0, per_user: int = 0) -> Attempts:
        made.append(Attempts(per_address, per_user))
        return made[-1]

    yield make
    for each in made:
        each.checks.close()


async def test_a_check_runs_beside_the_event_loop(attempts: Callable[..., Attempts]) -> None:
    gate = threading.Event()
    all_of_them = attempts()
    begun = [all_of_them.begin("a", "ann", right=True, gate=gate) for _ in range(5)]
    await asyncio.to_thread(lambda: None)
    assert [check.right for check, _ in begun] == [None] * 5
    gate.set()
    for _, over in begun:
        await asyncio.wait_for(over.wait(), 60)
    assert [check.right for check, _ in begun] == [True] * 5


async def test_after_many_wrong_ones_an_address_is_refused_unchecked(
    attempts: Callable[..., Attempts],
) -> None:
    one = attempts(per_address=3)
    assert [await one.result("a", f"user {number}") for number in range(5)] == [False] * 5
    assert len(one.hashed) == 3
    assert await one.result("a", "ann", right=True) is False
    assert await one.result("b", "ann", right=True) is True


async def test_after_many_wrong_ones_a_user_is_refused_unchecked_from_every_strange_address(
    attempts: Callable[..., Attempts],
) -> None:
    one = attempts(per_user=3)
    assert await one.result("home", "ann", right=True) is True
    for number in range(5):
        await one.result(f"stranger {number}", "ann")
    assert len(one.hashed) == 1 + 3
    assert await one.result("strange", "ann", right=True) is False
    assert await one.result("home", "ann", right=True) is True
    assert await one.result("strange", "bob", right=True) is True


async def test_from_its_own_address_a_user_is_guessed_no_more_often(
    attempts: Callable[..., Attempts],
) -> None:
    one = attempts(per_user=3)
    assert await one.result("home", "ann", right=True) is True
    assert [await one.result("home", "ann") for _ in range(9)] == [False] * 9
    assert len(one.hashed) == 1 + 3


async def test_right_passwords_are_never_refused_however_many_come_at_once(
    attempts: Callable[..., Attempts],
) -> None:
    one = attempts(per_address=3, per_user=3)
    begun = [one.begin("a", "ann", right=True) for _ in range(50)]
    for _, over in begun:
        await asyncio.wait_for(over.wait(), 60)
    assert all(check.right for check, _ in begun)


async def test_guesses_that_come_at_once_are_refused_after_the_first_ones(
    attempts: Callable[..., Attempts],
) -> None:
    one = attempts(per_address=3)
    begun = [one.begin("a", "ann") for _ in range(200)]
    for _, over in begun:
        await asyncio.wait_for(over.wait(), 60)
    # Two threads may each have begun one more.
    assert 3 <= len(one.hashed) <= 4


async def test_a_password_of_a_connection_that_is_gone_is_not_checked(
    attempts: Callable[..., Attempts],
) -> None:
    gate = threading.Event()
    one = attempts()
    running = [one.begin("a", "first", gate=gate) for _ in range(2)]
    gone, over = one.begin("a", "gone")
    last, last_over = one.begin("a", "last")
    gone.abandoned = True
    gate.set()
    await asyncio.wait_for(last_over.wait(), 60)
    assert (gone.right, last.right, over.is_set()) == (None, False, False)
    assert "gone" not in one.hashed
    assert [check.right for check, _ in running] == [False, False]


async def test_a_check_that_fails_is_a_wrong_password_and_is_logged(
    attempts: Callable[..., Attempts], caplog: pytest.LogCaptureFixture
) -> None:
    over = asyncio.Event()
    check = PasswordCheck("a", "ann", lambda: 1 // 0 == 0, over.set)
    one = attempts()
    one.checks.begin(check)
    await asyncio.wait_for(over.wait(), 60)
    assert check.right is False
    cause = "integer division or modulo by zero"
    assert logged(caplog) == [("users.check_failed", {"user": "ann", "cause": cause})]
    assert await one.result("a", "ann", right=True) is True
