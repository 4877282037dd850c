"""Makes the feed that gives a watching reader what it asks for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from lastvalue.broker.canonical_keys import canonical_key, key_text
from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.broker.watches.conflated_values import ConflatedValues
from lastvalue.broker.watches.feeds import ConflatingFeed, Feed, KeyFeed, QueueFeed, UpdateFeed
from lastvalue.broker.watches.key_index import KeyIndex
from lastvalue.broker.watches.key_pattern import key_pattern
from lastvalue.broker.watches.owed_keys import OwedKeys
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.queues.conflator import Conflator
from lastvalue.queues.policy import policy_from_text
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue
from lastvalue.queues.subscription import Terms
from lastvalue.queues.tombstones import Tombstones
from lastvalue.queues.watch_terms import WatchTerms


@dataclass(frozen=True, slots=True)
class WatchedQueue:
    """A queue, the index of the readers of its single keys, what is counted of it, and the memory for all."""

    queue: Queue
    index: KeyIndex
    counts: QueueCounts
    budget: MemoryBudget


@final
class FeedFactory:
    """Makes the feeds of one reader, which has another one when it starts over.

    Args:
        watched: what it reads.
        terms: the reader's.
        asked: what it asks for besides them.
        memory: the reader's, for what the feed keeps.
        wake: called when a feed that finds the entries by itself has another one.
        work_on: called when a feed got an update, whether or not the reader may be sent something.

    Raises:
        InvalidSpecError: the queue cannot be watched so.
    """

    def __init__(
        self,
        watched: WatchedQueue,
        terms: Terms,
        asked: WatchTerms,
        memory: MemoryAccount,
        wake: Callable[[], None],
        work_on: Callable[[], None],
    ) -> None:
        self._watched = watched
        self._queue = watched.queue
        self._terms = terms
        self._asked = asked
        self._memory = memory
        self._wake = wake
        self._work_on = work_on
        self._check()

    def _check(self) -> None:
        asked, terms = self._asked, self._terms
        name, ordering = self._queue.spec.name, self._queue.spec.ordering
        bounded = terms.since_ms >= 0 or terms.after >= 0 or terms.until >= 0
        if asked.policy and not asked.conflate and not isinstance(ordering, LastValue):
            raise InvalidSpecError(
                f"queue {name!r} has no keys; a watch with a policy needs conflate, the "
                "property that has the key"
            )
        if asked.policy and isinstance(ordering, LastValue) and ordering.conflates:
            raise InvalidSpecError(f"queue {name!r} conflates by a policy of its own")
        if asked.policy and bounded:
            raise InvalidSpecError("a watch with a policy cannot ask for sequences or times, too")
        if asked.narrows and bounded:
            raise InvalidSpecError("who asks for keys cannot ask for sequences or times, too")
        if not isinstance(ordering, LastValue) and asked.narrows:
            raise InvalidSpecError(f"queue {name!r} has no keys to watch")
        if isinstance(ordering, LastValue) and asked.conflate and asked.conflate != ordering.key:
            raise InvalidSpecError(f"queue {name!r} conflates by {ordering.key!r}, not by {asked.conflate!r}")

    def feed(self, tombstones: Tombstones, sequence: int, number: int) -> Feed:
        """A feed of what changed after this sequence and this tombstone, or of all where both are 0."""
        queue, asked = self._queue, self._asked
        ordering = queue.spec.ordering
        if not isinstance(ordering, LastValue):
            if asked.conflate:
                return ConflatingFeed(queue, asked.conflate, self._values(None))
            return QueueFeed(queue, tombstones, number, asked.removals)
        if asked.policy:
            return self._update_feed(self._values(ordering.order_by))
        if asked.narrows:
            return self._key_feed(tombstones, sequence, number)
        return QueueFeed(queue, tombstones, number, asked.removals)

    def owed(self, sequence: int) -> OwedKeys | None:
        """What a reader that has all up to this sequence is owed before the marker, if it can be anything."""
        queue, asked = self._queue, self._asked
        if not isinstance(queue.spec.ordering, LastValue) or asked.policy or self._terms.only_new:
            return None
        pattern = key_pattern(asked, lambda key: canonical_key(queue, key)) if asked.narrows else None

        def concerns(key: bytes) -> bool:
            return pattern is None or pattern.matches(key, key_text(queue, key))

        return OwedKeys(queue, self._watched.index, self._memory, concerns, sequence)

    def _update_feed(self, values: ConflatedValues) -> Feed:
        feed = UpdateFeed(self._queue, self._watched.index.updates, values, self._terms.filter, self._work_on)
        if not self._asked.interval_ms and not self._terms.only_new:
            feed.begin()
        return feed

    def _key_feed(self, tombstones: Tombstones, sequence: int, number: int) -> Feed:
        queue = self._queue
        pattern = key_pattern(self._asked, lambda key: canonical_key(queue, key))
        index, removals = self._watched.index, self._asked.removals
        feed = KeyFeed(queue, tombstones, index, pattern, removals, self._wake)
        feed.begin(sequence, number)
        return feed

    def _values(self, order_by: str | None) -> ConflatedValues:
        asked, spec = self._asked, self._queue.spec
        conflator: Conflator | None = None
        interval_ms = 0
        if asked.policy:
            policy, interval_ms = policy_from_text(asked.policy), asked.interval_ms
            conflator = Conflator(policy, interval_ms, order_by, f"a reader of {spec.name!r}")
        counts = self._watched.counts
        values = ConflatedValues(conflator, interval_ms, asked.max_keys, counts, self._memory)
        values.trace_links = spec.trace_links
        return values
