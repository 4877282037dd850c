import random

import pytest
from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.sorted_entries import RUN, SortedEntries

MESSAGE = CannedMessage()
MANY = list(range(1, 5 * RUN))
SHUFFLED = random.Random(1).sample(MANY, len(MANY))


def entry(sequence: int) -> Entry:
    return Entry(sequence, MESSAGE, 0, NEVER, 1)


def sequences(found: SortedEntries) -> list[int]:
    return [each.sequence for each in found.entries()]


@pytest.mark.parametrize("order", [MANY, MANY[::-1], SHUFFLED], ids=["ascending", "descending", "shuffled"])
def test_entries_are_found_newest_first_whatever_order_they_came_in(order: list[int]) -> None:
    found = SortedEntries()
    for sequence in order:
        found.add(entry(sequence))
    assert sequences(found) == MANY[::-1]
    assert max(map(len, found.runs)) <= RUN


@pytest.mark.parametrize("order", [MANY, MANY[::-1], SHUFFLED], ids=["ascending", "descending", "shuffled"])
def test_entries_leave_in_any_order_and_leave_no_empty_run(order: list[int]) -> None:
    found = SortedEntries()
    entries = {sequence: entry(sequence) for sequence in MANY}
    for sequence in SHUFFLED:
        found.add(entries[sequence])
    half = len(order) // 2
    for sequence in order[:half]:
        found.discard(entries[sequence])
    assert sequences(found) == sorted(order[half:], reverse=True)
    assert all(found.runs)
    for sequence in order[half:]:
        found.discard(entries[sequence])
    assert found.runs == []


@pytest.mark.parametrize("size", [5, 3 * RUN])
def test_an_entry_is_told_the_next_older_one_that_came_back(size: int) -> None:
    found = SortedEntries()
    for sequence in range(10, 10 * size, 10):
        found.add(entry(sequence))
    older = [found.add(entry(sequence)) for sequence in (5, 15, 10 * size - 1, 6)]
    assert [None if each is None else each.sequence for each in older] == [None, 10, 10 * size - 10, 5]


@pytest.mark.parametrize("sequence", [1, 20, 25, 99])
def test_an_entry_that_never_came_back_is_not_missed(sequence: int) -> None:
    found = SortedEntries()
    found.discard(entry(20))
    for each in (10, 20, 30):
        found.add(entry(each))
    found.discard(entry(sequence))
    assert sequences(found) == [30, 20, 10]


@pytest.mark.parametrize("place", [0, 1, RUN - 1, RUN, RUN + 1, 5 * RUN - 2])
def test_the_first_entry_after_a_place_is_found_whether_the_place_is_taken_or_not(place: int) -> None:
    found = SortedEntries()
    found.fill([entry(sequence) for sequence in MANY[::-1]])
    after = found.first_after(b"", place)
    assert after is not None
    assert after.sequence == place + 1
    found.discard(after)
    assert getattr(found.first_after(b"", place), "sequence", None) == (
        place + 2 if place + 2 < 5 * RUN else None
    )
