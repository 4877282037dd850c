"""Values that the broker makes of messages for one reader alone, and that wait for it."""

import heapq
from collections import OrderedDict
from typing import final

from mypy_extensions import i64

from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import WATCHED_VALUE_BYTES, MemoryAccount
from lastvalue.model.message import NEVER, Message
from lastvalue.queues.conflator import Conflator
from lastvalue.queues.entry import Entry, with_message
from lastvalue.queues.trace_links import replaced_traces


@final
class ConflatedValues:
    """Of each key the newest message, or the value that a policy makes of its messages.

    With intervals there is a value of each interval of a key, which may be taken when that is over. What a
    policy cannot use is left out and counted: a reader's policy does not concern producers.

    Args:
        conflator: makes the values; None: the newest message is the value.
        interval_ms: the length of the intervals, counted from 1970, or 0.
        max_keys: how many values wait at most.
        counts: of the queue.
        memory: that the values take. A value may exceed its limits by itself, so that the reader gets on.

    Attributes:
        first_ms: when the first message came that the value taken last stands for.
        trace_links: of how many messages that a value stands for, besides its own, it has the trace contexts.
        memory: that the values take.
        conflates: a policy makes the values.
    """

    __slots__ = (
        "_conflator", "_counts", "_first_ms", "_interval_ms", "_intervals", "_max_keys", "_number",
        "_waiting", "conflates", "first_ms", "memory", "trace_links",
    )  # fmt: skip

    def __init__(
        self,
        conflator: Conflator | None,
        interval_ms: i64,
        max_keys: i64,
        counts: QueueCounts,
        memory: MemoryAccount,
    ) -> None:
        self.first_ms = 0
        self.trace_links: i64 = 0
        self._conflator = conflator
        self._interval_ms: i64 = interval_ms
        self._max_keys: i64 = max_keys
        self._counts = counts
        self.memory = memory
        self.conflates = conflator is not None
        self._number: i64 = 0
        # By interval, as messages need not be read in the order in which they came.
        self._waiting: dict[int, OrderedDict[bytes, Entry]] = {}
        # A heap of those of which values wait.
        self._intervals: list[int] = []
        self._first_ms: dict[tuple[bytes, int], int] = {}

    @property
    def full(self) -> bool:
        """Whether no further value may wait."""
        return self._number >= self._max_keys or (self._number > 0 and not self._has_memory())

    def _has_memory(self) -> bool:
        return self.memory.has_room(WATCHED_VALUE_BYTES)

    def leave_out(self, messages: i64 = 1) -> None:
        """Count messages that are left out."""
        self._counts.left_out += messages

    def keep(self, key: bytes, entry: Entry, updates: i64) -> None:
        """Add a message that stands for this many updates; if values are full, only if its key has one.

        Where there is no memory, a value that a policy makes does not grow, either.
        """
        interval = int(entry.arrival_ms // self._interval_ms) if self._interval_ms > 0 else 0
        waiting = self._waiting.get(interval)
        earlier = None if waiting is None else waiting.get(key)
        if earlier is None and self.full:
            self.leave_out()
            return
        message = entry.message
        if self._conflator is not None:
            before = None if earlier is None else earlier.message
            try:
                message = self._conflator.folded(message, before, entry.arrival_ms, updates)
            except LastvalueError:
                self.leave_out()
                return
        more: i64 = _size(message) - (0 if earlier is None else _size(earlier.message))
        grows = self._conflator is not None and earlier is not None and more > 0
        if grows and not self._has_memory():
            self.leave_out()
            return
        self.memory.add(more)
        copy = with_message(entry, message)
        copy.key = key
        copy.updates = updates
        if waiting is None:
            waiting = self._waiting[interval] = OrderedDict()
            heapq.heappush(self._intervals, interval)
        if earlier is None:
            self._number += 1
            self._first_ms[(key, interval)] = int(entry.arrival_ms)
        else:
            copy.updates += earlier.updates
            if self.trace_links > 0:
                copy.replaced_traces = replaced_traces(message, earlier, self.trace_links)
            del waiting[key]
        waiting[key] = copy

    def take(self, now: i64) -> Entry | None:
        """The value that has waited longest and whose interval is over; the earliest interval's first."""
        if self.due_ms() > now:
            return None
        interval = self._intervals[0]
        waiting = self._waiting[interval]
        key, entry = waiting.popitem(last=False)
        if not waiting:
            del self._waiting[interval]
            heapq.heappop(self._intervals)
        self._number -= 1
        self.memory.release(_size(entry.message))
        self.first_ms = self._first_ms.pop((key, interval))
        return entry

    def due_ms(self) -> i64:
        """When `take` may find something; NEVER if nothing waits."""
        if not self._intervals:
            return NEVER
        return (self._intervals[0] + 1) * self._interval_ms if self._interval_ms > 0 else 0

    def clear(self) -> None:
        """Forget all."""
        for waiting in self._waiting.values():
            for entry in waiting.values():
                self.memory.release(_size(entry.message))
        self._waiting.clear()
        self._intervals.clear()
        self._first_ms.clear()
        self._number = 0


def _size(message: Message) -> i64:
    return WATCHED_VALUE_BYTES + len(message.encoded)
