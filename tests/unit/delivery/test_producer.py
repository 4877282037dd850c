"""What stops a producer, and what becomes of what it publishes."""

from typing import Any

import pytest
from bare_queue import encoded
from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import StoreFaultError
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.delivery.duplicate_detection import DuplicateDetection
from lastvalue.delivery.output import Output
from lastvalue.delivery.producer import Producer, StopCause
from lastvalue.delivery.producer_run import ProducerRun
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import Message
from lastvalue.queues.spec_arguments import spec_from_arguments

FLOW: dict[str, Any] = {"flow_stop_messages": 2, "flow_resume_messages": 1}
FAULT = StoreFaultError("the disk is full", full=True)


class Source(Producer):
    """A producer that notes what stopped it whenever it was looked at."""

    def __init__(self, broker: Broker) -> None:
        super().__init__(broker, Owner(container="container"), Output(OutputBuffer(), lambda: None))
        self.seen: list[StopCause | None] = []
        self.join_gates()

    def regulate(self) -> None:
        self.regulated = False
        self.seen.append(self.stopped_by())


class Sent(ProducerRun):
    """Messages to one target, and what becomes of them.

    Attributes:
        heard: of each message what its peer hears: that it is taken, or safe when the journal has it; or why
            it is refused.
    """

    def __init__(self, producer: Source, target: Target, messages: list[EncodedMessage]) -> None:
        super().__init__(0, producer.sender, producer.detection)
        self._target = target
        self._messages = messages
        self.heard: list[str] = []
        self.over = not messages

    def read(self) -> EncodedMessage:
        return self._messages[len(self.heard)]

    def destination(self, message: Message) -> Target:
        return self._target

    def goes_along(self) -> bool:
        return True

    def take(self, message: Message, count: i64, durable: bool) -> None:
        self._hear("waits" if durable else "taken", int(count))

    def refuse(self, error: LastvalueError) -> bool:
        self._hear(str(error), 1)
        return True

    def _hear(self, what: str, count: int) -> None:
        self.heard += [what] * count
        self.over = len(self.heard) == len(self._messages)


def sent(
    producer: Source, target: Target, *messages: EncodedMessage, transaction: Transaction | None = None
) -> list[str]:
    """What the peer hears of messages that it sends together."""
    run = Sent(producer, target, list(messages))
    run.transaction = transaction
    producer.give(run, 0)
    return run.heard


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare_exchange(exchange_from_arguments("prices", {"type": "fanout"}))
    return broker


@pytest.fixture
def producer(broker: Broker) -> Source:
    return Source(broker)


def declare(broker: Broker, name: str, **arguments: Any) -> None:
    """A queue that is bound to the exchange."""
    broker.declare(spec_from_arguments(name, arguments))
    broker.bind("prices", Binding(name, ""), NOBODY, 0)


def message(*, durable: bool = False) -> EncodedMessage:
    return read_message(encoded("body", {}, None, durable=durable))


def exchange(broker: Broker) -> Target:
    return broker.target(Node("prices", None, broker.exchanges.find("prices")))


def test_a_message_that_came_to_a_durable_queue_waits_for_the_journal(
    broker: Broker, producer: Source
) -> None:
    declare(broker, "passing")
    assert sent(producer, exchange(broker), message(durable=True)) == ["taken"]
    declare(broker, "durable", durable=True)
    assert sent(producer, exchange(broker), message(durable=True), message()) == ["waits", "taken"]
    assert sent(producer, broker.queue_target("durable"), message(), message(durable=True)) == [
        "taken",
        "waits",
    ]


def test_the_first_durable_queue_makes_the_disk_a_reason_to_stop(broker: Broker, producer: Source) -> None:
    broker.alarms.set_store(True)
    assert producer.stopped_by() is None
    declare(broker, "durable", durable=True)
    sent(producer, broker.queue_target("durable"), message())
    assert producer.seen == [StopCause.STORE]


def test_memory_stops_every_producer(broker: Broker, producer: Source) -> None:
    broker.alarms.set_memory(True)
    assert producer.regulated
    assert producer.stopped_by() is StopCause.MEMORY
    broker.alarms.set_memory(False)
    assert producer.seen == [None]


def test_a_fault_of_the_disk_goes_before_a_slow_disk(broker: Broker, producer: Source) -> None:
    producer.durable = True
    broker.alarms.set_store(True)
    broker.alarms.set_fault(FAULT)
    assert producer.stopped_by() is StopCause.STORE_FAULT


def test_a_blocked_queue_stops_its_producer_until_it_opens(broker: Broker, producer: Source) -> None:
    declare(broker, "q", **FLOW)
    sent(producer, exchange(broker), message(), message(), message())
    assert producer.stopped_by() is StopCause.QUEUE
    assert len(producer.blocked) == 1
    broker.purge("q")
    broker.pump(0)
    assert producer.seen == [StopCause.QUEUE, None]
    assert producer.blocked == []


