"""What falls due when, and what that costs."""

from lastvalue.broker.deadlines import SLACK, Deadline, Deadlines
from lastvalue.model.message import NEVER


def made(deadlines: Deadlines, *times: int) -> list[Deadline]:
    some = [Deadline() for _ in times]
    for deadline, at_ms in zip(some, times, strict=True):
        deadlines.set(deadline, at_ms)
    return some


def test_the_soonest_comes_first_and_none_comes_early() -> None:
    deadlines = Deadlines()
    late, soon, later = made(deadlines, 20, 10, 30)
    assert (deadlines.next(), deadlines.take_due(9)) == (10, [])
    assert deadlines.take_due(20) == [soon, late]
    assert (deadlines.next(), later.due_ms) == (30, 30)


def test_what_fell_due_does_so_once() -> None:
    deadlines = Deadlines()
    (one,) = made(deadlines, 10)
    assert deadlines.take_due(10) == [one]
    assert (deadlines.take_due(100), deadlines.next(), one.due_ms) == ([], NEVER, NEVER)


def test_of_those_due_at_one_time_the_one_that_was_set_first_comes_first() -> None:
    deadlines = Deadlines()
    some = made(deadlines, 9, 8, 7)
    for deadline in reversed(some):
        deadlines.set(deadline, 5)
    assert deadlines.take_due(5) == some


def test_a_deadline_may_become_sooner_and_later() -> None:
    deadlines = Deadlines()
    one, other = made(deadlines, 10, 20)
    deadlines.set(other, 5)
    deadlines.set(one, 40)
    assert deadlines.next() == 5
    deadlines.set(other, 30)
    assert (deadlines.next(), deadlines.take_due(29)) == (30, [])
    assert deadlines.take_due(50) == [other, one]


def test_a_deadline_that_is_taken_away_is_none() -> None:
    deadlines = Deadlines()
    one, other = made(deadlines, 10, 20)
    deadlines.set(one, NEVER)
    assert (deadlines.next(), deadlines.take_due(50)) == (20, [other])


def test_a_deadline_that_goes_to_and_fro_falls_due_once() -> None:
    deadlines = Deadlines()
    (one,) = made(deadlines, 10)
    for at_ms in (5, 10, 5, NEVER, 10):
        deadlines.set(one, at_ms)
        assert deadlines.next() == at_ms
    assert (deadlines.take_due(10), deadlines.take_due(10)) == ([one], [])


def test_a_deadline_that_moves_on_with_every_message_takes_no_room() -> None:
    deadlines = Deadlines()
    (one,) = made(deadlines, 10)
    for at_ms in range(11, 10_000):
        deadlines.set(one, at_ms)
        assert len(deadlines) == 1
    assert deadlines.next() == 9_999


def test_places_that_are_out_of_date_are_swept_when_they_are_most() -> None:
    deadlines = Deadlines()
    one, stays = made(deadlines, 1_000_000, 2_000_000)
    for at_ms in range(999_999, 900_000, -1):
        deadlines.set(one, at_ms)
        assert len(deadlines) <= 2 * 2 + SLACK
    assert deadlines.take_due(3_000_000) == [one, stays]


def test_what_has_no_deadline_any_more_is_not_held_on_to() -> None:
    deadlines = Deadlines()
    for deadline in made(deadlines, *range(10_000)):
        deadlines.set(deadline, NEVER)
    assert len(deadlines) <= SLACK
