"""What the broker does with its queues at the end of a turn, and when their time has come."""

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.observers import Observer
from lastvalue.broker.owner import NOBODY
from lastvalue.broker.queue_host import ENTRY_BYTES, QUEUE_BYTES, HostedQueue, QueueReader
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import Lifetime, Limit, Priority, QueueSpec, WhenFull
from lastvalue.queues.subscription import ANY, Mode


class Witness(Observer):
    """Notes what it is told; publishes once where it has something to say."""

    def __init__(self, broker: Broker, says: str = "") -> None:
        self.told: list[str] = []
        self._broker = broker
        self._says = says

    def queue_declared(self, hosted: HostedQueue) -> None:
        self.told.append(f"declared {hosted.queue.spec.name}")

    def queue_deleted(self, hosted: HostedQueue) -> None:
        self.told.append(f"deleted {hosted.queue.spec.name}")

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: int) -> None:
        name = hosted.queue.spec.name
        self.told += [f"{type(effect).__name__} {name}" for effect in effects]

    def end_turn(self, now: int) -> bool:
        says, self._says = self._says, ""
        if says:
            enqueue(self._broker, "news", says)
        return bool(says)


def read(broker: Broker, name: str, room: int = 10) -> tuple[LimitedReceiver, QueueReader]:
    receiver = LimitedReceiver(room)
    reader = broker.read(broker.lookup(name), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    broker.pump(START_MS)
    return receiver, reader


def drained(broker: Broker, now: int = START_MS) -> list[tuple[str, list[str]]]:
    return [(name, [type(each).__name__ for each in effects]) for name, effects in broker.drain(now)]


def test_effects_are_drained_once_by_queue() -> None:
    broker = made("a", "b")
    enqueue(broker, "a", "1", "2")
    enqueue(broker, "b", "3")
    assert broker.busy
    assert sorted(drained(broker)) == [("a", ["Added", "Added"]), ("b", ["Added"])]
    assert drained(broker) == []
    assert not broker.busy


def test_what_is_on_all_queues_is_counted_when_effects_are_drained() -> None:
    broker = made("a", "b")
    enqueue(broker, "a", "1")
    enqueue(broker, "b", "1")
    assert broker.held_bytes == 2 * QUEUE_BYTES
    broker.drain(START_MS)
    assert broker.held_bytes == 2 * (QUEUE_BYTES + len(message("1").encoded) + ENTRY_BYTES)
    broker.delete("a", START_MS)
    broker.purge("b")
    broker.drain(START_MS)
    assert broker.held_bytes == QUEUE_BYTES


def test_observers_hear_of_queues_and_of_every_effect() -> None:
    broker = Broker()
    witness = Witness(broker)
    broker.observers.append(witness)
    broker.declare(QueueSpec("q"))
    enqueue(broker, "q", "1")
    broker.delete("q", START_MS)
    broker.drain(START_MS)
    assert witness.told == ["declared q", "deleted q", "Added q", "Removed q"]


def test_what_an_observer_publishes_is_part_of_the_same_turn() -> None:
    broker = made("news", "q")
    first, second = Witness(broker), Witness(broker, says="hello")
    broker.observers += [first, second]
    enqueue(broker, "q", "1")
    assert drained(broker) == [("q", ["Added"]), ("news", ["Added"])]
    assert first.told == second.told == ["Added q", "Added news"]


def test_many_messages_that_are_due_expire_a_part_at_a_time() -> None:
    broker = made("q")
    queue = broker.lookup("q").queue
    for _ in range(5):
        queue.enqueue(message("x", ttl_ms=10), START_MS)
    broker.lookup("q").mark_changed()
    broker.drain(START_MS)
    depths = []
    while broker.next_deadline() <= START_MS + 10:
        broker.advance(START_MS + 10, 2)
        broker.drain(START_MS + 10)
        depths.append(int(queue.depth))
    assert depths == [3, 1, 0]


def test_a_message_expires_when_its_time_has_come() -> None:
    broker = made("q")
    broker.publish(broker.queue_target("q"), message("1", ttl_ms=100), START_MS)
    assert broker.next_deadline() == START_MS + 100
    broker.advance(START_MS + 99)
    assert broker.lookup("q").queue.depth == 1
    broker.advance(START_MS + 100)
    assert (broker.lookup("q").queue.depth, broker.next_deadline()) == (0, NEVER)


def test_a_deleted_queue_has_no_deadline() -> None:
    broker = made("q")
    broker.publish(broker.queue_target("q"), message("1", ttl_ms=100), START_MS)
    broker.delete("q", START_MS)
    broker.drain(START_MS)
    assert broker.next_deadline() == NEVER


def test_a_queue_that_is_not_used_for_its_delay_is_deleted() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS, auto_delete_delay_ms=50))
    _, reader = read(broker, "q")
    broker.stop(reader, START_MS)
    assert broker.next_deadline() == START_MS + 50
    broker.advance(START_MS + 49)
    assert broker.has_queue("q")
    broker.advance(START_MS + 50)
    assert not broker.has_queue("q")


def test_a_full_queue_that_destroys_itself_is_gone_after_the_turn_and_tells_its_readers() -> None:
    broker = made(QueueSpec("q", limit=Limit(1, when_full=WhenFull.DELETE_QUEUE)))
    receiver, _ = read(broker, "q", room=0)
    enqueue(broker, "q", "1", "2")
    broker.pump(START_MS)
    assert (broker.has_queue("q"), receiver.deleted) == (False, True)


def test_a_queue_without_readers_is_purged_where_it_says_so() -> None:
    broker = made(QueueSpec("q", purge_unread=True))
    _, reader = read(broker, "q", room=0)
    enqueue(broker, "q", "1")
    broker.stop(reader, START_MS)
    assert broker.lookup("q").queue.depth == 0


def test_a_queue_whose_order_was_defeated_is_told_once() -> None:
    broker = made(QueueSpec("q", Priority(10)))
    enqueue(broker, "q", "1", "2")
    read(broker, "q")
    for _ in range(2):
        urgent = message("urgent").with_priority(9)
        broker.publish(broker.queue_target("q"), urgent, START_MS)
        broker.drain(START_MS)
    assert broker.take_order_warnings() == ["q"]
    assert broker.take_order_warnings() == []


@pytest.mark.parametrize("spec", [QueueSpec("q"), QueueSpec("q", alternate="amq.fanout")])
def test_readers_without_room_are_given_nothing_however_many_turns_there_are(spec: QueueSpec) -> None:
    broker = made(spec)
    receiver, _ = read(broker, "q", room=1)
    enqueue(broker, "q", "1", "2")
    for _ in range(3):
        broker.pump(START_MS)
    assert receiver.bodies == ["1"]
    assert broker.lookup("q").queue.available == 1
