"""Queues by name, and who gets the next message."""

import pytest
from bare_queue import START_MS, encoded
from broker_desk import LimitedReceiver, enqueue, message
from broker_desk import made as desk_with

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.queue_memory import QUEUE_BYTES
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import QueueExistsError, QueueNotFoundError
from lastvalue.model.message import NEVER
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.duplicates import ID_BYTES
from lastvalue.queues.spec import Expiry, LastValue, QueueSpec
from lastvalue.queues.subscription import ANY, Mode, Outcome


def publish(broker: Broker, body: str, key: str = "") -> None:
    message = read_message(encoded(body, {"k": key} if key else {}, None))
    broker.publish(broker.queue_target("q"), message, START_MS)


def attach(broker: Broker, mode: Mode, room: int) -> tuple[LimitedReceiver, QueueReader]:
    receiver = LimitedReceiver(room)
    reader = broker.read(broker.lookup("q"), mode, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    return receiver, reader


def made(spec: QueueSpec | None = None) -> Broker:
    broker = Broker()
    broker.declare(spec or QueueSpec("q"))
    return broker


def test_declaring_an_equal_queue_again_changes_nothing() -> None:
    broker = made()
    publish(broker, "1")
    assert broker.declare(QueueSpec("q")) is False
    assert broker.lookup("q").queue.depth == 1


def test_declaring_a_different_queue_of_that_name_says_what_differs() -> None:
    with pytest.raises(QueueExistsError, match="type: wanted 'lvq', has 'standard'"):
        made().declare(QueueSpec("q", LastValue("k")))


def test_a_queue_that_is_not_there_is_named_in_the_error() -> None:
    with pytest.raises(QueueNotFoundError, match="no queue named 'nosuch'"):
        made().lookup("nosuch")


def test_consumers_get_one_message_each_in_turn() -> None:
    broker = made()
    first, _ = attach(broker, Mode.CONSUME, 10)
    second, _ = attach(broker, Mode.CONSUME, 10)
    for body in "123456":
        publish(broker, body)
    broker.pump(START_MS)
    assert (first.bodies, second.bodies) == (["1", "3", "5"], ["2", "4", "6"])


def test_single_messages_go_round_the_waiting_consumers() -> None:
    broker = made()
    desks = [attach(broker, Mode.CONSUME, 10)[0] for _ in range(3)]
    broker.pump(START_MS)
    for body in "123456":
        publish(broker, body)
        broker.pump(START_MS)
    assert sorted(len(receiver.got) for receiver in desks) == [2, 2, 2]


def test_a_reader_without_room_leaves_the_message_to_others() -> None:
    broker = made()
    full, _ = attach(broker, Mode.CONSUME, 0)
    free, _ = attach(broker, Mode.CONSUME, 10)
    publish(broker, "1")
    broker.pump(START_MS)
    assert (full.bodies, free.bodies) == ([], ["1"])


def test_a_reader_that_gets_room_later_is_given_the_newest_value() -> None:
    broker = made(QueueSpec("q", LastValue("k")))
    receiver, reader = attach(broker, Mode.BROWSE, 0)
    for body in ("a1", "a2", "a3"):
        publish(broker, body, "a")
        broker.pump(START_MS)
    receiver.room = 10
    reader.wake()
    broker.pump(START_MS)
    assert receiver.bodies == ["a3"]


def test_stopping_a_reader_gives_back_what_it_held() -> None:
    broker = made()
    receiver, reader = attach(broker, Mode.CONSUME, 10)
    publish(broker, "1")
    publish(broker, "2")
    broker.pump(START_MS)
    reader.settle(receiver.got[0], Outcome.ACCEPTED, START_MS)
    broker.stop(reader, START_MS)
    other, _ = attach(broker, Mode.CONSUME, 10)
    broker.pump(START_MS)
    assert other.bodies == ["2"]


def test_deleting_a_queue_tells_its_readers_and_leaves_no_effects_for_the_journal() -> None:
    broker = made()
    receiver, _ = attach(broker, Mode.BROWSE, 10)
    publish(broker, "1")
    assert broker.delete("q", START_MS) == 1
    assert receiver.deleted
    assert broker.drain(START_MS) == []
    with pytest.raises(QueueNotFoundError):
        broker.lookup("q")


def test_effects_are_drained_once_and_by_queue() -> None:
    broker = made()
    publish(broker, "1")
    assert [(name, len(effects)) for name, effects in broker.drain(START_MS)] == [("q", 1)]
    assert broker.drain(START_MS) == []
    assert not broker.busy


def test_the_broker_knows_the_soonest_deadline_of_its_queues() -> None:
    broker = made()
    broker.declare(QueueSpec("short", expiry=Expiry(maximum_ttl_ms=10)))
    publish(broker, "1")
    broker.publish(broker.queue_target("short"), read_message(encoded("x", {}, None)), START_MS)
    assert broker.next_deadline() == START_MS + 10
    broker.advance(START_MS + 10)
    assert broker.lookup("short").queue.depth == 0
    assert broker.next_deadline() == NEVER


def test_what_messages_take_of_the_memory_is_the_sum_over_the_queues_as_of_the_last_drain() -> None:
    broker = desk_with("q", "other")
    size = len(message("1").encoded)
    enqueue(broker, "q", "1", "2")
    enqueue(broker, "other", "3")
    assert broker.held_bytes == 2 * QUEUE_BYTES
    broker.drain(START_MS)
    assert broker.held_bytes == 2 * QUEUE_BYTES + 3 * (size + ENTRY_BYTES)
    broker.purge("q")
    broker.drain(START_MS)
    assert broker.held_bytes == 2 * QUEUE_BYTES + size + ENTRY_BYTES
    broker.delete("other", START_MS)
    broker.drain(START_MS)
    assert broker.held_bytes == QUEUE_BYTES


def test_the_ids_that_a_queue_remembers_count_when_their_messages_are_gone() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", duplicate_window=10))
    published = message("1")
    published.duplicate_id = b"\x01id"
    broker.publish(broker.queue_target("q"), published, START_MS)
    broker.purge("q")
    broker.drain(START_MS)
    assert broker.held_bytes == QUEUE_BYTES + ID_BYTES + len(published.duplicate_id)
