"""A broker that checks itself at the end of each turn."""

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_checks import QueueChecks
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.queues.invariants import BrokenInvariantError
from lastvalue.queues.subscription import ANY, Mode


@pytest.fixture
def broker() -> Broker:
    """One with a queue, its messages and a reader, which has ended a turn without a fault."""
    broker = Broker()
    broker.observers[:] = [each for each in broker.observers if not isinstance(each, QueueChecks)]
    broker.observers.append(QueueChecks(broker))
    for name in ("q", "other"):
        broker.declare(made(name).lookup(name).queue.spec)
    enqueue(broker, "q", "1", "2")
    broker.read(broker.lookup("q"), Mode.CONSUME, LimitedReceiver(1), ANY, NOBODY, START_MS)
    broker.pump(START_MS)
    broker.drain(START_MS)
    return broker


def test_a_queue_whose_counts_do_not_agree_ends_the_turn_that_changed_it(broker: Broker) -> None:
    broker.lookup("q").queue.contents.depth_bytes += 1
    enqueue(broker, "other", "3")
    broker.drain(START_MS)
    enqueue(broker, "q", "4")
    with pytest.raises(BrokenInvariantError, match=r"queue 'q': depth_bytes is \d+, the messages is \d+"):
        broker.drain(START_MS)
    assert broker.faults.count == 0


def test_a_queue_with_another_number_of_consumers_is_found(broker: Broker) -> None:
    broker.lookup("q").consumers += 1
    enqueue(broker, "q", "4")
    with pytest.raises(BrokenInvariantError, match="consumers is 2, the readers that consume is 1"):
        broker.drain(START_MS)


def test_memory_that_is_not_the_sum_over_the_queues_is_found(broker: Broker) -> None:
    broker.lookup("other").counted_bytes += 7
    enqueue(broker, "q", "4")
    with pytest.raises(BrokenInvariantError, match="the broker: the memory of queues is"):
        broker.drain(START_MS)


def test_a_queue_that_is_deleted_is_not_counted_any_more(broker: Broker) -> None:
    broker.delete("q", START_MS)
    while broker.busy:
        broker.pump(START_MS)
        broker.drain(START_MS)
    enqueue(broker, "other", "5")
    broker.drain(START_MS)
    assert not broker.has_queue("q")
