"""What a history keeps of the records that it drops."""

from bare_queue import START_MS
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_memory import queue_memory
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.history.moment import Moment
from lastvalue.history.records import Record, read_record
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Expiry, LastValue, Limit, QueueSpec, WhenFull
from lastvalue.queues.subscription import ANY, Mode, Outcome

RING = QueueSpec("h", limit=Limit(messages=3, when_full=WhenFull.DROP_OLDEST))
VALUES = QueueSpec("q", ordering=LastValue("k"), history="h")


def put(broker: Broker, name: str, key: str, body: str, now: int = START_MS) -> None:
    content = MessageContent(body=body, application_properties={"k": key})
    assert broker.publish(broker.queue_target(name), read_message(encode_content(content)), now)
    broker.pump(now)
    broker.drain(now)


def history(broker: Broker) -> Queue:
    return broker.lookup("h").queue


def base(broker: Broker) -> list[Entry]:
    return [entry for entry in history(broker).entries() if entry.is_kept]


def records_of(entries: list[Entry]) -> list[Record]:
    return [read_record(entry.message.encoded, int(entry.sequence)) for entry in entries]


def records(broker: Broker) -> list[Record]:
    return records_of(history(broker).entries())


def bodies(broker: Broker) -> list[object]:
    moment = Moment().apply_all(records(broker))
    assert moment.complete
    return [decode_content(each.record.message).body for each in moment.in_order()]


def test_the_base_of_a_last_value_queue_has_the_newest_value_of_each_key() -> None:
    broker = made(RING, VALUES)
    for number in range(20):
        put(broker, "q", "ab"[number % 2], str(number))
    assert [record.effect for record in records_of(base(broker))] == ["declared", "added", "added", "added"]
    # Of the value before the last one, the removal was not dropped yet.
    assert history(broker).depth == 3 + 4
    assert bodies(broker) == ["18", "19"]


def test_the_base_of_another_queue_has_what_that_held() -> None:
    broker = made(RING, QueueSpec("q", history="h"))
    for number in range(5):
        put(broker, "q", "a", str(number))
    broker.lookup("q").queue.purge(2)
    broker.lookup("q").mark_changed()
    put(broker, "q", "a", "5")
    assert bodies(broker) == ["2", "3", "4", "5"]


def test_what_leaves_the_base_counts_as_dropped() -> None:
    broker = made(RING, VALUES)
    for number in range(20):
        put(broker, "q", "a", str(number))
    queue = history(broker)
    assert queue.published == queue.depth + queue.removed(Reason.OVERFLOW)


def test_records_that_expire_leave_a_base() -> None:
    broker = made(QueueSpec("h", expiry=Expiry(maximum_ttl_ms=10)), VALUES)
    put(broker, "q", "a", "1")
    put(broker, "q", "b", "2")
    broker.advance(START_MS + 10)
    put(broker, "q", "a", "3", START_MS + 15)
    assert len(base(broker)) == 3
    assert bodies(broker) == ["2", "3"]
    # What it keeps does not expire.
    broker.advance(START_MS + 100)
    assert bodies(broker) == ["2", "3"]
    assert history(broker).next_deadline() > START_MS + 1000


def test_a_browser_that_finds_an_expired_record_is_shown_what_is_kept_of_it() -> None:
    broker = made(QueueSpec("h", expiry=Expiry(maximum_ttl_ms=10)), VALUES)
    put(broker, "q", "a", "1")
    receiver = LimitedReceiver(100)
    late = START_MS + 20
    receiver.reader = broker.read(broker.lookup("h"), Mode.BROWSE, receiver, ANY, NOBODY, late)
    receiver.reader.wake()
    broker.pump(late)
    assert [entry.sequence for entry in receiver.got] == [1, 2]


