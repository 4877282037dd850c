"""The entries of one queue, and their counts."""

from collections.abc import Iterable
from typing import Final, final

from mypy_extensions import i32, i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.available_list import AvailableList
from lastvalue.queues.backlog_share import BacklogShare
from lastvalue.queues.counts import Counts
from lastvalue.queues.deadlines import Deadlines, Lifetimes
from lastvalue.queues.effects import (
    ACCEPTED,
    AGED,
    EXPIRED,
    KEY_DELETED,
    REPLACED,
    Acquired,
    Added,
    Amended,
    Cause,
    Dismissed,
    Due,
    Effect,
    Reason,
    Refused,
    Released,
    Removed,
    Scheduled,
    Superseded,
    TakenRun,
    Updated,
)
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, FOREVER, HELD_BACK, REMOVED, Entry, Group
from lastvalue.queues.groups import Groups
from lastvalue.queues.keeper import Keeper
from lastvalue.queues.key_table import KeyTable
from lastvalue.queues.overtaken import OvertakenCounter
from lastvalue.queues.recent_replacements import RecentReplacements
from lastvalue.queues.spec import Grouping
from lastvalue.queues.subscription import UNBOUNDED, AcquiredList, BrowserPosition, unlink_acquired
from lastvalue.queues.tombstones import Tombstones
from lastvalue.queues.trace_links import replaced_traces

_NO_EFFECTS: Final[list[Effect]] = []
_NO_REASONS: Final[frozenset[Reason]] = frozenset()


