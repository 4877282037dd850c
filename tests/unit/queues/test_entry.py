import pytest
from canned_message import CannedMessage

from lastvalue.model.message import AT_ONCE, NEVER
from lastvalue.queues.entry import AVAILABLE, FIRST, LAST, Entry, comes_after, precedes


def entry(rank: bytes, place: int) -> Entry:
    made = Entry(place, CannedMessage(), 0, NEVER, 1)
    made.rank = rank
    return made


def test_a_new_entry_is_available_in_the_place_of_its_sequence() -> None:
    new = Entry(7, CannedMessage(), 1_000, NEVER, 3)
    assert (new.state, new.rank, new.place, new.updates) == (AVAILABLE, FIRST, 7, 3)
    assert (new.not_before_ms, new.holder, new.delivery_count) == (AT_ONCE, 0, 0)


@pytest.mark.parametrize(
    ("one", "other", "before"),
    [
        ((FIRST, 1), (FIRST, 2), True),
        ((FIRST, 2), (FIRST, 1), False),
        ((FIRST, 1), (FIRST, 1), False),
        ((b"\x00\x01", 9), (b"\x00\x02", 1), True),
        ((b"\x00\x02", 1), (b"\x00\x01", 9), False),
        ((FIRST, 9), (b"\x00", 1), True),
        ((b"\x01\x00\x41", 9), (LAST, 0), True),
    ],
)
def test_entries_stand_by_rank_and_within_a_rank_by_place(
    one: tuple[bytes, int], other: tuple[bytes, int], before: bool
) -> None:
    assert precedes(entry(*one), entry(*other)) is before
    assert comes_after(entry(*other), *one) is before
