"""Blocked queues: those whose flow control has stopped their producers for some time."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_deadlines import QueueDeadlines
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.queues.effects import Effect

REPORTED_AFTER_MS: Final = 1000
"""Under load flow control closes and opens many times a second, which is nothing to report."""


@final
class BlockedQueue:
    """A queue whose producers wait, or have waited.

    Attributes:
        name: of the queue.
        messages, size_bytes: that it has now.
        producers: that publish to it.
        blocked_ms: since when they wait, or for how long they did.
        ended: they continue, or the queue was deleted.
    """

    __slots__ = ("blocked_ms", "ended", "messages", "name", "producers", "size_bytes")

    def __init__(self, hosted: HostedQueue, blocked_ms: i64, ended: bool) -> None:
        queue = hosted.queue
        self.name = queue.spec.name
        self.messages: i64 = queue.depth
        self.size_bytes: i64 = queue.depth_bytes
        self.producers: i64 = len({*hosted.publishers, *hosted.held})
        self.blocked_ms: i64 = blocked_ms
        self.ended = ended


@final
class BlockedQueues(Observer):
    """Reports queues that block their producers, when that begins and when it ends.

    Args:
        on_change: called with each.
    """

    __slots__ = ("_deadlines", "_on_change", "_since_ms")

    def __init__(self, on_change: Callable[[BlockedQueue], None]) -> None:
        self._on_change = on_change
        self._since_ms: dict[HostedQueue, int] = {}
        self._deadlines = QueueDeadlines()

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del effects
        since_ms = hosted.stopped_since_ms
        if since_ms == 0 or hosted.ownership.ending:
            began_ms = self._since_ms.pop(hosted, 0) if self._since_ms else 0
            if began_ms > 0:
                self._on_change(BlockedQueue(hosted, now - began_ms, True))
        elif hosted not in self._deadlines and hosted not in self._since_ms:
            self._deadlines.set(hosted, since_ms + REPORTED_AFTER_MS)

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._deadlines.discard(hosted)

    def next_deadline(self) -> i64:
        """See Observer."""
        return self._deadlines.next()

    def advance(self, now: i64) -> None:
        """See Observer."""
        for hosted in self._deadlines.take_due(now):
            self._look(hosted, now)

    def _look(self, hosted: HostedQueue, now: i64) -> None:
        since_ms = hosted.stopped_since_ms
        if since_ms == 0:
            return
        if now - since_ms < REPORTED_AFTER_MS:
            self._deadlines.set(hosted, since_ms + REPORTED_AFTER_MS)
            return
        self._since_ms[hosted] = since_ms
        self._on_change(BlockedQueue(hosted, now - since_ms, False))
