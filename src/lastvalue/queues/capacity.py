"""A queue's limit and its flow control."""

from collections import deque
from typing import Final, assert_never, final

from mypy_extensions import i64

from lastvalue.model.message import AT_ONCE
from lastvalue.queues.backlog_share import ENTRY_BYTES, BacklogShare
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import OVERFLOW
from lastvalue.queues.entry import AVAILABLE, REMOVED, Entry
from lastvalue.queues.spec import FlowControl, Limit, Ordering, QueueSpec, Sorted, WhenFull

_EXPIRED_AT_ONCE: Final = 100
"""How many entries expire before the limit is checked again."""


@final
class Capacity:
    """A queue's limit, and what a full queue does.

    Attributes:
        keys: the largest number of keys with a value; 0 is no limit.
        ring: a full queue drops its oldest entry instead of refusing the new message.
        deletes: a full queue deletes itself.
    """

    __slots__ = ("_arrivals", "_messages", "_size_bytes", "deletes", "keys", "ring")

    def __init__(self, limit: Limit, ordering: Ordering) -> None:
        self._messages: i64 = limit.messages
        self._size_bytes: i64 = limit.size_bytes
        self.keys: i64 = limit.keys
        self.ring = False
        self.deletes = False
        match limit.when_full:
            case WhenFull.REFUSE | WhenFull.BLOCK:
                pass
            case WhenFull.DROP_OLDEST:
                self.ring = True
            case WhenFull.SELF_DESTRUCT:
                self.deletes = True
            case policy:
                assert_never(policy)
        self._arrivals: deque[Entry] | None = None
        if self.ring and isinstance(ordering, Sorted):
            self._arrivals = deque()

    def fits(self, entry: Entry, previous: Entry | None, contents: Contents) -> bool:
        """Whether an entry that replaces `previous` stays within the limit.

        For a ring the entry alone must fit, else the entry together with all that are present. A new value
        adds no message, and one that is not larger than the old value always fits. A held back entry takes
        its key only when it is due.
        """
        if previous is None and entry.not_before_ms == AT_ONCE and not self.takes_key(entry, contents):
            return False
        return self.takes_size(len(entry.encoded), previous, contents)

    def takes_size(self, size_bytes: i64, previous: Entry | None, contents: Contents) -> bool:
        """Whether an entry of this size fits that replaces `previous`, its key aside."""
        if self.ring:
            return not self.exceeded_by(1, size_bytes)
        if previous is None:
            return not self.exceeded_by(contents.depth + 1, contents.depth_bytes + size_bytes)
        growth = size_bytes - len(previous.encoded)
        return growth <= 0 or not self.exceeded_by(0, contents.depth_bytes + growth)

    def takes_key(self, entry: Entry, contents: Contents) -> bool:
        """Whether there is room for the key of an entry; a ring makes room afterwards."""
        key = entry.key
        return key is None or self.takes_new_key(contents) or key in contents.current

    def takes_new_key(self, contents: Contents) -> bool:
        """The same for a key that has no value."""
        return self.keys == 0 or self.ring or contents.current.size < self.keys

    def overflows(self, contents: Contents) -> bool:
        """Whether a ring must drop an entry. Acquired and kept entries do not count and cannot be dropped."""
        if not self.ring:
            return False
        if 0 < self.keys < len(contents.current):
            return True
        messages = contents.available
        size_bytes = contents.depth_bytes - contents.held_bytes
        keeper = contents.keeper
        if keeper is not None:
            messages -= keeper.count
            size_bytes -= keeper.size_bytes
        return self.exceeded_by(messages, size_bytes)

    def has_room(self, entry: Entry, previous: Entry | None, contents: Contents, now: i64) -> bool:
        """Whether an entry fits, after expiring those that are due."""
        while not self.fits(entry, previous, contents):
            if not contents.expire(now, _EXPIRED_AT_ONCE):
                return self.fits(entry, previous, contents)
        return True

    def drop_overflow(self, contents: Contents, now: i64, newest: Entry | None = None) -> None:
        """Bring a ring within its limit, after `newest` came: expire what is due, then drop the oldest."""
        while self.overflows(contents) and contents.expire(now, _EXPIRED_AT_ONCE):
            pass
        while self.overflows(contents):
            victim = self.victim(contents)
            if victim is None:
                break
            contents.drop(victim, OVERFLOW, newest)
        if newest is not None and contents.share is not None and self.ring:
            self._keep_to_share(contents.share, contents, newest)

    def _keep_to_share(self, share: BacklogShare, contents: Contents, newest: Entry) -> None:
        """Drop what exceeds the queue's part in the backlog, of the oldest twice as much as came at most."""
        size_bytes = _memory_of(newest)
        share.add(size_bytes)
        most = 2 * size_bytes
        while most > 0 and share.exceeded_by(contents.depth_bytes + contents.depth * ENTRY_BYTES):
            victim = self.victim(contents)
            if victim is None:
                return
            size_bytes = _memory_of(victim)
            contents.drop(victim, OVERFLOW, newest)
            share.add(-size_bytes)
            most -= size_bytes

    def note(self, entry: Entry) -> None:
        """Record an entry that became available, if the order does not show which entry is the oldest."""
        if self._arrivals is not None:
            self._arrivals.append(entry)

    def victim(self, contents: Contents) -> Entry | None:
        """The entry that a ring drops: the oldest one, on a queue with levels that of the lowest level."""
        available_list = contents.available_list
        if contents.keeper is not None:
            return contents.keeper.oldest()
        if self._arrivals is not None:
            return _oldest(self._arrivals)
        tail = available_list.tail
        return (
            available_list.placed.first_from(tail.rank)
            if available_list.ranked and tail is not None
            else available_list.head
        )

    def exceeded_by(self, messages: i64, size_bytes: i64) -> bool:
        """Whether this number of messages or of bytes exceeds the limit."""
        return (0 < self._messages < messages) or (0 < self._size_bytes < size_bytes)