def test_a_producer_of_two_blocked_queues_waits_for_both(broker: Broker, producer: Source) -> None:
    declare(broker, "a", **FLOW)
    declare(broker, "b", **FLOW)
    sent(producer, exchange(broker), message(), message(), message())
    broker.purge("a")
    broker.pump(0)
    broker.purge("b")
    broker.pump(0)
    assert producer.seen == [StopCause.QUEUE, StopCause.QUEUE, None]


def test_a_producer_that_has_stopped_is_told_nothing(broker: Broker, producer: Source) -> None:
    declare(broker, "q", **FLOW)
    sent(producer, exchange(broker), message(), message(), message())
    producer.stop()
    producer.seen.clear()
    broker.alarms.set_memory(True)
    broker.alarms.set_memory(False)
    broker.purge("q")
    broker.pump(0)
    assert producer.seen == []


def test_a_full_queue_is_why_a_message_is_refused(broker: Broker, producer: Source) -> None:
    declare(broker, "q", max_messages=1)
    assert sent(producer, exchange(broker), message(), message()) == ["taken", "queue 'q' is full"]
    broker.purge("q")
    full = sent(producer, broker.queue_target("q"), message(), message(), message())
    assert full == ["taken", "queue 'q' is full", "queue 'q' is full"]
    assert (producer.traffic.received, producer.traffic.refused) == (5, 3)


def test_a_fault_of_the_disk_concerns_durable_messages_to_durable_queues(
    broker: Broker, producer: Source
) -> None:
    declare(broker, "passing")
    broker.alarms.set_fault(FAULT)
    assert sent(producer, exchange(broker), message(durable=True)) == ["taken"]
    declare(broker, "durable", durable=True)
    assert sent(producer, exchange(broker), message(), message(durable=True)) == ["taken", str(FAULT)]
    target = broker.queue_target("durable")
    assert sent(producer, target, message(), message(durable=True)) == ["taken", str(FAULT)]


def test_what_a_transaction_publishes_comes_to_its_queue_at_the_commit(
    broker: Broker, producer: Source
) -> None:
    declare(broker, "q", max_messages=1)
    transaction = Transaction(MemoryAccount(broker.memory))
    target = broker.queue_target("q")
    assert sent(producer, target, message(), transaction=transaction) == ["taken"]
    assert broker.lookup("q").queue.depth == 0
    broker.commit(transaction, 0)
    assert broker.lookup("q").queue.depth == 1


def test_a_message_is_marked_with_its_container_and_its_duplicate_id(
    broker: Broker, producer: Source
) -> None:
    declare(broker, "q")
    target = broker.queue_target("q")
    marked, numbered = message(), read_message(encoded("body", {}, None, message_id=7))
    sent(producer, target, marked)
    assert (marked.origin, marked.duplicate_id) == ("container", b"")
    producer.detection = DuplicateDetection("feed")
    sent(producer, target, numbered)
    assert numbered.duplicate_id


def waits(broker: Broker, producer: Source, now: int) -> tuple[str, int]:
    """What a producer waits for and since when, after a turn."""
    broker.pump(now)
    statistics = producer.statistics("p", "")
    return statistics.waits_for, int(statistics.waits_since_ms)


def test_a_stopped_producer_says_since_when_each_alarm_stops_it(broker: Broker, producer: Source) -> None:
    producer.durable = True
    alarms = broker.alarms
    assert waits(broker, producer, 100) == ("", 0)
    alarms.set_store(True)
    assert waits(broker, producer, 110) == ("store", 110)
    alarms.set_fault(FAULT)
    assert waits(broker, producer, 120) == ("store-fault", 120)
    alarms.set_memory(True)
    assert waits(broker, producer, 130) == ("memory", 130)
    alarms.set_memory(False)
    alarms.set_fault(None)
    assert waits(broker, producer, 140) == ("store", 110)
    alarms.set_store(False)
    assert waits(broker, producer, 150) == ("", 0)
    alarms.set_store(True)
    assert waits(broker, producer, 160) == ("store", 160)


def test_a_producer_of_full_queues_says_since_when_the_first_of_them_stops_it(
    broker: Broker, producer: Source
) -> None:
    declare(broker, "a", **FLOW)
    for now in (100, 110, 120):
        sent(producer, exchange(broker), message())
        broker.pump(now)
    assert waits(broker, producer, 130) == ("queue", 120)
    declare(broker, "b", **FLOW)
    for now in (140, 150, 160):
        sent(producer, exchange(broker), message())
        broker.pump(now)
    assert waits(broker, producer, 170) == ("queue", 120)
    broker.purge("a")
    assert waits(broker, producer, 180) == ("queue", 160)
    broker.purge("b")
    assert waits(broker, producer, 190) == ("", 0)
