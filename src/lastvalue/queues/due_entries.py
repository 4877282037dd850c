"""Held back entries that become available when their delivery time has come, or earlier."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.browsers import Browsers
from lastvalue.queues.capacity import Capacity
from lastvalue.queues.consumers import Consumers
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import OVERFLOW, STALE
from lastvalue.queues.entry import HELD_BACK, Entry
from lastvalue.queues.order_values import is_older
from lastvalue.queues.passing_entries import PassingEntries
from lastvalue.queues.subscription import wake

PAGE: Final = 1000
"""How many entries one call shows or expires."""


@final
class DueEntries:
    """Shows the entries of one queue that are due, and wakes the readers that may get them."""

    __slots__ = ("_browsers", "_consumers", "_contents", "_lagging_ms", "_passing")

    def __init__(
        self, contents: Contents, browsers: Browsers, consumers: Consumers, passing: PassingEntries
    ) -> None:
        self._contents = contents
        self._browsers = browsers
        self._consumers = consumers
        self._passing = passing
        self._lagging_ms: i64 = -1

    def show(self, now: i64, capacity: Capacity | None) -> None:
        """Show a page of the entries that are due; a call at the same time shows no more of them."""
        if self._lagging_ms != now:
            self.advance(now, capacity, PAGE)

    def advance(self, now: i64, capacity: Capacity | None, most: i64) -> None:
        """Show entries that are due, at most this many; each replaces its key's value, even a later one."""
        waiting = self._contents.waiting
        left: i64 = most
        entry = waiting.due(now)
        while entry is not None:
            self._show(entry, now, capacity)
            left -= 1
            entry = waiting.due(now) if left != 0 else None
        self._lagging_ms = now if left == 0 else -1
        if capacity is not None:
            capacity.drop_overflow(self._contents, now)

    def show_early(self, entry: Entry, now: i64, capacity: Capacity | None) -> bool:
        """Show an entry before it is due; false where it is not held back."""
        if entry.state != HELD_BACK:
            return False
        self._show(entry, now, capacity)
        if capacity is not None:
            capacity.drop_overflow(self._contents, now)
        return True

    def _show(self, entry: Entry, now: i64, capacity: Capacity | None) -> None:
        contents = self._contents
        key = entry.key
        previous = None if key is None else contents.value_of(key, now)
        if entry.expires_ms <= now:
            contents.remove_due(entry)
            return
        if previous is not None and is_older(entry.order, previous.order):
            contents.remove(entry, STALE, previous)
            return
        if capacity is not None and previous is None and not capacity.takes_key(entry, contents):
            contents.remove(entry, OVERFLOW)
            return
        if contents.overtaken_counter is not None:
            contents.overtaken_counter.arrived(entry, previous)
        position = contents.show_due(entry, previous)
        if capacity is not None:
            capacity.note(entry)
        if position is not None:
            wake(position.subscriptions)
        self._browsers.tell(entry)
        self._consumers.wake()
        self._passing.note(entry, now)
