"""Which messages a queue has taken before, by the ids that their producers gave them."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import DUPLICATE, Identified
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId, given_id

DEFAULT_WINDOW: Final = 20_000
"""Ids that a queue remembers where its declaration does not say how many."""


@final
class Duplicates:
    """The newest ids of the messages that a queue took; the oldest are forgotten.

    Attributes:
        detects: the declaration has a window, so that ids are looked for in every message of a producer.
    """

    __slots__ = ("_by_id", "_contents", "_in_order", "_window", "detects")

    def __init__(self, contents: Contents) -> None:
        self.detects = False
        self._contents = contents
        self._window: i64 = DEFAULT_WINDOW
        self._by_id: dict[bytes, KnownId] = {}
        # A dictionary alone would look through the places of all that it has forgotten.
        self._in_order: deque[KnownId] = deque()

    def adopt(self, window: i64) -> None:
        """Remember so many; 0 is as many as is usual. What is too many is forgotten with the next id."""
        self.detects = window > 0
        self._window = window if window > 0 else DEFAULT_WINDOW

    def id_of(self, message: Message) -> bytes:
        """What its producer's link says, else what it carries where the declaration has a window; or b"".

        Raises:
            DuplicateIdError: it is too long.
        """
        if message.duplicate_id or not self.detects:
            return message.duplicate_id
        return given_id(message.given_id())

    def knows(self, duplicate_id: bytes) -> bool:
        """Whether a message of this id was taken, and is remembered."""
        return duplicate_id in self._by_id

    def dismiss(self, message: Message, now: i64) -> None:
        """Take a message whose id is known: it goes nowhere."""
        contents = self._contents
        contents.dismiss(Entry(contents.sequence + 1, message, now, NEVER, 1), DUPLICATE)

    def remember(self, duplicate_id: bytes, sequence: i64, durable: bool) -> None:
        """Remember the id of a message that was taken."""
        known = KnownId(duplicate_id, sequence, durable)
        self._by_id[duplicate_id] = known
        self._in_order.append(known)
        forgotten: list[KnownId] = []
        while len(self._in_order) > self._window:
            oldest: KnownId = self._in_order.popleft()
            del self._by_id[oldest.duplicate_id]
            forgotten.append(oldest)
        self._contents.note(Identified(known, forgotten))

    def ids(self) -> list[KnownId]:
        """What is remembered, oldest first."""
        return list(self._in_order)
