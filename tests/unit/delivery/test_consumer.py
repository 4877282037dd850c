"""A consumer: what it waits for and since when, and how its deliveries end."""

import pytest
from consumed_queue import ConsumedQueue

from lastvalue.delivery.consumer import BlockedBy
from lastvalue.delivery.output import OUTPUT_ROOM
from lastvalue.queues.spec import Grouping, QueueSpec, Readers
from lastvalue.queues.subscription import Mode, Outcome, Terms
from lastvalue.selectors.selector import parse_selector


def test_a_consumer_that_is_served_waits_for_nothing() -> None:
    consumer = ConsumedQueue().consumer()
    assert consumer.has_room(1)
    assert consumer.blocked_by is None


def test_a_consumer_tells_since_when_it_waits() -> None:
    consumer = ConsumedQueue().consumer()
    assert consumer.wait_for(BlockedBy.CREDIT, 5) is False
    consumer.wait_for(BlockedBy.CREDIT, 9)
    assert (consumer.blocked_by, consumer.blocked_since_ms) == (BlockedBy.CREDIT, 5)
    consumer.wait_for(BlockedBy.WINDOW, 12)
    assert (consumer.blocked_by, consumer.blocked_since_ms) == (BlockedBy.WINDOW, 12)


def test_a_message_that_is_sent_ends_the_wait() -> None:
    queue = ConsumedQueue(bodies=["a"])
    consumer = queue.consumer()
    consumer.wait_for(BlockedBy.CREDIT, 5)
    consumer.sent(queue.next(consumer), 7)
    assert consumer.blocked_by is None
    assert (consumer.traffic.delivered, queue.output.traffic.delivered) == (1, 1)
    assert (consumer.traffic.last_ms, queue.scheduled) == (7, ["write"])


def test_a_consumer_without_room_is_woken_when_the_output_was_written() -> None:
    queue = ConsumedQueue()
    consumer = queue.consumer()
    queue.output.buffer.put(bytes(OUTPUT_ROOM))
    assert not consumer.has_room(7)
    assert (consumer.blocked_by, consumer.blocked_since_ms) == (BlockedBy.OUTPUT, 7)
    queue.output.buffer.take()
    queue.output.resume()
    assert queue.hosted.waiting == [consumer.reader]


def test_a_consumer_of_an_empty_queue_waits_for_messages() -> None:
    consumer = ConsumedQueue().consumer()
    consumer.on_empty(3)
    assert (consumer.blocked_by, consumer.blocked_since_ms) == (BlockedBy.EMPTY, 3)


def test_a_consumer_of_a_paused_queue_waits_until_it_is_not() -> None:
    consumer = ConsumedQueue(QueueSpec("q", paused=True), ["a"]).consumer()
    consumer.on_empty(0)
    assert consumer.blocked_by is BlockedBy.PAUSED


def test_a_consumer_whose_selector_matches_nothing_waits_for_what_it_matches() -> None:
    queue = ConsumedQueue(bodies=["a"])
    consumer = queue.consumer(terms=Terms(parse_selector("colour = 'red'")))
    consumer.on_empty(0)
    assert consumer.blocked_by is BlockedBy.SELECTOR


def test_a_consumer_beside_the_one_that_is_served_waits_for_its_turn() -> None:
    queue = ConsumedQueue(QueueSpec("q", readers=Readers(live=1)), ["a"])
    queue.consumer()
    second = queue.consumer()
    second.on_empty(0)
    assert second.blocked_by is BlockedBy.TURN


def test_a_consumer_without_a_group_waits_for_one() -> None:
    consumer = ConsumedQueue(QueueSpec("q", grouping=Grouping("group")), ["a"]).consumer()
    consumer.on_empty(0)
    assert consumer.blocked_by is BlockedBy.GROUP


def test_a_browser_that_has_seen_all_waits_for_messages() -> None:
    consumer = ConsumedQueue(bodies=["a"]).consumer(Mode.BROWSE)
    consumer.on_empty(0)
    assert (consumer.acquires, consumer.blocked_by) == (False, BlockedBy.EMPTY)


@pytest.mark.parametrize(
    ("outcome", "left"), [(Outcome.ACCEPTED, 0), (Outcome.RELEASED, 1), (Outcome.MODIFIED_FAILED, 1)]
)
def test_a_delivery_ends_with_its_outcome(outcome: Outcome, left: int) -> None:
    queue = ConsumedQueue(bodies=["a"])
    consumer = queue.consumer()
    consumer.settle(queue.next(consumer), outcome, 0)
    assert queue.hosted.queue.available == left


def test_an_outcome_means_nothing_once_the_queue_is_gone() -> None:
    queue = ConsumedQueue(bodies=["a"])
    consumer = queue.consumer()
    entry = queue.next(consumer)
    queue.broker.delete("q", 0)
    consumer.settle(entry, Outcome.ACCEPTED, 0)
    consumer.wake()
    assert consumer.reader is None


def test_the_first_message_of_a_group_is_told_where_the_queue_marks_it() -> None:
    grouping = Grouping("properties.subject", first_key="first")
    queue = ConsumedQueue(QueueSpec("q", grouping=grouping))
    assert queue.consumer().first_key == "first"
    assert not queue.consumer().opens_group()
