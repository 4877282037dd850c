"""The state machine of one queue; the broker, recovery, tests and the pipeline run the same one."""

from collections.abc import Iterable
from typing import Final, assert_never, final

from mypy_extensions import i64

from lastvalue.model.message import AT_ONCE, Message, MessageFilter
from lastvalue.queues.admission import Admission
from lastvalue.queues.browsers import Browsers
from lastvalue.queues.capacity import Bounds, Capacity
from lastvalue.queues.conflator import conflator_of
from lastvalue.queues.consumers import Consumers
from lastvalue.queues.contents import Contents
from lastvalue.queues.deadlines import Lifetimes
from lastvalue.queues.due_entries import PAGE, DueEntries
from lastvalue.queues.duplicates import Duplicates
from lastvalue.queues.effects import (
    ACCEPTED,
    OVERFLOW,
    REJECTED,
    STALE,
    Cause,
    Effect,
    Identified,
    Reason,
    Reconfigured,
    reasons_with_alternate,
)
from lastvalue.queues.entry import ACQUIRED, FOREVER, REMOVED, Entry
from lastvalue.queues.entry_factory import EntryFactory
from lastvalue.queues.errors import NotAcquiredError, TooManyConsumersError
from lastvalue.queues.fast_path import FastPath
from lastvalue.queues.following import Following
from lastvalue.queues.groups import Groups
from lastvalue.queues.ids import KnownId
from lastvalue.queues.option import Touch
from lastvalue.queues.overtaken import OvertakenCounter
from lastvalue.queues.passing_entries import PassingEntries
from lastvalue.queues.ranks import FairShare
from lastvalue.queues.recovery import Recovery, present_entries
from lastvalue.queues.release_reason import release_reason
from lastvalue.queues.spec import LastValue, Placement, Priority, QueueSpec
from lastvalue.queues.spec_arguments import check_changeable
from lastvalue.queues.subscription import (
    UNBOUNDED,
    AcquiredList,
    BrowserPosition,
    Mode,
    Outcome,
    Subscriber,
    Subscription,
    Terms,
    next_number,
    wake,
)
from lastvalue.queues.touches import TOUCHES

CONSUME: Final = Mode.CONSUME


