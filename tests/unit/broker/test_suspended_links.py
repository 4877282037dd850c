"""What is left of links: how much, for how long, and for whom."""

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadlines
from lastvalue.broker.suspended_links import (
    MOST,
    Key,
    SuspendedLink,
    SuspendedLinks,
)
from lastvalue.model.memory_budget import LINK_BYTES, UNSETTLED_BYTES, MemoryBudget
from lastvalue.model.message import NEVER


class Noted(SuspendedLink):
    """Notes when it expired."""

    def __init__(self, name: str) -> None:
        super().__init__(key(name))
        self.expired: list[int] = []

    @property
    def unsettled(self) -> int:
        return 10

    def expire(self, now: i64) -> None:
        self.expired.append(now)


def key(name: str) -> Key:
    return ("user", "container", name, True)


def advance(deadlines: Deadlines, suspended_links: SuspendedLinks, now: int) -> None:
    """What the broker does when time passes."""
    for suspended in deadlines.take_due(now):
        assert isinstance(suspended, SuspendedLink)
        suspended_links.expire(suspended, now)


def test_what_is_due_expires_once_and_nothing_else() -> None:
    deadlines = Deadlines()
    suspended_links = SuspendedLinks(deadlines, MemoryBudget())
    soon, late, never = Noted("soon"), Noted("late"), Noted("never")
    for suspended, expires_ms in ((soon, 5), (late, 9), (never, NEVER)):
        assert suspended_links.keep(suspended, expires_ms, 0)
    assert deadlines.next() == 5
    advance(deadlines, suspended_links, 4)
    advance(deadlines, suspended_links, 5)
    assert (soon.expired, late.expired, deadlines.next()) == ([5], [], 9)
    advance(deadlines, suspended_links, 100)
    assert (late.expired, never.expired, len(suspended_links), deadlines.next()) == ([100], [], 1, NEVER)


def test_what_is_taken_up_does_not_expire() -> None:
    deadlines = Deadlines()
    suspended_links = SuspendedLinks(deadlines, MemoryBudget())
    suspended = Noted("a")
    suspended_links.keep(suspended, 5, 0)
    assert suspended_links.take(key("a")) is suspended
    assert suspended_links.take(key("a")) is None
    advance(deadlines, suspended_links, 10)
    assert (suspended.over, suspended.expired) == (True, [])


def test_what_is_taken_up_while_another_expires_does_not_expire() -> None:
    deadlines = Deadlines()
    suspended_links = SuspendedLinks(deadlines, MemoryBudget())
    suspended = Noted("a")
    suspended_links.keep(suspended, 5, 0)
    due = deadlines.take_due(5)
    suspended_links.take(key("a"))
    assert due == [suspended]
    suspended_links.expire(suspended, 5)
    assert suspended.expired == []


def test_a_time_may_be_given_later() -> None:
    deadlines = Deadlines()
    suspended_links = SuspendedLinks(deadlines, MemoryBudget())
    suspended = Noted("a")
    suspended_links.keep(suspended, NEVER, 0)
    suspended_links.schedule(suspended, 7)
    assert deadlines.next() == 7
    advance(deadlines, suspended_links, 7)
    assert suspended.expired == [7]


def test_what_comes_for_the_same_link_takes_the_place_of_what_was_there() -> None:
    suspended_links = SuspendedLinks(Deadlines(), MemoryBudget())
    first, second = Noted("a"), Noted("a")
    suspended_links.keep(first, NEVER, 1)
    suspended_links.keep(second, NEVER, 2)
    assert (first.expired, len(suspended_links)) == ([2], 1)


def test_there_is_room_for_so_many() -> None:
    suspended_links = SuspendedLinks(Deadlines(), MemoryBudget())
    for number in range(MOST):
        assert suspended_links.keep(Noted(str(number)), NEVER, 0)
    assert not suspended_links.keep(Noted("one too many"), NEVER, 0)
    assert suspended_links.keep(Noted("0"), NEVER, 0)
    assert len(suspended_links) == MOST


def test_suspended_links_take_the_memory_of_their_user_until_they_are_over() -> None:
    budget = MemoryBudget()
    suspended_links = SuspendedLinks(Deadlines(), budget)
    each = LINK_BYTES + 10 * UNSETTLED_BYTES
    budget.user_limit_bytes = 2 * each
    first, second, third = Noted("first"), Noted("second"), Noted("third")
    assert [suspended_links.keep(one, NEVER, 0) for one in (first, second, third)] == [True, True, False]
    assert budget.used_bytes == 2 * each
    assert suspended_links.take(third.key) is None
    suspended_links.take(first.key)
    assert suspended_links.keep(third, NEVER, 0)
    suspended_links.expire(second, 0)
    suspended_links.expire(third, 0)
    assert budget.used_bytes == 0
