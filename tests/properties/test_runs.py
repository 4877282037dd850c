"""A queue that takes messages in runs is, and tells, what it would be if they came one by one."""

import contextlib
import math
from typing import Any

from canned_message import Bell, CannedMessage, UnreadableError
from example_counts import example_count
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from keyed_entries import keyed_entries
from message_run import Encoded, Listed, take_all
from mypy_extensions import i64
from test_queue_behaviours import OPTIONS, TYPES

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Timestamp, ULong, Value
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.model.message import AT_ONCE, NEVER, Message, MessageRun
from lastvalue.queues.effects import Effect, Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

EXAMPLES = example_count(100)
MORE = st.one_of(
    OPTIONS,
    st.sampled_from(
        [
            {"trace_links": 1},
            {"hold_on_publish": True},
            {"duplicate_window": 3},
            {"delete_on_empty": True},
            {"durable": True},
        ]
    ),
)
OBEYED = st.sampled_from(
    [
        {"durable": True, "default_ttl_ms": 4},
        {"max_bytes": 6},
        {"max_bytes": 200, "when_full": "drop-oldest"},
        {"max_keys": 2, "when_full": "drop-oldest"},
        {"max_keys": 2},
        {"flow_stop_messages": 3, "flow_resume_messages": 2},
        {"flow_stop_bytes": 6, "flow_resume_bytes": 3, "default_ttl_ms": 4},
        {"max_messages": 3, "when_full": "drop-oldest", "default_ttl_ms": 4},
        {"max_messages": 3, "default_ttl_ms": 4, "maximum_ttl_ms": 4},
        {"tombstone_ms": 5},
        {"delete_on_empty": True, "tombstone_ms": 5},
    ]
)
"""What the fast path obeys."""
ORDERED = {"lvq_key": "k", "order_by": "o"}
ORDERED_ALL = {**ORDERED, "order_missing": "stale"}
QUICK = st.sampled_from([{}, {"lvq_key": "k"}, ORDERED, ORDERED_ALL])
KINDS = st.one_of(TYPES, st.sampled_from([ORDERED, ORDERED_ALL]))
KEYS = st.sampled_from(["a", "b", "c", None, UnreadableError])
COUNTED = (
    "published_bytes", "removed_bytes", "durable_published", "durable_published_bytes", "durable_removed",
    "durable_removed_bytes", "incomparable", "keyless", "keys_created", "acquired", "released",
)  # fmt: skip
FIGURES = (
    "depth", "available", "depth_bytes", "held_bytes", "held_back", "sequence", "published", "refused",
    "highest_removed",
)  # fmt: skip
KEPT = (
    "sequence", "place", "state", "updates", "arrival_ms", "expires_ms", "delivery_count", "holder",
    "size_bytes",
)  # fmt: skip
# Most messages ask for nothing, so that there are runs.
RARE = st.integers(0, 9)


@st.composite
def messages(draw: st.DrawFn) -> CannedMessage:
    rare = draw(RARE)
    properties = {"k": draw(KEYS), "o": draw(st.integers(0, 3)), "s": "t", "g": "g", "mark": True}
    if rare == 4:
        properties["_AMQ_DUPL_ID"] = "d"
    message = CannedMessage(
        properties,
        body=b"x" * draw(st.integers(0, 3)),
        ttl_ms=5 if rare == 1 else NEVER,
        expires_ms=12 if rare == 2 else NEVER,
        not_before_ms=14 if rare == 3 else AT_ONCE,
    )
    message.durable = draw(st.booleans())
    message.wire_bytes = draw(st.sampled_from([0, 7]))
    return message


RUNS = st.lists(
    st.tuples(st.lists(messages(), min_size=1, max_size=6), st.integers(0, 3)), min_size=1, max_size=4
)


def spec_of(*options: dict[str, Any]) -> QueueSpec:
    try:
        return spec_from_arguments("q", {name: value for each in options for name, value in each.items()})
    except InvalidSpecError:
        # Some options belong to queues of another type.
        reject()


