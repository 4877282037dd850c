import random

import pytest
from canned_message import CannedMessage

from lastvalue.queues.entry import Entry
from lastvalue.queues.returned import RUN, Returned

MESSAGE = CannedMessage()
MANY = list(range(1, 5 * RUN))
SHUFFLED = random.Random(1).sample(MANY, len(MANY))


def entry(sequence: int) -> Entry:
    return Entry(sequence, MESSAGE, 0, -1, 1)


def sequences(returned: Returned) -> list[int]:
    return [each.sequence for each in returned.entries()]


@pytest.mark.parametrize("order", [MANY, MANY[::-1], SHUFFLED], ids=["ascending", "descending", "shuffled"])
def test_entries_are_found_newest_first_whatever_order_they_came_in(order: list[int]) -> None:
    returned = Returned()
    for sequence in order:
        returned.add(entry(sequence))
    assert sequences(returned) == MANY[::-1]
    assert max(map(len, returned.runs)) <= RUN


@pytest.mark.parametrize("order", [MANY, MANY[::-1], SHUFFLED], ids=["ascending", "descending", "shuffled"])
def test_entries_leave_in_any_order_and_leave_no_empty_run(order: list[int]) -> None:
    returned = Returned()
    entries = {sequence: entry(sequence) for sequence in MANY}
    for sequence in SHUFFLED:
        returned.add(entries[sequence])
    half = len(order) // 2
    for sequence in order[:half]:
        returned.discard(entries[sequence])
    assert sequences(returned) == sorted(order[half:], reverse=True)
    assert all(returned.runs)
    for sequence in order[half:]:
        returned.discard(entries[sequence])
    assert returned.runs == []


@pytest.mark.parametrize("size", [5, 3 * RUN])
def test_an_entry_is_told_the_next_older_one_that_came_back(size: int) -> None:
    returned = Returned()
    for sequence in range(10, 10 * size, 10):
        returned.add(entry(sequence))
    older = [returned.add(entry(sequence)) for sequence in (5, 15, 10 * size - 1, 6)]
    assert [None if each is None else each.sequence for each in older] == [None, 10, 10 * size - 10, 5]


@pytest.mark.parametrize("sequence", [1, 20, 25, 99])
def test_an_entry_that_never_came_back_is_not_missed(sequence: int) -> None:
    returned = Returned()
    returned.discard(entry(20))
    for each in (10, 20, 30):
        returned.add(entry(each))
    returned.discard(entry(sequence))
    assert sequences(returned) == [30, 20, 10]
