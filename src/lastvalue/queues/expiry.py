"""When entries expire."""

import heapq
from typing import final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.entry import REMOVED, Entry

SLACK = 64


def deadline(message: Message, arrival_ms: i64, minimum_ttl_ms: i64, maximum_ttl_ms: i64) -> i64:
    """When a message expires on a queue with these limits, or NEVER.

    The minimum never gives a deadline to a message without one; the maximum does.
    """
    expires = message.expires_ms
    if message.ttl_ms >= 0:
        by_ttl = arrival_ms + message.ttl_ms
        # [1.0 §3.2.4] absolute-expiry-time and ttl may both be given; the earlier one counts.
        if expires < 0 or by_ttl < expires:
            expires = by_ttl
    if expires >= 0 and minimum_ttl_ms > 0 and expires < arrival_ms + minimum_ttl_ms:
        expires = arrival_ms + minimum_ttl_ms
    if maximum_ttl_ms > 0 and (expires < 0 or expires > arrival_ms + maximum_ttl_ms):
        expires = arrival_ms + maximum_ttl_ms
    return expires


@final
class Deadlines:
    """The entries that have a deadline, soonest first; those that left are swept when they are most."""

    __slots__ = ("_heap", "_live")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Entry]] = []
        self._live: i64 = 0

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, entry: Entry) -> None:
        """Watch an entry whose `expires_ms` is not NEVER."""
        heapq.heappush(self._heap, (entry.expires_ms, entry.sequence, entry))
        self._live += 1

    def forget(self) -> None:
        """One of the watched entries left the queue."""
        self._live -= 1
        if len(self._heap) > 2 * self._live + SLACK:
            self._heap = [item for item in self._heap if item[2].state != REMOVED]
            heapq.heapify(self._heap)

    def next(self) -> i64:
        """The soonest deadline, or NEVER."""
        heap = self._heap
        while heap and heap[0][2].state == REMOVED:
            heapq.heappop(heap)
        return heap[0][0] if heap else NEVER

    def due(self, now: i64) -> Entry | None:
        """An entry whose deadline is `now` or earlier, taken out of the watch; it may be acquired."""
        heap = self._heap
        while heap and (heap[0][0] <= now or heap[0][2].state == REMOVED):
            entry = heapq.heappop(heap)[2]
            if entry.state != REMOVED:
                return entry
        return None
