"""Holding entries of a queue for no reader in particular."""

from mypy_extensions import i64

from lastvalue.queues.entry import AVAILABLE, Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.subscription import AcquiredList


def claim(queue: Queue, entry: Entry, now: i64) -> bool:
    """Hold an entry for no reader in particular, until `Queue.settle`; false where it is not available."""
    # What has expired is not to be had any more.
    queue.advance(now)
    if entry.state != AVAILABLE:
        return False
    queue.contents.hold(entry, queue.unclaimed, 0)
    return True


def release_others(queue: Queue, sequences: set[int], now: i64) -> None:
    """Release what was held when the queue's effects ended, but for the entries of these sequences."""
    aside = AcquiredList()
    kept = [entry for entry in queue.unclaimed.entries() if entry.sequence in sequences]
    for entry in kept:
        queue.contents.keep(entry, aside)
    queue.release_all(now)
    for entry in kept:
        queue.contents.keep(entry, queue.unclaimed)
