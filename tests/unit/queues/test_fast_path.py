"""Runs of messages on queues whose declaration asks for nothing special; what becomes of them is in
tests/properties/test_runs.py."""

import pytest
from canned_message import Bell, CannedMessage
from message_run import Listed

from lastvalue.model.message import Message
from lastvalue.queues.entry_run import LARGE_BYTES, EntryRun
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Subscription, Terms

NOW_MS = 100

ASKING_FOR_MORE: list[dict[str, object]] = [
    {"max_messages": 5},
    {"max_bytes": 500},
    {"lvq_key": "k", "max_keys": 5},
    {"flow_stop_messages": 5},
    {"flow_stop_bytes": 500},
    {"type": "priority"},
    {"priorities": 3},
    {"sort_key": "s"},
    {"group_key": "g"},
    {"group_mode": "shared"},
    {"lvq_key": "k", "order_by": "o"},
    {"lvq_key": "k", "lvq_placement": "in-place"},
    {"lvq_key": "k", "lvq_key_equality": "text"},
    {"lvq_key": "k", "conflation": "sum(a)"},
    {"lvq_key": "k", "conflation_interval_ms": 100},
    {"lvq_key": "k", "trace_links": 2},
    {"lvq_key": "k", "delete_on_empty": True},
    {"lvq_key": "k", "max_age_ms": 50, "when_aged": "remove"},
    {"maximum_ttl_ms": 50},
    {"default_ttl_ms": 50},
    {"hold_on_publish": True},
    {"duplicate_window": 10},
    {"filter": "a = 1"},
]
"""Declarations whose last option asks for more than a message's place on the queue."""

ASKING_FOR_NO_MORE = {
    "lvq_key": "the run is of values",
    "lvq_fallback_key": "a message without the key is left to the queue",
    "lvq_keyless": "likewise",
    "minimum_ttl_ms": "a message that expires is left to the queue",
    "no_expiry": "likewise",
    "delayed_delivery": "a message with annotations is left to the queue",
    "when_full": "only with a limit",
    "flow_resume_messages": "only with a depth to stop at",
    "flow_resume_bytes": "likewise",
    "max_age_ms": "an alarm is the broker's, which looks for aged keys itself",
    **dict.fromkeys(("fairshare", "fairshare_levels"), "only with levels of priority"),
    **dict.fromkeys(
        ("default_group", "group_buckets", "group_rebalance", "group_rebalance_pauses", "group_first_key"),
        "only with groups",
    ),
    **dict.fromkeys(
        (
            "non_destructive", "live_consumers", "max_consumers", "consumers_before_dispatch",
            "dispatch_delay_ms", "max_delivery_attempts", "default_filters", "no_local", "paused",
        ),
        "it concerns readers",
    ),
    **dict.fromkeys(
        (
            "alternate", "alternate_key", "expiry_alternate", "redirect", "history", "history_deliveries",
            "exclusive", "lifetime", "auto_delete_delay_ms", "purge_on_no_consumers", "tombstone_ms",
            "removal_log", "top_talkers", "durable", "description", "virtual_host", "alternate_is_queue",
        ),
        "it concerns the broker, or messages that leave",
    ),
}  # fmt: skip
"""All other options, and why `FastPath` need not ask for them."""


def queue_with(**options: object) -> Queue:
    return Queue(spec_from_arguments("q", options))


def taken(queue: Queue, *messages: Message) -> int:
    """How many messages of a run a queue takes in one go."""
    path = queue.fast_path
    if path is None:
        return 0
    run = Listed(messages)
    first = run.next()
    assert first is not None
    left = path.take(first, run, NOW_MS)
    return len(messages) - run.left - (left is not None)


def update(key: str | None, **terms: int) -> CannedMessage:
    return CannedMessage({} if key is None else {"k": key}, body=b"12345", **terms)


def test_values_of_keys_are_taken_in_one_go() -> None:
    queue = queue_with(lvq_key="k")
    assert taken(queue, update("a"), update("b"), update("a")) == 3
    assert [entry.sequence for entry in queue.entries()] == [2, 3]
    assert (queue.depth, queue.depth_bytes, queue.published) == (2, 10, 3)


def test_messages_of_a_standard_queue_are_taken_in_one_go() -> None:
    queue = queue_with()
    assert taken(queue, update("a"), update(None)) == 2
    assert queue.depth == 2


@pytest.mark.parametrize("options", ASKING_FOR_MORE, ids=str)
def test_where_the_declaration_asks_for_more_none_is(options: dict[str, object]) -> None:
    assert taken(queue_with(**options), update("a")) == 0


def test_every_option_asks_for_more_or_not() -> None:
    more = {list(options)[-1] for options in ASKING_FOR_MORE}
    assert more | ASKING_FOR_NO_MORE.keys() == {option.name for option in OPTIONS}
    assert not more & ASKING_FOR_NO_MORE.keys()


@pytest.mark.parametrize(
    "message",
    [update("b", ttl_ms=5), update("b", expires_ms=500), update("b", not_before_ms=500), update(None)],
    ids=["ttl", "expiry", "delay", "no key"],
)
def test_a_message_that_asks_for_more_is_left_to_the_queue(message: CannedMessage) -> None:
    assert taken(queue_with(lvq_key="k"), update("a"), message, update("c")) == 1


def test_so_is_one_whose_value_a_consumer_holds() -> None:
    queue = queue_with(lvq_key="k")
    queue.enqueue(update("a"), NOW_MS)
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    assert queue.next(consumer, NOW_MS) is not None
    assert taken(queue, update("b"), update("a")) == 1


