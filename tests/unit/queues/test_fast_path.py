"""Runs of messages on queues whose declaration asks for nothing special; what becomes of them is in
tests/properties/test_runs.py."""

import pytest
from canned_message import Bell, CannedMessage
from message_run import Encoded, Listed

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.message import NEVER, Message
from lastvalue.queues.deadlines import SLACK
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry_run import LARGE_BYTES, EntryRun
from lastvalue.queues.option import Touch
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription, Terms

NOW_MS = 100

ASKING_FOR_MORE: list[dict[str, object]] = [
    {"type": "priority"},
    {"priorities": 3},
    {"sort_key": "s"},
    {"group_key": "g"},
    {"group_mode": "shared"},
    {"lvq_key": "k", "order_by": "o", "order_missing": "refuse"},
    {"lvq_key": "k", "lvq_placement": "in-place"},
    {"lvq_key": "k", "lvq_key_equality": "text"},
    {"lvq_key": "k", "conflation": "sum(a)"},
    {"lvq_key": "k", "conflation_interval_ms": 100},
    {"lvq_key": "k", "trace_links": 2},
    {"lvq_key": "k", "max_age_ms": 50, "when_aged": "remove"},
    {"hold_on_publish": True},
    {"duplicate_window": 10},
    {"filter": "a = 1"},
    {"keep_nothing": True},
]
"""Declarations whose last option asks for more than a message's place on the queue."""


def queue_with(**options: object) -> Queue:
    return Queue(spec_from_arguments("q", options))


def taken(queue: Queue, *messages: Message) -> int:
    """How many messages of a run a queue takes in one go."""
    path = queue.fast_path
    if path is None:
        return 0
    return len(messages) - left_of(queue, Listed(messages))


def left_of(queue: Queue, run: Listed | Encoded, now: int = NOW_MS) -> int:
    """How many messages of a run a queue leaves to be taken one by one."""
    first = run.next()
    assert first is not None
    assert queue.fast_path is not None
    left = queue.fast_path.take(first, run, now)
    return run.left + (left is not None)


def encoded(key: str, *order: Value, ttl_ms: int | None = None, body: bytes = b"12345") -> bytes:
    properties: dict[str, Value] = {"k": key}
    if order:
        properties["o"] = order[0]
    return encode_content(
        MessageContent(ttl_ms=ttl_ms, application_properties=properties, body=body, body_kind=BodyKind.DATA)
    )


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


def test_there_is_an_example_of_each_option_with_which_messages_are_taken_alone() -> None:
    examples = {list(options)[-1] for options in ASKING_FOR_MORE}
    assert {option.name for option in OPTIONS if Touch.ALONE in option.touches} <= examples


@pytest.mark.parametrize(
    "message",
    [update("b", not_before_ms=500), update(None)],
    ids=["delay", "no key"],
)
def test_a_message_that_asks_for_more_is_left_to_the_queue(message: CannedMessage) -> None:
    assert taken(queue_with(lvq_key="k"), update("a"), message, update("c")) == 1


def test_so_is_an_empty_one_where_it_deletes_its_key() -> None:
    sent = [encoded("a"), encoded("b"), encoded("a", body=b""), encoded("c")]
    assert left_of(queue_with(lvq_key="k", delete_on_empty=True), Encoded(sent)) == 2
    assert left_of(queue_with(lvq_key="k", delete_on_empty=True), Encoded(sent[2:])) == 2
    assert left_of(queue_with(lvq_key="k"), Encoded(sent)) == 0


def test_so_is_one_whose_value_a_consumer_holds() -> None:
    queue = queue_with(lvq_key="k")
    queue.enqueue(update("a"), NOW_MS)
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    assert queue.next(consumer, NOW_MS) is not None
    assert taken(queue, update("b"), update("a")) == 1


def test_and_one_whose_value_is_due() -> None:
    queue = queue_with(lvq_key="k")
    queue.enqueue(update("a", ttl_ms=5), NOW_MS)
    assert left_of(queue, Listed([update("a")]), NOW_MS + 4) == 0
    queue.enqueue(update("b", ttl_ms=5), NOW_MS)
    assert left_of(queue, Listed([update("b")]), NOW_MS + 5) == 1


@pytest.mark.parametrize(
    ("options", "ttl_ms", "deadline"),
    [
        ({}, 7, NOW_MS + 7),
        ({"maximum_ttl_ms": 5}, 7, NOW_MS + 5),
        ({"minimum_ttl_ms": 9}, 7, NOW_MS + 9),
        ({"default_ttl_ms": 5}, None, NOW_MS + 5),
        ({"no_expiry": True}, 7, NEVER),
    ],
)
def test_messages_of_a_run_expire_as_the_declaration_says(
    options: dict[str, object], ttl_ms: int | None, deadline: int
) -> None:
    for keyed in ({}, {"lvq_key": "k"}):
        queue = queue_with(**options, **keyed)
        assert left_of(queue, Encoded([encoded(key, ttl_ms=ttl_ms) for key in "aba"])) == 0
        assert {entry.expires_ms for entry in queue.entries()} == {deadline}
        assert queue.next_deadline() == deadline
        queue.advance(deadline)
        assert queue.depth == (0 if deadline < NEVER else 2 if keyed else 3)


def test_a_value_without_a_deadline_takes_that_of_the_one_before_away() -> None:
    queue = queue_with(lvq_key="k")
    assert left_of(queue, Encoded([encoded("a", ttl_ms=7)])) == 0
    assert left_of(queue, Encoded([encoded("a")])) == 0
    queue.advance(NOW_MS + 7)
    assert (queue.depth, queue.next_deadline()) == (1, NEVER)