def told(effect: Effect) -> tuple[Any, ...]:
    """An effect without its objects."""
    parts: list[Any] = [type(effect).__name__]
    for name in ("entry", "previous"):
        entry = getattr(effect, name, None)
        if entry is not None:
            parts += [entry.sequence, entry.key, int(entry.updates), int(entry.expires_ms)]
    return (*parts, getattr(effect, "reason", None), getattr(effect, "holder", None))


def state(hosted: HostedQueue) -> dict[str, Any]:
    queue = hosted.queue
    contents, counts = queue.contents, queue.contents.counts
    return {
        "entries": [
            [
                each.encoded,
                each.key,
                repr(each.order),
                each.message.durable,
                *(int(getattr(each, name)) for name in KEPT),
            ]
            for each in queue.entries()
        ],
        "keys": {key: entry.sequence for key, entry in keyed_entries(contents.current).items()},
        "counts": [int(getattr(counts, name)) for name in COUNTED],
        "contents": [int(getattr(contents, name)) for name in FIGURES],
        "removed": [queue.removed(reason) for reason in Reason],
        "overtaken": queue.overtaken,
        "asked": [queue.delete_requested, queue.blocked],
        "tombstones": [] if contents.tombstones is None else [each.key for each in contents.tombstones.all()],
        "deadline": int(queue.next_deadline()),
    }


class Side:
    """A queue with a consumer and a browser."""

    def __init__(self, spec: QueueSpec, *, all_effects: bool = True) -> None:
        self.broker = Broker(all_effects=all_effects)
        self.broker.declare(spec)
        self.hosted = self.broker.lookup("q")
        self.bells = [Bell(), Bell()]
        queue = self.hosted.queue
        modes = (Mode.CONSUME, Mode.BROWSE)
        self.readers = [
            queue.subscribe(mode, bell, ANY, 0) for mode, bell in zip(modes, self.bells, strict=True)
        ]

    def take(self, run: MessageRun, now: int) -> object:
        self.hosted.mark_changed()
        try:
            return take_all(self.hosted, run, now)
        except Exception as fault:  # noqa: BLE001 - whatever one side raises, the other must raise
            return type(fault)

    def take_one(self, message: Message, now: int) -> object:
        """Take a message past the fast path."""
        self.hosted.mark_changed()
        try:
            return self.hosted.take(message, now)
        except Exception as fault:  # noqa: BLE001 - whatever one side raises, the other must raise
            return type(fault)

    def read(self, count: int, now: int) -> list[Any]:
        """Read a few messages in both ways, and settle the first that the consumer got."""
        seen: list[Any] = []
        held = []
        for _ in range(count):
            for reader in self.readers:
                entry = self.hosted.queue.next(reader, now)
                seen.append(None if entry is None else int(entry.sequence))
                if entry is not None and reader is self.readers[0]:
                    held.append(entry)
        if held and held[0].state == 1:
            self.hosted.queue.settle(held[0], Outcome.ACCEPTED, now)
        self.hosted.mark_changed()
        return seen

    def drain(self, now: int) -> list[tuple[Any, ...]]:
        return [told(effect) for _, effects in self.broker.drain(now) for effect in effects]


