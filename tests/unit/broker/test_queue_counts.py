"""What the broker counts of a queue beside what the queue counts itself."""

from typing import Any

import pytest
from bare_queue import encoded, queue_of

from lastvalue.broker.queue_counts import QueueCounts, browser_lag, keyless, oldest_ms
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Subscriber, Terms


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


def test_messages_without_a_key_are_counted_where_messages_have_keys() -> None:
    keyed, plain = queue(lvq_key="k"), queue()
    for to in (keyed, plain):
        enqueue(to, 1, k="A")
        enqueue(to, 2)
    assert (keyless(keyed), keyless(plain)) == (1, 0)


@pytest.mark.parametrize(
    ("options", "lags"),
    [({}, [3, 2, 0]), ({"lvq_placement": "in-place"}, [0, 0, 0])],
)
def test_the_slowest_browser_s_lag_is_in_sequences(options: dict[str, Any], lags: list[int]) -> None:
    read = queue(lvq_key="k", **options)
    slow = read.subscribe(Mode.BROWSE, Subscriber(), Terms(), 0)
    for number in range(3):
        enqueue(read, number, k=str(number))
    found = [browser_lag(read)]
    read.next(slow, 5)
    found.append(browser_lag(read))
    while read.next(slow, 5) is not None:
        pass
    assert [*found, browser_lag(read)] == lags
    read.unsubscribe(slow, 9)
    assert browser_lag(read) == 0
