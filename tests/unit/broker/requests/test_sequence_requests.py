"""Where readers by sequence stand."""

from typing import Any

import pytest
from bare_queue import START_MS, encoded

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import LOOKED_AT_ONCE
from lastvalue.broker.requests.management import Request, manage
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.available_list import MOST_WALKED
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import (
    LastValue,
    Limit,
    Ordering,
    Placement,
    Priority,
    QueueSpec,
    Sorted,
    Standard,
    WhenFull,
)


def asked(broker: Broker, operation: str, name: str = "", kind: str = "", **body: Any) -> tuple[int, object]:
    response = manage(broker, Request(operation, kind, name, body), START_MS)
    return response.status, response.body


@pytest.mark.parametrize(
    ("ordering", "asked_for", "expected"),
    [
        (None, {}, (9, 1, 9)),
        (None, {"after": 3, "messages": 4}, (9, 4, 7)),
        (None, {"after": 7, "messages": 5}, (9, 8, 9)),
        (None, {"after": 9}, (9, None, 9)),
        (Priority(10), {"messages": 2}, (9, 1, 2)),
        (Priority(10), {"after": 8, "messages": 2}, (9, 9, 9)),
        (LastValue("n"), {}, (9, 7, 9)),
        (LastValue("n"), {"messages": 1}, (9, 7, 7)),
        (LastValue("n", placement=Placement.IN_PLACE), {"messages": 2}, (9, 7, 8)),
    ],
)
def test_a_reader_is_told_where_a_batch_of_messages_ends(
    ordering: Ordering | None, asked_for: dict[str, Any], expected: tuple[int, int | None, int]
) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", Standard() if ordering is None else ordering))
    queue = broker.lookup("q").queue
    for number in range(9):
        queue.enqueue(read_message(encoded("x", {"n": number % 3}, None, priority=9 - number)), START_MS)
    last, first, end = expected
    assert asked(broker, "SEQUENCES", "q", **asked_for) == (
        200,
        {"last": last, "first": first, "gone": 0, "end": end},
    )


def test_a_reader_is_told_what_left_before_it_came() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(messages=3, when_full=WhenFull.DROP_OLDEST)))
    queue = broker.lookup("q").queue
    for _ in range(5):
        queue.enqueue(read_message(encoded("x", {}, None)), START_MS)
    assert asked(broker, "SEQUENCES", "q") == (200, {"last": 5, "first": 3, "gone": 2, "end": 5})
    restored = Queue(queue.spec)
    restored.restore(queue.entries(), 5)
    emptied = Queue(queue.spec)
    emptied.restore([], 5)
    assert (restored.contents.highest_removed, emptied.contents.highest_removed) == (2, 5)


@pytest.mark.parametrize("body", [{"after": -1}, {"messages": 0}, {"after": "three"}, {"messages": True}])
def test_a_number_that_is_none_is_refused(body: dict[str, Any]) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    assert asked(broker, "SEQUENCES", "q", **body)[0] == 422


def test_bounds_far_in_a_long_queue_are_found_in_several_turns() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    queue = broker.lookup("q").queue
    for number in range(1, 5 * MOST_WALKED):
        queue.enqueue(read_message(encoded(str(number), {}, None)), START_MS)
    after = 5 * MOST_WALKED // 2
    status, bounds = asked(broker, "SEQUENCES", "q", after=after, messages=2 * LOOKED_AT_ONCE)
    assert (status, broker.long_commands.busy) == (200, True)
    queue.remove(queue.entries()[:after], Reason.PURGED)
    assert turns_until_done(broker) > 1
    assert bounds == {
        "last": 5 * MOST_WALKED - 1,
        "first": after + 1,
        "gone": 0,
        "end": after + 2 * LOOKED_AT_ONCE,
    }
    assert queue.contents.available_list.positions == 0


@pytest.mark.parametrize(
    "ordering", [Priority(10), Sorted("n"), LastValue("n", placement=Placement.IN_PLACE)]
)
def test_bounds_in_a_long_queue_with_an_order_of_its_own_are_found_in_several_turns(
    ordering: Ordering,
) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", ordering))
    queue = broker.lookup("q").queue
    count = 6 * LOOKED_AT_ONCE
    for number in range(count):
        message = encoded("x", {"n": number * 7919 % count}, None, priority=number % 10)
        queue.enqueue(read_message(message), START_MS)
    status, bounds = asked(broker, "SEQUENCES", "q", after=100, messages=2 * LOOKED_AT_ONCE)
    turns = turns_until_done(broker)
    assert (status, turns) == (200, 5)
    assert bounds == {"last": count, "first": 101, "gone": 0, "end": 100 + 2 * LOOKED_AT_ONCE}

    # What leaves where the search has come to, and what comes meanwhile, stops nothing.
    _, bounds = asked(broker, "SEQUENCES", "q", messages=count - 1)
    queue.remove(queue.entries()[: count // 2], Reason.PURGED)
    queue.enqueue(read_message(encoded("x", {"n": count}, None, priority=9)), START_MS)
    turns_until_done(broker)
    assert isinstance(bounds, dict)
    assert (bounds["last"], bounds["end"]) == (count, count)
    assert queue.contents.available_list.positions == 0


def turns_until_done(broker: Broker) -> int:
    turns = 0
    while broker.long_commands.busy:
        broker.long_commands.step(START_MS)
        turns += 1
    return turns