@settings(max_examples=EXAMPLES, deadline=None)
@given(KINDS, MORE, RUNS)
def test_a_run_is_as_its_messages_one_by_one(
    kind: dict[str, Any], options: dict[str, Any], runs: list[tuple[list[CannedMessage], int]]
) -> None:
    spec = spec_of(kind, options)
    whole, single, untold = Side(spec), Side(spec), Side(spec, all_effects=False)
    now = 10
    for sent, reads in runs:
        taken: list[object] = []
        # What is in a run behind a refused message, its owner gives again.
        taken += [single.take_one(message, now) for message in sent]
        for side in (whole, untold):
            run = Listed(sent)
            answers: list[object] = []
            while run.left > 0:
                before = run.left
                answer = side.take(run, now)
                answers += [True] * (before - run.left - (answer is not True)) + [answer] * (
                    answer is not True
                )
            assert answers == taken
        assert state(whole.hosted) == state(single.hosted) == state(untold.hosted)
        assert [bell.rung for bell in whole.bells] == [bell.rung for bell in single.bells]
        assert whole.read(reads, now) == single.read(reads, now) == untold.read(reads, now)
        told_once = whole.drain(now)
        assert told_once == single.drain(now)
        every = [each for each in untold.drain(now) if each[0] != "Identified"]
        if not options.get("durable"):
            assert [each for each in every if not _is_rare(each)] == []
        assert [each for each in told_once if _is_rare(each) and each[0] != "Identified"] == [
            each for each in every if _is_rare(each)
        ]
        now += 3


ORDERS: list[st.SearchStrategy[Value]] = [
    st.integers(0, 3),
    st.integers(2**40 - 1, 2**40 + 2),
    st.integers(-(2**40) - 2, -(2**40) + 1),
    st.sampled_from([ULong(2**63 - 1), ULong(2**63), ULong(2**63 + 1)]),
    st.sampled_from([-1.5, 2.5, 2.5e10, math.nan]),
    st.sampled_from([Timestamp(5), Timestamp(7)]),
    st.sampled_from(["1", "2", "10"]),
    st.sampled_from([True, None]),
    st.one_of(st.integers(0, 3), st.sampled_from([1.5, 2**40, "2", Timestamp(2)])),
]
"""Of one type each, and then of any."""


@st.composite
def payloads(draw: st.DrawFn, orders: st.SearchStrategy[Value]) -> bytes:
    """An AMQP 1.0 message; most have one of two shapes."""
    key = draw(st.sampled_from(["a", "b", "cc", None]))
    rare = draw(st.integers(0, 14))
    properties: dict[str, Value] = {"n": "x", "o": 1} if key is None else {"k": key, "o": draw(orders)}
    if rare == 6:
        del properties["o"]
    content = MessageContent(
        durable=rare in (1, 2, 3, 4),
        ttl_ms=4 if rare == 5 else None,
        application_properties=properties,
        body=b"x" * draw(st.integers(0, 3)),
        body_kind=BodyKind.DATA,
    )
    return encode_content(content)


