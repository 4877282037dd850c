"""Values that the broker makes of messages for one reader alone, and that wait for it."""

from collections import OrderedDict
from typing import final

from mypy_extensions import i64

from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import WATCHED_VALUE_BYTES, MemoryAccount
from lastvalue.model.message import NEVER, Message
from lastvalue.queues.conflator import Conflator
from lastvalue.queues.entry import Entry


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
    """

    __slots__ = (
        "_conflator",
        "_counts",
        "_first_ms",
        "_interval_ms",
        "_max_keys",
        "_memory",
        "_waiting",
        "first_ms",
    )

    def __init__(
        self,
        conflator: Conflator | None,
        interval_ms: i64,
        max_keys: i64,
        counts: QueueCounts,
        memory: MemoryAccount,
    ) -> None:
        self.first_ms = 0
        self._conflator = conflator
        self._interval_ms: i64 = interval_ms
        self._max_keys: i64 = max_keys
        self._counts = counts
        self._memory = memory
        self._waiting: OrderedDict[tuple[bytes, int], Entry] = OrderedDict()
        self._first_ms: dict[tuple[bytes, int], int] = {}

    @property
    def full(self) -> bool:
        """Whether no further value may wait."""
        waiting = len(self._waiting)
        return waiting >= self._max_keys or (waiting > 0 and not self._has_memory())

    def _has_memory(self) -> bool:
        return self._memory.has_room(WATCHED_VALUE_BYTES)

    def keep(self, key: bytes, entry: Entry, updates: i64) -> None:
        """Add a message that stands for so many updates; where values are full, only if its key has one.

        Where there is no memory, a value does not grow, either.
        """
        place = (key, int(entry.arrival_ms // self._interval_ms) if self._interval_ms > 0 else 0)
        earlier = self._waiting.get(place)
        if earlier is None and self.full:
            self._counts.left_out += 1
            return
        message = entry.message
        if self._conflator is not None:
            before = None if earlier is None else earlier.message
            try:
                message = self._conflator.folded(message, before, entry.arrival_ms, updates)
            except LastvalueError:
                self._counts.left_out += 1
                return
        more: i64 = _size(message) - (0 if earlier is None else _size(earlier.message))
        if earlier is not None and more > 0 and not self._has_memory():
            self._counts.left_out += 1
            return
        self._memory.add(more)
        copy = Entry(entry.sequence, message, entry.arrival_ms, entry.expires_ms, updates)
        copy.key = key
        copy.replaced_traces = entry.replaced_traces
        copy.delivery_count = entry.delivery_count
        if earlier is not None:
            copy.updates += earlier.updates
            del self._waiting[place]
        self._first_ms.setdefault(place, int(entry.arrival_ms))
        self._waiting[place] = copy

    def take(self, now: i64) -> Entry | None:
        """The value that has waited longest and whose interval is over."""
        for place, entry in self._waiting.items():
            if self._closes_ms(place) <= now:
                del self._waiting[place]
                self._memory.release(_size(entry.message))
                self.first_ms = self._first_ms.pop(place)
                return entry
            if self._interval_ms > 0 and place[1] >= now // self._interval_ms:
                break
        return None

    def due_ms(self) -> i64:
        """When `take` may find something; NEVER if nothing waits."""
        return min([self._closes_ms(place) for place in self._waiting], default=NEVER)

    def _closes_ms(self, place: tuple[bytes, int]) -> i64:
        return (place[1] + 1) * self._interval_ms if self._interval_ms > 0 else 0

    def clear(self) -> None:
        """Forget all."""
        for entry in self._waiting.values():
            self._memory.release(_size(entry.message))
        self._waiting.clear()
        self._first_ms.clear()


def _size(message: Message) -> i64:
    return WATCHED_VALUE_BYTES + len(message.encoded)
