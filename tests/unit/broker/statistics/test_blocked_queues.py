"""lastvalue.broker.statistics.blocked_queues."""

import pytest
from broker_desk import enqueue, made

from lastvalue.broker.statistics.blocked_queues import REPORTED_AFTER_MS, BlockedQueue, BlockedQueues
from lastvalue.model.message import NEVER
from lastvalue.queues.spec import FlowControl, QueueSpec

START_MS = 1_700_000_000_000


class Watched:
    """A queue that blocks its producers by its second message, and lets them continue at none."""

    def __init__(self) -> None:
        self.broker = made(QueueSpec("q", flow=FlowControl(stop_messages=1, resume_messages=0)))
        self.reported: list[BlockedQueue] = []
        self.broker.observers.append(BlockedQueues(self.reported.append))

    def fill(self, now: int) -> None:
        enqueue(self.broker, "q", "a", "b")
        self.turn(now)

    def turn(self, now: int) -> None:
        self.broker.pump(now)
        self.broker.drain(now)

    @property
    def said(self) -> list[tuple[bool, int]]:
        return [(each.ended, each.blocked_ms) for each in self.reported]


def test_a_queue_that_blocks_for_long_is_reported_when_that_begins_and_when_it_ends() -> None:
    queue = Watched()
    queue.fill(START_MS)
    assert queue.broker.next_deadline() == START_MS + REPORTED_AFTER_MS
    queue.broker.advance(START_MS + REPORTED_AFTER_MS)
    [begun] = queue.reported
    assert (begun.name, begun.messages, begun.ended) == ("q", 2, False)
    queue.turn(START_MS + 2000)
    queue.broker.purge("q")
    queue.turn(START_MS + 3000)
    queue.turn(START_MS + 4000)
    assert queue.said == [(False, REPORTED_AFTER_MS), (True, 3000)]


def test_flow_control_that_closes_and_opens_quickly_is_nothing_to_report() -> None:
    queue = Watched()
    for at_ms in range(START_MS, START_MS + 5000, 500):
        queue.fill(at_ms)
        queue.broker.purge("q")
        queue.turn(at_ms + 400)
        queue.broker.advance(at_ms + 450)
    assert queue.said == []


def test_one_that_closed_again_is_reported_when_that_has_lasted() -> None:
    queue = Watched()
    queue.fill(START_MS)
    queue.broker.purge("q")
    queue.turn(START_MS + 400)
    queue.fill(START_MS + 600)
    queue.broker.advance(START_MS + 1000)
    assert (queue.said, queue.broker.next_deadline()) == ([], START_MS + 1600)
    queue.broker.advance(START_MS + 1600)
    assert queue.said == [(False, REPORTED_AFTER_MS)]


@pytest.mark.parametrize(("deleted_at_ms", "said"), [(500, []), (1500, [(False, 1000), (True, 1500)])])
def test_a_queue_that_is_deleted_blocks_nobody(deleted_at_ms: int, said: list[tuple[bool, int]]) -> None:
    queue = Watched()
    queue.fill(START_MS)
    queue.broker.advance(min(START_MS + 1000, START_MS + deleted_at_ms))
    queue.broker.delete("q", START_MS + deleted_at_ms)
    queue.turn(START_MS + deleted_at_ms)
    queue.broker.advance(START_MS + 5000)
    assert queue.said == said
    assert queue.broker.next_deadline() == NEVER
