"""What stands on one queue, and what is counted of it."""

from collections.abc import Iterable
from typing import final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.available_list import AvailableList
from lastvalue.queues.counts import Counts
from lastvalue.queues.deadlines import Deadlines, Lifetimes
from lastvalue.queues.effects import (
    EXPIRED,
    REPLACED,
    Acquired,
    Added,
    Amended,
    Dismissed,
    Due,
    Effect,
    Reason,
    Refused,
    Released,
    Removed,
    Scheduled,
    Superseded,
)
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, REMOVED, Entry, Group
from lastvalue.queues.groups import Groups
from lastvalue.queues.overtaken import OvertakenCounter
from lastvalue.queues.subscription import AcquiredList, BrowserPosition, unlink_acquired


@final
class Contents:
    """The list, the keys, the groups, the deadlines and the counts, changed together.

    Each method is one change, and the only place that counts it and leaves its effect in the outbox. So
    `published == depth + sum of removed` after each.

    Attributes:
        current: the entry that each key holds, acquired or not.
        groups: None where messages have none.
        advanced_ms: up to when deadlines were looked at; what has passed stays passed.
        overtaken_counter: None where nothing is overtaken.
        waiting: the entries that are held back, by when they are due; `held_back` is their number.
        depth: entries present; `available` those of them that stand in the list.
        depth_bytes: encoded size of what is present; `held_bytes` of what is acquired.
        sequence: the last sequence given.
        highest_removed: the highest sequence that left, unless a newer value replaced it; 0 for none.
        published, refused: messages taken, messages not taken; `counts` has what else is counted.
    """

    __slots__ = (
        "_outbox",
        "_removals",
        "_removed",
        "_replaced",
        "_watched",
        "advanced_ms",
        "available",
        "available_list",
        "counts",
        "current",
        "deadlines",
        "depth",
        "depth_bytes",
        "groups",
        "held_back",
        "held_bytes",
        "highest_removed",
        "overtaken_counter",
        "published",
        "refused",
        "sequence",
        "waiting",
    )

    def __init__(self) -> None:
        self.available_list = AvailableList()
        self.current: dict[bytes, Entry] = {}
        self.groups: Groups | None = None
        self.overtaken_counter: OvertakenCounter | None = None
        self.deadlines = Deadlines()
        self.advanced_ms: i64 = 0
        self.waiting = Deadlines(True)
        self.depth: i64 = 0
        self.available: i64 = 0
        self.depth_bytes: i64 = 0
        self.held_back: i64 = 0
        self.held_bytes: i64 = 0
        self.sequence: i64 = 0
        self.highest_removed: i64 = 0
        self.published: i64 = 0
        self.refused: i64 = 0
        self.counts = Counts()
        self._outbox: list[Effect] = []
        self._removals: list[tuple[Entry, Reason]] = []
        self._watched: frozenset[Reason] = frozenset()
        self._removed = [0] * len(Reason)
        self._replaced: i64 = 0

    def drain(self) -> list[Effect]:
        """The effects since the last call, oldest first."""
        effects = self._outbox
        self._outbox = []
        return effects

    def watch(self, reasons: frozenset[Reason]) -> None:
        """Note, from now on, which entries leave for these reasons; not for REPLACED and STALE."""
        self._watched = reasons

    def expire(self, now: i64) -> None:
        """Remove what is due; an acquired entry stays until its delivery ends."""
        self.advanced_ms = max(self.advanced_ms, now)
        entry = self.deadlines.due(now)
        while entry is not None:
            if entry.state != ACQUIRED:
                self.remove(entry, EXPIRED)
            entry = self.deadlines.due(now)

    def take_out(self, entries: Iterable[Entry], reason: Reason) -> int:
        """Remove those of these entries that no consumer holds; the number removed."""
        count = 0
        for entry in entries:
            if entry.state not in (ACQUIRED, REMOVED):
                self.remove(entry, reason)
                count += 1
        return count

    def clear(self, reason: Reason) -> int:
        """Remove every entry that no consumer holds; the number removed."""
        count = 0
        entry = self.available_list.head
        while entry is not None:
            self.remove(entry, reason)
            count += 1
            entry = self.available_list.head
        return count + self.take_out(self.waiting.entries(), reason)

    def value_of(self, key: bytes, now: i64) -> Entry | None:
        """What a key holds; one that has expired leaves, unless a consumer holds it."""
        entry = self.current.get(key)
        if entry is not None and entry.expires_ms <= now and entry.state != ACQUIRED:
            self.remove(entry, EXPIRED)
            return None
        return entry

    def take_removals(self) -> list[tuple[Entry, Reason]]:
        """The entries that left for a watched reason since the last call, oldest first."""
        removals = self._removals
        self._removals = []
        return removals

    def removed(self, reason: Reason) -> int:
        """How many entries left for this reason."""
        return self._replaced if reason is REPLACED else self._removed[reason]

    def note(self, effect: Effect) -> None:
        """Leave an effect in the outbox that changes nothing here."""
        self._outbox.append(effect)

    def reschedule(self, entries: list[Entry], lifetimes: Lifetimes) -> None:
        """Give these entries, which are all, the deadlines of other lifetimes."""
        self.deadlines = Deadlines()
        for entry in entries:
            expires_ms = lifetimes.deadline(entry.message, entry.arrival_ms)
            if expires_ms != NEVER:
                entry.expires_ms = expires_ms
            if entry.expires_ms != NEVER:
                self.deadlines.add(entry, entry.expires_ms)

    def refuse(self, message: Message) -> None:
        """Count a message that is not taken."""
        self.refused += 1
        self._outbox.append(Refused(message))

    def add(self, entry: Entry, previous: Entry | None) -> BrowserPosition | None:
        """Put a new entry in its place, for the one its key held; the browsers that have it to see."""
        self._count(entry)
        self._outbox.append(Added(entry))
        self.depth += 1
        self.depth_bytes += len(entry.message.encoded)
        if entry.expires_ms != NEVER:
            self.deadlines.add(entry, entry.expires_ms)
        self.available += 1
        if entry.key is not None:
            self._take_key(entry, previous)
        return self.available_list.add(entry)

    def add_beside(self, entry: Entry, previous: Entry) -> BrowserPosition | None:
        """Put a new entry in its place beside the one its key held, which stays and is that no more."""
        previous.superseded = True
        position = self.add(entry, None)
        self._outbox.append(Superseded(previous))
        return position

    def hold_back(self, entry: Entry) -> None:
        """Take an entry that may not be delivered yet."""
        self._count(entry)
        self._outbox.append(Scheduled(entry))
        entry.state = HELD_BACK
        self.available_list.index()
        self.depth += 1
        self.held_back += 1
        self.depth_bytes += len(entry.message.encoded)
        if entry.expires_ms != NEVER:
            self.deadlines.add(entry, entry.expires_ms)
        self.waiting.add(entry, entry.not_before_ms)

    def show_due(self, entry: Entry, previous: Entry | None) -> BrowserPosition | None:
        """Make an entry available that was held back, for the one its key held."""
        entry.state = AVAILABLE
        self.held_back -= 1
        self.waiting.forget()
        self._outbox.append(Due(entry))
        self.available += 1
        if entry.key is not None:
            self._take_key(entry, previous)
        return self.available_list.add(entry)

    def _take_key(self, entry: Entry, previous: Entry | None) -> None:
        """Let an entry be its key's value, for the one that was."""
        key = entry.key
        if previous is not None:
            # The key of the entry that leaves serves on: one object a key, however many updates.
            key = previous.key
            entry.key = key
            entry.updates += previous.updates
            self.remove(previous, REPLACED)
        if key is not None:
            self.current[key] = entry

    def replace(self, old: Entry, entry: Entry) -> BrowserPosition | None:
        """Put a new entry in the place of the available one that its key held."""
        position = self.available_list.replace(old, entry)
        # Two never have one place: in the effects, too, the old one leaves first.
        self._take_out(old, REPLACED)
        self._count(entry)
        self._outbox.append(Added(entry))
        self.depth += 1
        self.available += 1
        self.depth_bytes += len(entry.message.encoded)
        if entry.expires_ms != NEVER:
            self.deadlines.add(entry, entry.expires_ms)
        key = old.key
        entry.key = key
        entry.updates += old.updates
        if key is not None:
            self.current[key] = entry
        return position

    def dismiss(self, entry: Entry, reason: Reason) -> None:
        """Take an entry that is not wanted: it has a sequence and leaves before anybody sees it."""
        self._count(entry)
        entry.state = REMOVED
        self._removed[reason] += 1
        self.counts.remove(entry.message)
        self._outbox.append(Dismissed(entry, reason))

    def _count(self, entry: Entry) -> None:
        self.sequence = entry.sequence
        self.published += 1
        self.counts.add(entry.message)

    def hold(self, entry: Entry, held: AcquiredList, holder: i64) -> None:
        """Move an available entry from the list to its consumer."""
        self.available_list.unlink(entry)
        held.add(entry)
        entry.state = ACQUIRED
        entry.holder = holder
        self.available -= 1
        self.held_bytes += len(entry.message.encoded)
        group = entry.group
        if group is not None:
            group.held += 1
            if group.owner != holder:
                self._change_owner(group, holder)
        if self.overtaken_counter is not None:
            self.overtaken_counter.acquired(entry)
        self.counts.acquired += 1
        self._outbox.append(Acquired(entry, holder))

    def keep(self, entry: Entry, held: AcquiredList) -> None:
        """Move an acquired entry to somebody who is no consumer, for when its consumer goes.

        A shared group stays closed to others for as long as the entry is held.
        """
        unlink_acquired(entry)
        held.add(entry)
        group = entry.group
        if group is not None and self.groups is not None and self.groups.shared and group.owner > 0:
            self._change_owner(group, -group.owner)
        entry.holder = 0

    def put_back(self, entry: Entry, delivery_count: i64) -> BrowserPosition | None:
        """Move an acquired entry back to its place; the position of the browsers that see it next."""
        self._let_go(entry)
        entry.state = AVAILABLE
        entry.holder = 0
        entry.delivery_count = delivery_count
        self.available += 1
        self.held_bytes -= len(entry.message.encoded)
        self.counts.released += 1
        self._outbox.append(Released(entry, delivery_count))
        position = self.available_list.insert(entry)
        group = entry.group
        if group is not None:
            self._unhold(group)
        return position

    def amend(self, entry: Entry, message: Message) -> None:
        """Give an acquired entry another message."""
        size_bytes: i64 = len(entry.message.encoded)
        more: i64 = len(message.encoded) - size_bytes
        self.counts.amend(entry.message, message)
        entry.message = message
        self.depth_bytes += more
        self.held_bytes += more
        self._outbox.append(Amended(entry, size_bytes))

    def remove(self, entry: Entry, reason: Reason) -> None:
        """Take an entry out, whatever its state."""
        if entry.state == AVAILABLE:
            self.available_list.unlink(entry)
        elif entry.state == ACQUIRED:
            self._let_go(entry)
        self._take_out(entry, reason)

    def _let_go(self, entry: Entry) -> None:
        """No consumer holds the entry any more."""
        unlink_acquired(entry)
        if self.overtaken_counter is not None:
            self.overtaken_counter.settled(entry)

    def _take_out(self, entry: Entry, reason: Reason) -> None:
        """Count an entry out that stands nowhere any more."""
        size_bytes: i64 = len(entry.message.encoded)
        if entry.state == AVAILABLE:
            self.available -= 1
        elif entry.state == ACQUIRED:
            entry.holder = 0
            self.held_bytes -= size_bytes
            if entry.group is not None:
                self._unhold(entry.group)
        else:
            self.held_back -= 1
            self.waiting.forget()
        entry.state = REMOVED
        self.depth -= 1
        self.depth_bytes -= size_bytes
        if entry.expires_ms != NEVER:
            self.deadlines.forget()
        if self.groups is not None:
            self.groups.leave(entry)
        self.counts.remove(entry.message)
        self._outbox.append(Removed(entry, reason))
        if reason is REPLACED:
            self._replaced += 1  # hot: counting by an enum's index costs as much as the unlinking
            return
        self.highest_removed = max(self.highest_removed, entry.sequence)
        self._removed[reason] += 1
        if self._watched and reason in self._watched:
            self._removals.append((entry, reason))
        key = entry.key
        if key is not None and self.current.get(key) is entry:
            del self.current[key]

    # ------------------------------------------------------------------ groups

    def free_groups(self, groups: list[Group]) -> None:
        """Let groups be anybody's again."""
        for group in groups:
            self.free_group(group)

    def free_group(self, group: Group) -> None:
        """Let a group be anybody's again."""
        if group.owner != 0:
            self._change_owner(group, 0)
            if self.groups is not None:
                self.groups.forget_idle(group)

    def _change_owner(self, group: Group, owner: i64) -> None:
        for view in self.available_list.views:
            view.change_owner(group, owner)
        group.owner = owner

    def _unhold(self, group: Group) -> None:
        group.held -= 1
        if group.held == 0 and self.groups is not None and self.groups.shared:
            self.free_group(group)
