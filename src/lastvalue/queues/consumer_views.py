"""The entries that a consumer with a filter or of groups may take."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.entry import FIRST, REMOVED, Entry, Group, comes_after, precedes
from lastvalue.queues.sorted_entries import SortedEntries
from lastvalue.queues.subscription import Terms

SWEEP_SIZE: Final = 64


@final
class ConsumerView:
    """The available entries that consumers with the same terms may take.

    A group's first entry is among the free ones while the group has no owner, else among its owner's; an
    entry without a group is free. So a consumer's next entry is the earlier of two first ones, whatever the
    depth, and no group hides another.

    Attributes:
        behind: entries after the last place, which were there before the view, were not offered yet.
        last_rank, last_place: the place up to which entries were offered.
    """

    __slots__ = (
        "_by_group", "_excluded", "_free", "_owned", "_size_after_sweep", "behind", "last_place", "last_rank",
        "terms",
    )  # fmt: skip

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.behind = False
        self.last_rank: bytes = FIRST
        self.last_place: i64 = 0
        self._free = SortedEntries()
        self._owned: dict[int, SortedEntries] = {}
        self._by_group: dict[str, SortedEntries] = {}
        self._excluded: dict[int, Entry] = {}
        self._size_after_sweep: i64 = 0

    def exclude(self, entry: Entry) -> None:
        """Never offer this entry again; it must not be available now."""
        self._excluded[entry.sequence] = entry
        if len(self._excluded) > 2 * self._size_after_sweep + SWEEP_SIZE:
            self._excluded = {one.sequence: one for one in self._excluded.values() if one.state != REMOVED}
            self._size_after_sweep = len(self._excluded)

    def offer(self, entry: Entry) -> None:
        """Add an entry that became available, if the terms admit it and it is not offered later."""
        if self.behind and comes_after(entry, self.last_rank, self.last_place):
            return
        if not self.terms.admits(entry) or (self._excluded and entry.sequence in self._excluded):
            return
        group = entry.group
        if group is None:
            self._free.add(entry)
            return
        group_entries = self._by_group.get(group.name)
        if group_entries is None:
            group_entries = SortedEntries()
            self._by_group[group.name] = group_entries
        first = group_entries.first()
        group_entries.add(entry)
        if first is None or precedes(entry, first):
            heads = self._heads(group.owner)
            if first is not None:
                heads.discard(first)
            heads.add(entry)

    def withdraw(self, entry: Entry) -> None:
        """Remove an entry that is no longer available."""
        group = entry.group
        if group is None:
            self._free.discard(entry)
            return
        group_entries = self._by_group.get(group.name)
        if group_entries is None:
            return
        was_first = group_entries.first() is entry
        if not group_entries.discard(entry) or not was_first:
            return
        heads = self._heads(group.owner)
        heads.discard(entry)
        first = group_entries.first()
        if first is None:
            del self._by_group[group.name]
        else:
            heads.add(first)

    def change_owner(self, group: Group, owner: i64) -> None:
        """Move a group's first entry to the heads of its new owner; call it before `group.owner` changes."""
        group_entries = self._by_group.get(group.name)
        first = None if group_entries is None else group_entries.first()
        if first is not None:
            self._heads(group.owner).discard(first)
            self._heads(owner).add(first)

    def first(self, number: i64) -> Entry | None:
        """The next entry for the consumer of this number."""
        free = self._free.first()
        heads = self._owned.get(number)
        own = None if heads is None else heads.first()
        if own is None:
            return free
        return own if free is None or precedes(own, free) else free

    def forget(self, number: i64) -> None:
        """Drop the heads of a consumer that left; its groups must be free already."""
        self._owned.pop(number, None)

    def _heads(self, owner: i64) -> SortedEntries:
        if owner == 0:
            return self._free
        heads = self._owned.get(owner)
        if heads is None:
            heads = SortedEntries()
            self._owned[owner] = heads
        return heads
