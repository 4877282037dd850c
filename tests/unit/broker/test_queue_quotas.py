"""How many queues a user may have."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_memory import QUEUE_BYTES
from lastvalue.broker.queue_quotas import TooManyQueuesError
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.queues.spec import QueueSpec

ANN, BOB = Owner(principal="ann"), Owner(principal="bob")


def limited(most: int) -> Broker:
    broker = Broker()
    broker.quotas.most = most
    return broker


def test_a_user_may_have_so_many_queues_and_more_once_one_is_deleted() -> None:
    broker = limited(2)
    for name in ("one", "two"):
        broker.declare(QueueSpec(name), ANN)
    with pytest.raises(TooManyQueuesError, match="'ann' has 2 queues"):
        broker.declare(QueueSpec("three"), ANN)
    assert not broker.has_queue("three")
    assert not broker.declare(QueueSpec("two"), ANN)
    broker.declare(QueueSpec("three"), BOB)
    broker.delete("one", 0, BOB)
    broker.declare(QueueSpec("four"), ANN)


def test_the_broker_has_as_many_queues_as_it_needs() -> None:
    broker = limited(1)
    for number in range(3):
        broker.declare(QueueSpec(str(number)), BROKER)
    assert len(broker.queues()) == 3


def test_queues_of_an_earlier_run_count_for_the_users_who_declared_them() -> None:
    broker = limited(2)
    for name in ("one", "two", "three"):
        broker.declare(QueueSpec(name), BROKER)
        broker.quotas.restored(broker.lookup(name), "ann")
    with pytest.raises(TooManyQueuesError):
        broker.declare(QueueSpec("four"), ANN)
    for name in ("one", "two"):
        broker.delete(name, 0)
    broker.declare(QueueSpec("four"), ANN)


def test_queues_count_as_memory_until_they_are_deleted() -> None:
    broker = limited(0)
    for number in range(3):
        broker.declare(QueueSpec(str(number)), ANN)
    assert broker.held_bytes == 3 * QUEUE_BYTES
    broker.delete("1", 0)
    broker.drain(0)
    assert broker.held_bytes == 2 * QUEUE_BYTES