@final
class Contents:
    """The available list, keys, groups, deadlines and counts of a queue, which change together.

    Each method is one change; it alone counts that change and leaves its effect in the outbox. So
    `published == depth + sum(removed)` after each call.

    Attributes:
        current: the entry that each key holds, acquired or not.
        open_intervals: the held back value of each key whose interval is not over; None without intervals.
        groups, lifetimes: None if the queue has no groups, or its values may have any age.
        advanced_ms: the latest time at which deadlines were checked; the clock may be set back later.
        overtaken_counter: None if entries of this queue cannot be overtaken.
        waiting: the held back entries, by due time; `held_back` is their number.
        tombstones: the keys that lost their values; None while nobody asks.
        keeper: keeps what is to stay of the entries that are dropped; None if nothing is.
        share: the part in the backlog of its user; None if it has none.
        follows: another process decides what leaves and when (`Following`), so no entry has a deadline.
        trace_links: of how many entries that an entry replaced the trace contexts are kept.
        depth: the number of entries present; `available` is the number in the list.
        depth_bytes: the encoded size of the entries present; `held_bytes` of the acquired ones.
        sequence: the last one assigned; `highest_removed` that left other than by replacement, or 0.
        published, refused: the numbers of messages taken and not taken; `counts` has further counts.
        replaced: how many entries a newer value of their key has replaced; `recent` has which, of the newest.
        rebalances: groups are assigned again once nothing is held; see `pauses`.
        notes_all: each change has an effect; else coming, replacing, acquiring and accepting have none.
        notes_runs: the journal alone reads the effects, so messages that come share one: see TakenRun.
    """

    __slots__ = (
        "_accepted", "_outbox", "_removals", "_removed", "_watched", "_watches", "advanced_ms", "available",
        "available_list", "counts", "current", "deadlines", "depth", "depth_bytes", "follows", "groups",
        "held_back", "held_bytes", "highest_removed", "keeper", "lifetimes", "notes_all", "notes_runs",
        "open_intervals", "overtaken_counter", "published", "rebalances", "recent", "refused", "replaced",
        "sequence", "share", "tombstones", "trace_links", "waiting",
    )  # fmt: skip

    def __init__(self) -> None:
        self.available_list = AvailableList()
        self.current = KeyTable()
        self.groups: Groups | None = None
        self.overtaken_counter: OvertakenCounter | None = None
        self.deadlines = Deadlines()
        self.lifetimes: Lifetimes | None = None
        self.open_intervals: dict[bytes, Entry] | None = None
        self.advanced_ms: i64 = 0
        self.keeper: Keeper | None = None
        self.share: BacklogShare | None = None
        self.waiting = Deadlines(True)
        self.tombstones: Tombstones | None = None
        self.trace_links: i64 = 0
        self.depth: i64 = 0
        self.available: i64 = 0
        self.depth_bytes: i64 = 0
        self.held_back: i64 = 0
        self.rebalances = self.notes_runs = self.follows = False
        self.notes_all = True
        self.held_bytes: i64 = 0
        self.sequence: i64 = 0
        self.highest_removed: i64 = 0
        self.published: i64 = 0
        self.refused: i64 = 0
        self.counts = Counts()
        self._outbox: list[Effect] = []
        self._removals: list[tuple[Entry, Reason]] = []
        self._watched = _NO_REASONS
        self._watches = False
        self._removed = [0] * len(Reason)
        # Counted apart, because to count by an enum's index costs as much as the unlinking.
        self.replaced: i64 = 0
        self.recent = RecentReplacements()
        self._accepted: i64 = 0

    def drain(self) -> list[Effect]:
        """The effects since the last call, oldest first; not to be changed."""
        effects = self._outbox
        if len(effects) == 0:
            return _NO_EFFECTS
        self._outbox = []
        if self.tombstones is not None:
            self.tombstones.write_to(self._outbox)
        return effects

    def noted_after(self, count: i64) -> list[Effect]:
        """The effects that wait for `drain`, without the first ones."""
        return self._outbox[count:]

    def keep_tombstones(self, keep_ms: i64) -> Tombstones:
        """Keep tombstones from now on, for so long; 0 is the default."""
        tombstones = self.tombstones
        if tombstones is None:
            tombstones = self.tombstones = Tombstones(self._outbox)
        tombstones.configure(keep_ms)
        return tombstones

    def next_deadline(self) -> i64:
        """When something expires, is due or is forgotten."""
        soonest = min(self.deadlines.next(), self.waiting.next())
        tombstones = self._ageing_tombstones()
        return soonest if tombstones is None else min(soonest, tombstones.next_deadline())

    def watch(self, reasons: frozenset[Reason]) -> None:
        """Record from now on which entries leave for these reasons; never for REPLACED and STALE."""
        self._watched = reasons
        self._watches = bool(reasons)

    def expire(self, now: i64, most: i64 = UNBOUNDED) -> bool:
        """Remove the entries that are due, at most this many; whether there may be more.

        An acquired one stays until its delivery ends.
        """
        self.advanced_ms = max(self.advanced_ms, now)
        tombstones = self._ageing_tombstones()
        if tombstones is not None:
            tombstones.advance(now)
        left: i64 = most
        while left != 0:
            entry = self.deadlines.due(now)
            if entry is None:
                return False
            left -= 1
            if entry.state != ACQUIRED:
                self.remove_due(entry)
        return True

    def _ageing_tombstones(self) -> Tombstones | None:
        """The tombstones, unless records tell which are too old: a follower's lasting ones."""
        tombstones = self.tombstones
        return None if tombstones is None or (self.follows and tombstones.lasting) else tombstones

    def remove_due(self, entry: Entry) -> None:
        """Remove an entry whose deadline has passed."""
        self.drop(entry, self.due_reason(entry))

    def drop(self, entry: Entry, reason: Reason, cause: Cause = None) -> None:
        """Remove an entry that was there for long enough, or keep it beyond that: its keeper decides."""
        if self.keeper is None:
            self.remove(entry, reason, cause)
        else:
            self.keeper.drop(entry, reason)

    def keep_dropped(self, entry: Entry, reason: Reason) -> None:
        """Let an entry stay that was dropped for this reason; it has no deadline any more."""
        entry.superseded = True
        if self._watches and reason in self._watched:
            self._removals.append((entry, reason))
        if entry.lifetime_ms != FOREVER:
            entry.expires_ms = NEVER
            self.deadlines.forget()
        self._outbox.append(Superseded(entry))

    def due_reason(self, entry: Entry) -> Reason:
        """Why an entry leaves whose deadline has passed: it has expired, or its key's value has aged."""
        lifetimes = self.lifetimes
        return AGED if lifetimes is not None and lifetimes.is_aged(entry) else EXPIRED

    def take_out(self, entries: Iterable[Entry], reason: Reason, cause: Cause = None) -> int:
        """Remove the given entries that no consumer holds; returns their number.

        Where their key is deleted they leave even if one does, as if a newer value had come.
        """
        count = 0
        for entry in entries:
            if entry.state != REMOVED and (entry.state != ACQUIRED or reason is KEY_DELETED):
                self.remove(entry, reason, cause)
                count += 1
        return count

    @property
    def pauses(self) -> bool:
        """Whether nobody gets an entry until what is held is settled."""
        if self.rebalances and self.depth == self.available + self.held_back:
            self.rebalances = False
        return self.rebalances

    @property
    def purgeable(self) -> i64:
        """The number of entries that no consumer holds."""
        return self.available + self.held_back

    def clear(self, reason: Reason, most: i64, cause: Cause = None) -> i64:
        """Remove entries that no consumer holds, at most this many; returns their number.

        The available ones leave first, in the queue's order.
        """
        count: i64 = 0
        entry = self.available_list.head
        while entry is not None and count != most:
            self.remove(entry, reason, cause)
            count += 1
            entry = self.available_list.head
        while self.held_back > 0 and count != most:
            entry = self.waiting.due(NEVER)
            if entry is None:
                break
            self.remove(entry, reason, cause)
            count += 1
        return count

    def value_of(self, key: bytes, now: i64) -> Entry | None:
        """The entry that a key holds; an expired one is removed first, unless a consumer holds it."""
        entry = self.current.get(key)
        if entry is not None and entry.expires_ms <= now and entry.state != ACQUIRED:
            self.remove_due(entry)
            return None
        return entry

    def values_of(self, key: bytes) -> list[Entry]:
        """The entries that a key holds: its value, and that of its open interval."""
        held = (self.current.get(key), None if self.open_intervals is None else self.open_intervals.get(key))
        return [entry for entry in held if entry is not None]

    def take_removals(self) -> list[tuple[Entry, Reason]]:
        """The entries that left for a watched reason since the last call, oldest first."""
        removals = self._removals
        self._removals = []
        return removals

    def removed(self, reason: Reason) -> int:
        """The number of entries that left for this reason."""
        if reason is REPLACED:
            return self.replaced
        return self._accepted if reason is ACCEPTED else self._removed[reason]

    def note(self, effect: Effect) -> None:
        """Add an effect to the outbox that changes nothing here."""
        self._outbox.append(effect)

    def note_taken(self, entry: Entry, previous: Entry | None) -> None:
        """Note that a message was taken, and replaced the previous value of its key."""
        if not self.notes_all:
            return
        if previous is not None:
            self._outbox.append(Updated(entry, previous))
        elif self.notes_runs:
            self.taken_run().entries.append(entry)
        else:
            self._outbox.append(Added(entry))

    def taken_run(self) -> TakenRun:
        """The last effect; a new one unless it is a run of messages that were taken."""
        if len(self._outbox) > 0:
            last = self._outbox[-1]
            if isinstance(last, TakenRun):
                return last
        run = TakenRun()
        self._outbox.append(run)
        return run

    def reschedule(self, entries: list[Entry], lifetimes: Lifetimes) -> list[Entry]:
        """Recompute the deadlines of these entries, which must be all of the queue.

        One that has none now keeps its own, unless that was the age at which values leave. Returns those that
        have lost theirs.
        """
        self.deadlines = Deadlines()
        endless: list[Entry] = []
        before = self.lifetimes
        for entry in entries:
            if entry.is_kept:
                continue
            expires_ms = lifetimes.leaves_ms(entry, lifetimes.deadline(entry.message, entry.arrival_ms))
            if expires_ms != NEVER:
                entry.expires_ms = expires_ms
            elif before is not None and before.is_aged(entry):
                entry.expires_ms = before.deadline(entry.message, entry.arrival_ms)
                if entry.expires_ms == NEVER:
                    endless.append(entry)
            if entry.expires_ms != NEVER:
                self.deadlines.add(entry)
        return endless

    def refuse(self, message: Message) -> None:
        """Count a refused message."""
        self.refused += 1
        self._outbox.append(Refused(message))

    def add(self, entry: Entry, previous: Entry | None) -> BrowserPosition | None:
        """Put a new entry in its place and remove its key's previous one.

        Returns the position of the browsers that see the new entry next.
        """
        self._count(entry)
        self.note_taken(entry, previous)
        self.depth += 1
        self.depth_bytes += len(entry.encoded)
        if entry.lifetime_ms != FOREVER:
            self.deadlines.add(entry)
        self.available += 1
        if entry.key is not None:
            self._take_key(entry, previous)
        return self.available_list.add(entry)

    def add_beside(self, entry: Entry, previous: Entry) -> BrowserPosition | None:
        """Put a new entry in its place; its key's previous entry stays, superseded."""
        previous.superseded = True
        position = self.add(entry, None)
        self._outbox.append(Superseded(previous, entry))
        return position

    def hold_back(self, entry: Entry, previous: Entry | None = None) -> None:
        """Add an entry that is held back until its delivery time, and remove the one that it replaces."""
        self._count(entry)
        self._outbox.append(Scheduled(entry))
        entry.state = HELD_BACK
        self.available_list.index()
        self.depth += 1
        self.held_back += 1
        self.depth_bytes += len(entry.encoded)
        if entry.lifetime_ms != FOREVER:
            self.deadlines.add(entry)
        self.waiting.add(entry)
        if previous is not None:
            entry.key = previous.key
            entry.add_updates(previous)
            if self.trace_links > 0:
                entry.replaced_traces = replaced_traces(entry.message, previous, self.trace_links)
            self.remove(previous, REPLACED, entry)
        if self.open_intervals is not None and entry.key is not None:
            self.open_intervals[entry.key] = entry

    def _close_interval(self, entry: Entry) -> None:
        """Forget that an interval is open whose value is held back no more."""
        open_intervals = self.open_intervals
        if open_intervals is not None and entry.key is not None and open_intervals.get(entry.key) is entry:
            del open_intervals[entry.key]

    def show_due(self, entry: Entry, previous: Entry | None) -> BrowserPosition | None:
        """Make a held back entry available and remove its key's previous one."""
        entry.state = AVAILABLE
        self.held_back -= 1
        self.waiting.forget()
        self._close_interval(entry)
        self._outbox.append(Due(entry))
        if previous is not None and self.notes_all:
            self._outbox.append(Removed(previous, REPLACED, entry))
        self.available += 1
        if entry.key is not None:
            self._take_key(entry, previous)
        return self.available_list.add(entry)

    def _take_key(self, entry: Entry, previous: Entry | None) -> None:
        """Make an entry its key's value and remove the previous one, whose effect is noted already."""
        key = entry.key
        if previous is not None:
            entry.add_updates(previous)
            if self.trace_links > 0:
                entry.replaced_traces = replaced_traces(entry.message, previous, self.trace_links)
            self._unlink(previous)
            self._leave(previous, REPLACED)
        if key is not None:
            if previous is None and key not in self.current:
                self.counts.keys_created += 1
            self.current.put(entry)
            if previous is None and self.tombstones is not None:
                self.tombstones.discard(key)

    def replace(self, old: Entry, entry: Entry) -> BrowserPosition | None:
        """Put a new entry in the place of its key's previous one, which is available."""
        position = self.available_list.replace(old, entry)
        # Two entries never share a place: in the effects, too, the old one leaves first.
        self._take_out(old, REPLACED, entry)
        self._count(entry)
        self.note_taken(entry, None)
        self.depth += 1
        self.available += 1
        self.depth_bytes += len(entry.encoded)
        if entry.lifetime_ms != FOREVER:
            self.deadlines.add(entry)
        entry.add_updates(old)
        if self.trace_links > 0:
            entry.replaced_traces = replaced_traces(entry.message, old, self.trace_links)
        if entry.key is not None:
            self.current.put(entry)
        return position

    def dismiss(self, entry: Entry, reason: Reason, newer: Entry | None = None, first: i64 = 0) -> None:
        """Count an entry as taken and removed at once: it uses a sequence, and no reader sees it."""
        self._count(entry)
        entry.state = REMOVED
        self._count_removed(reason)
        self.counts.remove(1, entry.size_bytes, entry.example.durable)
        self._outbox.append(Dismissed(entry, reason, newer, first))

    def _count(self, entry: Entry) -> None:
        self.sequence = entry.sequence
        self.published += 1
        self.counts.add(1, entry.size_bytes, entry.example.durable)

    def hold(self, entry: Entry, held: AcquiredList, holder: i64) -> None:
        """Move an available entry from the list to its consumer."""
        self.available_list.unlink(entry)
        held.add(entry)
        entry.state = ACQUIRED
        entry.holder = i32(holder)
        self.available -= 1
        self.held_bytes += len(entry.encoded)
        if self.groups is not None:
            group = entry.group
            if group is not None:
                group.held += 1
                if group.owner != holder:
                    self._change_owner(group, holder)
        if self.overtaken_counter is not None:
            self.overtaken_counter.acquired(entry)
        self.counts.acquired += 1
        if self.notes_all:
            self._outbox.append(Acquired(entry, holder))

    def keep(self, entry: Entry, held: AcquiredList) -> None:
        """Move an acquired entry to a list that belongs to no consumer, before its consumer leaves.

        A shared group stays closed to other consumers while the entry is held.
        """
        unlink_acquired(entry)
        held.add(entry)
        group = entry.group
        if group is not None and self.groups is not None and self.groups.shared and group.owner > 0:
            self._change_owner(group, -group.owner)
        entry.holder = 0

    def put_back(self, entry: Entry, delivery_count: i64) -> BrowserPosition | None:
        """Move an acquired entry back to its place; returns the position of the browsers that see it next."""
        self._let_go(entry)
        entry.state = AVAILABLE
        entry.holder = 0
        entry.delivery_count = delivery_count
        self.available += 1
        self.held_bytes -= len(entry.encoded)
        self.counts.released += 1
        self._outbox.append(Released(entry, delivery_count))
        position = self.available_list.insert(entry)
        group = entry.group
        if group is not None:
            self._unhold(group)
        return position

    def amend(self, entry: Entry, message: Message) -> None:
        """Replace the message of an acquired entry."""
        more: i64 = len(message.encoded) - len(entry.encoded)
        amended = Amended(entry, message)
        self.counts.amend(entry.message, message)
        entry.message = message
        self.depth_bytes += more
        self.held_bytes += more
        self._outbox.append(amended)

    def remove(self, entry: Entry, reason: Reason, cause: Cause = None) -> None:
        """Remove an entry in any state; see Removed about the cause."""
        self._unlink(entry)
        self._take_out(entry, reason, cause)

    def _unlink(self, entry: Entry) -> None:
        """Take an entry out of the list that it is in."""
        if entry.state == AVAILABLE:
            self.available_list.unlink(entry)
        elif entry.state == ACQUIRED:
            self._let_go(entry)

    def _let_go(self, entry: Entry) -> None:
        """Take an acquired entry from its consumer."""
        unlink_acquired(entry)
        if self.overtaken_counter is not None:
            self.overtaken_counter.settled(entry)

    def _take_out(self, entry: Entry, reason: Reason, cause: Cause) -> None:
        """Note and count the removal of an entry that is unlinked already."""
        if self.notes_all or (reason is not ACCEPTED and reason is not REPLACED):
            self._outbox.append(Removed(entry, reason, cause))
        if entry.superseded and self.keeper is not None:
            self.keeper.left(entry)
        self._leave(entry, reason)

    def _leave(self, entry: Entry, reason: Reason) -> None:
        """Count the removal of an entry that is unlinked and whose effect is noted."""
        size_bytes: i64 = len(entry.encoded)
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
            self._close_interval(entry)
        entry.state = REMOVED
        self.depth -= 1
        self.depth_bytes -= size_bytes
        if entry.lifetime_ms != FOREVER:
            self.deadlines.forget()
        if self.groups is not None:
            self.groups.leave(entry)
            surplus = self.groups.surplus()
            while surplus is not None:
                self.free_group(surplus)
                surplus = self.groups.surplus()
        self.counts.remove(1, entry.size_bytes, entry.example.durable)
        if reason is REPLACED:
            self.replaced += 1
            return
        self.highest_removed = max(self.highest_removed, entry.sequence)
        self._count_removed(reason)
        # What is kept was reported when it was dropped.
        if self._watches and reason in self._watched and not entry.is_kept:
            self._removals.append((entry, reason))
        if entry.key is not None:
            self._lose_value(entry, entry.key, reason)

    def _count_removed(self, reason: Reason) -> None:
        if reason is ACCEPTED:
            self._accepted += 1
        else:
            self._removed[reason] += 1

    def _lose_value(self, entry: Entry, key: bytes, reason: Reason) -> None:
        if self.current.get(key) is entry:
            self.current.remove(key)
            if self.tombstones is not None:
                self.tombstones.note(key, reason, self.sequence)

    # ------------------------------------------------------------------ groups

    def rebalance(self, grouping: Grouping) -> None:
        """A consumer has come: have all groups assigned again, where they are declared so."""
        if grouping.rebalance and self.groups is not None:
            self.free_groups(self.groups.all())
            self.rebalances = grouping.rebalance_pauses

    def free_groups(self, groups: list[Group]) -> None:
        """Take groups from their consumers."""
        for group in groups:
            self.free_group(group)

    def free_group(self, group: Group) -> None:
        """Take a group from its consumer; any consumer may get it next."""
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
