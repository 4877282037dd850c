"""What is left of links: how much, for how long, and for whom."""

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadlines
from lastvalue.broker.lingering import MOST, Key, Lingering, Remains
from lastvalue.model.message import NEVER


class Noted(Remains):
    """Notes when it expired."""

    def __init__(self, name: str) -> None:
        super().__init__(key(name))
        self.expired: list[int] = []

    def expire(self, now: i64) -> None:
        self.expired.append(now)


def key(name: str) -> Key:
    return ("user", "container", name, True)


def advance(deadlines: Deadlines, lingering: Lingering, now: int) -> None:
    """What the broker does when time passes."""
    for remains in deadlines.take_due(now):
        assert isinstance(remains, Remains)
        lingering.expire(remains, now)


def test_what_is_due_expires_once_and_nothing_else() -> None:
    deadlines = Deadlines()
    lingering = Lingering(deadlines)
    soon, late, never = Noted("soon"), Noted("late"), Noted("never")
    for remains, expires_ms in ((soon, 5), (late, 9), (never, NEVER)):
        assert lingering.keep(remains, expires_ms, 0)
    assert deadlines.next() == 5
    advance(deadlines, lingering, 4)
    advance(deadlines, lingering, 5)
    assert (soon.expired, late.expired, deadlines.next()) == ([5], [], 9)
    advance(deadlines, lingering, 100)
    assert (late.expired, never.expired, len(lingering), deadlines.next()) == ([100], [], 1, NEVER)


def test_what_is_taken_up_does_not_expire() -> None:
    deadlines = Deadlines()
    lingering = Lingering(deadlines)
    remains = Noted("a")
    lingering.keep(remains, 5, 0)
    assert lingering.take(key("a")) is remains
    assert lingering.take(key("a")) is None
    advance(deadlines, lingering, 10)
    assert (remains.over, remains.expired) == (True, [])


def test_what_is_taken_up_while_another_expires_does_not_expire() -> None:
    deadlines = Deadlines()
    lingering = Lingering(deadlines)
    remains = Noted("a")
    lingering.keep(remains, 5, 0)
    due = deadlines.take_due(5)
    lingering.take(key("a"))
    assert due == [remains]
    lingering.expire(remains, 5)
    assert remains.expired == []


def test_a_time_may_be_given_later() -> None:
    deadlines = Deadlines()
    lingering = Lingering(deadlines)
    remains = Noted("a")
    lingering.keep(remains, NEVER, 0)
    lingering.schedule(remains, 7)
    assert deadlines.next() == 7
    advance(deadlines, lingering, 7)
    assert remains.expired == [7]


def test_what_comes_for_the_same_link_takes_the_place_of_what_was_there() -> None:
    lingering = Lingering(Deadlines())
    first, second = Noted("a"), Noted("a")
    lingering.keep(first, NEVER, 1)
    lingering.keep(second, NEVER, 2)
    assert (first.expired, len(lingering)) == ([2], 1)


def test_there_is_room_for_so_many() -> None:
    lingering = Lingering(Deadlines())
    for number in range(MOST):
        assert lingering.keep(Noted(str(number)), NEVER, 0)
    assert not lingering.keep(Noted("one too many"), NEVER, 0)
    assert lingering.keep(Noted("0"), NEVER, 0)
    assert len(lingering) == MOST
