"""Entries that are acquired without a reader, such as those of a recovered transaction."""

from mypy_extensions import i64

from lastvalue.queues.entry import AVAILABLE, Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.subscription import AcquiredList


def claim(queue: Queue, entry: Entry, now: i64) -> bool:
    """Acquire an entry without a reader, until `Queue.settle`; returns false if it is not available."""
    # An expired entry cannot be acquired.
    queue.advance(now)
    if entry.state != AVAILABLE:
        return False
    queue.contents.hold(entry, queue.unclaimed, 0)
    return True


def release_others(queue: Queue, sequences: set[int], now: i64) -> None:
    """Release the entries that were acquired when the queue's effects ended, except these sequences."""
    aside = AcquiredList()
    exceptions = [entry for entry in queue.unclaimed.entries() if entry.sequence in sequences]
    for entry in exceptions:
        queue.contents.keep(entry, aside)
    queue.release_all(now)
    for entry in exceptions:
        queue.contents.keep(entry, queue.unclaimed)
