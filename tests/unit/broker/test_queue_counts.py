"""What the broker counts of a queue beside what the queue counts itself."""

from typing import Any

import pytest
from bare_queue import encoded, queue_of

from lastvalue.broker.queue_counts import QueueCounts, oldest_ms
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments


def queue(**options: Any) -> Queue:
    return queue_of(spec_from_arguments("q", options))


def enqueue(to: Queue, at_ms: int, priority: int = 4, **properties: Any) -> None:
    to.enqueue(read_message(encoded("x", properties, None, priority=priority)), at_ms)


def test_activity_is_noted_at_the_time_of_the_call() -> None:
    counts, noted = QueueCounts(), queue()
    counts.note_activity(noted, 5)
    assert (counts.last_in_ms, counts.last_out_ms) == (0, 0)
    enqueue(noted, 7)
    counts.note_activity(noted, 10)
    assert (counts.last_in_ms, counts.last_out_ms) == (10, 0)
    noted.purge()
    counts.note_activity(noted, 15)
    assert (counts.last_in_ms, counts.last_out_ms) == (10, 15)


@pytest.mark.parametrize(
    ("options", "oldest"),
    [
        ({}, 10),
        ({"lvq_key": "k"}, 20),
        ({"lvq_key": "k", "lvq_placement": "in-place"}, 20),
        ({"priorities": 10}, 10),
        ({"sort_key": "k"}, 10),
    ],
    ids=str,
)
def test_the_oldest_message_is_that_which_came_first_of_those_that_are_there(
    options: dict[str, Any], oldest: int
) -> None:
    aged = queue(**options)
    enqueue(aged, 10, 1, k="b")
    enqueue(aged, 20, 5, k="a")
    enqueue(aged, 30, 9, k="b")
    assert oldest_ms(aged) == oldest


def test_an_empty_queue_has_no_oldest_message() -> None:
    assert oldest_ms(queue()) == 0