SENT = st.sampled_from(ORDERS).flatmap(
    lambda orders: st.lists(
        st.tuples(st.lists(payloads(orders), min_size=1, max_size=8), st.integers(0, 3)),
        min_size=1,
        max_size=5,
    )
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(KINDS, MORE, SENT)
def test_messages_of_one_shape_are_taken_together_as_one_by_one(
    kind: dict[str, Any], options: dict[str, Any], runs: list[tuple[list[bytes], int]]
) -> None:
    together_as_one_by_one(kind, options, runs)


AGAIN = encode_content(MessageContent(application_properties={"k": "a", "o": 1}))


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(QUICK, OBEYED, SENT)
# A key comes again that has lost its value: it is told before its tombstone is dropped.
@example({"lvq_key": "k"}, {"tombstone_ms": 5}, [([AGAIN], 1), ([AGAIN, AGAIN], 0)])
def test_so_are_they_with_options_that_the_fast_path_obeys(
    kind: dict[str, Any], options: dict[str, Any], runs: list[tuple[list[bytes], int]]
) -> None:
    together_as_one_by_one(kind, options, runs)


def together_as_one_by_one(
    kind: dict[str, Any], options: dict[str, Any], runs: list[tuple[list[bytes], int]]
) -> None:
    spec = spec_of(kind, options)
    single = Side(spec)
    sides = [Side(spec), Side(spec, all_effects=False)]
    now = 10
    for sent, reads in runs:
        taken = [single.take_one(read_message(payload), now) for payload in sent]
        seen = single.read(reads, now)
        effects = single.drain(now)
        for side in sides:
            run = Encoded(sent)
            answers: list[object] = []
            while run.left > 0:
                before = run.left
                answer = side.take(run, now)
                refused = answer is not True
                answers += [True] * (before - run.left - refused) + [answer] * refused
            assert answers == taken
            assert side.read(reads, now) == seen
            assert state(side.hosted) == state(single.hosted)
            assert [bell.rung for bell in side.bells] == [bell.rung for bell in single.bells]
        assert sides[0].drain(now) == effects
        sides[1].drain(now)
        now += 3


class Reading(Receiver):
    """Takes so many messages, one by one or several at a time; each is accepted at once."""

    def __init__(self, credit: int, several: bool) -> None:
        self.credit = credit
        self.several = several
        self.reader: QueueReader | None = None
        self.got: list[tuple[int, bytes]] = []

    def wants(self, now: i64) -> bool:
        return self.credit > 0

    def takes_more(self) -> i64:
        return self.credit if self.several else 0

    def room_bytes(self) -> i64:
        return 6

    def deliver(self, entry: Entry, now: i64) -> None:
        self.credit -= 1
        self.got.append((int(entry.sequence), entry.message.encoded))
        if self.reader is not None and entry.sequence % 2:
            self.reader.settle(entry, Outcome.ACCEPTED, now)

    def deliver_more(self, run: EntryRun, now: i64) -> None:
        assert 0 < len(run.entries) <= self.credit
        for entry in run.entries:
            self.deliver(entry, now)

    def on_empty(self, now: i64) -> None:
        """It waits."""


MODES = st.lists(st.sampled_from([Mode.CONSUME, Mode.BROWSE]), min_size=1, max_size=3)


@settings(max_examples=EXAMPLES, deadline=None)
@given(KINDS, MORE, RUNS, MODES, st.lists(st.integers(1, 6), min_size=3, max_size=3))
def test_what_is_given_in_runs_is_what_is_given_one_by_one(
    kind: dict[str, Any],
    options: dict[str, Any],
    runs: list[tuple[list[CannedMessage], int]],
    modes: list[Mode],
    most: list[int],
) -> None:
    sides: list[tuple[Broker, list[Reading]]] = []
    for several in (False, True):
        broker = Broker()
        broker.declare(spec_of(kind, options))
        hosted = broker.lookup("q")
        readings = [Reading(credit, several) for _, credit in zip(modes, most, strict=False)]
        for mode, reading in zip(modes, readings, strict=True):
            reading.reader = broker.read(hosted, mode, reading, ANY, NOBODY, 0)
            reading.reader.wake()
        sides.append((broker, readings))
    now = 10
    for sent, more in runs:
        for broker, readings in sides:
            target = broker.queue_target("q")
            for message in sent:
                with contextlib.suppress(LastvalueError, UnreadableError):
                    broker.publish(target, message, now)
            broker.pump(now)
            for reading in readings:
                reading.credit += more
                if reading.reader is not None:
                    reading.reader.wake()
            broker.pump(now)
        (one, singly), (other, several_at_once) = sides
        assert [each.got for each in several_at_once] == [each.got for each in singly]
        assert state(other.lookup("q")) == state(one.lookup("q"))
        assert by_message(other.drain(now)) == by_message(one.drain(now))
        now += 3


def by_message(drained: list[tuple[str, list[Effect]]]) -> list[tuple[Any, ...]]:
    """The effects on each message in their order; those on several messages may come in another one."""
    effects = [told(effect) for _, effects in drained for effect in effects]
    return sorted(effects, key=lambda each: each[1] if isinstance(each[1], int) else 0)


def _is_rare(each: tuple[Any, ...]) -> bool:
    if each[0] == "Removed":
        return each[-2] not in {Reason.REPLACED, Reason.ACCEPTED}
    return each[0] not in {"Added", "Updated", "TakenRun", "Acquired"}
