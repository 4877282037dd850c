"""The state machine that every driver runs: broker, recovery, tests, pipeline."""

from collections.abc import Iterable
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import NEVER, Message, OrderValue, PropertyName
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import ACCEPTED, EXPIRED, OVERFLOW, REJECTED, Effect, Reason
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, REMOVED, Entry
from lastvalue.queues.expiry import Lifetimes
from lastvalue.queues.limits import Capacity
from lastvalue.queues.orderings import is_older
from lastvalue.queues.recovery import Recovery, present
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.queues.subscription import Held, Mode, Outcome, Subscriber, Subscription, wake

CONSUME: Final = Mode.CONSUME


@mypyc_attr(native_class=False)
class NotAcquiredError(BrokerError):
    """A delivery is settled that nobody holds."""

    condition = Condition.ILLEGAL_STATE

    def __init__(self, sequence: int) -> None:
        super().__init__(f"entry {sequence} is not acquired; only what a consumer holds can be settled")
        self.sequence = sequence


@final
class Queue:
    """One queue, driven by its owner and told the time on every call.

    Every change is an effect in the outbox, which the owner drains. At any moment
    `published == depth + sum(removed)`, and replaying the drained effects on a new queue of the same spec
    rebuilds this one.

    An entry past its deadline is never handed out, never makes an update stale and never takes the room of
    another: whatever call meets it expires it, and `advance` expires the rest.
    """

    __slots__ = (
        "_advanced_ms",
        "_always_expires",
        "_capacity",
        "_contents",
        "_dry_consumers",
        "_key",
        "_lifetimes",
        "_numbers",
        "_order_by",
        "_roving",
        "_unclaimed",
        "spec",
        "subscriptions",
    )

    def __init__(self, spec: QueueSpec) -> None:
        self.spec = spec
        self.subscriptions: dict[int, Subscription] = {}
        self._contents = Contents()
        self._capacity: Capacity | None = None
        if spec.limit.messages > 0 or spec.limit.size_bytes > 0:
            self._capacity = Capacity(spec.limit)
        self._contents.watch(_departures(spec))
        self._lifetimes = Lifetimes(spec.expiry)
        self._always_expires = spec.expiry.maximum_ttl_ms > 0 or spec.expiry.default_ttl_ms > 0
        self._key: PropertyName | None = None
        self._order_by: PropertyName | None = None
        ordering = spec.ordering
        if isinstance(ordering, LastValue):
            self._key = PropertyName(ordering.key)
            if ordering.order_by is not None:
                self._order_by = PropertyName(ordering.order_by)
        self._dry_consumers: list[Subscription] = []
        self._roving: Subscription | None = None
        self._numbers: i64 = 0
        self._advanced_ms: i64 = NEVER
        self._unclaimed = Held()

    # ------------------------------------------------------------------ producing

    def enqueue(self, message: Message, now: i64) -> bool:
        """Take a message, or refuse it because the queue is full; False is a refusal.

        The value that its key held leaves at once, even if a consumer holds it. A message whose key holds a
        newer order value is taken and leaves at once as stale. What the message raises when it is asked for
        its key leaves the queue as it was.
        """
        if self._roving is not None:
            self._settle_down()
        contents = self._contents
        key: bytes | None = None
        order: OrderValue | None = None
        previous: Entry | None = None
        name = self._key
        if name is not None:
            key = message.key(name)
        updates = message.updates()
        if key is not None:
            if self._order_by is not None:
                order = message.order(self._order_by)
            previous = contents.current.get(key)
            if previous is not None and 0 <= previous.expires_ms <= now and previous.state == AVAILABLE:
                contents.remove(previous, EXPIRED)
                previous = None
        stale = previous is not None and order is not None and is_older(order, previous.order)
        capacity = self._capacity
        if capacity is not None and not stale and not self._has_room(capacity, message, previous, now):
            contents.refuse(message)
            return False
        expires_ms: i64 = NEVER
        if self._always_expires or message.ttl_ms >= 0 or message.expires_ms >= 0:
            expires_ms = self._lifetimes.deadline(message, now)
        entry = Entry(contents.sequence + 1, message, now, expires_ms, updates)
        entry.key = key
        entry.order = order
        if stale:
            contents.pass_by(entry)
        else:
            self._add(entry, previous, now)
        return True

    def _add(self, entry: Entry, previous: Entry | None, now: i64) -> None:
        berth = self._contents.add(entry, previous)
        if berth is not None:
            wake(berth.subscriptions)
        if self._dry_consumers:
            self._wake_consumers()
        if self._capacity is not None:
            self._drop_overflow(self._capacity, now)

    def _has_room(self, capacity: Capacity, message: Message, previous: Entry | None, now: i64) -> bool:
        if capacity.fits(message, previous, self._contents):
            return True
        self._expire(now)
        return capacity.fits(message, previous, self._contents)

    def _drop_overflow(self, capacity: Capacity, now: i64) -> None:
        """Drop the oldest available entries of a ring, once what is due has expired."""
        contents = self._contents
        if not capacity.overflows(contents):
            return
        self._expire(now)
        head = contents.line.head
        while head is not None and capacity.overflows(contents):
            contents.remove(head, OVERFLOW)
            head = contents.line.head

    # ------------------------------------------------------------------ reading

    def subscribe(self, mode: Mode, subscriber: Subscriber) -> Subscription:
        """A new reader; a browser starts at the head."""
        self._numbers += 1
        subscription = Subscription(self._numbers, mode, subscriber)
        self.subscriptions[subscription.number] = subscription
        if mode is not CONSUME:
            line = self._contents.line
            line.moor(subscription, line.head)
        return subscription

    def unsubscribe(self, subscription: Subscription, now: i64) -> None:
        """End a reader; what it holds is available again, in its place."""
        if self._roving is not None:
            self._settle_down()
        if self.subscriptions.get(subscription.number) is None:
            return
        del self.subscriptions[subscription.number]
        if subscription.mode is not CONSUME:
            self._contents.line.unmoor(subscription)
            subscription.at = None
            return
        self._dry_consumers = [other for other in self._dry_consumers if other is not subscription]
        self._release_held(subscription.held, 0, now)

    def next(self, subscription: Subscription, now: i64) -> Entry | None:
        """The reader's next entry: acquired for a consumer, shown to a browser.

        None means there is none now; `Subscriber.wake` says when to ask again.
        """
        if subscription.mode is CONSUME:
            return self._acquire_next(subscription, now)
        contents = self._contents
        roving = self._roving
        if roving is subscription:
            entry = subscription.at
        else:
            if roving is not None:
                self._settle_down()
            entry = contents.line.unmoor(subscription)
            self._roving = subscription
        while entry is not None and 0 <= entry.expires_ms <= now:
            after = entry.next
            contents.remove(entry, EXPIRED)
            entry = after
        if entry is None:
            self._roving = None
            contents.line.moor(subscription, None)
            subscription.dry = True
            return None
        subscription.last_sequence = entry.sequence
        subscription.at = entry.next
        return entry

    def _acquire_next(self, subscription: Subscription, now: i64) -> Entry | None:
        if self._roving is not None:
            self._settle_down()
        contents = self._contents
        entry = contents.line.head
        while entry is not None and 0 <= entry.expires_ms <= now:
            contents.remove(entry, EXPIRED)
            entry = contents.line.head
        if entry is not None:
            contents.hold(entry, subscription.held, subscription.number)
        elif not subscription.dry:
            subscription.dry = True
            self._dry_consumers.append(subscription)
        return entry

    def settle(self, entry: Entry, outcome: Outcome, now: i64) -> None:
        """End a delivery: the entry leaves, or is available again in its place.

        One that left meanwhile (replaced, purged) stays gone, whatever the outcome. One whose deadline has
        passed expires instead of being released.

        Raises:
            NotAcquiredError: nobody holds the entry.
        """
        if self._roving is not None:
            self._settle_down()
        if entry.state == REMOVED:
            return
        if entry.state != ACQUIRED:
            raise NotAcquiredError(entry.sequence)
        if outcome is Outcome.ACCEPTED:
            self._contents.remove(entry, ACCEPTED)
        elif outcome is Outcome.REJECTED:
            self._contents.remove(entry, REJECTED)
        else:
            self._release(entry, 1 if outcome is Outcome.MODIFIED_FAILED else 0, now)
            if self._capacity is not None:
                self._drop_overflow(self._capacity, now)

    def _release(self, entry: Entry, failed: i64, now: i64) -> None:
        contents = self._contents
        # A clock may be set back: what `advance` has passed while the entry was held stays passed.
        if 0 <= entry.expires_ms <= max(now, self._advanced_ms):
            contents.remove(entry, EXPIRED)
            return
        berth = contents.put_back(entry, entry.delivery_count + failed)
        if berth is not None:
            wake(berth.subscriptions)
        if self._dry_consumers:
            self._wake_consumers()

    def _release_held(self, held: Held, failed: i64, now: i64) -> None:
        for entry in held.entries():
            self._release(entry, failed, now)
        if self._capacity is not None:
            self._drop_overflow(self._capacity, now)

    # ------------------------------------------------------------------ time and administration

    def advance(self, now: i64) -> None:
        """Expire what is due; an acquired entry stays until its delivery ends."""
        if self._roving is not None:
            self._settle_down()
        self._expire(now)

    def _expire(self, now: i64) -> None:
        self._advanced_ms = max(self._advanced_ms, now)
        contents = self._contents
        entry = contents.deadlines.due(now)
        while entry is not None:
            if entry.state == AVAILABLE:
                contents.remove(entry, EXPIRED)
            entry = contents.deadlines.due(now)

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, milliseconds since the epoch, or NEVER."""
        return self._contents.deadlines.next()

    def purge(self) -> int:
        """Remove every available entry; the number removed. Acquired ones stay with their consumers."""
        return self._remove_available(Reason.PURGED)

    def delete(self) -> None:
        """Remove every entry, acquired ones too: the queue is going away."""
        self._remove_available(Reason.DELETED)
        for entry in self.entries():
            self._contents.remove(entry, Reason.DELETED)

    def _remove_available(self, reason: Reason) -> int:
        if self._roving is not None:
            self._settle_down()
        count = 0
        contents = self._contents
        entry = contents.line.head
        while entry is not None:
            contents.remove(entry, reason)
            count += 1
            entry = contents.line.head
        return count

    def take_departed(self) -> list[tuple[Entry, Reason]]:
        """What left since the last call and has an alternate to go to; the owner routes it there."""
        return self._contents.take_departed()

    # ------------------------------------------------------------------ effects and recovery

    def drain(self) -> list[Effect]:
        """What happened since the last call, oldest first."""
        return self._contents.drain()

    def restore(self, entries: Iterable[Entry], sequence: i64 = 0) -> None:
        """Put kept entries on a queue that is empty.

        Entries are copied, and every one counts as published. Of those with one key the newest stays. What
        consumers held is held by nobody here: `release_all` makes it available.

        Args:
            entries: what was kept, by sequence.
            sequence: the last one the queue gave, where what left had higher ones.
        """
        recovery = Recovery(self._contents, self._unclaimed)
        for entry in entries:
            recovery.restore(entry)
        self._contents.sequence = max(self._contents.sequence, sequence)
        self._contents.drain()

    def replay(self, effects: Iterable[Effect]) -> None:
        """Do again what another queue's effects say, after what `restore` put here if anything.

        Entries are copied. What consumers held is held by nobody here: `release_all` makes it available.
        """
        recovery = Recovery(self._contents, self._unclaimed)
        for effect in effects:
            recovery.replay(effect)
        self._contents.drain()

    def release_all(self, now: i64) -> None:
        """Make available what was held when the effects ended, each with one more failed delivery."""
        self._release_held(self._unclaimed, 1, now)

    # ------------------------------------------------------------------ looking

    @property
    def depth(self) -> i64:
        """Entries present, acquired ones included."""
        return self._contents.depth

    @property
    def available(self) -> i64:
        """Entries a consumer could acquire; those that expired unnoticed are among them."""
        return self._contents.available

    @property
    def depth_bytes(self) -> i64:
        """Encoded size of the entries present."""
        return self._contents.depth_bytes

    @property
    def sequence(self) -> i64:
        """The last sequence given."""
        return self._contents.sequence

    @property
    def published(self) -> i64:
        """Messages taken."""
        return self._contents.published

    @property
    def refused(self) -> i64:
        """Messages not taken."""
        return self._contents.refused

    def removed(self, reason: Reason) -> int:
        """How many entries left for this reason."""
        return self._contents.removed(reason)

    def entries(self) -> list[Entry]:
        """What is present, acquired entries included, by sequence. For inspection: it walks the queue."""
        holders = [subscription.held for subscription in self.subscriptions.values()]
        return present(self._contents, [*holders, self._unclaimed])

    # ------------------------------------------------------------------ inside

    def _settle_down(self) -> None:
        """Moor the browser that roves: something else is about to change or to read the line."""
        roving = self._roving
        if roving is not None:
            self._roving = None
            self._contents.line.moor(roving, roving.at)

    def _wake_consumers(self) -> None:
        waiting = self._dry_consumers
        self._dry_consumers = []
        wake(waiting)


_TO_ALTERNATE: Final = (Reason.REJECTED, Reason.DEAD_LETTERED, Reason.OVERFLOW, Reason.DELETED)


def _departures(spec: QueueSpec) -> frozenset[Reason]:
    """The reasons for leaving that have an alternate."""
    reasons = _TO_ALTERNATE if spec.alternate is not None else ()
    return frozenset((*reasons, EXPIRED) if spec.expiry_alternate is not None else reasons)
