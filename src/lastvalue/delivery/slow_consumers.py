"""Slow consumers: those that leave messages waiting because their peers do not take them."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_deadlines import QueueDeadlines
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.delivery.consumer import BlockedBy, Consumer
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Effect
from lastvalue.queues.subscription import Mode

_CAUSES: Final = (BlockedBy.CREDIT, BlockedBy.WINDOW, BlockedBy.OUTPUT)
"""What only the peer can end."""


@final
class SlowConsumer:
    """A consumer that has waited for its peer for too long, or did until now.

    Attributes:
        queue: on which messages wait.
        owner: whose it is.
        cause: what it waits for.
        waited_ms: for how long, while there were messages.
        ended: it continues, or is gone, or nothing waits for it any more.
    """

    __slots__ = ("cause", "ended", "owner", "queue", "waited_ms")

    def __init__(
        self, queue: str, owner: Owner, cause: BlockedBy, waited_ms: i64, ended: bool = False
    ) -> None:
        self.ended = ended
        self.queue = queue
        self.owner = owner
        self.cause = cause
        self.waited_ms: i64 = waited_ms


@final
class SlowConsumers(Observer):
    """Finds consumers that are blocked by their peer while messages wait, each once until it continues.

    A queue costs one look in that time, and only while it has consumers and messages.

    Args:
        limit_ms: how long a consumer may wait.
        on_slow: called with each, and again when that ends.
    """

    __slots__ = ("_deadlines", "_limit_ms", "_on_slow", "_slow")

    def __init__(self, limit_ms: i64, on_slow: Callable[[SlowConsumer], None]) -> None:
        self._limit_ms: i64 = limit_ms
        self._on_slow = on_slow
        self._slow: dict[HostedQueue, dict[Consumer, tuple[SlowConsumer, int]]] = {}
        self._deadlines = QueueDeadlines()

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del effects
        if self._slow and hosted in self._slow:
            self._end(hosted, now)
        if hosted.readers and hosted.queue.available > 0 and hosted not in self._deadlines:
            self._deadlines.set(hosted, now + self._limit_ms)

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._deadlines.discard(hosted)

    def next_deadline(self) -> i64:
        """See Observer."""
        return self._deadlines.next()

    def advance(self, now: i64) -> None:
        """See Observer."""
        for hosted in self._deadlines.take_due(now):
            self._end(hosted, now)
            again_ms = self._look(hosted, now)
            if hosted in self._slow:
                again_ms = min(again_ms, now + self._limit_ms)
            self._deadlines.set(hosted, again_ms)

    def _look(self, hosted: HostedQueue, now: i64) -> i64:
        """Report the consumers of a queue that are slow; when one more may be, or NEVER."""
        oldest = hosted.queue.contents.available_list.head
        if oldest is None:
            return NEVER
        soonest: i64 = NEVER
        for reader in hosted.readers:
            consumer = reader.receiver
            if not isinstance(consumer, Consumer) or reader.subscription.mode is not Mode.CONSUME:
                continue
            cause = consumer.blocked_by
            since_ms = consumer.blocked_since_ms
            if cause is None or cause not in _CAUSES or consumer.slow_since_ms == since_ms:
                continue
            waited_ms = now - max(since_ms, oldest.arrival_ms)
            if waited_ms >= self._limit_ms:
                consumer.slow_since_ms = since_ms
                slow = SlowConsumer(hosted.queue.spec.name, reader.owner, cause, waited_ms)
                self._slow.setdefault(hosted, {})[consumer] = (slow, int(now - waited_ms))
                self._on_slow(slow)
            else:
                soonest = min(soonest, now - waited_ms + self._limit_ms)
        return soonest

    def _end(self, hosted: HostedQueue, now: i64) -> None:
        """Report the slow consumers of a queue that are so no longer."""
        slow = self._slow.get(hosted)
        if slow is None:
            return
        waits = hosted.queue.available > 0
        present = [reader.receiver for reader in hosted.readers]
        for consumer, (reported, since_ms) in list(slow.items()):
            same = consumer.blocked_by in _CAUSES and consumer.slow_since_ms == consumer.blocked_since_ms
            if waits and same and consumer in present:
                continue
            del slow[consumer]
            # The same wait, once messages come again, is another one.
            consumer.slow_since_ms = -1
            waited_ms = now - since_ms
            self._on_slow(SlowConsumer(reported.queue, reported.owner, reported.cause, waited_ms, True))
        if not slow:
            del self._slow[hosted]
