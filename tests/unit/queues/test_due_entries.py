"""Entries whose delivery time has come, when there are very many of them."""

from canned_message import Bell, CannedMessage

from lastvalue.model.message import AT_ONCE
from lastvalue.queues.due_entries import PAGE
from lastvalue.queues.entry import REMOVED
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

DUE = 100
HELD_BACK = 2 * PAGE + 500


def queue_of_held_back(**options: object) -> Queue:
    queue = Queue(spec_from_arguments("q", options))
    for number in range(HELD_BACK):
        queue.enqueue(CannedMessage({"key": str(number)}, not_before_ms=DUE), 0)
    return queue


def test_advancing_a_queue_shows_at_most_as_many_as_it_may() -> None:
    queue = queue_of_held_back()
    queue.advance(DUE, PAGE)
    assert (queue.available, queue.next_deadline()) == (PAGE, DUE)
    queue.advance(DUE, PAGE)
    queue.advance(DUE, PAGE)
    assert queue.available == HELD_BACK


def test_all_that_is_published_or_read_at_one_time_shows_one_page() -> None:
    queue = queue_of_held_back()
    reader = queue.subscribe(Mode.BROWSE, Bell(), ANY, 0)
    for _ in range(10):
        queue.enqueue(CannedMessage({}), DUE)
        queue.next(reader, DUE)
    assert queue.available == PAGE + 10
    queue.enqueue(CannedMessage({}), DUE + 1)
    assert queue.available == 2 * PAGE + 11


def test_without_a_limit_all_are_shown() -> None:
    queue = queue_of_held_back()
    queue.advance(DUE)
    assert queue.available == HELD_BACK


def test_each_replaces_the_value_of_its_key_whichever_page_it_is_in() -> None:
    queue = queue_of_held_back(lvq_key="key")
    for number in range(HELD_BACK):
        queue.enqueue(CannedMessage({"key": str(number)}), 1)
    queue.advance(DUE, PAGE)
    queue.advance(DUE)
    assert (queue.depth, queue.available) == (HELD_BACK, HELD_BACK)
    assert all(entry.not_before_ms == DUE for entry in queue.entries())


def test_an_entry_that_is_shown_early_is_as_one_that_is_due() -> None:
    queue = Queue(spec_from_arguments("q", {"lvq_key": "key"}))
    for not_before_ms in (AT_ONCE, DUE):
        queue.enqueue(CannedMessage({"key": "k"}, not_before_ms=not_before_ms), 0)
    queue.enqueue(CannedMessage({"key": "other"}, not_before_ms=DUE), 0)
    bell = Bell()
    consumer = queue.subscribe(Mode.CONSUME, bell, ANY, 0)
    first = queue.next(consumer, 0)
    assert first is not None
    queue.settle(first, Outcome.ACCEPTED, 0)
    assert queue.next(consumer, 0) is None
    value, other = queue.entries()
    assert queue.show_early(value, 1)
    assert not queue.show_early(value, 1)
    assert (queue.depth, queue.available, bell.rung) == (2, 1, 1)
    queue.enqueue(CannedMessage({"key": "k"}), 1)
    assert value.state == REMOVED
    value = queue.entries()[-1]
    assert queue.next(consumer, 1) is value
    assert queue.next(consumer, 1) is None
    queue.advance(DUE)
    assert queue.next(consumer, DUE) is other
