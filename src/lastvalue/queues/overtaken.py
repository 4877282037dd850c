"""How often prefetch defeats the order of a queue."""

from typing import final

from mypy_extensions import i64

from lastvalue.queues.entry import ACQUIRED, Entry, comes_after
from lastvalue.queues.sorted_entries import SortedEntries
from lastvalue.queues.subscription import Subscription


@final
class OvertakenCounter:
    """Counts entries that consumers would have got later or not at all, had each held one entry at a time.

    An entry is overtaken when a new one stands before it or replaces it while its consumer holds others too.
    Each is counted once. On standard queues this cannot happen.

    Args:
        subscriptions: the queue's subscriptions, by number.
        ranked: entries are ordered by rank.
    """

    __slots__ = ("_held", "_ranked", "_subscriptions", "count")

    def __init__(self, subscriptions: dict[int, Subscription], ranked: bool) -> None:
        self.count: i64 = 0
        self._subscriptions = subscriptions
        self._ranked = ranked
        # Acquired entries not yet overtaken, by rank: a new entry is compared with the last one only.
        self._held = SortedEntries()

    def acquired(self, entry: Entry) -> None:
        """Record that a consumer acquired the entry."""
        if self._ranked:
            self._held.add(entry)

    def settled(self, entry: Entry) -> None:
        """Record that the entry's delivery ended."""
        if self._ranked:
            self._held.discard(entry)

    def arrived(self, entry: Entry, previous: Entry | None) -> None:
        """Count what a new entry overtakes; call it before the entry is added and `previous` removed."""
        if previous is not None and previous.state == ACQUIRED and self._is_first(previous):
            self._count(previous)
        last = self._held.last()
        while last is not None and comes_after(last, entry.rank, entry.place):
            self._held.discard(last)
            self._count(last)
            last = self._held.last()

    def _is_first(self, entry: Entry) -> bool:
        """Whether the entry was not overtaken before; without ranks always, as it is replaced only once."""
        return not self._ranked or self._held.discard(entry)

    def _count(self, entry: Entry) -> None:
        holder = self._subscriptions.get(entry.holder)
        if holder is not None and holder.held.several:
            self.count += 1