def test_and_one_whose_value_has_a_deadline() -> None:
    queue = queue_with(lvq_key="k")
    queue.enqueue(update("a", ttl_ms=5), NOW_MS)
    assert taken(queue, update("a")) == 0


def test_readers_that_wait_are_woken_once() -> None:
    queue = queue_with(lvq_key="k")
    bell = Bell()
    browser = queue.subscribe(Mode.BROWSE, bell, ANY, NOW_MS)
    assert queue.next(browser, NOW_MS) is None
    taken(queue, update("a"), update("b"))
    first = queue.next(browser, NOW_MS)
    assert bell.rung == 1
    assert first is not None
    assert first.sequence == 1


def given(queue: Queue, mode: Mode, most: int = 9, room_bytes: int = 100) -> list[int]:
    """The sequences that a reader is given after its first one."""
    reader = queue.subscribe(mode, Bell(), ANY, NOW_MS)
    assert queue.next(reader, NOW_MS) is not None
    assert queue.fast_path is not None
    run = queue.fast_path.next(reader, most, room_bytes)
    return [] if run is None else [entry.sequence for entry in run.entries]


@pytest.mark.parametrize("mode", [Mode.CONSUME, Mode.BROWSE])
def test_a_reader_is_given_what_follows_its_message(mode: Mode) -> None:
    queue = queue_with(lvq_key="k")
    for key in "abcdef":
        queue.enqueue(update(key), NOW_MS)
    assert given(queue, mode) == [2, 3, 4, 5, 6]
    assert queue.available == (0 if mode is Mode.CONSUME else 6)


@pytest.mark.parametrize("mode", [Mode.CONSUME, Mode.BROWSE])
def test_it_is_given_no_more_than_it_takes(mode: Mode) -> None:
    queue = queue_with()
    for _ in range(9):
        queue.enqueue(update(None), NOW_MS)
    assert given(queue, mode, most=2) == [2, 3]


def test_and_no_more_than_there_is_room_for() -> None:
    queue = queue_with()
    for _ in range(9):
        queue.enqueue(update(None), NOW_MS)
    assert given(queue, Mode.BROWSE, room_bytes=11) == [2, 3, 4]


@pytest.mark.parametrize(
    "last",
    [update("c", ttl_ms=5), update("c", expires_ms=500), CannedMessage({"k": "c"}, body=bytes(LARGE_BYTES))],
)
@pytest.mark.parametrize("mode", [Mode.CONSUME, Mode.BROWSE])
def test_what_needs_more_is_given_alone(mode: Mode, last: CannedMessage) -> None:
    queue = queue_with(lvq_key="k")
    for message in (update("a"), update("b"), last, update("d")):
        queue.enqueue(message, NOW_MS)
    assert given(queue, mode) == [2]


def test_a_consumer_with_a_selector_is_asked_for_each() -> None:
    queue = queue_with()
    for _ in range(3):
        queue.enqueue(update(None), NOW_MS)
    consumer = queue.subscribe(Mode.CONSUME, Bell(), Terms(since_ms=NOW_MS), NOW_MS)
    assert queue.next(consumer, NOW_MS) is not None
    assert queue.fast_path is not None
    assert queue.fast_path.next(consumer, 5, 100) is None


def at_the_first(queue: Queue) -> Subscription:
    """A browser that was given the first entry."""
    browser = queue.subscribe(Mode.BROWSE, Bell(), ANY, NOW_MS)
    assert queue.next(browser, NOW_MS) is not None
    return browser


def following(queue: Queue, browser: Subscription, most: int = 9) -> EntryRun:
    assert queue.fast_path is not None
    run = queue.fast_path.next(browser, most, 100)
    assert run is not None
    return run


def test_browsers_at_one_place_are_given_the_same_run() -> None:
    queue = queue_with()
    taken(queue, *[update(None) for _ in range(5)])
    first = following(queue, at_the_first(queue))
    assert following(queue, at_the_first(queue)) is first
    assert first.readers == 2
    # One that takes less gets less, and those behind it get the rest.
    assert [entry.sequence for entry in following(queue, at_the_first(queue), most=1).entries] == [2]
    last = at_the_first(queue)
    assert [entry.sequence for entry in following(queue, last).entries] == [2]
    assert [entry.sequence for entry in following(queue, last).entries] == [3, 4, 5]


def test_runs_are_forgotten_before_the_entries_change() -> None:
    queue = queue_with(lvq_key="k")
    taken(queue, *[update(key) for key in "abcd"])
    following(queue, at_the_first(queue))
    assert queue.fast_path is not None
    queue.fast_path.forget_runs()
    taken(queue, update("c"))
    assert [entry.sequence for entry in following(queue, at_the_first(queue)).entries] == [2, 4, 5]


def test_what_expires_behind_a_run_is_removed_once_and_hides_nothing_from_another_browser() -> None:
    queue = queue_with()
    for message in (update(None), update(None), update(None, ttl_ms=5), update(None)):
        queue.enqueue(message, NOW_MS)
    later = NOW_MS + 5
    for _ in range(2):
        browser = at_the_first(queue)
        assert [entry.sequence for entry in following(queue, browser).entries] == [2]
        last = queue.next(browser, later)
        assert last is not None
        assert last.sequence == 4
        assert (queue.depth, queue.available) == (3, 3)
