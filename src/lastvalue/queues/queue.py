"""The state machine that every driver runs: broker, recovery, tests, pipeline."""

from collections.abc import Iterable
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import NEVER, Message, OrderValue, PropertyName
from lastvalue.queues.effects import (
    ACCEPTED,
    EXPIRED,
    OVERFLOW,
    REJECTED,
    REPLACED,
    STALE,
    Acquired,
    Added,
    Effect,
    Reason,
    Refused,
    Released,
    Removed,
)
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, REMOVED, Entry
from lastvalue.queues.expiry import Deadlines, deadline
from lastvalue.queues.orderings import Line, is_older
from lastvalue.queues.spec import LastValue, QueueSpec, WhenFull
from lastvalue.queues.subscription import Mode, Outcome, Subscriber, Subscription

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

    Attributes:
        depth: entries present, acquired ones included.
        available: entries a consumer could acquire.
        depth_bytes: encoded size of the entries present.
        sequence: the last sequence given.
        published, refused: messages taken, messages not taken.
    """

    __slots__ = (
        "_acquired",
        "_deadlines",
        "_dry_consumers",
        "_held_bytes",
        "_index",
        "_key",
        "_keyed",
        "_limited",
        "_line",
        "_numbers",
        "_order",
        "_outbox",
        "_removed",
        "_replaced",
        "_roving",
        "available",
        "depth",
        "depth_bytes",
        "published",
        "refused",
        "sequence",
        "spec",
        "subscriptions",
    )

    def __init__(self, spec: QueueSpec) -> None:
        self.spec = spec
        self.depth: i64 = 0
        self.available: i64 = 0
        self.depth_bytes: i64 = 0
        self.sequence: i64 = 0
        self.published: i64 = 0
        self.refused: i64 = 0
        self.subscriptions: dict[int, Subscription] = {}
        ordering = spec.ordering
        self._keyed = isinstance(ordering, LastValue)
        self._key = PropertyName(ordering.key if isinstance(ordering, LastValue) else "")
        self._order: PropertyName | None = None
        if isinstance(ordering, LastValue) and ordering.order_by is not None:
            self._order = PropertyName(ordering.order_by)
        self._limited = spec.limit.messages > 0 or spec.limit.size_bytes > 0
        self._line = Line()
        self._index: dict[bytes, Entry] = {}
        self._acquired: dict[int, Entry] = {}
        self._held_bytes: i64 = 0
        self._deadlines = Deadlines()
        self._dry_consumers: list[Subscription] = []
        self._roving: Subscription | None = None
        self._numbers: i64 = 0
        self._outbox: list[Effect] = []
        self._removed = [0] * len(Reason)
        self._replaced: i64 = 0

    # ------------------------------------------------------------------ producing

    def enqueue(self, message: Message, now: i64) -> bool:
        """Take a message, or refuse it because the queue is full; False is a refusal.

        The value that its key held leaves at once, even if a consumer holds it. A message whose key holds a
        newer order value is taken and leaves at once as stale. What reading the message's key or order value
        raises leaves the queue as it was.
        """
        if self._roving is not None:
            self._settle_down()
        previous: Entry | None = None
        key: bytes | None = None
        value: OrderValue | None = None
        updates: i64 = 1
        # All that is read of the message is read before anything changes: reading may fail.
        if self._keyed:
            updates = message.updates()
            key = message.key(self._key)
            if key is not None:
                previous = self._index.get(key)
                order = self._order
                if order is not None:
                    value = message.order(order)
        if self._limited and not self._has_room(message, previous):
            self.refused += 1
            self._outbox.append(Refused(message))
            return False
        spec = self.spec
        expires: i64 = NEVER
        if message.ttl_ms >= 0 or message.expires_ms >= 0 or spec.maximum_ttl_ms > 0:
            expires = deadline(message, now, spec.minimum_ttl_ms, spec.maximum_ttl_ms)
        self.sequence += 1
        entry = Entry(self.sequence, message, now, expires, updates)
        entry.key = key
        entry.order = value
        self._add(entry, previous)
        if self._limited:
            self._drop_overflow()
        return True

    def _add(self, entry: Entry, previous: Entry | None) -> None:
        self.published += 1
        self.depth += 1
        self.depth_bytes += len(entry.message.encoded)
        self._outbox.append(Added(entry))
        if previous is not None:
            if entry.order is not None and is_older(entry.order, previous.order):
                # Never in the line, under no key, without a deadline: only its number and its reason remain.
                entry.state = ACQUIRED
                entry.key = None
                entry.expires_ms = NEVER
                self._remove(entry, STALE)
                return
            # The key of the entry that leaves serves on: one object a key, however many updates.
            entry.key = previous.key
            entry.updates += previous.updates
            self._remove(previous, REPLACED)
        key = entry.key
        if key is not None:
            self._index[key] = entry
        self.available += 1
        if entry.expires_ms >= 0:
            self._deadlines.add(entry)
        caught_up = self._line.caught_up.subscriptions
        self._line.append(entry)
        if caught_up:
            _wake(caught_up)
        if self._dry_consumers:
            self._wake_consumers()

    def _has_room(self, message: Message, previous: Entry | None) -> bool:
        """Whether a queue that refuses can take the message. A new value in the place of an old one fits."""
        limit = self.spec.limit
        if limit.when_full is not WhenFull.REJECT:
            return True
        messages = self.depth + 1
        size_bytes = self.depth_bytes + len(message.encoded)
        if previous is not None:
            messages -= 1
            size_bytes -= len(previous.message.encoded)
        return (limit.messages == 0 or messages <= limit.messages) and (
            limit.size_bytes == 0 or size_bytes <= limit.size_bytes
        )

    def _drop_overflow(self) -> None:
        """Drop the oldest available entries of a ring; acquired ones do not count and are not dropped."""
        limit = self.spec.limit
        if limit.when_full is not WhenFull.DROP_OLDEST:
            return
        while limit.messages > 0 and self.available > limit.messages:
            self._drop_head()
        while (
            limit.size_bytes > 0
            and self.available > 1
            and self.depth_bytes - self._held_bytes > limit.size_bytes
        ):
            self._drop_head()

    def _drop_head(self) -> None:
        head = self._line.head
        if head is not None:
            self._remove(head, OVERFLOW)

    # ------------------------------------------------------------------ reading

    def subscribe(self, mode: Mode, subscriber: Subscriber) -> Subscription:
        """A new reader; a browser starts at the head."""
        self._numbers += 1
        subscription = Subscription(self._numbers, mode, subscriber)
        self.subscriptions[subscription.number] = subscription
        if mode is not CONSUME:
            self._line.moor(subscription, self._line.head)
        return subscription

    def unsubscribe(self, subscription: Subscription, now: i64) -> None:
        """End a reader; what it holds is available again, in its place."""
        if self._roving is not None:
            self._settle_down()
        if self.subscriptions.get(subscription.number) is None:
            return
        del self.subscriptions[subscription.number]
        if subscription.mode is CONSUME:
            self._dry_consumers = [other for other in self._dry_consumers if other is not subscription]
            for sequence in sorted(subscription.held, reverse=True):
                self._release(subscription.held[sequence], now, 0)
            if self._limited:
                self._drop_overflow()
        else:
            self._line.unmoor(subscription)
            subscription.at = None

    def next(self, subscription: Subscription, now: i64) -> Entry | None:
        """The reader's next entry: acquired for a consumer, shown to a browser.

        None means there is none now; `Subscriber.wake` says when to ask again.
        """
        if subscription.mode is CONSUME:
            return self._acquire_next(subscription, now)
        roving = self._roving
        if roving is subscription:
            entry = subscription.at
        else:
            if roving is not None:
                self._settle_down()
            entry = self._line.unmoor(subscription)
            self._roving = subscription
        while entry is not None and 0 <= entry.expires_ms <= now:
            after = entry.next
            self._remove(entry, EXPIRED)
            entry = after
        if entry is None:
            subscription.at = None
            self._roving = None
            self._line.moor(subscription, None)
            subscription.dry = True
            return None
        subscription.last_sequence = entry.sequence
        subscription.at = entry.next
        return entry

    def _acquire_next(self, subscription: Subscription, now: i64) -> Entry | None:
        if self._roving is not None:
            self._settle_down()
        entry = self._line.head
        while entry is not None and 0 <= entry.expires_ms <= now:
            self._remove(entry, EXPIRED)
            entry = self._line.head
        if entry is None:
            if not subscription.dry:
                subscription.dry = True
                self._dry_consumers.append(subscription)
            return None
        self._line.unlink(entry)
        entry.state = ACQUIRED
        entry.holder = subscription.number
        self._hold(entry)
        subscription.held[entry.sequence] = entry
        self._outbox.append(Acquired(entry, subscription.number))
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
            self._remove(entry, ACCEPTED)
        elif outcome is Outcome.REJECTED:
            self._remove(entry, REJECTED)
        else:
            self._release(entry, now, 1 if outcome is Outcome.MODIFIED_FAILED else 0)
            if self._limited:
                self._drop_overflow()

    def _release(self, entry: Entry, now: i64, failed: i64) -> None:
        if 0 <= entry.expires_ms <= now:
            self._remove(entry, EXPIRED)
            return
        self._forget_holder(entry)
        entry.delivery_count += failed
        entry.state = AVAILABLE
        self.available += 1
        self._outbox.append(Released(entry, entry.delivery_count))
        berth = self._line.insert(entry)
        if berth is not None:
            _wake(berth.subscriptions)
        if self._dry_consumers:
            self._wake_consumers()

    # ------------------------------------------------------------------ time and administration

    def purge(self) -> int:
        """Remove every available entry; the number removed. Acquired ones stay with their consumers."""
        return self._remove_available(Reason.PURGED)

    def delete(self) -> None:
        """Remove every entry, acquired ones too: the queue is going away."""
        self._remove_available(Reason.DELETED)
        for sequence in sorted(self._acquired):
            self._remove(self._acquired[sequence], Reason.DELETED)

    def _remove_available(self, reason: Reason) -> int:
        if self._roving is not None:
            self._settle_down()
        count = 0
        entry = self._line.head
        while entry is not None:
            self._remove(entry, reason)
            count += 1
            entry = self._line.head
        return count

    def advance(self, now: i64) -> None:
        """Expire what is due; an acquired entry stays until its delivery ends."""
        if self._roving is not None:
            self._settle_down()
        entry = self._deadlines.due(now)
        while entry is not None:
            if entry.state == AVAILABLE:
                self._remove(entry, EXPIRED)
            entry = self._deadlines.due(now)

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, milliseconds since the epoch, or NEVER."""
        return self._deadlines.next()

    # ------------------------------------------------------------------ effects

    def drain(self) -> list[Effect]:
        """What happened since the last call, oldest first."""
        effects = self._outbox
        self._outbox = []
        return effects

    def removed(self, reason: Reason) -> int:
        """How many entries left for this reason."""
        return self._replaced if reason is REPLACED else self._removed[reason]

    def entries(self) -> list[Entry]:
        """What is present, acquired entries included, by sequence. For inspection: it walks the queue."""
        present = list(self._acquired.values())
        entry = self._line.head
        while entry is not None:
            present.append(entry)
            entry = entry.next
        return sorted(present, key=_sequence)

    def replay(self, effects: Iterable[Effect]) -> None:
        """Rebuild a queue from another's effects, as recovery does.

        Entries are copied, so that the queues share none. What consumers held is held by nobody here:
        `release_all` makes it available.
        """
        present = {entry.sequence: entry for entry in self.entries()}
        for effect in effects:
            self._replay_one(effect, present)
        self._outbox = []

    def _replay_one(self, effect: Effect, present: dict[i64, Entry]) -> None:
        if isinstance(effect, Refused):
            self.refused += 1
            return
        sequence = effect.entry.sequence
        if isinstance(effect, Added):
            entry = _copy(effect.entry)
            present[sequence] = entry
            self.sequence = sequence
            self.published += 1
            self.depth += 1
            self.depth_bytes += len(entry.message.encoded)
            self.available += 1
            if entry.key is not None:
                self._index[entry.key] = entry
            if entry.expires_ms >= 0:
                self._deadlines.add(entry)
            self._line.append(entry)
        elif isinstance(effect, Removed):
            self._remove(present[sequence], effect.reason)
            del present[sequence]
        elif isinstance(effect, Acquired):
            entry = present[sequence]
            self._line.unlink(entry)
            entry.state = ACQUIRED
            self._hold(entry)
        else:
            entry = present[sequence]
            self._forget_holder(entry)
            entry.state = AVAILABLE
            entry.delivery_count = effect.delivery_count
            self.available += 1
            self._line.insert(entry)

    def release_all(self, now: i64) -> None:
        """Make available what was held when the effects ended, each with one more failed delivery."""
        for sequence in sorted(self._acquired, reverse=True):
            self._release(self._acquired[sequence], now, 1)

    # ------------------------------------------------------------------ inside

    def _remove(self, entry: Entry, reason: Reason) -> None:
        if entry.state == AVAILABLE:
            self._line.unlink(entry)
            self.available -= 1
        elif self._acquired:
            self._forget_holder(entry)
        entry.state = REMOVED
        self.depth -= 1
        self.depth_bytes -= len(entry.message.encoded)
        key = entry.key
        if key is not None and reason is not REPLACED and self._index.get(key) is entry:
            del self._index[key]
        if entry.expires_ms >= 0:
            self._deadlines.forget()
        if reason is REPLACED:
            self._replaced += 1  # hot: counting by an enum's index costs as much as the unlinking
        else:
            self._removed[reason] += 1
        self._outbox.append(Removed(entry, reason))

    def _hold(self, entry: Entry) -> None:
        self.available -= 1
        self._held_bytes += len(entry.message.encoded)
        self._acquired[entry.sequence] = entry

    def _forget_holder(self, entry: Entry) -> None:
        if self._acquired.get(entry.sequence) is None:
            return
        del self._acquired[entry.sequence]
        self._held_bytes -= len(entry.message.encoded)
        holder = self.subscriptions.get(entry.holder)
        entry.holder = 0
        if holder is not None and holder.held.get(entry.sequence) is not None:
            del holder.held[entry.sequence]

    def _settle_down(self) -> None:
        """Moor the browser that roves: something else is about to change or to read the line."""
        roving = self._roving
        if roving is not None:
            self._roving = None
            self._line.moor(roving, roving.at)

    def _wake_consumers(self) -> None:
        waiting = self._dry_consumers
        self._dry_consumers = []
        _wake(waiting)


def _wake(subscriptions: list[Subscription]) -> None:
    for subscription in subscriptions:
        if subscription.dry:
            subscription.dry = False
            subscription.subscriber.wake()


def _sequence(entry: Entry) -> int:
    return entry.sequence


def _copy(entry: Entry) -> Entry:
    copy = Entry(entry.sequence, entry.message, entry.arrival_ms, entry.expires_ms, entry.updates)
    copy.key = entry.key
    copy.order = entry.order
    return copy
