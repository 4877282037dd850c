"""What a queue took of a producer that counts its messages."""

import pytest

from lastvalue.queues.counted_ids import GAP_BYTES, MOST_GAPS, CountedIds, restored_counts


def taken(*numbers: int) -> CountedIds:
    counted = CountedIds(b"p")
    for number in numbers:
        counted.take(number)
    return counted


def known(counted: CountedIds, up_to: int = 12) -> list[int]:
    return [number for number in range(up_to) if counted.knows(number)]


@pytest.mark.parametrize(
    "numbers",
    [[], [5], [1, 2, 3], [3, 2, 1], [1, 5, 9], [9, 5, 1], [1, 9, 5, 4, 6], [2, 7, 3, 6, 4, 5], [0, 10, 1, 9]],
)
def test_exactly_the_numbers_that_were_taken_are_known(numbers: list[int]) -> None:
    assert known(taken(*numbers)) == sorted(numbers)


@pytest.mark.parametrize("numbers", [[5], [1, 2, 3], [9, 5, 1], [1, 9, 5, 4, 6]])
def test_one_id_stands_for_all_of_them(numbers: list[int]) -> None:
    counted = taken(*numbers)
    counted.sequence, counted.durable = 7, True
    again = restored_counts(counted.note())
    assert known(again) == sorted(numbers)
    assert (again.producer, again.sequence, again.durable) == (b"p", 7, True)
    again.take(11)
    assert again.knows(11)


def test_below_the_oldest_of_many_gaps_nothing_is_known() -> None:
    counted = taken(*range(0, 4 * MOST_GAPS, 2))
    latest = range(4 * MOST_GAPS - 2 * MOST_GAPS - 2, 4 * MOST_GAPS, 2)
    assert known(counted, 4 * MOST_GAPS) == list(latest)
    assert counted.size_bytes < CountedIds(b"p").size_bytes + GAP_BYTES * MOST_GAPS + 1


def test_a_number_that_is_forgotten_counts_as_new_and_does_not_come_in_the_way() -> None:
    counted = taken(*range(0, 4 * MOST_GAPS, 2))
    counted.take(0)
    assert not counted.knows(0)
    assert counted.knows(4 * MOST_GAPS - 2)


def test_memory_is_told_as_it_changes() -> None:
    counted = CountedIds(b"p")
    empty = counted.size_bytes
    assert [counted.take(number) for number in (1, 2, 9, 5, 3, 4)] == [
        0,
        0,
        GAP_BYTES,
        GAP_BYTES,
        0,
        -GAP_BYTES,
    ]
    assert counted.size_bytes == empty + GAP_BYTES
