"""When entries expire."""

import heapq
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.entry import HELD_BACK, REMOVED, Entry
from lastvalue.queues.spec import LARGEST, Expiry

SLACK: Final = 64


@final
class Lifetimes:
    """The times to live that a queue allows; computes when a message expires on it.

    Attributes:
        age_ms: the age at which values of keys leave; 0 is none.
    """

    __slots__ = ("_default_ms", "_maximum_ms", "_minimum_ms", "_never", "age_ms")

    def __init__(self, expiry: Expiry) -> None:
        self._minimum_ms: i64 = expiry.minimum_ttl_ms
        self._maximum_ms: i64 = expiry.maximum_ttl_ms
        self._default_ms: i64 = expiry.default_ttl_ms
        self._never = expiry.never
        self.age_ms: i64 = expiry.maximum_age_ms if expiry.removes_aged else 0

    def deadline(self, message: Message, arrival_ms: i64) -> i64:
        """When a message expires that arrives at `arrival_ms`, or NEVER.

        The minimum never gives a deadline to a message without one; the maximum does. A time to live above
        LARGEST counts as none.
        """
        if self._never:
            return NEVER
        expires = min(message.expires_ms, NEVER)
        if message.ttl_ms <= LARGEST:
            # [1.0 §3.2.4] absolute-expiry-time and ttl may both be given; the earlier one counts.
            expires = min(expires, arrival_ms + message.ttl_ms)
        if expires == NEVER and self._default_ms > 0:
            return arrival_ms + self._default_ms
        if expires != NEVER and self._minimum_ms > 0:
            expires = max(expires, arrival_ms + self._minimum_ms)
        if self._maximum_ms > 0:
            expires = min(expires, arrival_ms + self._maximum_ms)
        return expires

    def leaves_ms(self, entry: Entry, expires_ms: i64) -> i64:
        """When an entry leaves that expires then: earlier if its key's value ages before."""
        if self.age_ms == 0 or entry.key is None:
            return expires_ms
        return min(expires_ms, entry.available_ms + self.age_ms)

    def is_aged(self, entry: Entry) -> bool:
        """Whether an entry that leaves because of its deadline does so because of its age."""
        if self.age_ms == 0 or entry.key is None:
            return False
        return self.deadline(entry.message, entry.arrival_ms) > entry.expires_ms


@final
class Deadlines:
    """A heap of entries by deadline, swept when most of its entries have left.

    With `held_back` an entry leaves when it becomes available, else when it is removed.
    """

    __slots__ = ("_heap", "_held_back", "_live")

    def __init__(self, held_back: bool = False) -> None:
        self._held_back = held_back
        self._heap: list[tuple[int, int, Entry]] = []
        self._live: i64 = 0

    def __len__(self) -> int:
        return len(self._heap)

    def entries(self) -> list[Entry]:
        """The entries that have not left."""
        return [item[2] for item in self._heap if not self._left(item[2])]

    def add(self, entry: Entry, at_ms: i64) -> None:
        """Add an entry with its deadline."""
        heapq.heappush(self._heap, (at_ms, entry.sequence, entry))
        self._live += 1

    def forget(self) -> None:
        """Count one of the entries as left."""
        self._live -= 1
        if len(self._heap) > 2 * self._live + SLACK:
            self._heap = [item for item in self._heap if not self._left(item[2])]
            heapq.heapify(self._heap)

    def next(self) -> i64:
        """The earliest deadline, in milliseconds since the epoch, or NEVER."""
        heap = self._heap
        while heap and self._left(heap[0][2]):
            heapq.heappop(heap)
        return heap[0][0] if heap else NEVER

    def due(self, now: i64) -> Entry | None:
        """Pop an entry whose deadline is `now` or earlier, or None; it may be acquired."""
        heap = self._heap
        while heap and (heap[0][0] <= now or self._left(heap[0][2])):
            entry = heapq.heappop(heap)[2]
            if not self._left(entry):
                return entry
        return None

    def _left(self, entry: Entry) -> bool:
        return entry.state == REMOVED or (self._held_back and entry.state != HELD_BACK)
