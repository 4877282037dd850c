"""Aged keys: those whose newest value is older than their queue's `max_age_ms` allows."""

from collections import OrderedDict
from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.canonical_keys import key_value
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_deadlines import QueueDeadlines
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import AGED, Added, Due, Effect, Reconfigured, Removed, Updated
from lastvalue.queues.entry import Entry


@final
class AgedQueue:
    """A queue whose keys have aged, or one that has no aged key any more.

    Attributes:
        name: of the queue.
        keys: how many keys have aged now; 0 if none is aged any more.
        total: how many of its keys are aged, those included that aged before; 0 where aged values leave.
        example: one of the keys that have aged now, as text.
        maximum_age_ms: of the queue.
        removes: aged values leave the queue.
    """

    __slots__ = ("example", "keys", "maximum_age_ms", "name", "removes", "total")

    def __init__(self, hosted: HostedQueue, keys: i64, total: i64, example: bytes) -> None:
        spec = hosted.queue.spec
        self.name = spec.name
        self.keys: i64 = keys
        self.total: i64 = total
        self.example = str(key_value(hosted.queue, example)) if keys > 0 else ""
        self.maximum_age_ms: i64 = spec.expiry.maximum_age_ms
        self.removes = spec.expiry.removes_aged


@final
class _KeyAges:
    """How old the values of the keys of one queue are.

    Attributes:
        fresh: when each key's value came, the oldest first; aged: the keys whose values have aged.
    """

    __slots__ = ("aged", "fresh", "hosted")

    def __init__(self, hosted: HostedQueue) -> None:
        self.hosted = hosted
        self.fresh: OrderedDict[bytes, int] = OrderedDict()
        self.aged: dict[bytes, None] = {}
        current = hosted.queue.contents.current
        for entry in sorted(current.entries(), key=_since_ms):
            if entry.key is not None:
                self.fresh[entry.key] = _since_ms(entry)

    def look_at(self, key: bytes) -> None:
        """A key has another value, or none."""
        self.fresh.pop(key, None)
        self.aged.pop(key, None)
        entry = self.hosted.queue.contents.current.get(key)
        if entry is not None:
            self.fresh[key] = _since_ms(entry)

    def age(self, now: i64) -> list[bytes]:
        """The keys whose values have aged since the last call."""
        latest_ms = now - self.hosted.queue.spec.expiry.maximum_age_ms
        found: list[bytes] = []
        while self.fresh:
            key, since_ms = next(iter(self.fresh.items()))
            if since_ms > latest_ms:
                break
            del self.fresh[key]
            self.aged[key] = None
            found.append(key)
        return found

    def next_ms(self) -> i64:
        """When the next value ages, or NEVER."""
        for since_ms in self.fresh.values():
            return since_ms + self.hosted.queue.spec.expiry.maximum_age_ms
        return NEVER


@final
class AgedKeys(Observer):
    """Watches the keys of the queues that have `max_age_ms`; where aged values leave, it counts these.

    Attributes:
        on_change: called when keys of a queue have aged, and when none is aged any more.
    """

    __slots__ = ("_deadlines", "_queues", "on_change")

    def __init__(self) -> None:
        self.on_change: Callable[[AgedQueue], None] = _nobody_asks
        self._queues: dict[HostedQueue, _KeyAges] = {}
        self._deadlines = QueueDeadlines()

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._forget(hosted)

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        expiry = hosted.queue.spec.expiry
        if expiry.maximum_age_ms == 0 or expiry.removes_aged or hosted.ownership.ending:
            if expiry.removes_aged:
                self._report_removed(hosted, effects)
            if self._queues:
                self._forget(hosted)
            return
        ages = self._queues.get(hosted)
        if ages is None or any(isinstance(effect, Reconfigured) for effect in effects):
            self._forget(hosted)
            ages = self._queues[hosted] = _KeyAges(hosted)
        else:
            for effect in effects:
                if isinstance(effect, (Added, Updated, Due, Removed)) and effect.entry.key is not None:
                    ages.look_at(effect.entry.key)
        self._look(ages, now)

    def next_deadline(self) -> i64:
        """See Observer."""
        return self._deadlines.next()

    def advance(self, now: i64) -> None:
        """See Observer."""
        for hosted in self._deadlines.take_due(now):
            self._look(self._queues[hosted], now)

    def _look(self, ages: _KeyAges, now: i64) -> None:
        hosted = ages.hosted
        found = ages.age(now)
        before = hosted.counts.aged_keys
        hosted.counts.aged_keys = len(ages.aged)
        self._deadlines.set(hosted, ages.next_ms())
        if found:
            self.on_change(AgedQueue(hosted, len(found), len(ages.aged), found[0]))
        elif before > 0 and not ages.aged:
            self.on_change(AgedQueue(hosted, 0, 0, b""))

    def _report_removed(self, hosted: HostedQueue, effects: list[Effect]) -> None:
        keys = [each.entry.key for each in effects if isinstance(each, Removed) and each.reason is AGED]
        if keys:
            self.on_change(AgedQueue(hosted, len(keys), 0, keys[0] or b""))

    def _forget(self, hosted: HostedQueue) -> None:
        if self._queues.pop(hosted, None) is not None:
            self._deadlines.discard(hosted)
            hosted.counts.aged_keys = 0


def _since_ms(entry: Entry) -> int:
    """Since when an entry is its key's value."""
    return int(entry.available_ms)


def _nobody_asks(aged: AgedQueue) -> None:
    del aged
