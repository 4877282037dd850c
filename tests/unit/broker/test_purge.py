"""Very many messages are removed in several turns."""

from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import FORWARDED_AT_ONCE, HANDLED_AT_ONCE
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import ANY, Mode

MANY = ["x"] * (2 * HANDLED_AT_ONCE + 500)


def filled(*specs: QueueSpec | str) -> Broker:
    broker = made(*specs)
    enqueue(broker, "q", *MANY)
    return broker


def turn(broker: Broker) -> None:
    broker.pump(START_MS)
    broker.drain(START_MS)


def test_a_purge_removes_a_part_in_each_turn_and_returns_the_number_at_once() -> None:
    broker = filled("q")
    queue = broker.lookup("q").queue
    assert broker.purge("q") == len(MANY)
    depths = [int(queue.depth)]
    for _ in range(2):
        turn(broker)
        depths.append(int(queue.depth))
    assert depths == [HANDLED_AT_ONCE + 500, 500, 0]
    turn(broker)
    assert not broker.busy


def test_what_is_published_meanwhile_stays() -> None:
    broker = filled("q")
    broker.purge("q")
    enqueue(broker, "q", "new")
    for _ in range(3):
        turn(broker)
    (left,) = broker.lookup("q").queue.entries()
    assert left.sequence == len(MANY) + 1


def test_a_deleted_queue_exists_until_its_last_messages_leave() -> None:
    broker = filled("q")
    assert broker.delete("q", START_MS) == len(MANY)
    queue = broker.lookup("q").queue
    for _ in range(2):
        assert broker.has_queue("q")
        turn(broker)
    assert not broker.has_queue("q")
    assert queue.removed(Reason.DELETED) == len(MANY)


def test_a_small_queue_is_deleted_at_once() -> None:
    broker = made("q")
    enqueue(broker, "q", "1")
    assert broker.delete("q", START_MS) == 1
    assert not broker.has_queue("q")


def test_all_of_a_deleted_queue_go_to_its_alternate() -> None:
    broker = filled("alternate", QueueSpec("q", alternate="alternate"))
    broker.delete("q", START_MS)
    turn(broker)
    assert 0 < broker.lookup("alternate").queue.depth <= 2 * FORWARDED_AT_ONCE
    for _ in range(len(MANY) // FORWARDED_AT_ONCE):
        turn(broker)
    assert broker.lookup("alternate").queue.depth == len(MANY)
    assert not broker.has_queue("q")


def test_a_purge_of_a_queue_that_is_deleted_meanwhile_ends() -> None:
    broker = filled("q")
    broker.purge("q")
    broker.delete("q", START_MS)
    for _ in range(6):
        turn(broker)
    assert not broker.busy
    assert not broker.has_queue("q")


def test_the_last_reader_of_a_queue_that_is_purged_then_does_not_wait_for_it() -> None:
    broker = made(QueueSpec("q", purge_unread=True))
    hosted = broker.lookup("q")
    reader = broker.read(hosted, Mode.CONSUME, LimitedReceiver(0), ANY, NOBODY, START_MS)
    enqueue(broker, "q", *MANY)
    broker.stop(reader, START_MS)
    assert hosted.queue.depth == len(MANY) - HANDLED_AT_ONCE
    turn(broker)
    turn(broker)
    assert hosted.queue.depth == 0
