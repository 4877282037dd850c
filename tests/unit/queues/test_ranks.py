import pytest
from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.entry import FIRST, Entry
from lastvalue.queues.ranks import FairShare, Ranking, level_of, rank_of_level
from lastvalue.queues.sorted_entries import SortedEntries
from lastvalue.queues.spec import LastValue, Ordering, Priority, Sorted, Standard


@pytest.mark.parametrize(
    ("levels", "by_priority"),
    [
        (1, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (2, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]),
        (3, [0, 0, 0, 0, 1, 2, 2, 2, 2, 2]),
        (10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (12, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_priorities_fold_onto_the_levels_around_the_default(levels: int, by_priority: list[int]) -> None:
    assert [level_of(priority, levels) for priority in range(10)] == by_priority


def test_a_priority_beyond_the_levels_joins_the_highest() -> None:
    assert level_of(255, 10) == 9


def test_higher_levels_have_lower_ranks() -> None:
    ranks = [rank_of_level(level, 1000) for level in range(1000)]
    assert sorted(ranks, reverse=True) == ranks


@pytest.mark.parametrize(
    ("ordering", "ranked"),
    [
        (Standard(), False),
        (LastValue("k"), False),
        (LastValue("k", levels=10), True),
        (Priority(), True),
        (Sorted("s"), True),
    ],
    ids=str,
)
def test_only_orderings_other_than_by_arrival_are_ranked(ordering: Ordering, ranked: bool) -> None:
    assert Ranking(ordering).ranked is ranked


def test_what_is_not_ranked_has_the_first_rank() -> None:
    assert Ranking(Standard()).rank(CannedMessage(priority=9)) == FIRST


def test_sort_keys_compare_by_their_utf_16_code_units_and_a_missing_one_comes_first() -> None:
    ranking = Ranking(Sorted("s"))
    # U+1F600 is a pair of surrogates, and so stands before U+FFFD.
    in_order = [None, "", "A", "a", "ab", "\U0001f600", "\ufffd"]
    ranks = [ranking.rank(CannedMessage({"s": text})) for text in in_order]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)


def available(counts: dict[int, int], levels: int) -> SortedEntries:
    """So many entries of each level, numbered as they stand."""
    entries = SortedEntries()
    sequence = 0
    for level in sorted(counts, reverse=True):
        for _ in range(counts[level]):
            sequence += 1
            entry = Entry(sequence, CannedMessage(), 0, NEVER, 1)
            entry.rank = rank_of_level(level, levels)
            entries.add(entry)
    return entries


def taken_levels(ordering: Priority, counts: dict[int, int]) -> list[int]:
    """The levels of all entries, in the order in which fair shares choose them."""
    entries, share, levels = available(counts, ordering.levels), FairShare(ordering), []
    entry = share.choose(entries)
    while entry is not None:
        levels.append(ordering.levels - 1 - int.from_bytes(entry.rank, "big"))
        entries.discard(entry)
        entry = share.choose(entries)
    return levels


@pytest.mark.parametrize(
    ("ordering", "counts", "levels"),
    [
        (Priority(3, fairshare=1), {2: 3, 1: 2, 0: 1}, [2, 1, 0, 2, 1, 2]),
        (Priority(3, fairshare=2), {2: 3, 1: 1, 0: 3}, [2, 2, 1, 0, 0, 2, 0]),
        (Priority(3), {2: 2, 0: 2}, [2, 2, 0, 0]),
        (Priority(3, 1, ((2, 2),)), {2: 4, 0: 2}, [2, 2, 0, 2, 2, 0]),
        (Priority(3, 1, ((2, 0),)), {2: 3, 1: 1}, [2, 2, 2, 1]),
        (Priority(2, fairshare=1), {1: 3}, [1, 1, 1]),
        (Priority(2, fairshare=1), {}, []),
    ],
    ids=["one each", "two each", "no limit", "one level has more", "one level has no limit", "alone", "none"],
)
def test_levels_take_turns_by_their_shares(
    ordering: Priority, counts: dict[int, int], levels: list[int]
) -> None:
    assert taken_levels(ordering, counts) == levels
