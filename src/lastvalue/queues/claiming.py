"""Taking from a queue an entry that a browser was shown."""

from mypy_extensions import i64

from lastvalue.queues.entry import AVAILABLE, Entry
from lastvalue.queues.queue import Queue


def claim(queue: Queue, entry: Entry, now: i64) -> bool:
    """Hold an entry for no reader in particular, until `Queue.settle`; false where it is not available."""
    # What has expired is not to be had any more.
    queue.advance(now)
    if entry.state != AVAILABLE:
        return False
    queue.contents.hold(entry, queue.unclaimed, 0)
    return True
