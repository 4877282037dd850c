"""The list of available entries, and the positions of browsers in it.

The list is linked through the entries. Each browser's next entry is always known: an entry that leaves hands
its browsers to its successor, and the browsers that are caught up share one position, which moves to the next
entry as a whole. So nothing is searched for, whatever the depth.
"""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.consumer_views import ConsumerView
from lastvalue.queues.entry import AVAILABLE, Entry, precedes
from lastvalue.queues.sorted_entries import SortedEntries
from lastvalue.queues.subscription import BrowserPosition, Subscription, scan_cost

MOST_WALKED: Final = 4000
"""How many entries one call walks over to find another: half a millisecond."""


@final
class AvailableList:
    """Available entries in the queue's order, the positions of the browsers, and the views of the consumers.

    Attributes:
        ranked: entries are ordered by rank, not by arrival alone.
        views: the entries that consumers with terms, or of groups, may take.
        placed: an index of the entries that may be out of arrival order: all if `indexed`, else those that
            were released.
    """

    __slots__ = (
        "_found_last",
        "_positions",
        "caught_up",
        "head",
        "indexed",
        "placed",
        "ranked",
        "tail",
        "views",
    )

    def __init__(self) -> None:
        self.head: Entry | None = None
        self.tail: Entry | None = None
        self.caught_up = BrowserPosition(None)
        self.ranked = False
        self.indexed = False
        self.placed = SortedEntries()
        self.views: dict[ConsumerView, None] = {}
        self._positions: dict[int, BrowserPosition] = {}
        self._found_last: Entry | None = None

    @property
    def positions(self) -> int:
        """The number of entries that are some browser's position."""
        return len(self._positions)

    def index(self) -> None:
        """Index every entry's place, because consumers will take entries from anywhere in the list."""
        if self.indexed:
            return
        self.indexed = True
        entries = []
        entry = self.tail
        while entry is not None:
            entries.append(entry)
            entry = entry.previous
        self.placed.fill(entries)

    def add_view(self, view: ConsumerView) -> None:
        """Offer a view the entries that come; `offer_more` offers it those that are here."""
        self.index()
        view.behind = self.head is not None
        self.views[view] = None

    def offer_more(self, view: ConsumerView, most: i64) -> None:
        """Offer a view the next entries that were here before it, up to this cost of `scan_cost`."""
        entry = self.placed.first_after(view.last_rank, view.last_place)
        while entry is not None and most > 0:
            view.last_rank = entry.rank
            view.last_place = entry.place
            view.offer(entry)
            most -= scan_cost(entry)
            entry = entry.next
        view.behind = entry is not None

    def remove_view(self, view: ConsumerView) -> None:
        """Stop offering entries to a view."""
        self.views.pop(view, None)

    def add(self, entry: Entry) -> BrowserPosition | None:
        """Put a new entry in its place; returns the position of the browsers that see it next."""
        last = self.tail
        if self.indexed and last is not None and precedes(entry, last):
            return self.insert(entry)
        entry.previous = last
        if last is None:
            self.head = entry
        else:
            last.next = entry
        self.tail = entry
        if self.indexed:
            self.placed.add(entry)
            for view in self.views:
                view.offer(entry)
        position = self.caught_up
        if not position.subscriptions:
            return None
        if self.ranked:
            return self._claim(entry, None)
        self._move_position(position, entry)
        self.caught_up = BrowserPosition(None)
        return position

    def unlink(self, entry: Entry) -> None:
        """Take an entry out; its browsers move to its successor."""
        before = entry.previous
        after = entry.next
        if before is None:
            self.head = after
        else:
            before.next = after
        if after is None:
            self.tail = before
        else:
            after.previous = before
        entry.previous = None
        entry.next = None
        if self.placed.runs:
            self.placed.discard(entry)
            for view in self.views:
                view.withdraw(entry)
        if self._positions:
            position = self._positions.get(entry.sequence)
            if position is not None:
                del self._positions[entry.sequence]
                self._hand_over(position, after)

    def insert(self, entry: Entry) -> BrowserPosition | None:
        """Put an entry in its place among the others; returns its position if a browser sees it next.

        Cost: a binary search in `placed`, and the browsers at the entry's successor.
        """
        before = self.placed.add(entry)
        after = self.head if before is None else before.next
        # If not all are in `placed`, only the head is ever acquired: none stands between two released ones.
        while after is not None and precedes(after, entry):
            after = after.next
        self._link(entry, after)
        return self._claim(entry, after)

    def replace(self, old: Entry, entry: Entry) -> BrowserPosition | None:
        """Put an entry in the place of another; returns the position of the browsers that see it next."""
        entry.rank = old.rank
        entry.place = old.place
        after = old.next
        self.unlink(old)
        self.placed.add(entry)
        self._link(entry, after)
        return self._claim(entry, after)

    def _link(self, entry: Entry, after: Entry | None) -> None:
        before = self.tail if after is None else after.previous
        entry.previous = before
        entry.next = after
        if before is None:
            self.head = entry
        else:
            before.next = entry
        if after is None:
            self.tail = entry
        else:
            after.previous = entry
        for view in self.views:
            view.offer(entry)

    def _claim(self, entry: Entry, after: Entry | None) -> BrowserPosition | None:
        # Browsers at the successor that have not passed the entry see it first.
        position = self.caught_up if after is None else self._positions.get(after.sequence)
        if position is None:
            return None
        not_passed = [reader for reader in position.subscriptions if not reader.has_passed(entry)]
        if not not_passed:
            return None
        for reader in not_passed:
            position.leave(reader)
            self.attach(reader, entry)
        if after is not None and not position.subscriptions:
            del self._positions[after.sequence]
        return self._positions[entry.sequence]

    def near(self, sequence: i64) -> Entry | None:
        """An entry from which the first after a sequence is found by going on; None if there is none.

        The list must be in the order of sequences. It is that entry itself, or one before it where that is
        far from the list's ends and from the one that was found last: nobody waits for the walk through a
        long list.
        Cost: a walk of MOST_WALKED entries each way at most.
        """
        head = self.head
        tail = self.tail
        if head is None or tail is None or tail.sequence <= sequence:
            return None
        known = self._found_last
        if known is None or known.state != AVAILABLE:
            known = head
        entry = known
        if tail.sequence - sequence < _apart(known.sequence, sequence):
            entry = tail
        elif _apart(head.sequence, sequence) < _apart(known.sequence, sequence):
            entry = head
        left: i64 = MOST_WALKED
        before = entry.previous
        while before is not None and before.sequence > sequence:
            if left == 0:
                # The way back is too long: who continues begins before the sequence.
                return known if known.sequence <= sequence else head
            entry = before
            before = entry.previous
            left -= 1
        self._found_last = entry
        return self.walk(entry, sequence)

    def walk(self, entry: Entry, sequence: i64) -> Entry | None:
        """Continue from an entry to the first one after a sequence, past MOST_WALKED others at most.

        None if the list ends before it.
        """
        left: i64 = MOST_WALKED
        while entry.sequence <= sequence and left > 0:
            after = entry.next
            if after is None:
                return None
            entry = after
            left -= 1
        self._found_last = entry
        return entry

    def attach(self, reader: Subscription, entry: Entry | None) -> None:
        """Set a browser's position to an entry, or to the end."""
        reader.at = None
        if entry is None:
            self.caught_up.join(reader)
            return
        position = self._positions.get(entry.sequence)
        if position is None:
            position = BrowserPosition(entry)
            self._positions[entry.sequence] = position
        position.join(reader)

    def detach(self, reader: Subscription) -> Entry | None:
        """Take a browser out of its position; returns the entry it was at."""
        position = reader.browser_position
        if position is None:
            return reader.at
        position.leave(reader)
        entry = position.entry
        if entry is not None and not position.subscriptions:
            del self._positions[entry.sequence]
        return entry

    def _move_position(self, position: BrowserPosition, entry: Entry) -> None:
        position.entry = entry
        self._positions[entry.sequence] = position

    def _hand_over(self, position: BrowserPosition, after: Entry | None) -> None:
        if after is None:
            self._merge(position, self.caught_up)
            return
        there = self._positions.get(after.sequence)
        if there is None:
            self._move_position(position, after)
        elif len(there.subscriptions) < len(position.subscriptions):
            self._merge(there, position)
            self._move_position(position, after)
        else:
            self._merge(position, there)

    def _merge(self, source: BrowserPosition, target: BrowserPosition) -> None:
        for reader in source.subscriptions:
            target.join(reader)
        source.subscriptions = []


def _apart(first: i64, second: i64) -> i64:
    return first - second if first > second else second - first
