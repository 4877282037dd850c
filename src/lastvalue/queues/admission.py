"""Whether a queue would take all of several messages."""

from collections.abc import Sequence
from typing import final

from mypy_extensions import i64

from lastvalue.model.message import AT_ONCE, Message
from lastvalue.queues.capacity import Capacity
from lastvalue.queues.conflator import GROWTH_BYTES, Conflator
from lastvalue.queues.contents import Contents
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, Entry
from lastvalue.queues.entry_factory import EntryFactory
from lastvalue.queues.order_values import is_older


@final
class Admission:
    """Answers what the queue would do; an answer holds until the queue changes."""

    __slots__ = ("_capacity", "_conflator", "_contents", "_entry_factory", "_in_place")

    def __init__(
        self,
        entry_factory: EntryFactory,
        capacity: Capacity | None,
        contents: Contents,
        in_place: bool,
        conflator: Conflator | None,
    ) -> None:
        self._entry_factory = entry_factory
        self._capacity = capacity
        self._contents = contents
        self._in_place = in_place
        self._conflator = conflator

    def examine(self, message: Message, now: i64) -> None:
        """Raise what enqueueing this message would raise.

        Raises:
            DelayRefusedError: the message asks for a later delivery, which the queue refuses.
            ConflationValueError: the queue's policy cannot use a value of the message.
        """
        entry = self._entry_factory.entry(message, 0, now)
        if self._conflator is not None and entry is not None and entry.key is not None:
            self._conflator.read(message, now)

    def has_room(self, message: Message, now: i64) -> bool:
        """Whether the queue would take this one message next.

        Raises:
            DelayRefusedError: the message asks for a later delivery, which the queue refuses.
            ConflationValueError: the queue's policy cannot use a value of the message.
        """
        entry = self._entry_factory.entry(message, 0, now)
        if self._conflator is not None and entry is not None and entry.key is not None:
            self._conflator.read(message, now)
        capacity = self._capacity
        if entry is None or capacity is None or capacity.deletes:
            return True
        previous: Entry | None = None
        if entry.key is not None and entry.not_before_ms == AT_ONCE:
            previous = self._contents.value_of(entry.key, now)
            if previous is not None and entry.order is not None and is_older(entry.order, previous.order):
                return True
        if self._conflator is not None and entry.key is not None:
            previous = self._conflator.conflate(entry, previous, self._contents)
        return capacity.has_room(entry, previous, self._contents, now)

    def takes(self, messages: Sequence[Message], leaving: Sequence[Entry], now: i64) -> bool:
        """Whether all these messages have room once the `leaving` entries have left.

        It may return False if they would just fit, but never True if one would be refused.
        """
        capacity = self._capacity
        if capacity is None or capacity.deletes:
            return True
        contents = self._contents
        if capacity.ring:
            return not capacity.exceeded_by(1, self._largest(messages, now))
        contents.expire(now)
        departed = {entry for entry in leaving if entry.state == ACQUIRED}
        entries = self._entries(messages, now)
        if not self._keys_fit(entries, departed, capacity.keys):
            return False
        freed = sum([len(each.encoded) for each in departed])
        more: i64 = 0
        growth: i64 = 0
        size_by_key: dict[bytes, int] = {}
        for incoming in entries:
            size: i64 = len(incoming.message.encoded)
            key = self._key_of(incoming)
            if self._conflator is not None and key is not None:
                # The value is at most as large as all its updates and what the conflator adds.
                growth += 2 * size + GROWTH_BYTES
                size = 0
            before: i64 = -1
            if key is not None:
                before = size_by_key.get(key, -1)
                if before < 0:
                    before = self._replaceable_size(key, departed, now)
                size_by_key[key] = max(size, before)
            if before < 0:
                more += 1
                growth += size
            elif size > before:
                growth += size - before
        return not capacity.exceeded_by(
            contents.depth - len(departed) + more if more > 0 else 0,
            contents.depth_bytes - freed + growth if growth > 0 else 0,
        )

    def _entries(self, messages: Sequence[Message], now: i64) -> list[Entry]:
        """The entries of those messages that the queue would keep."""
        entries = [self._entry_factory.entry(message, 0, now) for message in messages]
        return [entry for entry in entries if entry is not None]

    def _largest(self, messages: Sequence[Message], now: i64) -> i64:
        """The size in bytes of the largest entry that these messages could become."""
        sizes = [len(message.encoded) for message in messages]
        if self._conflator is None:
            return max(sizes, default=0)
        keys = [entry.key for entry in self._entries(messages, now) if entry.key is not None]
        present = [each for key in keys for each in self._contents.values_of(key)]
        grown = sum([2 * size + GROWTH_BYTES for size in sizes])
        return max([len(each.encoded) for each in present], default=0) + grown

    def _key_of(self, incoming: Entry) -> bytes | None:
        """The key whose value an entry replaces; None if it replaces none."""
        at_once = incoming.not_before_ms == AT_ONCE or self._conflator is not None
        return incoming.key if at_once else None

    def _keys_fit(self, entries: list[Entry], departed: set[Entry], most: i64) -> bool:
        """Whether there is room for all keys that get a value and will have had none."""
        if most == 0:
            return True
        current = self._contents.current
        lost = {entry.key for entry in departed if entry.key is not None and current.get(entry.key) is entry}
        gained: set[bytes] = set()
        for entry in entries:
            key = None if entry.not_before_ms != AT_ONCE else entry.key
            if key is not None and (key in lost or key not in current):
                gained.add(key)
        return not gained or len(current) - len(lost) + len(gained) <= most

    def _replaceable_size(self, key: bytes, departed: set[Entry], now: i64) -> i64:
        """The size in bytes of the entry that a new value of this key will replace for certain, or -1."""
        contents = self._contents
        intervals = contents.open_intervals
        previous = contents.current.get(key) if intervals is None else intervals.get(key)
        if previous is None or previous in departed:
            return -1
        if contents.open_intervals is not None and previous.not_before_ms <= now:
            return -1
        if self._in_place and (previous.state != AVAILABLE or previous.browsed):
            return -1
        return len(previous.encoded)
