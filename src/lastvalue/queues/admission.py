"""Whether a queue takes messages that come together: all of them, or none."""

from collections.abc import Sequence
from typing import final

from mypy_extensions import i64

from lastvalue.model.message import AT_ONCE, Message
from lastvalue.queues.available_list import is_older
from lastvalue.queues.capacity import Capacity
from lastvalue.queues.contents import Contents
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, Entry
from lastvalue.queues.entry_factory import EntryFactory


@final
class Admission:
    """Looks ahead: what it says holds until something else happens to the queue."""

    __slots__ = ("_capacity", "_contents", "_entry_factory", "_in_place")

    def __init__(
        self,
        entry_factory: EntryFactory,
        capacity: Capacity | None,
        contents: Contents,
        in_place: bool,
    ) -> None:
        self._entry_factory = entry_factory
        self._capacity = capacity
        self._contents = contents
        self._in_place = in_place

    def examine(self, message: Message, now: i64) -> None:
        """Raise what the queue would raise of this message; what the message raises passes.

        Raises:
            DelayRefusedError: it is to be delivered later, which the queue refuses.
        """
        self._entry_factory.entry(message, 0, now)

    def has_room(self, message: Message, now: i64) -> bool:
        """Whether this one message, if it is enqueued next, is taken.

        Raises:
            DelayRefusedError: it is to be delivered later, which the queue refuses.
        """
        entry = self._entry_factory.entry(message, 0, now)
        capacity = self._capacity
        if entry is None or capacity is None or capacity.deletes:
            return True
        previous: Entry | None = None
        if entry.key is not None and entry.not_before_ms == AT_ONCE:
            previous = self._contents.value_of(entry.key, now)
            if previous is not None and entry.order is not None and is_older(entry.order, previous.order):
                return True
        return capacity.has_room(message, previous, self._contents, now)

    def takes(self, messages: Sequence[Message], leaving: Sequence[Entry], now: i64) -> bool:
        """Whether every one of these messages has room once these entries have left.

        It may say no where they would just fit, but never yes where one would be refused.
        """
        capacity = self._capacity
        if capacity is None or capacity.deletes:
            return True
        contents = self._contents
        if capacity.ring:
            return all(capacity.fits(message, None, contents) for message in messages)
        contents.expire(now)
        gone = {entry for entry in leaving if entry.state == ACQUIRED}
        freed: i64 = 0
        for entry in gone:
            freed += len(entry.message.encoded)
        more: i64 = 0
        growth: i64 = 0
        seen: dict[bytes, int] = {}
        for message in messages:
            size: i64 = len(message.encoded)
            taken = self._entry_factory.entry(message, 0, now)
            if taken is None:
                continue
            key = taken.key if taken.not_before_ms == AT_ONCE else None
            before: i64 = -1
            if key is not None:
                before = seen.get(key, -1)
                if before < 0:
                    before = self._replaceable_size(key, gone)
                seen[key] = max(size, before)
            if before < 0:
                more += 1
                growth += size
            elif size > before:
                growth += size - before
        return not capacity.exceeded_by(
            contents.depth - len(gone) + more if more > 0 else 0,
            contents.depth_bytes - freed + growth if growth > 0 else 0,
        )

    def _replaceable_size(self, key: bytes, gone: set[Entry]) -> i64:
        """The size of what a new value of this key would certainly take the room of, or -1."""
        previous = self._contents.current.get(key)
        if previous is None or previous in gone:
            return -1
        if self._in_place and (previous.state != AVAILABLE or previous.browsed):
            return -1
        return len(previous.message.encoded)
