"""A queue with very many readers and publishers: what ends costs as much as it would alone."""

import time
from collections.abc import Callable

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.publisher import Publisher
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.queues.spec import QueueSpec, Readers
from lastvalue.queues.subscription import ANY, Mode, Terms
from lastvalue.selectors import parse_selector

MANY = 600
SELECTED = Terms(parse_selector("JMSType = 'wanted'"))


class SilentPublisher(Publisher):
    """Sends nothing."""

    def queue_deleted(self) -> None:
        """See Publisher."""


def crowd(count: int, terms: Terms = ANY, spec: QueueSpec | None = None) -> tuple[Broker, list[QueueReader]]:
    """A queue's readers, which all wait for messages."""
    broker = Broker()
    broker.declare(spec or QueueSpec("q"))
    hosted = broker.lookup("q")
    readers = [
        broker.read(hosted, Mode.CONSUME, LimitedReceiver(1), terms, NOBODY, START_MS) for _ in range(count)
    ]
    for reader in readers:
        reader.wake()
    broker.pump(START_MS)
    return broker, readers


def stops(count: int, terms: Terms = ANY, spec: QueueSpec | None = None) -> Callable[[], None]:
    broker, readers = crowd(count, terms, spec)

    def stop() -> None:
        for reader in readers:
            broker.stop(reader, START_MS)

    return stop


def leaves(count: int) -> Callable[[], None]:
    broker = made("q")
    hosted = broker.lookup("q")
    publishers = [SilentPublisher() for _ in range(count)]
    for publisher in publishers:
        broker.join(hosted, publisher)

    def leave() -> None:
        for publisher in publishers:
            broker.leave(hosted, publisher, START_MS)

    return leave


def deletes(count: int) -> Callable[[], None]:
    broker = made("q")
    broker.declare_exchange(ExchangeSpec("e", ExchangeType.TOPIC))
    for number in range(count):
        broker.bind("e", Binding("q", f"a.{number}"), NOBODY, START_MS)
    return lambda: broker.delete_exchange("e")


def cost_s(work: Callable[[], None]) -> float:
    began_s = time.thread_time()
    work()
    return time.thread_time() - began_s


@pytest.mark.parametrize(
    "prepare",
    [
        stops,
        lambda count: stops(count, SELECTED),
        lambda count: stops(count, spec=QueueSpec("q", readers=Readers(live=1))),
        leaves,
        deletes,
    ],
    ids=["readers", "readers with selectors", "readers of which one is served", "publishers", "bindings"],
)
def test_what_ends_costs_the_same_however_many_others_there_are(
    prepare: Callable[[int], Callable[[], None]],
) -> None:
    few = min(cost_s(prepare(MANY)) for _ in range(3))
    many = min(cost_s(prepare(6 * MANY)) for _ in range(2))
    assert many < 15 * few


def test_a_reader_that_ends_while_it_waits_for_its_turn_is_not_served() -> None:
    broker = made("q")
    receiver = LimitedReceiver(1)
    reader = broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    broker.stop(reader, START_MS)
    broker.pump(START_MS)
    assert (receiver.dry, receiver.bodies, broker.lookup("q").consumers) == (0, [], 0)
