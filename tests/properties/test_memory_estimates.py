"""What the broker counts for what it keeps is not much less than what that takes."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from bare_queue import START_MS, encoded
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.queue_memory import QUEUE_BYTES
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.statistics.top_talkers import FrequencySketch
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.counted_ids import GAP_BYTES, MOST_GAPS, PRODUCER_BYTES
from lastvalue.queues.duplicates import ID_BYTES
from lastvalue.queues.ids import explicit_id
from lastvalue.queues.spec import REMOVAL_BYTES, TALKER_BYTES, TRACE_LINK_BYTES
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Outcome, Terms
from lastvalue.queues.tombstones import ITEM_BYTES
from lastvalue.queues.watch_terms import read_watch_terms

SLACK: Final = 1.25
"""What is counted may be less than what is taken by this factor: dictionaries grow in steps."""

KEYS: Final = 2500
KEY: Final = "key-{:08}"
BODY: Final = "x" * 100
TRACE: Final = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

Build = Callable[[int], object]


@pytest.fixture(autouse=True)
def _traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def taken_by(build: Build, count: int = KEYS) -> int:
    """The memory of what is built."""
    build(10)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    built = build(count)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    del built
    return taken


def holds(counted: float, taken: float) -> None:
    assert counted * SLACK >= taken, f"{taken:.0f} bytes are taken, {counted} counted"


def turn(broker: Broker) -> None:
    broker.drain(START_MS)
    while broker.busy:
        broker.pump(START_MS)
        broker.drain(START_MS)


def published(count: int, body: str = BODY, ids: str = "", trace: str = "", **options: Any) -> Broker:
    return publish(made(spec_from_arguments("q", options)), count, body, ids, trace)


def publish(broker: Broker, count: int, body: str = BODY, ids: str = "", trace: str = "") -> Broker:
    """One message for each of so many keys."""
    target = broker.queue_target("q")
    traced = {"traceparent": trace} if trace else {}
    for number in range(count):
        message = read_message(encoded(body, {"k": KEY.format(number), **traced}, None))
        if ids:
            message.duplicate_id = explicit_id(ids.format(number).encode())
        broker.publish(target, message, START_MS)
        if number % 500 == 0:
            turn(broker)
    turn(broker)
    return broker


def encoded_bytes() -> int:
    return len(encoded(BODY, {"k": KEY.format(0)}, None))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"maximum_ttl_ms": 10**9},
        {"lvq_key": "k"},
        {"lvq_key": "k", "order_by": "k"},
        {"priorities": 10},
        {"sort_key": "k"},
        {"group_key": "k"},
    ],
)
def test_a_message_on_a_queue(options: dict[str, Any]) -> None:
    taken = taken_by(lambda count: published(count, **options))
    counted = int(published(KEYS, **options).held_bytes) - QUEUE_BYTES
    assert counted < 1.5 * taken
    holds(counted, taken)


def test_a_tombstone() -> None:
    options: dict[str, Any] = {"lvq_key": "k", "delete_on_empty": True, "tombstone_ms": 10**9}
    taken = taken_by(lambda count: publish(published(count, **options), count, ""))
    holds(ITEM_BYTES + len(KEY.format(0)), taken / KEYS)


def test_an_id_of_a_message() -> None:
    without = taken_by(published)
    taken = taken_by(lambda count: published(count, ids="id-{:08}", duplicate_window=KEYS)) - without
    holds(ID_BYTES + len("id-00000000"), taken / KEYS)


def test_a_producer_that_counts_its_messages() -> None:
    without = taken_by(published, 1000)
    taken = taken_by(lambda count: published(count, ids="lastvalue:{:016}-7"), 1000) - without
    holds(PRODUCER_BYTES + 16, taken / 1000)


def test_the_gaps_of_a_producer_that_counts() -> None:
    producers = 100

    def build(count: int) -> Broker:
        broker = made(spec_from_arguments("q", {}))
        for gap in range(MOST_GAPS + 1):
            publish(broker, count, ids=f"lastvalue:{{:016}}-{100_000_000 + 2 * gap}")
        broker.purge("q")
        turn(broker)
        return broker

    without = taken_by(lambda count: published(1), producers)
    taken = taken_by(build, producers) - without
    holds(PRODUCER_BYTES + 16 + GAP_BYTES * MOST_GAPS, taken / producers)


class Consuming(LimitedReceiver):
    """Accepts what it gets, and stays the owner of the groups."""

    def __init__(self, broker: Broker) -> None:
        super().__init__(KEYS)
        self.reader = broker.read(broker.lookup("q"), Mode.CONSUME, self, Terms(None), NOBODY, START_MS)

    def settle(self) -> None:
        for entry in self.got:
            self.reader.settle(entry, Outcome.ACCEPTED, START_MS)
        self.got.clear()


@pytest.mark.parametrize(
    "name", [KEY, KEY + "\N{GREEK SMALL LETTER ALPHA}" * 100, KEY + "\N{GRINNING FACE}" * 100]
)
def test_a_group_that_stays_with_its_consumer(name: str) -> None:
    counted: list[int] = []

    def build(count: int, key: str) -> tuple[Broker, Consuming]:
        broker = made(spec_from_arguments("q", {"group_key": "g", "group_buckets": 0}))
        consumer = Consuming(broker)
        target = broker.queue_target("q")
        for number in range(count):
            message = read_message(encoded(BODY, {"g": key.format(number)}, None))
            broker.publish(target, message, START_MS)
            consumer.reader.wake()
            turn(broker)
            consumer.settle()
        turn(broker)
        groups = broker.lookup("q").queue.contents.groups
        assert groups is not None
        counted.append(groups.empty_bytes)
        return broker, consumer

    without = taken_by(lambda count: build(count, "one"))
    taken = taken_by(lambda count: build(count, name)) - without
    print(f"a group takes {taken / KEYS:.0f} bytes, and counts {counted[-1] / KEYS:.0f}")
    holds(counted[-1] / KEYS, taken / KEYS)


@pytest.mark.parametrize("options", [{}, {"lvq_key": "k"}])
def test_why_a_message_is_gone(options: dict[str, Any]) -> None:
    def build(count: int, **more: Any) -> Broker:
        broker = published(count, **options, **more)
        broker.purge("q")
        turn(broker)
        return broker

    without = taken_by(build)
    taken = taken_by(lambda count: build(count, removal_log=KEYS)) - without
    holds(REMOVAL_BYTES, taken / KEYS)


@pytest.mark.parametrize("distinct", [False, True])
def test_a_key_whose_updates_are_counted(distinct: bool) -> None:
    keys = 400

    def build(count: int) -> FrequencySketch:
        sketch = FrequencySketch(keys)
        for number in range(count):
            for _ in range(number if distinct else 1):
                sketch.note(KEY.format(number).encode())
        return sketch

    holds(TALKER_BYTES + len(KEY.format(0)), taken_by(build, keys) / keys)


def test_a_link_of_a_trace() -> None:
    keys, links = 500, 32

    def build(count: int, kept: int) -> Broker:
        broker = made(spec_from_arguments("q", {"lvq_key": "k", "trace_links": kept}))
        for _ in range(links + 1):
            publish(broker, count, trace=TRACE)
        return broker

    without = taken_by(lambda count: build(count, 0), keys)
    taken = taken_by(lambda count: build(count, links), keys) - without
    holds(TRACE_LINK_BYTES, taken / keys / links)


class Reading(LimitedReceiver):
    """Takes so many messages, and keeps none."""

    def deliver(self, entry: object, now: int) -> None:
        self.room -= 1


class Watching:
    """A broker with a reader that watches."""

    def __init__(self, broker: Broker, room: int, **asked: Any) -> None:
        self.broker = broker
        terms = Terms(None)
        terms.watch = read_watch_terms({"max_keys": 2 * KEYS, **asked})
        receiver = Reading(room)
        self.reader: QueueReader = broker.read(
            broker.lookup("q"), Mode.BROWSE, receiver, terms, NOBODY, START_MS
        )
        self.reader.wake()
        turn(broker)

    @property
    def counted(self) -> int:
        assert self.reader.watch is not None
        return int(self.reader.watch.memory.used_bytes)


@pytest.mark.parametrize("asked", [{}, {"policy": "count"}])
def test_a_value_that_waits_for_one_reader(asked: dict[str, Any]) -> None:
    counted: list[int] = []

    def build(count: int) -> Watching:
        watching = Watching(published(count), 1, conflate="k", **asked)
        # What the queue had is gone; what waits is the reader's.
        watching.broker.purge("q")
        turn(watching.broker)
        counted.append(watching.counted)
        return watching

    taken = taken_by(build)
    holds(counted[-1] / KEYS, taken / KEYS)


def test_a_value_with_which_later_ones_are_compared() -> None:
    counted: list[int] = []

    def build(count: int) -> Watching:
        watching = Watching(published(count, lvq_key="k"), 2 * KEYS, unchanged="body")
        counted.append(watching.counted)
        return watching

    without = taken_by(lambda count: published(count, lvq_key="k"))
    taken = taken_by(build) - without
    holds(counted[-1] / KEYS, taken / KEYS)
