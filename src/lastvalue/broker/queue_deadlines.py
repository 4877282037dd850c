"""Deadlines of queues that an observer has to look at later."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadline, Deadlines
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.model.message import NEVER


@final
class _QueueDeadline(Deadline):
    """When one queue is looked at."""

    __slots__ = ("hosted",)

    def __init__(self, hosted: HostedQueue) -> None:
        super().__init__()
        self.hosted = hosted


@final
class QueueDeadlines:
    """At most one deadline for each queue, in milliseconds since the epoch."""

    __slots__ = ("_by_queue", "_deadlines")

    def __init__(self) -> None:
        self._by_queue: dict[HostedQueue, _QueueDeadline] = {}
        self._deadlines = Deadlines()

    def __contains__(self, hosted: HostedQueue) -> bool:
        """Whether a queue has a deadline."""
        return hosted in self._by_queue

    def set(self, hosted: HostedQueue, at_ms: i64) -> None:
        """Set the deadline of a queue; NEVER removes it."""
        if at_ms == NEVER:
            self.discard(hosted)
            return
        deadline = self._by_queue.get(hosted)
        if deadline is None:
            deadline = self._by_queue[hosted] = _QueueDeadline(hosted)
        self._deadlines.set(deadline, at_ms)

    def discard(self, hosted: HostedQueue) -> None:
        """Remove the deadline of a queue, if it has one."""
        deadline = self._by_queue.pop(hosted, None)
        if deadline is not None:
            self._deadlines.set(deadline, NEVER)

    def next(self) -> i64:
        """The soonest deadline, or NEVER."""
        return self._deadlines.next()

    def take_due(self, now: i64) -> list[HostedQueue]:
        """The queues whose deadlines have come, soonest first; each has another one only after `set`."""
        due = [each.hosted for each in self._deadlines.take_due(now) if isinstance(each, _QueueDeadline)]
        for hosted in due:
            del self._by_queue[hosted]
        return due
