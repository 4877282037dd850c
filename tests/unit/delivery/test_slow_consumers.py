"""Slow consumers are reported once for each wait, and only while messages wait for them."""

from collections.abc import Callable

import pytest
from bare_queue import START_MS
from consumed_queue import ConsumedQueue

from lastvalue.delivery.consumer import BlockedBy, Consumer
from lastvalue.delivery.slow_consumers import SlowConsumer, SlowConsumers
from lastvalue.model.message import NEVER
from lastvalue.queues.subscription import Mode

LIMIT_MS = 100


class WatchedQueue(ConsumedQueue):
    """A queue whose slow consumers are noted."""

    def __init__(self, *bodies: str) -> None:
        super().__init__(bodies=bodies)
        self.slow: list[SlowConsumer] = []
        self.broker.observers.append(SlowConsumers(LIMIT_MS, self.slow.append))

    def blocked(self, cause: BlockedBy, now: int, mode: Mode = Mode.CONSUME) -> Consumer:
        consumer = self.consumer(mode)
        consumer.wait_for(cause, now)
        self.broker.drain(now)
        return consumer


@pytest.mark.parametrize("cause", [BlockedBy.CREDIT, BlockedBy.WINDOW, BlockedBy.OUTPUT])
def test_a_consumer_that_leaves_messages_waiting_is_reported_once(cause: BlockedBy) -> None:
    queue = WatchedQueue("a")
    queue.blocked(cause, START_MS)
    assert queue.broker.next_deadline() == START_MS + LIMIT_MS
    queue.broker.advance(START_MS + LIMIT_MS)
    [slow] = queue.slow
    assert (slow.queue, slow.cause, slow.waited_ms) == ("q", cause, LIMIT_MS)
    queue.hosted.mark_changed()
    queue.broker.drain(START_MS + LIMIT_MS)
    queue.broker.advance(START_MS + 5 * LIMIT_MS)
    assert len(queue.slow) == 1


def test_one_that_went_on_and_stops_again_is_reported_again() -> None:
    queue = WatchedQueue("a", "b")
    consumer = queue.blocked(BlockedBy.CREDIT, START_MS)
    queue.broker.advance(START_MS + LIMIT_MS)
    consumer.sent(queue.next(consumer), START_MS + 150)
    consumer.wait_for(BlockedBy.CREDIT, START_MS + 150)
    queue.hosted.mark_changed()
    queue.broker.drain(START_MS + 150)
    queue.broker.advance(START_MS + 150 + LIMIT_MS)
    assert [(slow.waited_ms, slow.ended) for slow in queue.slow] == [(100, False), (150, True), (100, False)]


def test_one_that_has_not_waited_for_long_is_looked_at_again_when_it_has() -> None:
    queue = WatchedQueue("a")
    consumer = queue.blocked(BlockedBy.CREDIT, START_MS)
    consumer.wait_for(BlockedBy.WINDOW, START_MS + 40)
    queue.broker.advance(START_MS + LIMIT_MS)
    assert (queue.slow, queue.broker.next_deadline()) == ([], START_MS + 40 + LIMIT_MS)
    queue.broker.advance(START_MS + 40 + LIMIT_MS)
    assert len(queue.slow) == 1


@pytest.mark.parametrize("end", ["closed", "emptied", "deleted", "served"])
def test_the_end_of_its_slowness_is_reported_once(end: str) -> None:
    queue = WatchedQueue("a")
    consumer = queue.blocked(BlockedBy.CREDIT, START_MS)
    queue.broker.advance(START_MS + LIMIT_MS)
    ends: dict[str, Callable[[], object]] = {
        "closed": lambda: queue.broker.stop(next(iter(queue.hosted.readers)), START_MS + 120),
        "emptied": lambda: queue.broker.purge("q"),
        "deleted": lambda: queue.broker.delete("q", START_MS + 120),
        "served": lambda: consumer.sent(queue.next(consumer), START_MS + 120),
    }
    ends[end]()
    queue.hosted.mark_changed()
    queue.broker.drain(START_MS + 130)
    queue.broker.advance(START_MS + 10 * LIMIT_MS)
    assert [(slow.waited_ms, slow.ended) for slow in queue.slow] == [(100, False), (130, True)]


def test_that_a_slow_consumer_is_gone_is_seen_though_nothing_happens_on_its_queue() -> None:
    queue = WatchedQueue("a")
    queue.blocked(BlockedBy.CREDIT, START_MS)
    queue.broker.advance(START_MS + LIMIT_MS)
    queue.broker.stop(next(iter(queue.hosted.readers)), START_MS + 120)
    queue.broker.advance(START_MS + 2 * LIMIT_MS)
    assert [(slow.waited_ms, slow.ended) for slow in queue.slow] == [(100, False), (200, True)]
    assert queue.broker.next_deadline() == NEVER


@pytest.mark.parametrize(
    ("bodies", "cause", "mode"),
    [
        ((), BlockedBy.CREDIT, Mode.CONSUME),
        (("a",), BlockedBy.EMPTY, Mode.CONSUME),
        (("a",), BlockedBy.FLOW, Mode.CONSUME),
        (("a",), BlockedBy.CREDIT, Mode.BROWSE),
    ],
)
def test_one_that_nothing_waits_for_or_that_waits_for_the_queue_is_not(
    bodies: tuple[str, ...], cause: BlockedBy, mode: Mode
) -> None:
    queue = WatchedQueue(*bodies)
    queue.blocked(cause, START_MS, mode)
    queue.broker.advance(START_MS + LIMIT_MS)
    assert queue.slow == []
    assert queue.broker.next_deadline() == NEVER


def test_a_queue_that_is_deleted_is_not_looked_at_any_more() -> None:
    queue = WatchedQueue("a")
    queue.blocked(BlockedBy.CREDIT, START_MS)
    queue.broker.delete("q", START_MS)
    queue.broker.advance(START_MS + LIMIT_MS)
    assert queue.slow == []
