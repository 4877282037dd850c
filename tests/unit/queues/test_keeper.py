"""Entries that a queue keeps although it has dropped them."""

from bare_queue import START_MS
from broker_desk import message

from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.keeper import Keeper
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Expiry, Limit, QueueSpec, WhenFull


class Odd(Keeper):
    """Keeps every second entry."""

    def __init__(self, contents: Contents) -> None:
        super().__init__()
        self.contents = contents

    def oldest(self) -> Entry | None:
        entry = self.contents.available_list.head
        while entry is not None and entry.is_kept:
            entry = entry.next
        return entry

    def drop(self, entry: Entry, reason: Reason) -> None:
        if entry.sequence % 2 == 0:
            self.contents.remove(entry, reason)
            return
        self.contents.keep_dropped(entry, reason)
        self.kept(entry)

    def kept(self, entry: Entry) -> None:
        self.count += 1
        self.size_bytes += len(entry.encoded)

    def left(self, entry: Entry) -> None:
        self.count -= 1
        self.size_bytes -= len(entry.encoded)

    def memory_bytes(self) -> int:
        return 0


def kept(spec: QueueSpec) -> Queue:
    queue = Queue(spec)
    queue.contents.keeper = Odd(queue.contents)
    return queue


def sequences(queue: Queue) -> list[int]:
    return [int(entry.sequence) for entry in queue.entries()]


def test_what_is_kept_does_not_count_for_the_limit() -> None:
    queue = kept(QueueSpec("q", limit=Limit(messages=2, when_full=WhenFull.DROP_OLDEST)))
    for number in range(7):
        queue.enqueue(message(str(number)), START_MS)
    assert sequences(queue) == [1, 3, 5, 6, 7]
    assert queue.removed(Reason.OVERFLOW) == 2


def test_what_is_kept_does_not_count_for_a_limit_in_bytes() -> None:
    size = len(message("0").encoded)
    queue = kept(QueueSpec("q", limit=Limit(size_bytes=2 * size, when_full=WhenFull.DROP_OLDEST)))
    for number in range(7):
        queue.enqueue(message(str(number)), START_MS)
    assert sequences(queue) == [1, 3, 5, 6, 7]


def test_what_is_kept_does_not_expire_any_more() -> None:
    queue = kept(QueueSpec("q", expiry=Expiry(maximum_ttl_ms=10)))
    for number in range(4):
        queue.enqueue(message(str(number)), START_MS)
    queue.advance(START_MS + 10)
    assert sequences(queue) == [1, 3]
    queue.reconfigure(QueueSpec("q", expiry=Expiry(maximum_ttl_ms=20)), START_MS + 10)
    queue.advance(START_MS + 100)
    assert sequences(queue) == [1, 3]


def test_a_keeper_is_told_what_leaves() -> None:
    queue = kept(QueueSpec("q", limit=Limit(messages=1, when_full=WhenFull.DROP_OLDEST)))
    for number in range(4):
        queue.enqueue(message(str(number)), START_MS)
    keeper = queue.contents.keeper
    assert keeper is not None
    assert keeper.count == 2
    queue.purge()
    assert (keeper.count, keeper.size_bytes) == (0, 0)
