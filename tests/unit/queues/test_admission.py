"""Whether messages that come together have room."""

from typing import Any

import pytest
from canned_message import Bell, CannedMessage

from lastvalue.queues.entry import Entry
from lastvalue.queues.errors import DelayRefusedError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode


def filled(count: int, **options: Any) -> Queue:
    """A queue with so many messages of ten bytes, of the keys 0, 1, 2 and so on."""
    queue = Queue(spec_from_arguments("q", options))
    for number in range(count):
        assert queue.enqueue(message(number), 0)
    return queue


def message(key: int, size: int = 10, order: int = 0) -> CannedMessage:
    return CannedMessage({"k": key, "v": order}, body=bytes(size))


def held(queue: Queue, count: int) -> list[Entry]:
    reader = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    entries = [queue.next(reader, 0) for _ in range(count)]
    return [entry for entry in entries if entry is not None]


@pytest.mark.parametrize(
    ("options", "room"),
    [
        ({}, True),
        ({"max_messages": 3}, True),
        ({"max_messages": 2}, False),
        ({"max_bytes": 30}, True),
        ({"max_bytes": 29}, False),
        ({"max_messages": 2, "when_full": "self-destruct"}, True),
        ({"max_messages": 2, "when_full": "drop-oldest"}, True),
        ({"max_bytes": 29, "when_full": "drop-oldest"}, True),
    ],
    ids=str,
)
def test_one_message_has_room_where_enqueue_would_take_it(options: dict[str, Any], room: bool) -> None:
    queue = filled(2, **options)
    assert queue.admission.has_room(message(9), 0) is room
    assert queue.enqueue(message(9), 0) is room


def test_an_older_update_has_room_because_it_is_only_counted() -> None:
    queue = Queue(spec_from_arguments("q", {"lvq_key": "k", "order_by": "v", "max_bytes": 10}))
    queue.enqueue(message(1, order=5), 0)
    assert queue.admission.has_room(message(1, 99, order=4), 0)
    assert not queue.admission.has_room(message(1, 99, order=6), 0)


def test_what_is_refused_for_its_delay_raises_before_anything_is_changed() -> None:
    queue = filled(0, delayed_delivery="refuse")
    later = CannedMessage(not_before_ms=10)
    for examine in (queue.admission.examine, queue.admission.has_room):
        with pytest.raises(DelayRefusedError):
            examine(later, 0)
    assert (queue.depth, queue.published) == (0, 0)


@pytest.mark.parametrize(
    ("options", "keys", "takes"),
    [
        ({"max_messages": 4}, [7, 8], True),
        ({"max_messages": 3}, [7, 8], False),
        ({"max_messages": 3, "lvq_key": "k"}, [7, 7], True),
        ({"max_messages": 3, "lvq_key": "k"}, [7, 8], False),
        ({"max_messages": 2, "lvq_key": "k"}, [0, 1, 0], True),
        ({"max_bytes": 40}, [7, 8], True),
        ({"max_bytes": 39}, [7, 8], False),
        ({"max_messages": 1, "when_full": "drop-oldest"}, [7, 8], True),
        ({"max_messages": 1, "when_full": "self-destruct"}, [7, 8], True),
    ],
    ids=str,
)
def test_messages_are_taken_together_where_all_of_them_have_room(
    options: dict[str, Any], keys: list[int], takes: bool
) -> None:
    messages = [message(key) for key in keys]
    queue = filled(1 if "when_full" in options else 2, **options)
    assert queue.admission.takes(messages, [], 0) is takes


def test_a_ring_takes_no_message_that_is_larger_than_the_ring() -> None:
    queue = filled(1, max_bytes=20, when_full="drop-oldest")
    assert queue.admission.takes([message(1, 20)], [], 0)
    assert not queue.admission.takes([message(1, 20), message(2, 21)], [], 0)


def test_what_leaves_in_the_same_transaction_makes_room() -> None:
    queue = filled(2, max_messages=2)
    (entry,) = held(queue, 1)
    assert not queue.admission.takes([message(7)], [], 0)
    assert queue.admission.takes([message(7)], [entry], 0)
    assert not queue.admission.takes([message(7), message(8)], [entry], 0)


def test_what_has_expired_makes_room() -> None:
    queue = Queue(spec_from_arguments("q", {"max_messages": 1}))
    queue.enqueue(CannedMessage(ttl_ms=5), 0)
    assert not queue.admission.takes([message(1)], [], 4)
    assert queue.admission.takes([message(1)], [], 5)


def test_a_value_that_stays_where_it_was_seen_makes_no_room_for_the_next_one() -> None:
    queue = filled(1, lvq_key="k", lvq_placement="in-place", max_messages=1)
    assert queue.admission.takes([message(0)], [], 0)
    browser = queue.subscribe(Mode.BROWSE, Bell(), ANY, 0)
    queue.next(browser, 0)
    assert not queue.admission.takes([message(0)], [], 0)
