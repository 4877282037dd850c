"""How often prefetch defeats the order of a queue."""

from typing import final

from mypy_extensions import i64

from lastvalue.queues.entry import ACQUIRED, Entry, comes_after
from lastvalue.queues.sorted_entries import SortedEntries
from lastvalue.queues.subscription import Subscription


@final
class OvertakenCounter:
    """Counts the entries that would have been given later or not at all, had consumers held one at a time.

    An entry is overtaken when one comes that stands before it, or that replaces it, while its consumer holds
    others too. Each is counted once. Standard queues have none of it.

    Args:
        subscriptions: the queue's, by number.
        ranked: entries stand by rank.
    """

    __slots__ = ("_held", "_ranked", "_subscriptions", "count")

    def __init__(self, subscriptions: dict[int, Subscription], ranked: bool) -> None:
        self.count: i64 = 0
        self._subscriptions = subscriptions
        self._ranked = ranked
        # By rank, those that are held and were not overtaken: what comes is compared with the last one only.
        self._held = SortedEntries()

    def acquired(self, entry: Entry) -> None:
        """A consumer holds the entry."""
        if self._ranked:
            self._held.add(entry)

    def settled(self, entry: Entry) -> None:
        """Its consumer does not hold the entry any more."""
        if self._ranked:
            self._held.discard(entry)

    def arrived(self, entry: Entry, previous: Entry | None) -> None:
        """A new entry takes its place, and that of the one its key held; call it before anything changes."""
        if previous is not None and previous.state == ACQUIRED and self._is_first(previous):
            self._count(previous)
        last = self._held.last()
        while last is not None and comes_after(last, entry.rank, entry.place):
            self._held.discard(last)
            self._count(last)
            last = self._held.last()

    def _is_first(self, entry: Entry) -> bool:
        """Whether the entry was not overtaken before. Without ranks it is replaced, and so only once."""
        return not self._ranked or self._held.discard(entry)

    def _count(self, entry: Entry) -> None:
        holder = self._subscriptions.get(entry.holder)
        if holder is not None and holder.held.several:
            self.count += 1
