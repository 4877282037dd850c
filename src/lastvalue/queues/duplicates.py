"""Duplicate detection: the ids of the messages that a queue took."""

from collections import deque
from collections.abc import Iterable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.contents import Contents
from lastvalue.queues.counted_ids import CountedIds, restored_counts
from lastvalue.queues.effects import DUPLICATE, Effect, Identified
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import COUNTS, KnownId, counted_number, counting_producer, explicit_id

DEFAULT_WINDOW: Final = 20_000
"""The number of ids that a queue remembers if its declaration does not say."""

ID_BYTES: Final = 256
"""Bytes of memory that a remembered id takes besides its own."""

MOST_PRODUCERS: Final = 1000
"""The producers that count their messages of which a queue remembers what it took."""


@final
class Duplicates:
    """The newest ids of the messages that a queue took; the oldest are forgotten.

    Of producers that count their messages it remembers the numbers, which take hardly any memory.

    Attributes:
        detects: the declaration has a window, so the queue checks every message that has an id.
        size_bytes: the memory of the ids, about.
    """

    __slots__ = (
        "_by_id",
        "_changed",
        "_contents",
        "_counted",
        "_forgotten",
        "_in_order",
        "_latest",
        "_number",
        "_window",
        "detects",
        "size_bytes",
    )

    def __init__(self, contents: Contents) -> None:
        self.detects = False
        self._contents = contents
        self.size_bytes: i64 = 0
        self._window: i64 = DEFAULT_WINDOW
        self._by_id: dict[bytes, KnownId] = {}
        # A dictionary alone is slow: to find its oldest key it walks the slots of all deleted ones.
        # None until there are ids: a deque takes 700 bytes, and few of very many queues have one.
        self._in_order: deque[KnownId] | None = None
        self._counted: dict[bytes, CountedIds] = {}
        self._changed: list[CountedIds] = []
        self._forgotten: list[KnownId] = []
        self._latest: CountedIds | None = None
        self._number: i64 = -1

    def adopt(self, window: i64) -> None:
        """Set the number of ids to remember; 0 means DEFAULT_WINDOW. The next id removes the surplus."""
        self.detects = window > 0
        self._window = window if window > 0 else DEFAULT_WINDOW

    def id_of(self, message: Message) -> bytes:
        """The id from the producer's link, else the message's own if the declaration has a window, else b"".

        Raises:
            DuplicateIdError: the id is too long.
        """
        if message.duplicate_id or not self.detects:
            return message.duplicate_id
        return explicit_id(message.explicit_id())

    def knows(self, duplicate_id: bytes) -> bool:
        """Whether the queue remembers this id."""
        counted = self._counting(duplicate_id) if self._counted else None
        if counted is not None:
            return counted.knows(self._number)
        return duplicate_id in self._by_id

    def _counting(self, duplicate_id: bytes) -> CountedIds | None:
        """The numbers of the producer that counts this id, which is `_number`; None if there are none."""
        latest = self._latest
        if latest is not None and duplicate_id.startswith(latest.prefix):
            self._number = counted_number(duplicate_id, len(latest.prefix))
            if self._number >= 0:
                return latest
        producer = counting_producer(duplicate_id)
        counted = self._counted.get(producer) if producer else None
        if counted is not None:
            self._latest = counted
            self._number = counted_number(duplicate_id, len(counted.prefix))
        return counted

    def dismiss(self, message: Message, now: i64) -> None:
        """Take a message whose id is known, and remove it at once as a duplicate."""
        contents = self._contents
        known = self._by_id.get(self.id_of(message))
        first: i64 = 0 if known is None else known.sequence
        contents.dismiss(Entry(contents.sequence + 1, message, now, NEVER, 1), DUPLICATE, None, first)

    def remember(self, duplicate_id: bytes, sequence: i64, durable: bool) -> None:
        """Remember the id of a message that the queue took, or one that stands for all of a producer."""
        if duplicate_id.startswith(COUNTS):
            self._take_over(restored_counts(KnownId(duplicate_id, sequence, durable)))
            return
        counted = self._counting(duplicate_id)
        if counted is None and (producer := counting_producer(duplicate_id)):
            counted = CountedIds(producer)
            self._put(counted)
            self._number = counted_number(duplicate_id, len(counted.prefix))
        if counted is not None:
            self._count(counted, sequence, durable)
            return
        known = KnownId(duplicate_id, sequence, durable)
        self._by_id[duplicate_id] = known
        in_order = self._in_order
        if in_order is None:
            in_order = self._in_order = deque()
        in_order.append(known)
        self.size_bytes += ID_BYTES + len(duplicate_id)
        forgotten: list[KnownId] = []
        while len(in_order) > self._window:
            oldest: KnownId = in_order.popleft()
            del self._by_id[oldest.duplicate_id]
            self.size_bytes -= ID_BYTES + len(oldest.duplicate_id)
            forgotten.append(oldest)
        self._contents.note(Identified(known, forgotten))

    def _count(self, counted: CountedIds, sequence: i64, durable: bool) -> None:
        """Take `_number` of a producer."""
        self.size_bytes += counted.take(self._number)
        counted.sequence = sequence
        counted.durable = counted.durable or durable
        if not counted.changed:
            counted.changed = True
            self._changed.append(counted)

    def _take_over(self, counted: CountedIds) -> None:
        """Take over what the queue, or the one whose effects are replayed, knew of a producer."""
        earlier = self._counted.pop(counted.producer, None)
        if earlier is not None:
            self._drop(earlier)
        self._put(counted)
        if counted.known is not None:
            self._note(counted.known)

    def _put(self, counted: CountedIds) -> None:
        """Know one more producer; of too many the tenth that has been silent longest is forgotten."""
        if len(self._counted) >= MOST_PRODUCERS:
            idle = sorted(self._counted.values(), key=_sequence)[: MOST_PRODUCERS // 10]
            for each in idle:
                del self._counted[each.producer]
                self._drop(each)
        self._counted[counted.producer] = counted
        self.size_bytes += counted.size_bytes

    def _drop(self, counted: CountedIds) -> None:
        self.size_bytes -= counted.size_bytes
        if self._latest is counted:
            self._latest = None
        if counted.known is not None:
            self._forgotten.append(counted.known)

    def restore(self, ids: Iterable[KnownId]) -> None:
        """Remember ids of an earlier queue, oldest first."""
        for known in ids:
            self.remember(known.duplicate_id, known.sequence, known.durable)

    def drain(self) -> list[Effect]:
        """The queue's effects since the last call; of each producer that counts one with all its numbers."""
        changed = self._changed
        if len(changed) > 0:
            self._changed = []
            for counted in changed:
                if self._counted.get(counted.producer) is counted:
                    if counted.known is not None:
                        self._forgotten.append(counted.known)
                    self._note(counted.note())
        return self._contents.drain()

    def _note(self, known: KnownId) -> None:
        forgotten, self._forgotten = self._forgotten, []
        self._contents.note(Identified(known, forgotten))

    def ids(self) -> list[KnownId]:
        """The remembered ids, oldest first; then one for each producer that counts, as last noted."""
        counted = sorted(self._counted.values(), key=_sequence)
        counts = [each.known for each in counted if each.known is not None]
        return [*(self._in_order or ()), *counts]


def _sequence(counted: CountedIds) -> int:
    return counted.sequence
