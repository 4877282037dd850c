"""The rank of a message: bytes that compare in the order of the queue."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import Message, PropertyName
from lastvalue.queues.entry import FIRST, Entry
from lastvalue.queues.sorted_entries import SortedEntries
from lastvalue.queues.spec import LastValue, Ordering, Priority, Sorted

_NEUTRAL: Final = 5
"""Priorities below it map to the lower half of the levels."""


def level_of(priority: i64, levels: i64) -> i64:
    """The level of a priority of 0 to 255; 0 is the lowest level.

    [Qpid C++, Broker-J] The default of 4 is in the middle; priorities beyond the levels join the ends.
    """
    level = priority - (_NEUTRAL - (levels + 1) // 2)
    return min(max(level, 0), levels - 1)


@final
class Ranking:
    """Computes ranks; `ranked` is false if messages are ordered by arrival alone."""

    __slots__ = ("_levels", "_ranks", "_sort_key", "ranked")

    def __init__(self, ordering: Ordering) -> None:
        self._levels: i64 = 0
        self._sort_key: PropertyName | None = None
        if isinstance(ordering, Priority | LastValue):
            self._levels = ordering.levels
        elif isinstance(ordering, Sorted):
            self._sort_key = PropertyName(ordering.key)
        self._ranks = [rank_of_level(level, self._levels) for level in range(self._levels)]
        self.ranked = self._levels > 0 or self._sort_key is not None

    def rank(self, message: Message) -> bytes:
        """The message's rank; errors from reading its property pass."""
        if self._sort_key is not None:
            text = message.text(self._sort_key)
            # Code units compare like their big-endian bytes; the prefix puts a missing text first.
            return FIRST if text is None else b"\x01" + text.encode("utf-16-be", "surrogatepass")
        if self._levels > 0:
            return self._ranks[level_of(message.priority, self._levels)]
        return FIRST


def rank_of_level(level: int, levels: int) -> bytes:
    """The rank of a level: higher levels come first."""
    return (levels - 1 - level).to_bytes(2, "big")


@final
class FairShare:
    """Alternates between priority levels: some messages from one, then from the next lower one."""

    __slots__ = ("_count", "_level", "_levels", "_ranks", "_shares")

    def __init__(self, ordering: Priority) -> None:
        self._levels: i64 = ordering.levels
        self._ranks = [rank_of_level(level, ordering.levels) for level in range(ordering.levels)]
        own = dict(ordering.fairshare_by_level)
        self._shares = [own.get(level, ordering.fairshare) for level in range(ordering.levels)]
        self._level: i64 = ordering.levels - 1
        self._count: i64 = 0

    def choose(self, available: SortedEntries) -> Entry | None:
        """The next entry in turn, counted against its level's share."""
        level = self._level
        share: i64 = self._shares[level]
        if share > 0 and self._count >= share:
            level = self._below(level)
        entry = self._first_from(available, level)
        if entry is None:
            # This level and those below are empty: begin again at the top.
            entry = self._first_from(available, self._levels - 1)
            if entry is None:
                return None
        entry_level: i64 = self._levels - 1 - int.from_bytes(entry.rank, "big")
        if entry_level == self._level and not (share > 0 and self._count >= share):
            self._count += 1
        else:
            self._level = entry_level
            self._count = 1
        return entry

    def _below(self, level: i64) -> i64:
        return self._levels - 1 if level == 0 else level - 1

    def _first_from(self, available: SortedEntries, level: i64) -> Entry | None:
        return available.first_from(self._ranks[level])
