"""A producer's message is taken once."""

import pytest
from canned_message import CannedMessage

from lastvalue.model.message import AT_ONCE
from lastvalue.queues.effects import Reason
from lastvalue.queues.errors import DelayRefusedError
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments


def message(identifier: str = "", not_before_ms: int = AT_ONCE) -> CannedMessage:
    made = CannedMessage({"_AMQ_DUPL_ID": identifier}, not_before_ms=not_before_ms)
    made.duplicate_id = identifier.encode()
    return made


def declared(**options: object) -> Queue:
    return Queue(spec_from_arguments("q", options))


def test_a_message_of_a_known_id_is_counted_as_a_duplicate_and_does_not_come_again() -> None:
    queue = declared(duplicate_window=10)
    assert [enqueue_once(queue, message(each), 0) for each in ("a", "b", "a")] == [True, True, True]
    assert (queue.depth, queue.removed(Reason.DUPLICATE)) == (2, 1)


def test_messages_without_an_id_are_all_taken() -> None:
    queue = declared(duplicate_window=10)
    assert enqueue_once(queue, message(), 0)
    assert enqueue_once(queue, message(), 0)
    assert queue.depth == 2


def test_what_a_full_queue_refused_may_come_again() -> None:
    queue = declared(duplicate_window=10, max_messages=1)
    enqueue_once(queue, message("a"), 0)
    assert not enqueue_once(queue, message("b"), 0)
    queue.purge()
    assert enqueue_once(queue, message("b"), 0)
    assert queue.depth == 1


def test_what_may_not_be_delayed_may_come_again_without_its_delay() -> None:
    queue = declared(duplicate_window=10, delayed_delivery="refuse")
    with pytest.raises(DelayRefusedError):
        enqueue_once(queue, message("a", not_before_ms=9), 0)
    enqueue_once(queue, message("a"), 0)
    assert queue.depth == 1
