"""Rebuilds what stood on a queue: from entries that were kept, and from the effects that came after."""

from collections.abc import Iterable
from typing import assert_never, final

from mypy_extensions import i64

from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import STALE, Acquired, Added, Effect, Refused, Released, Removed
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.orderings import is_older
from lastvalue.queues.subscription import Held


@final
class Recovery:
    """Writes history into contents that nobody reads yet.

    Entries are copied, so that two queues never share one. What consumers held is kept in `unclaimed`.
    """

    __slots__ = ("_contents", "_present", "unclaimed")

    def __init__(self, contents: Contents, unclaimed: Held) -> None:
        self._contents = contents
        self.unclaimed = unclaimed
        self._present = {entry.sequence: entry for entry in present(contents, [unclaimed])}

    def restore(self, entry: Entry) -> None:
        """Put back an entry that was kept; of those with one key the newest stays."""
        copy = _copy(entry)
        copy.delivery_count = entry.delivery_count
        current = self._current(copy)
        if _is_stale(copy, current):
            self._contents.pass_by(copy)
        else:
            self._contents.add(copy, current)
            if entry.state == ACQUIRED:
                self._contents.hold(copy, self.unclaimed, entry.holder)

    def replay(self, effect: Effect) -> None:
        """Do again what an effect says was done."""
        contents = self._contents
        if isinstance(effect, Added):
            self._add(_copy(effect.entry))
        elif isinstance(effect, Removed):
            # A stale entry never stood here: adding it was all.
            if effect.reason is not STALE:
                contents.remove(self._present.pop(effect.entry.sequence), effect.reason)
        elif isinstance(effect, Acquired):
            contents.hold(self._present[effect.entry.sequence], self.unclaimed, effect.holder)
        elif isinstance(effect, Released):
            contents.put_back(self._present[effect.entry.sequence], effect.delivery_count)
        elif isinstance(effect, Refused):
            contents.refuse(effect.message)
        else:
            assert_never(effect)

    def _add(self, entry: Entry) -> None:
        if _is_stale(entry, self._current(entry)):
            self._contents.pass_by(entry)
            return
        # Without the one it replaced: that leaves by an effect of its own, and its updates are counted in.
        self._contents.add(entry, None)
        self._present[entry.sequence] = entry

    def _current(self, entry: Entry) -> Entry | None:
        return None if entry.key is None else self._contents.current.get(entry.key)


def _is_stale(entry: Entry, current: Entry | None) -> bool:
    """Whether an entry comes after a newer value of its key."""
    return current is not None and is_older(entry.order, current.order)


def present(contents: Contents, holders: Iterable[Held]) -> list[Entry]:
    """Every entry present, acquired ones included, by sequence; it walks the queue."""
    found = [entry for held in holders for entry in held.entries()]
    entry = contents.line.head
    while entry is not None:
        found.append(entry)
        entry = entry.next
    return sorted(found, key=_sequence)


def _sequence(entry: Entry) -> i64:
    return entry.sequence


def _copy(entry: Entry) -> Entry:
    copy = Entry(entry.sequence, entry.message, entry.arrival_ms, entry.expires_ms, entry.updates)
    copy.key = entry.key
    copy.order = entry.order
    return copy
