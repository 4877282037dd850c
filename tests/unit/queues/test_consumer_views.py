"""Entries that their consumer never gets again, and entries that their consumer adds to."""

from typing import Any

import pytest
from canned_message import Bell, CannedMessage

from lastvalue.queues.consumer_views import SWEEP_SIZE
from lastvalue.queues.effects import Amended
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Outcome, Subscription, Terms


def queue_with(*bodies: str, **options: Any) -> Queue:
    queue = Queue(spec_from_arguments("q", options))
    for body in bodies:
        queue.enqueue(said(body), 0)
    return queue


def said(body: str, **more: object) -> CannedMessage:
    return CannedMessage({"g": body[0], "k": body, **more}, body=body.encode())


def consumer(queue: Queue, terms: Terms | None = None) -> Subscription:
    return queue.subscribe(Mode.CONSUME, Bell(), terms or Terms(), 0)


def got(queue: Queue, reader: Subscription) -> Entry:
    entry = queue.next(reader, 0)
    assert entry is not None
    return entry


def refuse(queue: Queue, entry: Entry) -> None:
    queue.exclude(entry)
    queue.settle(entry, Outcome.RELEASED, 0)


def taken(queue: Queue, reader: Subscription) -> list[str]:
    found = []
    while (entry := queue.next(reader, 0)) is not None:
        found.append(entry.message.encoded.decode())
    return found


ORDERS: list[dict[str, Any]] = [
    {},
    {"priorities": 10},
    {"priorities": 10, "fairshare": 2},
    {"lvq_key": "k"},
    {"sort_key": "k"},
    {"group_key": "g"},
    {"group_key": "g", "qpid.shared_msg_group": 1},
]


@pytest.mark.parametrize("options", ORDERS, ids=repr)
def test_an_excluded_entry_keeps_its_place_for_others_and_never_comes_again(options: dict[str, Any]) -> None:
    queue = queue_with("A", "B", "C", **options)
    one = consumer(queue)
    refuse(queue, got(queue, one))
    first, second = got(queue, one), got(queue, one)
    assert [entry.message.encoded for entry in (first, second)] == [b"B", b"C"]
    assert queue.next(one, 0) is None
    for entry in (second, first):
        queue.settle(entry, Outcome.RELEASED, 0)
    other = consumer(queue)
    assert got(queue, other).message.encoded == b"A"
    assert taken(queue, one) == ["B", "C"]


def test_an_excluded_entry_that_its_next_consumer_releases_is_still_not_for_the_first() -> None:
    queue = queue_with("A")
    one, other = consumer(queue), consumer(queue)
    refuse(queue, got(queue, one))
    queue.settle(got(queue, other), Outcome.RELEASED, 0)
    assert queue.next(one, 0) is None
    assert taken(queue, other) == ["A"]


def test_an_entry_that_every_consumer_excludes_waits_for_another() -> None:
    queue = queue_with("A")
    readers = [consumer(queue), consumer(queue)]
    for reader in readers:
        refuse(queue, got(queue, reader))
    assert [queue.next(reader, 0) for reader in readers] == [None, None]
    assert taken(queue, consumer(queue)) == ["A"]


def test_what_comes_after_an_exclusion_is_given_in_order() -> None:
    queue = queue_with("A")
    one = consumer(queue)
    refuse(queue, got(queue, one))
    for body in ("B", "C"):
        queue.enqueue(said(body), 0)
    assert taken(queue, one) == ["B", "C"]


def test_a_consumer_with_terms_of_its_own_can_exclude() -> None:
    queue = queue_with("A", "B")
    one = consumer(queue, Terms(after=0))
    refuse(queue, got(queue, one))
    assert taken(queue, one) == ["B"]


def test_an_excluded_messages_group_is_anybodys_once_nothing_of_it_is_held() -> None:
    queue = queue_with("A1", "A2", group_key="g")
    one, other = consumer(queue), consumer(queue)
    refuse(queue, got(queue, one))
    assert taken(queue, other) == ["A1", "A2"]


def test_exclusions_of_entries_that_left_are_forgotten() -> None:
    queue = queue_with()
    one, other = consumer(queue), consumer(queue)
    for number in range(3 * SWEEP_SIZE):
        queue.enqueue(said(str(number)), 0)
        refuse(queue, got(queue, one))
        queue.settle(got(queue, other), Outcome.ACCEPTED, 0)
    (view,) = queue.contents.available_list.views
    assert len(view._excluded) <= SWEEP_SIZE + 1


def test_excluding_what_is_not_held_does_nothing() -> None:
    queue = queue_with("A")
    one = consumer(queue)
    entry = got(queue, one)
    queue.settle(entry, Outcome.RELEASED, 0)
    queue.exclude(entry)
    assert taken(queue, one) == ["A"]


def test_an_amended_entry_has_the_new_message_and_its_size() -> None:
    queue = queue_with("A", "B")
    entry = got(queue, consumer(queue))
    queue.drain()
    queue.amend(entry, said("A plus", k="A"))
    (effect,) = queue.drain()
    assert isinstance(effect, Amended)
    assert (effect.entry, effect.size_bytes) == (entry, 1)
    queue.settle(entry, Outcome.RELEASED, 0)
    assert [one.message.encoded for one in queue.entries()] == [b"A plus", b"B"]
    assert (queue.depth_bytes, queue.contents.held_bytes) == (7, 0)


@pytest.mark.parametrize(
    ("options", "other"),
    [
        ({"lvq_key": "k"}, {"k": "Z"}),
        ({"lvq_key": "k", "order_by": "o"}, {"o": 1}),
        ({"sort_key": "k"}, {"k": "Z"}),
        ({"group_key": "g"}, {"g": "Z"}),
    ],
    ids=repr,
)
def test_an_entry_is_not_amended_to_stand_elsewhere(options: dict[str, Any], other: dict[str, Any]) -> None:
    queue = queue_with("A", **options)
    entry = got(queue, consumer(queue))
    queue.amend(entry, CannedMessage({"g": "A", "k": "A", **other}, body=b"A plus"))
    assert entry.message.encoded == b"A"
    queue.amend(entry, CannedMessage({"g": "A", "k": "A"}, body=b"A plus"))
    assert entry.message.encoded == b"A plus"


def test_an_entry_that_nobody_holds_is_not_amended() -> None:
    queue = queue_with("A")
    (entry,) = queue.entries()
    queue.amend(entry, said("A plus"))
    assert entry.message.encoded == b"A"


def test_effects_with_an_amendment_rebuild_the_queue() -> None:
    queue = queue_with("A", "B")
    entry = got(queue, consumer(queue))
    queue.amend(entry, said("A plus"))
    queue.settle(entry, Outcome.MODIFIED_FAILED, 0)
    again = queue_with()
    again.replay(queue.drain())
    assert [(one.message.encoded, one.delivery_count) for one in again.entries()] == [
        (b"A plus", 1),
        (b"B", 0),
    ]
    assert again.depth_bytes == queue.depth_bytes