def test_deadlines_of_values_that_a_run_replaces_are_swept() -> None:
    queue = queue_with(lvq_key="k", default_ttl_ms=1000)
    assert left_of(queue, Encoded([encoded("a")] * 500)) == 0
    assert len(queue.contents.deadlines) <= 2 + SLACK


@pytest.mark.parametrize(
    ("options", "left", "depth"),
    [
        ({"max_messages": 3}, 2, 3),
        ({"max_bytes": 70}, 2, 3),
        ({"max_messages": 3, "when_full": "drop-oldest"}, 0, 3),
        ({"max_bytes": 70, "when_full": "drop-oldest"}, 0, 3),
        ({"max_messages": 3, "when_full": "self-destruct"}, 2, 3),
        ({"lvq_key": "k", "max_messages": 3}, 1, 3),
        ({"lvq_key": "k", "max_keys": 3}, 1, 3),
        ({"lvq_key": "k", "max_keys": 3, "when_full": "drop-oldest"}, 0, 3),
        ({"flow_stop_messages": 3}, 0, 5),
    ],
)
def test_a_run_goes_up_to_the_limit(options: dict[str, object], left: int, depth: int) -> None:
    queue = queue_with(**options)
    assert left_of(queue, Encoded([encoded(key) for key in "abacd"])) == left
    assert queue.depth == depth
    assert queue.blocked is ("flow_stop_messages" in options)


def test_flow_control_that_closes_within_a_run_stays_closed_until_the_depth_to_resume_at() -> None:
    queue = queue_with(lvq_key="k", flow_stop_bytes=80, flow_resume_bytes=25)
    payloads = [encoded("a"), encoded("a", "x" * 60), encoded("a", "xxxx")]
    assert left_of(queue, Encoded(payloads)) == 0
    assert 25 < queue.depth_bytes < 80
    assert queue.blocked


def test_a_key_that_has_a_value_again_has_no_tombstone() -> None:
    queue = queue_with(lvq_key="k", tombstone_ms=50)
    queue.enqueue(update("a"), NOW_MS)
    queue.purge()
    assert taken(queue, update("a")) == 1
    tombstones = queue.contents.tombstones
    assert tombstones is not None
    assert tombstones.all() == []


def orders(queue: Queue) -> list[object]:
    return [(entry.key, entry.order, int(entry.updates)) for entry in queue.entries()]


@pytest.mark.parametrize(
    "values",
    [
        [300, 400, 350, 400, 500, 499],
        [-(2**62), 2**62, 0, 2**62, 2**63 - 1, 2**61],
        [2.5, 3.5, 2.75, 3.5, 4.5, 4.25],
        ["b", "c", "bb", "c", "d", "ca"],
        [1, 300, 2.5, 300, 2**40, 2**39],
    ],
)
def test_an_older_value_that_comes_in_a_run_is_stale_and_an_equal_one_is_not(values: list[Value]) -> None:
    queue = queue_with(lvq_key="k", order_by="o")
    assert left_of(queue, Encoded([encoded("a", value) for value in values])) == 0
    assert orders(queue) == [(b"\xa1\x01a", values[4], 4)]
    assert (queue.removed(Reason.STALE), queue.removed(Reason.REPLACED), queue.published) == (2, 3, 6)
    assert queue.sequence == 6


def test_an_order_value_that_stays_in_the_encoding_takes_no_object_and_the_entry_is_used_again() -> None:
    queue = queue_with(lvq_key="k", order_by="o")
    queue.contents.notes_all = False
    assert left_of(queue, Encoded([encoded("a", 300)])) == 0
    entry = queue.entries()[0]
    assert left_of(queue, Encoded([encoded("a", 400)])) == 0
    assert queue.entries() == [entry]
    assert (entry.order, entry.details) == (400, None)


def test_an_entry_that_a_consumer_gave_back_is_used_again() -> None:
    queue = queue_with(lvq_key="k")
    queue.contents.notes_all = False
    assert left_of(queue, Encoded([encoded("a")])) == 0
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    entry = queue.next(consumer, NOW_MS)
    assert entry is not None
    queue.settle(entry, Outcome.RELEASED, NOW_MS)
    assert left_of(queue, Encoded([encoded("a")])) == 0
    assert queue.entries() == [entry]


def test_order_values_that_do_not_compare_are_counted_and_the_later_message_is_the_value() -> None:
    queue = queue_with(lvq_key="k", order_by="o")
    payloads = [encoded("a", 300), encoded("a"), encoded("a"), encoded("a", "t"), encoded("a", 300)]
    assert left_of(queue, Encoded(payloads)) == 0
    assert orders(queue) == [(b"\xa1\x01a", 300, 5)]
    assert queue.contents.counts.incomparable == 3


def test_an_entry_in_a_run_has_its_order_value_though_its_message_changes() -> None:
    queue = queue_with(lvq_key="k", order_by="o")
    assert left_of(queue, Encoded([encoded("a", 300), encoded("a", 400)])) == 0
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    entry = queue.next(consumer, NOW_MS)
    assert entry is not None
    content = MessageContent(application_properties={"n": "another", "k": "a", "o": 400}, body=b"")
    message = read_message(encode_content(content))
    queue.amend(entry, message)
    assert (entry.order, entry.encoded) == (400, message.encoded)


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
