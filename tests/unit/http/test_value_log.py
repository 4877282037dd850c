"""lastvalue.http.value_log."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.http.follow_events import FollowEvent, snapshot_end
from lastvalue.http.value_log import ValueLog

ALL = 1 << 30


def value(key: str, sequence: int, removals: int = 0) -> FollowEvent:
    return FollowEvent("value", json.dumps(sequence), f"1-{sequence}-{removals}", key, sequence)


def removal(key: str, sequence: int, number: int) -> FollowEvent:
    return FollowEvent("removed", '"gone"', f"1-{sequence}-{number}", key, sequence)


def told(log: ValueLog, place: int, most_bytes: int = ALL) -> list[tuple[object, str]]:
    events, _ = log.after(place, log.end, most_bytes)
    return [(event.key[1], event.data) for event in events]


def test_a_newer_value_takes_the_place_of_the_one_before_at_the_end() -> None:
    log = ValueLog()
    for key, sequence in (("A", 1), ("B", 2), ("A", 3)):
        log.put(value(key, sequence))
    assert told(log, 0) == [("B", "2"), ("A", "3")]
    assert told(log, 2) == [("A", "3")]
    assert told(log, log.end) == []


def test_what_is_given_at_once_is_bounded_and_goes_on_where_it_ended() -> None:
    log = ValueLog()
    for sequence in range(5):
        log.put(value(f"k{sequence}", sequence))
    first, place = log.after(0, log.end, 2)
    rest, end = log.after(place, log.end, ALL)
    assert [event.sequence for event in first] == [0, 1]
    assert [event.sequence for event in rest] == [2, 3, 4]
    assert end == log.end


def test_a_reader_that_is_further_than_what_is_shown_stays_there() -> None:
    log = ValueLog()
    log.put(value("A", 1))
    assert log.after(1, 0, ALL) == ([], 1)


def test_it_does_not_grow_with_what_is_replaced() -> None:
    log = ValueLog()
    log.put(value("A", 0))
    size_bytes = log.size_bytes
    for sequence in range(10_000):
        log.put(value("A", sequence % 10))
    assert log.size_bytes == size_bytes
    assert len(log._events) < 2000


def test_a_token_leads_to_what_came_after_it() -> None:
    log = ValueLog()
    log.put(value("A", 1))
    log.complete(snapshot_end(1, "1-1-0", resumed=False))
    log.put(value("B", 2))
    log.put(removal("A", 2, 1))
    assert told(log, log.place_of("1-1-0") or 0) == [("B", "2"), ("A", '"gone"')]
    assert told(log, log.place_of("1-2-0") or 0) == [("A", '"gone"')]
    assert log.place_of("1-2-1") == log.end


def test_a_token_of_one_who_had_a_removal_earlier_leads_to_all_it_may_lack() -> None:
    log = ValueLog()
    log.complete(snapshot_end(0, "1-0-0", resumed=False))
    log.put(removal("A", 0, 1))
    log.put(value("B", 1, 1))
    # This reader has had the value, and not the removal.
    assert told(log, log.place_of("1-1-0") or 0) == [("A", '"gone"'), ("B", "1")]


@pytest.mark.parametrize("token", ["2-1-0", "1-9-0", "1-1-9", None])
def test_a_token_of_what_the_log_does_not_have_leads_nowhere(token: str | None) -> None:
    log = ValueLog()
    log.put(value("A", 1))
    log.complete(snapshot_end(1, "1-1-0", resumed=False))
    assert log.place_of(token) is None


def test_a_token_from_before_the_log_leads_nowhere() -> None:
    log = ValueLog()
    log.put(value("A", 5, 3))
    log.complete(snapshot_end(5, "1-5-3", resumed=False))
    assert log.place_of("1-4-2") is None
    assert log.place_of("1-4-3") == 0


def test_the_oldest_removals_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.http.value_log.MOST_REMOVALS", 2)
    log = ValueLog()
    log.complete(snapshot_end(0, "1-0-0", resumed=False))
    for number in range(1, 6):
        log.put(removal(f"k{number}", 0, number))
    assert told(log, 0) == [("k4", '"gone"'), ("k5", '"gone"')]
    assert log.place_of("1-0-2") is None
    assert log.place_of("1-0-3") == 3 == log.forgotten


CHANGES = st.lists(st.tuples(st.sampled_from("ABCDE"), st.booleans()), max_size=60)


@given(CHANGES, st.integers(0, 60), st.integers(1, 40))
def test_who_goes_on_from_any_place_has_in_the_end_what_is_there(
    changes: list[tuple[str, bool]], at: int, most_bytes: int
) -> None:
    log, state, place, known = ValueLog(), {}, 0, {}
    for number, (key, is_removed) in enumerate(changes):
        log.put(removal(key, number, number) if is_removed else value(key, number, number))
        state[key] = '"gone"' if is_removed else str(number)
        if number == at:
            events, place = log.after(0, log.end, ALL)
            known = {event.key[1]: event.data for event in events}
    while place < log.end:
        events, place = log.after(place, log.end, most_bytes)
        known |= {event.key[1]: event.data for event in events}
    assert known == state


def test_nobody_goes_on_from_a_token_without_a_place() -> None:
    log = ValueLog()
    log.put(FollowEvent("value", "1", "0-0-0", "A", 1))
    log.complete(snapshot_end(1, "0-0-0", resumed=False))
    assert log.place_of("0-0-0") is None
