"""Duplicate detection: the ids of the messages that a queue took."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import DUPLICATE, Identified
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId, explicit_id

DEFAULT_WINDOW: Final = 20_000
"""The number of ids that a queue remembers if its declaration does not say."""

ID_BYTES: Final = 256
"""Bytes of memory that a remembered id takes beside its own."""


@final
class Duplicates:
    """The newest ids of the messages that a queue took; the oldest are forgotten.

    Attributes:
        detects: the declaration has a window, so the queue checks every message that has an id.
        size_bytes: the memory of the ids, about.
    """

    __slots__ = ("_by_id", "_contents", "_in_order", "_window", "detects", "size_bytes")

    def __init__(self, contents: Contents) -> None:
        self.detects = False
        self._contents = contents
        self.size_bytes: i64 = 0
        self._window: i64 = DEFAULT_WINDOW
        self._by_id: dict[bytes, KnownId] = {}
        # A dictionary alone is slow: to find its oldest key it walks the slots of all deleted ones.
        self._in_order: deque[KnownId] = deque()

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
        return duplicate_id in self._by_id

    def dismiss(self, message: Message, now: i64) -> None:
        """Take a message whose id is known, and remove it at once as a duplicate."""
        contents = self._contents
        contents.dismiss(Entry(contents.sequence + 1, message, now, NEVER, 1), DUPLICATE)

    def remember(self, duplicate_id: bytes, sequence: i64, durable: bool) -> None:
        """Remember the id of a message that the queue took."""
        known = KnownId(duplicate_id, sequence, durable)
        self._by_id[duplicate_id] = known
        self._in_order.append(known)
        self.size_bytes += ID_BYTES + len(duplicate_id)
        forgotten: list[KnownId] = []
        while len(self._in_order) > self._window:
            oldest: KnownId = self._in_order.popleft()
            del self._by_id[oldest.duplicate_id]
            self.size_bytes -= ID_BYTES + len(oldest.duplicate_id)
            forgotten.append(oldest)
        self._contents.note(Identified(known, forgotten))

    def ids(self) -> list[KnownId]:
        """The remembered ids, oldest first."""
        return list(self._in_order)
