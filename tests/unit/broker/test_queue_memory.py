import gc
import sys

import pytest
from bare_queue import START_MS
from canned_message import CannedMessage

from lastvalue.broker.queue_memory import (
    DETAILS_BYTES,
    KEY_BYTES,
    QUEUE_BYTES,
    entry_memory,
    queue_memory,
)
from lastvalue.codec.amqp10.message import EncodedMessage
from lastvalue.model.message import NEVER, MessageExtras
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.entry import Entry, EntryDetails
from lastvalue.queues.key_table import KeyPart, KeyTable
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Grouping, LastValue, Priority, QueueSpec, Sorted, Standard
from lastvalue.queues.touches import TOUCHES
from lastvalue.server.build import is_compiled

ALIGNMENT = 16
"""The allocator's."""


def size(one: object) -> int:
    return -(-sys.getsizeof(one) // ALIGNMENT) * ALIGNMENT


@pytest.mark.parametrize(
    ("spec", "entry_bytes"),
    [
        (QueueSpec("q"), ENTRY_BYTES),
        (QueueSpec("q", Standard()), ENTRY_BYTES),
        (QueueSpec("q", LastValue("k")), ENTRY_BYTES),
        (QueueSpec("q", LastValue("k", order_by="n")), ENTRY_BYTES + DETAILS_BYTES),
        (QueueSpec("q", Priority(10)), ENTRY_BYTES + DETAILS_BYTES),
        (QueueSpec("q", Sorted("k")), ENTRY_BYTES + DETAILS_BYTES),
        (QueueSpec("q", grouping=Grouping("k")), ENTRY_BYTES + DETAILS_BYTES),
        (QueueSpec("q", LastValue("k"), trace_links=1), ENTRY_BYTES + DETAILS_BYTES),
    ],
)
def test_a_message_takes_more_where_more_of_it_is_kept(spec: QueueSpec, entry_bytes: int) -> None:
    assert entry_memory(TOUCHES.of(spec)) == entry_bytes


def test_a_queue_counts_its_messages_and_its_keys() -> None:
    queue = Queue(QueueSpec("q", LastValue("k")))
    for key, body in (("a", bytes(100)), ("b", bytes(50)), (None, bytes(7))):
        queue.enqueue(CannedMessage({} if key is None else {"k": key}, body=body), START_MS)
    assert queue_memory(queue, ENTRY_BYTES) == QUEUE_BYTES + 157 + 3 * ENTRY_BYTES + 2 * (KEY_BYTES + 24)
    queue.purge()
    assert queue_memory(queue, ENTRY_BYTES) == QUEUE_BYTES + 2 * 24


@pytest.mark.skipif(not is_compiled(), reason="the figures are those of compiled classes")
def test_what_is_counted_is_what_the_objects_of_a_message_take() -> None:
    message = EncodedMessage(bytes(124))
    entry = Entry(1, message, START_MS, NEVER, 1)
    common = size(entry) + size(message) + size(message.encoded) - len(message.encoded)
    assert (size(entry), size(message)) == (112, 48)
    assert ENTRY_BYTES - ALIGNMENT < common + size(MessageExtras()) <= ENTRY_BYTES
    assert (
        DETAILS_BYTES - ALIGNMENT <= size(EntryDetails(1)) + sys.getsizeof(2**60) - ALIGNMENT <= DETAILS_BYTES
    )


def test_what_is_counted_for_a_key_is_what_the_table_of_keys_grows_by() -> None:
    count = 100_000
    table = KeyTable()
    example = EncodedMessage(b"")
    for number in range(count):
        entry = Entry(number, example, START_MS, NEVER, 1)
        entry.key = b"\xa1\x06k%05d" % number
        table.put(entry)
    parts = [each for each in gc.get_objects() if isinstance(each, KeyPart)]
    taken = sum(size(part) + sys.getsizeof(part.entries) + 4 * len(part.marks) for part in parts)
    each = size(b"\xa1\x06k00000") + taken / count
    assert KEY_BYTES / 2 < each <= KEY_BYTES
