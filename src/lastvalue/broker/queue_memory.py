"""What a queue and its messages count as in the broker's memory.

The figures are those of the compiled broker, rounded up; a test compares them with the sizes of the objects.
"""

from typing import Final

from mypy_extensions import i64

from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.option import Touch
from lastvalue.queues.queue import Queue

QUEUE_BYTES: Final = 6144
"""Bytes of memory that a queue takes besides its messages."""

DETAILS_BYTES: Final = 128
"""Bytes that it takes besides that where the queue keeps an order value, a rank, a group or traces of it."""

KEY_BYTES: Final = 80
"""Bytes of memory that a key of a few characters takes: the object, and its part of the table of keys."""


def entry_memory(touches: frozenset[Touch]) -> i64:
    """The bytes that a message takes besides its encoding, on a queue whose declaration touches this."""
    return ENTRY_BYTES + DETAILS_BYTES if Touch.DETAILS in touches else ENTRY_BYTES


def queue_memory(queue: Queue, entry_bytes: i64) -> i64:
    """The bytes of a queue and its messages; `entry_bytes` is what `entry_memory` says of it."""
    contents = queue.contents
    total = QUEUE_BYTES + queue.depth_bytes + queue.depth * entry_bytes
    total += len(contents.current) * KEY_BYTES + queue.duplicates.size_bytes
    total += contents.recent.memory_bytes()
    if contents.tombstones is not None:
        total += contents.tombstones.size_bytes
    if contents.keeper is not None:
        total += contents.keeper.memory_bytes()
    return total if contents.groups is None else total + contents.groups.empty_bytes
