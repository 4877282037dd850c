"""How many queues a user may have."""

import pytest
from broker_desk import enqueue

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_memory import QUEUE_BYTES
from lastvalue.broker.queue_quotas import TooManyQueuesError
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.spec import Exclusive, Limit, QueueSpec, WhenFull

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


RING = Limit(100, when_full=WhenFull.DROP_OLDEST)


def backlogs(most_bytes: int) -> Broker:
    broker = Broker()
    broker.quotas.limit_backlogs(most_bytes)
    return broker


def filled(broker: Broker, name: str) -> int:
    """How many of ten messages, one a turn, are left on a queue."""
    for number in range(10):
        enqueue(broker, name, str(number))
        broker.drain(0)
    return broker.lookup(name).queue.depth


@pytest.mark.parametrize(
    ("spec", "owner", "left"),
    [
        (QueueSpec("q", limit=RING, exclusive=Exclusive.LINK), ANN, 3),
        (QueueSpec("q", limit=RING, exclusive=Exclusive.LINK), BOB, 3),
        (QueueSpec("q", limit=RING, exclusive=Exclusive.LINK), BROKER, 10),
        (QueueSpec("q", limit=RING), ANN, 10),
        (QueueSpec("q", exclusive=Exclusive.LINK), ANN, 10),
    ],
)
def test_queues_of_a_users_clients_that_drop_their_oldest_share_a_backlog(
    spec: QueueSpec, owner: Owner, left: int
) -> None:
    broker = backlogs(4 * ENTRY_BYTES)
    broker.declare(spec, owner)
    assert filled(broker, "q") == left


def test_each_user_has_a_backlog_whose_limit_may_change() -> None:
    broker = backlogs(4 * ENTRY_BYTES)
    for name, owner in (("q", ANN), ("ann's other", ANN), ("bob's", BOB)):
        broker.declare(QueueSpec(name, limit=RING, exclusive=Exclusive.LINK), owner)
    assert [filled(broker, name) for name in ("q", "bob's", "ann's other")] == [3, 3, 1]
    broker.quotas.limit_backlogs(100 * ENTRY_BYTES)
    assert filled(broker, "q") == 13


def test_a_queue_that_is_deleted_leaves_its_part_to_the_others() -> None:
    broker = backlogs(4 * ENTRY_BYTES)
    for name in ("gone", "q"):
        broker.declare(QueueSpec(name, limit=RING, exclusive=Exclusive.LINK), ANN)
    filled(broker, "gone")
    assert filled(broker, "q") == 1
    broker.delete("gone", 0)
    broker.drain(0)
    assert filled(broker, "q") == 3


def test_queues_of_an_earlier_run_have_a_part_in_the_backlog() -> None:
    broker = backlogs(4 * ENTRY_BYTES)
    broker.declare(QueueSpec("q", limit=RING, exclusive=Exclusive.LINK), BROKER)
    broker.quotas.restored(broker.lookup("q"), "ann")
    assert filled(broker, "q") == 3