def _memory_of(entry: Entry) -> i64:
    return len(entry.encoded) + ENTRY_BYTES


def _oldest(arrivals: deque[Entry]) -> Entry | None:
    """The first available entry, or None; removes entries that left, keeps acquired ones."""
    acquired = []
    oldest: Entry | None = None
    while arrivals and oldest is None:
        entry = arrivals.popleft()
        if entry.state == AVAILABLE:
            oldest = entry
        elif entry.state != REMOVED:
            acquired.append(entry)
    arrivals.extendleft(reversed(acquired))
    return oldest


@final
class FlowControlState:
    """Flow control: producers stop when the queue exceeds one depth, and resume at another.

    Attributes:
        stopped: producers get no credit.
    """

    __slots__ = ("_flow", "stopped")

    def __init__(self, flow: FlowControl) -> None:
        self._flow = flow
        self.stopped = False

    def lets_in(self, messages: i64, size_bytes: i64) -> bool:
        """Whether producers are not stopped, and would not be by this depth."""
        flow = self._flow
        return not (self.stopped or 0 < flow.stop_messages < messages or 0 < flow.stop_bytes < size_bytes)

    def watch(self, contents: Contents) -> bool:
        """Check the depth; returns whether producers are stopped."""
        flow = self._flow
        messages, size_bytes = contents.depth, contents.depth_bytes
        if self.stopped:
            self.stopped = (flow.stop_messages > 0 and messages > flow.resume_messages) or (
                flow.stop_bytes > 0 and size_bytes > flow.resume_bytes
            )
        else:
            self.stopped = (0 < flow.stop_messages < messages) or (0 < flow.stop_bytes < size_bytes)
        return self.stopped


@final
class Bounds:
    """What depends on the depth of a queue as messages come: its limit and its flow control.

    Attributes:
        capacity, flow: the limit and the flow control; None without one.
    """

    __slots__ = ("_contents", "capacity", "flow")

    def __init__(self, spec: QueueSpec, contents: Contents) -> None:
        self._contents = contents
        self.capacity = Capacity(spec.limit, spec.ordering) if spec.limit.exists else None
        flows = spec.flow.stop_messages > 0 or spec.flow.stop_bytes > 0
        self.flow = FlowControlState(spec.flow) if flows else None

    def admit_all(self, encodings: list[bytes]) -> bool:
        """Let these messages in if the queue is within all bounds with them, even if they replace nothing.

        They then count in the backlog of its user. False: each is to be asked for, and applied, by itself.
        """
        contents = self._contents
        more: i64 = len(encodings)
        messages = contents.depth + more
        size_bytes = contents.depth_bytes
        for encoded in encodings:
            size_bytes += len(encoded)
        capacity = self.capacity
        if capacity is not None and (
            capacity.exceeded_by(messages, size_bytes) or 0 < capacity.keys < contents.current.size + more
        ):
            return False
        if self.flow is not None and not self.flow.lets_in(messages, size_bytes):
            return False
        return contents.share is None or self._takes_of_share(contents.share, encodings)

    def _takes_of_share(self, share: BacklogShare, encodings: list[bytes]) -> bool:
        """Whether the user's backlog has room for these messages, which are added then."""
        size_bytes: i64 = ENTRY_BYTES * len(encodings)
        for encoded in encodings:
            size_bytes += len(encoded)
        if not share.has_room(size_bytes):
            return False
        share.add(size_bytes)
        return True

    def takes(self, size_bytes: i64, previous: Entry | None) -> bool:
        """Whether a message of this size is within the limit that is available at once.

        `previous` is its key's value; None if the key is new, or it has none.
        """
        capacity = self.capacity
        if capacity is None:
            return True
        if previous is None and not capacity.takes_new_key(self._contents):
            return False
        return capacity.takes_size(size_bytes, previous, self._contents)

    def apply(self, entry: Entry, now: i64) -> None:
        """Drop what exceeds the limit after an entry was added, and stop producers or let them continue."""
        capacity = self.capacity
        if capacity is not None:
            if entry.state == AVAILABLE:
                capacity.note(entry)
            capacity.drop_overflow(self._contents, now, entry)
        if self.flow is not None:
            self.flow.watch(self._contents)
