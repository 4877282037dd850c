"""Rebuilds a queue's contents from stored entries and the effects that followed."""

from collections.abc import Iterable
from typing import Final, assert_never, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import (
    OVERFLOW,
    REPLACED,
    STALE,
    Acquired,
    Added,
    Amended,
    Dismissed,
    Due,
    Effect,
    EpochBegan,
    Identified,
    Reconfigured,
    Refused,
    Released,
    Removed,
    Scheduled,
    Superseded,
    TakenRun,
    Tombstoned,
    Updated,
)
from lastvalue.queues.entry import ACQUIRED, HELD_BACK, Entry
from lastvalue.queues.order_values import is_older
from lastvalue.queues.subscription import AcquiredList

NOBODY: Final = 0


@final
class Recovery:
    """Fills contents that have no readers yet.

    Entries are copied, so that two queues never share one. Acquired entries go to `unclaimed` without a
    holder, because this queue will use the subscription numbers again. So no group has an owner.
    """

    __slots__ = ("_conflates", "_contents", "_only_kept", "_present", "unclaimed")

    def __init__(self, contents: Contents, unclaimed: AcquiredList, conflates: bool) -> None:
        self._conflates = conflates
        self._contents = contents
        self.unclaimed = unclaimed
        self._present = {entry.sequence: entry for entry in present_entries(contents, [unclaimed])}
        self._only_kept = not self._present

    def restore(self, entry: Entry) -> None:
        """Put back a stored entry; the newest of a key becomes the key's value."""
        copy = _copy(entry)
        copy.delivery_count = entry.delivery_count
        if self._only_kept:
            # All entries before the first stored one have left, but for those that are kept.
            self._contents.highest_removed = copy.sequence - 1
            self._only_kept = copy.is_kept
        if copy.is_kept:
            copy.expires_ms = NEVER
        if entry.state == HELD_BACK:
            self._join(copy)
            self._contents.hold_back(copy)
        else:
            current = self._current(copy)
            if current is not None and is_older(copy.order, current.order):
                self._contents.dismiss(copy, STALE)
                return
            self._join(copy)
            self._add(copy, current)
            if entry.state == ACQUIRED:
                self._contents.hold(copy, self.unclaimed, NOBODY)
        self._present[copy.sequence] = copy

    def _add(self, copy: Entry, current: Entry | None) -> None:
        contents = self._contents
        before = None if copy.key is None else contents.current.get(copy.key)
        contents.add(copy, current)
        if copy.superseded and copy.key is not None:
            # It is on the queue, but not its key's value.
            if before is None:
                contents.current.remove(copy.key)
            else:
                contents.current.put(before)

    def end(self, sequence: i64) -> None:
        """Finish after the last stored entry; the queue's last sequence may be higher than its own."""
        contents = self._contents
        contents.sequence = max(contents.sequence, sequence)
        if self._only_kept:
            contents.highest_removed = contents.sequence

    def _current(self, entry: Entry) -> Entry | None:
        return self._contents.current.get(entry.key) if self._conflates and entry.key is not None else None

    def replay(self, effect: Effect) -> None:  # noqa: C901, PLR0912 - one kind after the other
        """Apply an effect; Reconfigured and Identified are ignored.

        Raises:
            TypeError: the other queue's effects are for its journal alone.
        """
        contents = self._contents
        if isinstance(effect, Added):
            # None as previous, here and below: the updates of what was replaced are included already.
            contents.add(self._keep(effect.entry), None)
        elif isinstance(effect, Updated):
            contents.add(self._keep(effect.entry), None)
            contents.remove(self._present.pop(effect.previous.sequence), REPLACED)
        elif isinstance(effect, Removed):
            contents.remove(self._present.pop(effect.entry.sequence), effect.reason)
        elif isinstance(effect, Acquired):
            contents.hold(self._present[effect.entry.sequence], self.unclaimed, NOBODY)
        elif isinstance(effect, Released):
            contents.put_back(self._present[effect.entry.sequence], effect.delivery_count)
        elif isinstance(effect, Amended):
            contents.amend(self._present[effect.entry.sequence], effect.entry.message)
        elif isinstance(effect, Dismissed):
            contents.dismiss(_copy(effect.entry), effect.reason)
        elif isinstance(effect, Scheduled):
            contents.hold_back(self._keep(effect.entry))
        elif isinstance(effect, Due):
            contents.show_due(self._present[effect.entry.sequence], None)
        elif isinstance(effect, Superseded):
            entry = self._present[effect.entry.sequence]
            if entry.key is None:
                contents.keep_dropped(entry, OVERFLOW)
            else:
                entry.superseded = True
        elif isinstance(effect, Refused):
            contents.refuse(effect.message)
        elif isinstance(effect, (Tombstoned, EpochBegan)):
            self._remember(effect)
        elif isinstance(effect, TakenRun):
            raise TypeError("a queue whose effects are replayed notes each message by itself")
        elif not isinstance(effect, (Reconfigured, Identified)):
            assert_never(effect)

    def _remember(self, effect: Tombstoned | EpochBegan) -> None:
        """Apply what no other effect implies: that tombstones are forgotten, and epochs."""
        tombstones = self._contents.tombstones
        if tombstones is None:
            return
        if isinstance(effect, EpochBegan):
            tombstones.epochs.append(effect)
        elif effect.forgotten > tombstones.forgotten:
            tombstones.forget([each for each in tombstones.all() if each.number <= effect.forgotten])

    def _keep(self, entry: Entry) -> Entry:
        copy = _copy(entry)
        self._join(copy)
        self._present[copy.sequence] = copy
        return copy

    def _join(self, copy: Entry) -> None:
        groups = self._contents.groups
        if groups is not None:
            groups.join(copy, groups.names.name_of(copy.message))


def present_entries(contents: Contents, holders: Iterable[AcquiredList]) -> list[Entry]:
    """Every entry present, acquired and held back ones included, by sequence; it walks the queue."""
    entries = [entry for held in holders for entry in held.entries()]
    entries += contents.waiting.entries()
    entry = contents.available_list.head
    while entry is not None:
        entries.append(entry)
        entry = entry.next
    return sorted(entries, key=_sequence)


def _sequence(entry: Entry) -> i64:
    return entry.sequence


def _copy(entry: Entry) -> Entry:
    copy = Entry(entry.sequence, entry.example, entry.arrival_ms, entry.expires_ms, entry.updates)
    entry.share(copy)
    copy.replaced_traces = entry.replaced_traces
    if entry.order_place is None:
        copy.order = entry.order
    copy.rank = entry.rank
    copy.place = entry.place
    copy.not_before_ms = entry.not_before_ms
    copy.browsed = entry.browsed
    copy.superseded = entry.superseded
    copy.stored = entry.stored
    return copy