@final
class Queue:
    """One queue: its owner calls it and passes the time to every call.

    Each change leaves an effect in the outbox, which the owner drains. `published == depth + sum(removed)`
    always holds, and replaying the drained effects on a new queue of the same spec rebuilds this one.

    An entry past its deadline is never delivered, never makes an update stale and never takes the room of
    another: any call that reaches it expires it, and `advance` expires the rest.

    `selector` is the spec's filter, parsed.

    Attributes:
        spec: the declaration; `reconfigure` changes it.
        subscriptions: the readers, by number.
        delete_requested: a message exceeded the limit, and the policy asks the owner to delete the queue.
        duplicates: the ids of messages that the queue took.
        fast_path: takes and gives several messages at a time, where the declaration allows it; or None.
        passing: the entries that leave unless a consumer takes them at once.
        touches: what the declaration touches.
        unclaimed: acquired entries that belong to no reader.
    """

    __slots__ = (
        "_bounds", "_browsers", "_capacity", "_conflator", "_consumers", "_contents", "_due_entries",
        "_entry_factory", "_fair_share", "_in_place", "_keeps_browsed", "_numbers", "delete_requested",
        "duplicates", "fast_path", "passing", "spec", "subscriptions", "touches", "unclaimed",
    )  # fmt: skip

    def __init__(self, spec: QueueSpec, selector: MessageFilter | None = None) -> None:
        self.spec = spec
        self.subscriptions: dict[int, Subscription] = {}
        self.delete_requested = False
        self._contents = Contents()
        self.duplicates = Duplicates(self._contents)
        self._consumers = Consumers(self._contents.available_list, spec.readers, spec.paused)
        self._browsers = Browsers(self._contents)
        self.passing = PassingEntries(self._contents, self._browsers)
        self._due_entries = DueEntries(self._contents, self._browsers, self._consumers, self.passing)
        self._fair_share: FairShare | None = None
        self._in_place = self._keeps_browsed = False
        self._numbers: i64 = 0
        self.unclaimed = AcquiredList()
        self._entry_factory = EntryFactory(spec, selector)
        self._conflator = conflator_of(spec)
        self.fast_path: FastPath | None = None
        self._arrange()
        self._adopt(spec, selector)

    def _arrange(self) -> None:
        """Set up what never changes in a queue's life: its order and its groups."""
        available_list = self._contents.available_list
        ordering = self.spec.ordering
        if isinstance(ordering, LastValue):
            if ordering.interval_ms > 0:
                self._contents.open_intervals = {}
            self._in_place = ordering.placement is not Placement.TAIL
            self._keeps_browsed = ordering.placement is Placement.IN_PLACE
            if self._in_place:
                self._browsers.protect(marks=self._keeps_browsed)
        if isinstance(ordering, Priority) and (ordering.fairshare or ordering.fairshare_by_level):
            self._fair_share = FairShare(ordering)
        available_list.ranked = self._entry_factory.ranking.ranked
        if available_list.ranked or self._in_place:
            available_list.index()
        # With fair shares no order is promised, so nothing can be overtaken.
        if (available_list.ranked and self._fair_share is None) or isinstance(ordering, LastValue):
            self._contents.overtaken_counter = OvertakenCounter(self.subscriptions, available_list.ranked)
        if self.spec.grouping is not None:
            self._contents.groups = Groups(self.spec.grouping)
            self._consumers.group()

    def _adopt(self, spec: QueueSpec, selector: MessageFilter | None) -> None:
        """Apply the parts of a spec that may change in a queue's life."""
        contents = self._contents
        self.spec = spec
        self.touches = TOUCHES.of(spec)
        self._entry_factory = EntryFactory(spec, selector)
        self._browsers.paused = spec.paused
        self.duplicates.adopt(spec.duplicate_window)
        contents.watch(reasons_with_alternate(spec))
        if spec.tombstone_ms > 0 or contents.tombstones is not None:
            contents.keep_tombstones(spec.tombstone_ms)
        contents.trace_links = spec.trace_links
        self._consumers.configure(spec.readers, spec.paused)
        self.passing.keeps_nothing = spec.limit.nothing
        contents.lifetimes = Lifetimes(spec.expiry) if spec.expiry.removes_aged else None
        self._bounds = Bounds(spec, contents)
        self._capacity = self._bounds.capacity
        self.fast_path = None
        if Touch.ALONE not in self.touches:
            self.fast_path = FastPath(
                spec, contents, self._consumers, self._browsers, self._bounds, self._entry_factory
            )

    # ------------------------------------------------------------------ producing

    def enqueue(self, message: Message, now: i64) -> bool:  # noqa: C901, PLR0912 - hot: few calls
        """Take a message, or return False and refuse it because the queue is full.

        The key's previous entry leaves at once, even if a consumer holds it; a legacy last-value queue keeps
        an entry that was acquired or browsed. A message whose key holds a newer order value is taken and
        leaves at once as stale. If the message cannot be read, its error passes and the queue is unchanged.

        Raises:
            DelayRefusedError: the message asks for a later delivery and the declaration refuses delays.
            ConflationValueError: the policy of the queue cannot use a value of the message.
        """
        if self._browsers.active_cursor is not None:
            self._browsers.park_cursor()
        contents = self._contents
        if contents.held_back > 0:
            self._due_entries.show(now, self._capacity)
        entry = self._entry_factory.entry(message, contents.sequence + 1, now)
        if entry is None:
            self._entry_factory.dismiss(message, contents, now)
            return True
        key = entry.key
        previous: Entry | None = None
        contents.counts.keyless += 1 if key is None else 0
        if key is not None and entry.not_before_ms == AT_ONCE:
            previous = contents.current.get(key)
            if previous is not None:
                if previous.lifetime_ms != FOREVER and previous.expires_ms <= now:
                    previous = contents.value_of(key, now)
                if (
                    previous is not None
                    and entry.order is not previous.order
                    and contents.counts.is_older(entry.order, previous.order)
                ):
                    contents.dismiss(entry, STALE, previous)
                    return True
        if self._conflator is not None and key is not None:
            previous = self._conflator.conflate(entry, previous, contents)
        capacity = self._capacity
        if capacity is not None and not capacity.has_room(entry, previous, contents, now):
            return self._overflow(capacity, entry)
        if contents.groups is not None:
            contents.groups.join(entry, self._entry_factory.group)
        if entry.not_before_ms != AT_ONCE:
            contents.hold_back(entry, previous)
        else:
            self._add(entry, previous)
        if capacity is not None or self._bounds.flow is not None:
            self._bounds.apply(entry, now)
        self.passing.note(entry, now)
        return True

    def refuse(self, message: Message) -> None:
        """Count a message that the owner did not enqueue because the queue has no room for it."""
        self._contents.refuse(message)

    def _add(self, entry: Entry, previous: Entry | None) -> None:
        contents = self._contents
        if contents.overtaken_counter is not None:
            contents.overtaken_counter.arrived(entry, previous)
        beside = False
        if previous is None or not self._in_place:
            position = contents.add(entry, previous)
        elif previous.state == ACQUIRED or (self._keeps_browsed and previous.browsed):
            position = contents.add_beside(entry, previous)
            beside = True
        else:
            position = contents.replace(previous, entry)
        if entry.key is not None:
            contents.recent.note(entry, None if beside else previous)
        if position is not None or self._consumers.waits or contents.available_list.ranked:
            self._announce(entry, position)

    def _announce(self, entry: Entry, position: BrowserPosition | None) -> None:
        """Wake the readers that may get the entry, also the browsers that have passed its place."""
        if position is not None:
            wake(position.subscriptions)
        if self._contents.available_list.ranked:
            self._browsers.tell(entry)
        if self._consumers.waits:
            self._consumers.wake()

    def _overflow(self, capacity: Capacity, entry: Entry) -> bool:
        """Refuse a message that does not fit, or request the deletion of the queue."""
        if capacity.deletes:
            self.delete_requested = True
            self._contents.dismiss(entry, OVERFLOW)
            return True
        self._contents.refuse(entry.message)
        return False

    # ------------------------------------------------------------------ reading

    def subscribe(self, mode: Mode, subscriber: Subscriber, terms: Terms, now: i64) -> Subscription:
        """Add a reader; a browser starts at the head, or at the end if its terms say `only_new`.

        On a queue with non-destructive readers a consumer becomes a browser.

        Raises:
            TooManyConsumersError: the queue has `max_consumers` consumers already.
        """
        self._browsers.park_cursor()
        readers = self.spec.readers
        contents = self._contents
        if mode is CONSUME and readers.non_destructive:
            mode = Mode.BROWSE
        if mode is CONSUME and 0 < readers.most <= self._consumers.number:
            raise TooManyConsumersError(
                f"queue {self.spec.name!r} has {readers.most} consumers, which is its max_consumers"
            )
        self._numbers = next_number(self._numbers, self.subscriptions)
        subscription = Subscription(self._numbers, mode, subscriber, terms.from_sequence(contents.sequence))
        self.subscriptions[subscription.number] = subscription
        if mode is CONSUME:
            self._consumers.join(subscription, now)
            if self.spec.grouping is not None:
                contents.rebalance(self.spec.grouping)
            self._consumers.wake()
            return subscription
        self._browsers.join(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription, now: i64) -> None:
        """Remove a reader: the entries it holds are available again in their places, its groups are free."""
        self._browsers.park_cursor()
        if self.subscriptions.get(subscription.number) is None:
            return
        del self.subscriptions[subscription.number]
        if subscription.mode is not CONSUME:
            self._browsers.leave(subscription)
            return
        self._release_held(subscription.held, 0, now)
        if self._contents.groups is not None:
            self._contents.free_groups(self._contents.groups.owned_by(subscription.number))
        self._consumers.leave(subscription)
        self._consumers.wake()

    def next(self, subscription: Subscription, now: i64) -> Entry | None:
        """The reader's next entry, which a consumer acquires and a browser only sees.

        After None the reader waits for `Subscriber.wake` before it asks again.
        """
        contents = self._contents
        subscription.scans_on = False
        if contents.held_back > 0 and contents.waiting.next() <= now:
            self._browsers.park_cursor()
            self._due_entries.show(now, self._capacity)
        if subscription.mode is CONSUME:
            return self._acquire_next(subscription, now)
        return self._browsers.next(subscription, now)

    def _acquire_next(self, subscription: Subscription, now: i64) -> Entry | None:
        if self._browsers.active_cursor is not None:
            self._browsers.park_cursor()
        contents = self._contents
        consumers = self._consumers
        if (contents.rebalances and contents.pauses) or not consumers.serves(subscription, now):
            consumers.wait(subscription)
            return None
        entry = self._first(subscription, now)
        if entry is not None and entry.lifetime_ms != FOREVER and entry.expires_ms <= now:
            entry = self._first_unexpired(subscription, now)
        if entry is None:
            if not subscription.scans_on:
                consumers.wait(subscription)
            return None
        group = entry.group
        if group is None:
            subscription.opened_group = False
            contents.hold(entry, subscription.held, subscription.number)
            return entry
        subscription.opened_group = group.owner != subscription.number
        contents.hold(entry, subscription.held, subscription.number)
        if contents.groups is not None and contents.groups.closes(entry.message):
            contents.free_group(group)
            consumers.wake()
        return entry

    def _first(self, subscription: Subscription, now: i64) -> Entry | None:
        if self._fair_share is None or self._consumers.chooses(subscription):
            return self._consumers.first(subscription)
        if self._contents.expire(now, PAGE):
            subscription.scans_on = True
            return None
        return self._fair_share.choose(self._contents.available_list.placed)

    def _first_unexpired(self, subscription: Subscription, now: i64) -> Entry | None:
        """The reader's next entry after those that have expired, which leave, at most a page of them."""
        entry = self._first(subscription, now)
        left: i64 = PAGE
        while entry is not None and entry.expires_ms <= now:
            if left == 0:
                subscription.scans_on = True
                return None
            left -= 1
            self._contents.remove_due(entry)
            entry = self._first(subscription, now)
        return entry

    def settle(self, entry: Entry, outcome: Outcome, now: i64) -> None:
        """End a delivery: the entry leaves, or is available again in its place.

        An entry that has left meanwhile (replaced, purged) stays removed, whatever the outcome. A released
        entry leaves instead if its deadline has passed (expired), if its key has a newer value (replaced) or
        if it has failed as often as the queue allows (dead letter).

        Raises:
            NotAcquiredError: the entry is not acquired.
        """
        if self._browsers.active_cursor is not None:
            self._browsers.park_cursor()
        if entry.state == REMOVED:
            return
        if entry.state != ACQUIRED:
            raise NotAcquiredError(entry.sequence)
        if outcome is Outcome.ACCEPTED:
            self._contents.remove(entry, ACCEPTED)
        elif outcome is Outcome.REJECTED:
            self._contents.remove(entry, REJECTED)
        elif outcome is Outcome.RELEASED or outcome is Outcome.MODIFIED_FAILED:
            self._release(entry, 1 if outcome is Outcome.MODIFIED_FAILED else 0, now)
            if self._capacity is not None:
                self._capacity.drop_overflow(self._contents, now)
        else:
            assert_never(outcome)
        if self._contents.groups is not None:
            # The group of the entry may be free now.
            self._consumers.wake()

    def _release(self, entry: Entry, failed: i64, now: i64) -> None:
        contents = self._contents
        reason = release_reason(entry, failed, now, contents, self.spec)
        if reason is not None:
            contents.remove(entry, reason)
            return
        position = contents.put_back(entry, entry.delivery_count + failed)
        if position is not None:
            wake(position.subscriptions)
        if self._consumers.waits:
            self._consumers.wake()

    def exclude(self, entry: Entry) -> None:
        """Never deliver an acquired entry to its consumer again; call it before the release."""
        consumer = self.subscriptions.get(entry.holder)
        if entry.state == ACQUIRED and consumer is not None:
            self._consumers.exclude(consumer, entry)
            if entry.group is not None and entry.group.held == 1:
                self._contents.free_group(entry.group)

    def amend(self, entry: Entry, message: Message) -> None:
        """Replace an acquired entry's message, unless that changes its key, order, rank or group."""
        if entry.state == ACQUIRED and self._entry_factory.reads_alike(entry, message):
            self._contents.amend(entry, message)

    def keep(self, entry: Entry) -> None:
        """Keep an acquired entry acquired after its reader ends: a transaction will settle it."""
        self._contents.keep(entry, self.unclaimed)

    @property
    def admission(self) -> Admission:
        """A check whether the queue would take all of several messages."""
        self._browsers.park_cursor()
        return Admission(self._entry_factory, self._capacity, self._contents, self._in_place, self._conflator)

    def _release_held(self, held: AcquiredList, failed: i64, now: i64) -> None:
        for entry in held.entries():
            self._release(entry, failed, now)
        if self._capacity is not None:
            self._capacity.drop_overflow(self._contents, now)

    # ------------------------------------------------------------------ time and administration

    def advance(self, now: i64, most: i64 = UNBOUNDED) -> None:
        """Expire the entries that are due, and make held back entries available in time; at most this many.

        An acquired entry stays until its delivery ends. Where more are due, `next_deadline` stays past.
        """
        self._browsers.park_cursor()
        self._contents.expire(now, most)
        if self._contents.held_back > 0 and not self._contents.follows:
            self._due_entries.advance(now, self._capacity, most)
        if self._consumers.opens_at() <= now and self._consumers.dispatches(now):
            self._consumers.wake()

    def show_early(self, entry: Entry, now: i64) -> bool:
        """Make a held back entry available before its time; false where it is not held back."""
        self._browsers.park_cursor()
        return self._due_entries.show_early(entry, now, self._capacity)

    def reconfigure(self, spec: QueueSpec, now: i64, selector: MessageFilter | None = None) -> None:
        """Change the declaration; the entries' deadlines become those of the new one.

        An entry that would not expire under the new declaration keeps its deadline, unless that is its age.

        Raises:
            InvalidSpecError: an option differs that a queue has for life (`check_changeable`).
        """
        check_changeable(self.spec, spec)
        self._browsers.park_cursor()
        self._contents.note(Reconfigured(spec, self._redeclare(spec, selector)))
        if not self._contents.follows:
            self.advance(now)
        self._consumers.wake()
        self._browsers.wake()

    def _redeclare(self, spec: QueueSpec, selector: MessageFilter | None) -> list[Entry]:
        """Apply a spec; returns the entries that have lost their deadlines."""
        endless: list[Entry] = []
        if self.spec.expiry != spec.expiry and not self._contents.follows:
            endless = self._contents.reschedule(self.entries(), Lifetimes(spec.expiry))
        self._adopt(spec, selector)
        return endless

    def next_deadline(self) -> i64:
        """When `advance` is next due, in milliseconds since the epoch, or NEVER."""
        return min(self._contents.next_deadline(), self._consumers.opens_at())

    @property
    def blocked(self) -> bool:
        """Whether flow control stops the producers."""
        flow = self._bounds.flow
        return flow is not None and flow.watch(self._contents)

    def remove(self, entries: Iterable[Entry], reason: Reason, cause: Cause = None) -> int:
        """Remove entries that no consumer holds as PURGED or MOVED, or any as KEY_DELETED; their number."""
        self._browsers.park_cursor()
        removed = self._contents.take_out(entries, reason, cause)
        if self._contents.rebalances:
            self._consumers.wake()
        return removed

    def purge(self, most: i64 = UNBOUNDED, reason: Reason = Reason.PURGED, cause: Cause = None) -> i64:
        """Remove entries that no consumer holds, the first ones if there are more; returns their number."""
        self._browsers.park_cursor()
        return self._contents.clear(reason, most, cause)

    def delete(self) -> None:
        """Remove every entry, acquired ones too, because the queue is being deleted."""
        self._browsers.park_cursor()
        self._contents.clear(Reason.DELETED, UNBOUNDED)
        for entry in self.entries():
            self._contents.remove(entry, Reason.DELETED)

    def take_removals(self) -> list[tuple[Entry, Reason]]:
        """The entries that left for the alternate since the last call; the owner routes them there."""
        return self._contents.take_removals()

    # ------------------------------------------------------------------ effects and recovery

    def drain(self) -> list[Effect]:
        """The effects since the last call, oldest first."""
        return self.duplicates.drain()

    def remake(self, message: Message, sequence: i64, arrival_ms: i64) -> Entry:
        """An entry for `restore`; its caller sets deadline, updates, delivery count and state."""
        return self._entry_factory.remake(message, sequence, arrival_ms)

    def restore(self, entries: Iterable[Entry], sequence: i64 = 0, ids: Iterable[KnownId] = ()) -> None:
        """Put stored entries on an empty queue.

        Entries are copied, and each one counts as published. Per key only the newest stays. Acquired entries
        stay acquired without a holder until `release_all`. `ids` come oldest first, `sequence` is the last.
        """
        recovery = Recovery(self._contents, self.unclaimed, not self._in_place)
        for entry in entries:
            recovery.restore(entry)
        recovery.end(sequence)
        self.duplicates.restore(ids)
        self._contents.drain()

    def replay(self, effects: Iterable[Effect]) -> None:
        """Apply another queue's effects to an empty or restored queue; entries are put as in `restore`."""
        recovery = Recovery(self._contents, self.unclaimed, not self._in_place)
        for effect in effects:
            if isinstance(effect, Reconfigured):
                # Entries that expired because of it have effects of their own.
                self._redeclare(effect.spec, None)
            elif isinstance(effect, Identified):
                self.duplicates.restore([effect.known])
            else:
                recovery.replay(effect)
        self._contents.drain()
        self._contents.take_removals()

    def follow(self) -> Following:
        """Change this queue only as its records say from now on, while another process decides."""
        return Following(self._contents, self._browsers, self.unclaimed, self._in_place, self._keeps_browsed)

    def release_all(self, now: i64) -> None:
        """Release the entries that were acquired when the effects ended, each as a failed delivery."""
        self._release_held(self.unclaimed, 1, now)

    # ------------------------------------------------------------------ inspection

    @property
    def depth(self) -> i64:
        """The number of entries present, acquired ones included."""
        return self._contents.depth

    @property
    def available(self) -> i64:
        """The number of available entries, including expired ones that no call has reached yet."""
        return self._contents.available

    @property
    def depth_bytes(self) -> i64:
        """The encoded size of the entries present, in bytes."""
        return self._contents.depth_bytes

    @property
    def sequence(self) -> i64:
        """The last sequence that the queue assigned."""
        return self._contents.sequence

    @property
    def published(self) -> i64:
        """The number of messages taken."""
        return self._contents.published

    @property
    def refused(self) -> i64:
        """The number of messages refused."""
        return self._contents.refused

    @property
    def overtaken(self) -> i64:
        """The number of entries that were overtaken while their consumer held others too."""
        overtaken_counter = self._contents.overtaken_counter
        return 0 if overtaken_counter is None else overtaken_counter.count

    def removed(self, reason: Reason) -> int:
        """The number of entries that left for this reason."""
        return self._contents.removed(reason)

    @property
    def contents(self) -> Contents:
        """The entries, indexes and counts; only this package changes them."""
        return self._contents

    def entries(self) -> list[Entry]:
        """The entries present, acquired ones included, by sequence. For inspection: it walks the queue."""
        holders = [subscription.held for subscription in self.subscriptions.values()]
        return present_entries(self._contents, [*holders, self.unclaimed])
