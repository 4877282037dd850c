"""What is left of links: how much, for how long, and for whom."""

from mypy_extensions import i64

from lastvalue.broker.lingering import MOST, Key, Lingering, Remains


class Noted(Remains):
    """Notes when it expired."""

    def __init__(self, expires_ms: int = -1) -> None:
        super().__init__()
        self.expires_ms = expires_ms
        self.expired: list[int] = []

    def expire(self, now: i64) -> None:
        self.expired.append(now)


def key(name: str) -> Key:
    return ("user", "container", name, True)


def test_what_is_due_expires_once_and_nothing_else() -> None:
    lingering = Lingering()
    soon, late, never = Noted(5), Noted(9), Noted()
    for name, remains in (("soon", soon), ("late", late), ("never", never)):
        assert lingering.keep(key(name), remains, 0)
    assert lingering.next_deadline() == 5
    lingering.advance(4)
    lingering.advance(5)
    assert (soon.expired, late.expired, lingering.next_deadline()) == ([5], [], 9)
    lingering.advance(100)
    assert (late.expired, never.expired, len(lingering), lingering.next_deadline()) == ([100], [], 1, -1)


def test_what_is_taken_up_does_not_expire() -> None:
    lingering = Lingering()
    remains = Noted(5)
    lingering.keep(key("a"), remains, 0)
    assert lingering.take(key("a")) is remains
    assert lingering.take(key("a")) is None
    lingering.advance(10)
    assert (remains.over, remains.expired) == (True, [])


def test_a_time_may_be_given_later() -> None:
    lingering = Lingering()
    remains = Noted()
    lingering.keep(key("a"), remains, 0)
    lingering.schedule(remains, 7)
    assert lingering.next_deadline() == 7
    lingering.advance(7)
    assert remains.expired == [7]


def test_what_comes_for_the_same_link_takes_the_place_of_what_was_there() -> None:
    lingering = Lingering()
    first, second = Noted(), Noted()
    lingering.keep(key("a"), first, 1)
    lingering.keep(key("a"), second, 2)
    assert (first.expired, len(lingering)) == ([2], 1)


def test_there_is_room_for_so_many() -> None:
    lingering = Lingering()
    for number in range(MOST):
        assert lingering.keep(key(str(number)), Noted(), 0)
    assert not lingering.keep(key("one too many"), Noted(), 0)
    assert lingering.keep(key("0"), Noted(), 0)
    assert len(lingering) == MOST
