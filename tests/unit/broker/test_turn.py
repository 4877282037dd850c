"""What the broker does with its queues at the end of a turn, and when their time has come."""

import json
from itertools import pairwise

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import ENDED_AT_ONCE, HANDLED_AT_ONCE
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.queue_memory import QUEUE_BYTES
from lastvalue.broker.rights.owner import NOBODY, Owner, QueueEndingError
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import NEVER
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import Exclusive, LastValue, Lifetime, Limit, Priority, QueueSpec, WhenFull
from lastvalue.queues.subscription import ANY, Mode, Terms
from lastvalue.queues.watch_terms import read_watch_terms
from lastvalue.selectors import parse_selector


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


def test_a_part_is_of_the_messages_of_all_queues_together() -> None:
    names = ["a", "b", "c", "d"]
    broker = made(*names)
    for name in names:
        for number in range(10):
            broker.publish(broker.queue_target(name), message(str(number), ttl_ms=5), START_MS)
    now = START_MS + 5
    left = []
    while broker.next_deadline() <= now:
        broker.advance(now, 12)
        left.append(sum(broker.lookup(name).queue.depth for name in names))
    assert left[-1] == 0
    assert all(0 < before - after <= 12 for before, after in pairwise([40, *left]))


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
    broker = made(QueueSpec("q", limit=Limit(1, when_full=WhenFull.SELF_DESTRUCT)))
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
    assert [(each.queue, each.kind) for each in broker.take_warnings()] == [("q", "overtaken")]
    assert broker.take_warnings() == []


@pytest.mark.parametrize("spec", [QueueSpec("q"), QueueSpec("q", alternate="amq.fanout")])
def test_readers_without_room_are_given_nothing_however_many_turns_there_are(spec: QueueSpec) -> None:
    broker = made(spec)
    receiver, _ = read(broker, "q", room=1)
    enqueue(broker, "q", "1", "2")
    for _ in range(3):
        broker.pump(START_MS)
    assert receiver.bodies == ["1"]
    assert broker.lookup("q").queue.available == 1


MANY = 2 * HANDLED_AT_ONCE + 500


def turns(broker: Broker) -> int:
    """How many turns pass until no command is under way."""
    count = 0
    while broker.long_commands.busy:
        broker.pump(START_MS)
        broker.drain(START_MS)
        count += 1
    return count


def test_the_queues_of_a_connection_that_ends_are_deleted_a_part_in_each_turn() -> None:
    broker = Broker()
    owner = Owner(connection=broker.identify())
    for number in range(2 * ENDED_AT_ONCE + 50):
        broker.declare(QueueSpec(str(number), lifetime=Lifetime.CONNECTION_CLOSE), owner)
    broker.ended(owner.connection, START_MS)
    assert len(broker.queues()) == ENDED_AT_ONCE + 50
    with pytest.raises(QueueEndingError, match="is being deleted"):
        broker.declare(QueueSpec(str(2 * ENDED_AT_ONCE), lifetime=Lifetime.CONNECTION_CLOSE), Owner())
    assert turns(broker) == 2
    assert broker.queues() == []


@pytest.mark.parametrize("exclusive", [Exclusive.NONE, Exclusive.CONNECTION])
def test_a_queue_whose_lifetime_is_over_loses_its_messages_in_turns_and_nobody_else_joins_it(
    exclusive: Exclusive,
) -> None:
    broker = Broker()
    owner = Owner(connection=broker.identify(), container="its owner")
    broker.declare(QueueSpec("q", lifetime=Lifetime.CONNECTION_CLOSE, exclusive=exclusive), owner)
    enqueue(broker, "q", *["x"] * MANY)
    hosted = broker.lookup("q")
    broker.ended(owner.connection, START_MS)
    assert hosted.queue.depth == MANY - HANDLED_AT_ONCE
    with pytest.raises(QueueEndingError):
        broker.read(hosted, Mode.CONSUME, LimitedReceiver(1), ANY, NOBODY, START_MS)
    with pytest.raises(QueueEndingError):
        broker.delete("q", START_MS)
    assert turns(broker) == 2
    assert not broker.has_queue("q")
    assert broker.declare(QueueSpec("q"))


def test_an_unused_queue_with_many_messages_is_deleted_once_when_its_time_has_come() -> None:
    broker = Broker()
    spec = QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS, auto_delete_delay_ms=10, alternate="dead")
    broker.declare(QueueSpec("dead"))
    broker.declare(spec)
    _, reader = read(broker, "q", 0)
    enqueue(broker, "q", *["x"] * 250)
    broker.stop(reader, START_MS)
    broker.advance(START_MS + 10)
    assert broker.next_deadline() == NEVER
    assert turns(broker) == 2
    assert [queue.spec.name for queue in broker.queues()] == ["dead"]
    assert broker.lookup("dead").queue.depth == 250