def test_a_queue_that_begins_again_has_a_new_base() -> None:
    broker = made(RING, VALUES)
    for number in range(9):
        put(broker, "q", "abc"[number % 3], str(number))
    broker.delete("q", START_MS)
    broker.drain(START_MS)
    broker.declare(VALUES)
    for number in range(9):
        put(broker, "q", "z", str(number))
    assert {record.key for record in records_of(base(broker))} == {None, "z"}
    assert bodies(broker) == ["8"]


def test_several_queues_have_one_base_in_one_history() -> None:
    broker = made(RING, VALUES, QueueSpec("p", ordering=LastValue("k"), history="h"))
    for number in range(9):
        put(broker, "qp"[number % 2], "a", str(number))
    told = [record for record in records(broker) if record.queue == "p"]
    assert [decode_content(each.record.message).body for each in Moment().apply_all(told).in_order()] == ["7"]


def test_without_a_beginning_nothing_is_kept() -> None:
    broker = made(RING, VALUES)
    history(broker).purge()
    for number in range(9):
        put(broker, "q", "a", str(number))
    broker.lookup("h").mark_changed()
    history(broker).purge()
    for number in range(9):
        put(broker, "q", "a", str(number))
    assert not base(broker)
    assert history(broker).depth == 3


def test_other_messages_on_a_history_are_dropped() -> None:
    broker = made(RING, VALUES)
    for number in range(9):
        put(broker, "h", "a", str(number))
    assert [record.effect for record in records_of(base(broker))] == ["declared"]


def test_a_consumer_may_take_from_the_base_and_the_limit_still_holds() -> None:
    broker = made(RING, VALUES)
    for number in range(9):
        put(broker, "q", "ab"[number % 2], str(number))
    receiver = LimitedReceiver(2)
    receiver.reader = broker.read(broker.lookup("h"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    receiver.reader.wake()
    broker.pump(START_MS)
    for entry, outcome in zip(receiver.got, (Outcome.RELEASED, Outcome.ACCEPTED), strict=True):
        receiver.reader.settle(entry, outcome, START_MS)
    for number in range(9):
        put(broker, "q", "ab"[number % 2], str(number))
    queue = history(broker)
    assert queue.depth - len(base(broker)) == 3
    assert queue.contents.keeper is not None
    assert queue.contents.keeper.count == len(base(broker))


def test_a_purge_takes_the_base_too() -> None:
    broker = made(RING, VALUES)
    for number in range(9):
        put(broker, "q", "a", str(number))
    queue = history(broker)
    queue.purge()
    assert queue.contents.keeper is not None
    assert (queue.depth, queue.contents.keeper.count, queue.contents.keeper.size_bytes) == (0, 0, 0)
    assert queue.contents.keeper.memory_bytes() == 0


def test_the_memory_of_the_base_is_counted() -> None:
    broker = made(RING, VALUES)
    for number in range(9):
        put(broker, "q", f"k{number}", str(number))
    queue = history(broker)
    assert queue.contents.keeper is not None
    without = queue_memory(Queue(QueueSpec("empty")), 0) + queue.depth_bytes + queue.depth * ENTRY_BYTES
    assert queue_memory(queue, ENTRY_BYTES) == without + queue.contents.keeper.memory_bytes()
    assert queue.contents.keeper.memory_bytes() > 100 * len(base(broker))


def test_a_queue_that_replays_the_effects_has_the_same_base() -> None:
    broker = made(RING, VALUES)
    other = Queue(RING)
    for number in range(9):
        content = MessageContent(body=str(number), application_properties={"k": "abc"[number % 3]})
        broker.publish(broker.queue_target("q"), read_message(encode_content(content)), START_MS)
        for name, effects in broker.drain(START_MS):
            if name == "h":
                other.replay(effects)
    shown = [(entry.sequence, entry.is_kept) for entry in history(broker).entries()]
    assert [(entry.sequence, entry.is_kept) for entry in other.entries()] == shown
    assert sum(kept for _, kept in shown) == len(base(broker)) > 0
