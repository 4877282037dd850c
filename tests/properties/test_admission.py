"""What a queue says it would take together, it takes: no commit can fail halfway."""

from bare_queue import Woken, encoded
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import Message
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

EXAMPLES = example_count(300)
NOW = 1_700_000_000_000

DECLARATIONS = st.fixed_dictionaries(
    {},
    optional={
        "max_messages": st.integers(1, 5),
        "max_bytes": st.integers(100, 1000),
        "when_full": st.sampled_from(["refuse", "drop-oldest"]),
        "maximum_ttl_ms": st.just(30),
    },
)
TYPES = st.sampled_from(
    [
        {},
        {"lvq_key": "k"},
        {"lvq_key": "k", "order_by": "o"},
        {"lvq_key": "k", "order_by": "o", "order_missing": "stale"},
        {"lvq_key": "k", "lvq_placement": "in-place"},
        {"lvq_key": "k", "lvq_placement": "in-place-no-browse"},
        {"lvq_key": "k", "max_keys": 2},
        {"lvq_key": "k", "conflation": "list(3)"},
        {"lvq_key": "k", "conflation": "count", "conflation_interval_ms": 10, "max_keys": 1},
        {"priorities": 3},
        {"sort_key": "k"},
    ]
)
MESSAGES = st.builds(
    lambda key, order, size, ttl: encoded("x" * size, {"k": key, "o": order} if key else {}, ttl),
    st.sampled_from(["", "a", "b", "c"]),
    st.integers(0, 3),
    st.integers(0, 300),
    st.sampled_from([None, 1, 10]),
)


def messages(payloads: list[bytes]) -> list[Message]:
    return [read_message(payload) for payload in payloads]


@settings(max_examples=EXAMPLES)
@given(
    kind=TYPES,
    limits=DECLARATIONS,
    present=st.lists(MESSAGES, max_size=6),
    seen=st.integers(0, 3),
    held=st.integers(0, 3),
    released=st.integers(0, 2),
    incoming=st.lists(MESSAGES, min_size=1, max_size=6),
    later=st.sampled_from([0, 5, 20]),
)
def test_what_is_admitted_together_is_taken_one_by_one(
    kind: dict[str, object],
    limits: dict[str, object],
    present: list[bytes],
    seen: int,
    held: int,
    released: int,
    incoming: list[bytes],
    later: int,
) -> None:
    queue = Queue(spec_from_arguments("q", {**kind, **limits}))
    for message in messages(present):
        queue.enqueue(message, NOW)
    browser = queue.subscribe(Mode.BROWSE, Woken(), ANY, 0)
    for _ in range(seen):
        queue.next(browser, NOW)
    consumer = queue.subscribe(Mode.CONSUME, Woken(), ANY, 0)
    acquired = [entry for _ in range(held) if (entry := queue.next(consumer, NOW)) is not None]
    leaving = acquired[released:]
    now = NOW + later
    if queue.admission.takes(messages(incoming), leaving, now):
        for entry in leaving:
            queue.settle(entry, Outcome.ACCEPTED, now)
        for message in messages(incoming):
            assert queue.enqueue(message, now)


@settings(max_examples=EXAMPLES)
@given(
    kind=TYPES,
    limits=DECLARATIONS,
    present=st.lists(MESSAGES, max_size=6),
    seen=st.integers(0, 3),
    held=st.integers(0, 3),
    incoming=MESSAGES,
    later=st.sampled_from([0, 5, 20]),
)
def test_there_is_room_for_a_message_exactly_where_it_is_taken(
    kind: dict[str, object],
    limits: dict[str, object],
    present: list[bytes],
    seen: int,
    held: int,
    incoming: bytes,
    later: int,
) -> None:
    queue = Queue(spec_from_arguments("q", {**kind, **limits}))
    for message in messages(present):
        queue.enqueue(message, NOW)
    browser = queue.subscribe(Mode.BROWSE, Woken(), ANY, 0)
    for _ in range(seen):
        queue.next(browser, NOW)
    consumer = queue.subscribe(Mode.CONSUME, Woken(), ANY, 0)
    for _ in range(held):
        queue.next(consumer, NOW)
    (message,) = messages([incoming])
    has_room = queue.admission.has_room(message, NOW + later)
    assert queue.enqueue(message, NOW + later) == has_room


@given(incoming=st.lists(MESSAGES, min_size=1, max_size=6), room=st.integers(1, 6))
@settings(max_examples=example_count(50))
def test_a_standard_queue_admits_exactly_what_it_has_room_for(incoming: list[bytes], room: int) -> None:
    queue = Queue(spec_from_arguments("q", {"max_messages": room}))
    assert queue.admission.takes(messages(incoming), [], NOW) == (len(incoming) <= room)