def bound(broker: Broker, exchange: str, count: int = MANY) -> None:
    for number in range(count):
        broker.bind(exchange, Binding("q", str(number)), NOBODY, START_MS)


def test_a_queue_with_many_bindings_loses_them_in_turns() -> None:
    broker = made("q")
    bound(broker, "amq.direct")
    broker.delete("q", START_MS)
    exchange = broker.exchanges.find("amq.direct")
    assert (broker.has_queue("q"), len(exchange.bindings)) == (True, MANY - HANDLED_AT_ONCE)
    assert turns(broker) == 2
    assert (broker.has_queue("q"), len(exchange.bindings)) == (False, 0)


@pytest.mark.parametrize("auto_delete", [False, True])
def test_an_exchange_with_many_bindings_loses_them_in_turns(auto_delete: bool) -> None:
    broker = made("q")
    broker.declare_exchange(ExchangeSpec("e", ExchangeType.DIRECT, auto_delete=auto_delete))
    bound(broker, "e")
    exchange = broker.exchanges.find("e")
    broker.delete_exchange("e")
    assert len(exchange.bindings) == MANY - HANDLED_AT_ONCE
    assert turns(broker) == 2
    assert broker.exchanges.get("e") is None
    assert broker.exchanges.bindings_of("q") == []


def test_the_bindings_of_a_session_go_in_turns() -> None:
    broker = made("q")
    owner = Owner(connection=broker.identify(), session=broker.identify())
    for number in range(MANY):
        broker.bind("amq.topic", Binding("q", str(number), {"x-scope": "session"}), owner, START_MS)
    broker.ended(owner.session, START_MS)
    assert len(broker.exchanges.bindings_of("q")) == MANY - HANDLED_AT_ONCE
    turns(broker)
    assert broker.exchanges.bindings_of("q") == []


def costly_readers(broker: Broker, name: str, count: int) -> list[LimitedReceiver]:
    """Readers whose every look at the queue is costly, because they have a selector."""
    receivers = [LimitedReceiver(10) for _ in range(count)]
    terms = Terms(parse_selector("a = 1"))
    for receiver in receivers:
        broker.read(broker.lookup(name), Mode.BROWSE, receiver, terms, NOBODY, START_MS).wake()
    broker.pump(START_MS)
    return receivers


def spends(broker: Broker, looks: int, now: int = START_MS) -> None:
    """A turn that has time for so many questions whether it is over."""
    left = iter([False] * looks)
    broker.pump(now, lambda shares: next(left, True))


def test_readers_for_whom_a_turn_has_no_time_are_served_in_the_next_ones() -> None:
    broker = made("q")
    receivers = costly_readers(broker, "q", 5)
    before = [receiver.dry for receiver in receivers]
    enqueue(broker, "q", "x")
    served = []
    for _ in range(3):
        spends(broker, 1)
        served.append(sum(receiver.dry for receiver in receivers) - sum(before))
    assert served == [2, 4, 5]
    assert [receiver.dry - 1 for receiver in receivers] == before


def test_a_queue_that_took_all_the_time_comes_after_the_others_and_goes_on() -> None:
    broker = made("slow", "quick")
    receivers = costly_readers(broker, "slow", 50)
    served = sum(receiver.dry for receiver in receivers)
    quick, _ = read(broker, "quick", 1000)
    enqueue(broker, "slow", "x")
    spends(broker, 1)
    for number in range(10):
        enqueue(broker, "quick", str(number))
        spends(broker, 0)
        assert len(quick.got) == number + 1
    assert sum(receiver.dry for receiver in receivers) == served + 12


def test_consumers_of_whom_some_had_no_time_go_on_in_the_next_turn() -> None:
    broker = made("q")
    receivers = [read(broker, "q", 100)[0] for _ in range(3)]
    large = "x" * 5000
    enqueue(broker, "q", *[large] * 9)
    for turn in range(1, 10):
        spends(broker, 0)
        assert sum(len(receiver.got) for receiver in receivers) == turn
    assert {len(receiver.got) for receiver in receivers} == {3}


def test_values_by_a_policy_are_made_in_steps_and_come_after_all_their_updates() -> None:
    broker = made(QueueSpec("q", ordering=LastValue("k")))
    receiver = LimitedReceiver(100)
    terms = Terms()
    terms.watch = read_watch_terms({"policy": "count"})
    broker.read(broker.lookup("q"), Mode.BROWSE, receiver, terms, NOBODY, START_MS).wake()
    broker.pump(START_MS)
    broker.drain(START_MS)
    for _ in range(3):
        content = MessageContent(application_properties={"k": 1}, body="x" * 5000)
        assert broker.publish(broker.queue_target("q"), read_message(encode_content(content)), START_MS)
    broker.drain(START_MS)
    for _ in range(2):
        spends(broker, 0)
        assert receiver.got == []
    spends(broker, 0)
    values = [json.loads(str(decode_content(entry.message.encoded).body)) for entry in receiver.got]
    assert [value["count"] for value in values] == [3]
