"""What fits on a queue."""

from typing import final

from mypy_extensions import i64

from lastvalue.model.message import Message
from lastvalue.queues.contents import Contents
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import Limit, WhenFull


@final
class Capacity:
    """A queue's limit, held against what stands on it.

    Attributes:
        ring: a full queue drops its oldest, instead of refusing the newest.
    """

    __slots__ = ("_messages", "_size_bytes", "ring")

    def __init__(self, limit: Limit) -> None:
        self._messages: i64 = limit.messages
        self._size_bytes: i64 = limit.size_bytes
        self.ring = limit.when_full is WhenFull.DROP_OLDEST

    def fits(self, message: Message, previous: Entry | None, contents: Contents) -> bool:
        """Whether a message can be taken in the place of what its key held.

        A ring takes what fits on it alone; others what fits beside all that is present. A new value does
        not make more messages, and one that is no larger than the old one makes nothing more.
        """
        size_bytes: i64 = len(message.encoded)
        if self.ring:
            return not self._exceeded_by(1, size_bytes)
        if previous is None:
            return not self._exceeded_by(contents.depth + 1, contents.depth_bytes + size_bytes)
        growth = size_bytes - len(previous.message.encoded)
        return growth <= 0 or not self._exceeded_by(0, contents.depth_bytes + growth)

    def overflows(self, contents: Contents) -> bool:
        """Whether a ring has to drop an entry. What is acquired neither counts nor can be dropped."""
        return self.ring and self._exceeded_by(contents.available, contents.depth_bytes - contents.held_bytes)

    def _exceeded_by(self, messages: i64, size_bytes: i64) -> bool:
        return (0 < self._messages < messages) or (0 < self._size_bytes < size_bytes)
