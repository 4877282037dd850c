"""When entries expire."""

import heapq
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.entry import FOREVER, HELD_BACK, REMOVED, Entry
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
    """Entries by deadline, swept when most of them have left.

    With `held_back` the deadline is when an entry may be delivered, and it leaves when it becomes available;
    else it is when the entry expires, and it leaves when it is removed.

    Those that come in the order of their deadlines, as with one time to live, are in a list, where each costs
    the same however many there are; the others are in a heap.
    """

    __slots__ = ("_heap", "_held_back", "_last", "_live", "_ordered", "_passed")

    def __init__(self, held_back: bool = False) -> None:
        self._held_back = held_back
        # The first `_passed` places are empty.
        self._ordered: list[Entry | None] = []
        self._passed: i64 = 0
        self._last: Entry | None = None
        self._heap: list[tuple[int, int, Entry]] = []
        self._live: i64 = 0

    def __len__(self) -> int:
        return len(self._ordered) - self._passed + len(self._heap)

    def entries(self) -> list[Entry]:
        """The entries that have not left."""
        return [*self._present(), *[item[2] for item in self._heap if not self._left(item[2])]]

    def add(self, entry: Entry) -> None:
        """Add an entry; its deadline does not change any more."""
        last = self._last
        if last is None or self._is_later(entry, last):
            self._ordered.append(entry)
            self._last = entry
        else:
            heapq.heappush(self._heap, (self._at_ms(entry), entry.sequence, entry))
        self._live += 1

    def forget(self) -> None:
        """Count one of the entries as left."""
        self._live -= 1
        if len(self._ordered) - self._passed + len(self._heap) > 2 * self._live + SLACK:
            self._sweep()

    def next(self) -> i64:
        """The earliest deadline, in milliseconds since the epoch, or NEVER."""
        if self._passed == len(self._ordered) and not self._heap:
            return NEVER
        first = self._first()
        return NEVER if first is None else self._at_ms(first)

    def due(self, now: i64) -> Entry | None:
        """Take out an entry whose deadline is `now` or earlier, or None; it may be acquired."""
        first = self._first()
        if first is None or self._at_ms(first) > now:
            return None
        if self._heap and self._heap[0][2] is first:
            heapq.heappop(self._heap)
        else:
            self._pass()
        return first

    def _first(self) -> Entry | None:
        """The entry with the earliest deadline; those before it that have left are dropped."""
        first = self._first_ordered()
        heap = self._heap
        if not heap:
            return first
        while heap and self._left(heap[0][2]):
            heapq.heappop(heap)
        if not heap:
            return first
        second = heap[0][2]
        return second if first is None or self._is_later(first, second) else first

    def _first_ordered(self) -> Entry | None:
        while self._passed < len(self._ordered):
            entry = self._ordered[self._passed]
            if entry is not None and not self._left(entry):
                return entry
            self._pass()
        return None

    def _pass(self) -> None:
        """Empty the first place of the list that is not; the list is cut when most places are empty."""
        ordered = self._ordered
        ordered[self._passed] = None
        self._passed += 1
        if self._passed == len(ordered):
            self._last = None
        elif self._passed < SLACK or 2 * self._passed < len(ordered):
            return
        del ordered[: self._passed]
        self._passed = 0

    def _sweep(self) -> None:
        self._ordered = [*self._present()]
        self._passed = 0
        if not self._ordered:
            self._last = None
        if self._heap:
            self._heap = [item for item in self._heap if not self._left(item[2])]
            heapq.heapify(self._heap)

    def _present(self) -> list[Entry]:
        return [entry for entry in self._ordered if entry is not None and not self._left(entry)]

    def _is_later(self, entry: Entry, other: Entry) -> bool:
        at_ms, other_ms = self._at_ms(entry), self._at_ms(other)
        return at_ms > other_ms or (at_ms == other_ms and entry.sequence > other.sequence)

    def _at_ms(self, entry: Entry) -> i64:
        return entry.not_before_ms if self._held_back else entry.expires_ms

    def _left(self, entry: Entry) -> bool:
        if self._held_back:
            return entry.state != HELD_BACK
        # A keeper takes the deadline of an entry that it keeps.
        return entry.state == REMOVED or entry.lifetime_ms == FOREVER
