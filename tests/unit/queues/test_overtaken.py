"""When what consumers hold counts as overtaken."""

from typing import Any

import pytest
from canned_message import Bell, CannedMessage
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription

PRIORITY = {"type": "priority", "priorities": 10}
SORTED = {"sort_key": "s"}
LVQ = {"lvq_key": "k"}


def declared(**options: Any) -> Queue:
    return Queue(spec_from_arguments("q", options))


def send(queue: Queue, *, key: str = "", sort: str = "", priority: int = 4) -> None:
    properties: dict[str, object] = {"k": key or None, "s": sort or None}
    queue.enqueue(CannedMessage(properties, priority=priority), 0)


def consumer(queue: Queue) -> Subscription:
    return queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)


def take(queue: Queue, reader: Subscription, count: int) -> list[Entry]:
    taken = [queue.next(reader, 0) for _ in range(count)]
    return [entry for entry in taken if entry is not None]


@pytest.mark.parametrize(
    ("options", "first", "second", "later"),
    [
        (LVQ, {"key": "a"}, {"key": "b"}, {"key": "a"}),
        ({**LVQ, "lvq_placement": "in-place"}, {"key": "a"}, {"key": "b"}, {"key": "a"}),
        (PRIORITY, {"priority": 5}, {"priority": 4}, {"priority": 5}),
        (SORTED, {"sort": "a"}, {"sort": "c"}, {"sort": "b"}),
    ],
    ids=["replaced", "replaced in place", "by priority", "by its sort key"],
)
def test_what_is_held_with_others_is_overtaken_by_what_would_have_come_first(
    options: dict[str, Any], first: dict[str, Any], second: dict[str, Any], later: dict[str, Any]
) -> None:
    queue = declared(**options)
    send(queue, **first)
    send(queue, **second)
    assert len(take(queue, consumer(queue), 2)) == 2
    send(queue, **later)
    assert queue.overtaken == 1


@pytest.mark.parametrize(
    ("options", "first", "later"),
    [(LVQ, {"key": "a"}, {"key": "a"}), (PRIORITY, {"priority": 4}, {"priority": 5})],
    ids=["replaced", "by priority"],
)
def test_what_is_held_alone_is_not_overtaken(
    options: dict[str, Any], first: dict[str, Any], later: dict[str, Any]
) -> None:
    queue = declared(**options)
    send(queue, **first)
    take(queue, consumer(queue), 1)
    send(queue, **later)
    assert queue.overtaken == 0


def test_each_is_overtaken_once() -> None:
    queue = declared(**PRIORITY)
    for _ in range(3):
        send(queue, priority=4)
    take(queue, consumer(queue), 3)
    send(queue, priority=6)
    send(queue, priority=7)
    assert queue.overtaken == 3


def test_what_was_overtaken_by_priority_is_not_replaced_once_more() -> None:
    queue = declared(**LVQ, priorities=10)
    send(queue, key="a", priority=4)
    send(queue, key="b", priority=4)
    take(queue, consumer(queue), 2)
    send(queue, key="a", priority=9)
    assert queue.overtaken == 2
    send(queue, key="b", priority=9)
    assert queue.overtaken == 2


@pytest.mark.parametrize("outcome", [Outcome.ACCEPTED, Outcome.RELEASED])
def test_what_is_held_no_more_is_not_overtaken(outcome: Outcome) -> None:
    queue = declared(**PRIORITY)
    for _ in range(3):
        send(queue)
    entries = take(queue, consumer(queue), 3)
    for entry in entries:
        queue.settle(entry, outcome, 0)
    send(queue, priority=9)
    assert queue.overtaken == 0


def test_what_comes_behind_overtakes_nothing() -> None:
    queue = declared(**PRIORITY)
    send(queue)
    send(queue)
    take(queue, consumer(queue), 2)
    send(queue)
    send(queue, priority=1)
    assert queue.overtaken == 0


def test_a_message_that_was_held_back_overtakes_when_its_time_comes() -> None:
    queue = declared(**PRIORITY, hold_on_publish=True)
    queue.enqueue(CannedMessage({}, priority=9, not_before_ms=100), 0)
    send(queue)
    send(queue)
    take(queue, consumer(queue), 2)
    assert queue.overtaken == 0
    queue.advance(100)
    assert queue.overtaken == 2


@pytest.mark.parametrize("options", [{}, {**PRIORITY, "fairshare": 1}], ids=["standard", "fairshare"])
def test_queues_without_a_strict_order_count_nothing(options: dict[str, Any]) -> None:
    queue = declared(**options)
    send(queue)
    send(queue)
    take(queue, consumer(queue), 2)
    send(queue, priority=9)
    assert queue.overtaken == 0


class NaiveCount:
    """What is held, looked through for each arrival."""

    def __init__(self) -> None:
        self.held: dict[int, list[tuple[Entry, int]]] = {0: [], 1: [], 2: []}
        self.passed: set[int] = set()
        self.count = 0

    def came(self, priority: int) -> None:
        for entries in self.held.values():
            for entry, own in entries:
                if own < priority and entry.sequence not in self.passed:
                    self.passed.add(entry.sequence)
                    self.count += len(entries) > 1


STEPS = st.lists(
    st.tuples(st.sampled_from(["send", "send", "take", "take", "accept", "release"]), st.integers(0, 9)),
    max_size=60,
)


@given(STEPS)
def test_the_count_is_what_looking_through_all_that_is_held_gives(steps: list[tuple[str, int]]) -> None:
    queue, naive = declared(**PRIORITY), NaiveCount()
    readers = [consumer(queue) for _ in naive.held]
    for step, number in steps:
        held = naive.held[number % 3]
        if step == "send":
            naive.came(number)
            send(queue, priority=number)
        elif step == "take":
            held += [(entry, entry.message.priority) for entry in take(queue, readers[number % 3], 1)]
        elif held:
            entry, _ = held.pop(number % len(held))
            naive.passed.discard(entry.sequence)
            queue.settle(entry, Outcome.ACCEPTED if step == "accept" else Outcome.RELEASED, 0)
        assert queue.overtaken == naive.count
