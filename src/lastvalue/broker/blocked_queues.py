"""Blocked queues: those whose flow control has stopped their producers for some time."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadline, Deadlines
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.model.message import NEVER
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
        ended: they go on, or the queue was deleted.
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
class _Check(Deadline):
    """When a queue that has stopped its producers is looked at."""

    __slots__ = ("hosted",)

    def __init__(self, hosted: HostedQueue) -> None:
        super().__init__()
        self.hosted = hosted


@final
class BlockedQueues(Observer):
    """Reports queues that block their producers, when that begins and when it ends.

    Args:
        on_change: called with each.
    """

    __slots__ = ("_checks", "_deadlines", "_on_change", "_since_ms")

    def __init__(self, on_change: Callable[[BlockedQueue], None]) -> None:
        self._on_change = on_change
        self._checks: dict[HostedQueue, _Check] = {}
        self._since_ms: dict[HostedQueue, int] = {}
        self._deadlines = Deadlines()

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del effects
        since_ms = hosted.stopped_since_ms
        if since_ms == 0 or hosted.ownership.ending:
            began_ms = self._since_ms.pop(hosted, 0) if self._since_ms else 0
            if began_ms > 0:
                self._on_change(BlockedQueue(hosted, now - began_ms, True))
        elif hosted not in self._checks and hosted not in self._since_ms:
            self._schedule(hosted, since_ms + REPORTED_AFTER_MS)

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        check = self._checks.pop(hosted, None)
        if check is not None:
            self._deadlines.set(check, NEVER)

    def next_deadline(self) -> i64:
        """See Observer."""
        return self._deadlines.next()

    def advance(self, now: i64) -> None:
        """See Observer."""
        for check in self._deadlines.take_due(now):
            if isinstance(check, _Check):
                hosted = check.hosted
                del self._checks[hosted]
                self._look(hosted, now)

    def _schedule(self, hosted: HostedQueue, at_ms: i64) -> None:
        check = _Check(hosted)
        self._checks[hosted] = check
        self._deadlines.set(check, at_ms)

    def _look(self, hosted: HostedQueue, now: i64) -> None:
        since_ms = hosted.stopped_since_ms
        if since_ms == 0:
            return
        if now - since_ms < REPORTED_AFTER_MS:
            self._schedule(hosted, since_ms + REPORTED_AFTER_MS)
            return
        self._since_ms[hosted] = since_ms
        self._on_change(BlockedQueue(hosted, now - since_ms, False))
