"""Where messages go that a queue did not deliver."""

from bare_queue import START_MS, body_of
from broker_desk import LimitedReceiver, enqueue, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.queues.spec import Expiry, Limit, QueueSpec, Readers, WhenFull
from lastvalue.queues.subscription import ANY, Mode, Outcome


def contents(broker: Broker, name: str) -> list[str]:
    broker.pump(START_MS)
    return [body_of(entry.message.encoded) for entry in broker.lookup(name).queue.entries()]


def consume(broker: Broker, name: str, count: int = 100) -> LimitedReceiver:
    receiver = LimitedReceiver(count)
    receiver.reader = broker.read(broker.lookup(name), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    receiver.reader.wake()
    broker.pump(START_MS)
    return receiver


def settle(receiver: LimitedReceiver, outcome: Outcome) -> None:
    for entry in receiver.got:
        receiver.reader.settle(entry, outcome, START_MS)
    receiver.got = []


def test_rejected_messages_go_to_the_alternate() -> None:
    """S-254, S-255."""
    broker = made("dead", QueueSpec("q", alternate="amq.fanout"))
    broker.bind("amq.fanout", Binding("dead", ""), NOBODY, START_MS)
    enqueue(broker, "q", "a", "b", "c", "d")
    settle(consume(broker, "q"), Outcome.REJECTED)
    assert contents(broker, "dead") == ["a", "b", "c", "d"]


def test_the_copy_says_where_it_was_and_why_and_is_counted_anew() -> None:
    broker = made("dead", QueueSpec("q", alternate="dead", readers=Readers(attempts=2)))
    enqueue(broker, "q", "1")
    receiver = consume(broker, "q")
    settle(receiver, Outcome.MODIFIED_FAILED)
    broker.pump(START_MS)
    settle(receiver, Outcome.MODIFIED_FAILED)
    broker.pump(START_MS)
    (entry,) = broker.lookup("dead").queue.entries()
    assert entry.delivery_count == 0
    assert decode_content(entry.message.encoded).message_annotations == {
        "x-opt-original-queue": "q",
        "x-opt-original-sequence": 1,
        "x-opt-reason": "dead-lettered",
        "x-exchange": "",
        "x-routing-key": "dead",
        "x-opt-deaths": [
            {
                "queue": "q",
                "reason": "delivery_limit",
                "count": 1,
                "first-time": START_MS,
                "last-time": START_MS,
                "exchange": "",
                "routing-keys": ["q"],
                "first": True,
            }
        ],
    }


def test_every_other_message_fails_twice_and_is_a_dead_letter() -> None:
    """S-198."""
    broker = made("dead", QueueSpec("q", alternate="dead", readers=Readers(attempts=2)))
    enqueue(broker, "q", "0", "1", "2", "3", "4")
    receiver = LimitedReceiver(100)
    reader = broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    deliveries = []
    for _ in range(8):
        broker.pump(START_MS)
        for entry in receiver.got:
            body = body_of(entry.message.encoded)
            deliveries.append(body)
            failed = int(body) % 2 == 0
            reader.settle(entry, Outcome.MODIFIED_FAILED if failed else Outcome.ACCEPTED, START_MS)
        receiver.got = []
    assert sorted(deliveries) == ["0", "0", "1", "2", "2", "3", "4", "4"]
    assert contents(broker, "dead") == ["0", "2", "4"]


def test_what_a_full_ring_drops_goes_to_the_alternate_in_order() -> None:
    """S-259."""
    ring = Limit(10, when_full=WhenFull.DROP_OLDEST)
    broker = made("dropped", QueueSpec("q", limit=ring, alternate="amq.fanout"))
    broker.bind("amq.fanout", Binding("dropped", ""), NOBODY, START_MS)
    enqueue(broker, "q", *[f"MSG_{number}" for number in range(1, 21)])
    assert contents(broker, "q") == [f"MSG_{number}" for number in range(11, 21)]
    assert contents(broker, "dropped") == [f"MSG_{number}" for number in range(1, 11)]


def test_what_is_left_on_a_deleted_queue_goes_to_the_alternate_held_messages_too() -> None:
    """S-257, S-265, S-269."""
    broker = made("dead", QueueSpec("q", alternate="dead"))
    enqueue(broker, "q", "One", "Two", "Three")
    receiver = consume(broker, "q", 1)
    assert receiver.bodies == ["One"]
    broker.delete("q", START_MS)
    assert contents(broker, "dead") == ["One", "Two", "Three"]


def test_a_fanout_exchange_as_alternate_gets_what_is_left() -> None:
    """S-208."""
    broker = made("dead", ExchangeSpec("x", ExchangeType.FANOUT), QueueSpec("q", alternate="x"))
    broker.bind("x", Binding("dead", ""), NOBODY, START_MS)
    enqueue(broker, "q", "1")
    broker.delete("q", START_MS)
    assert contents(broker, "dead") == ["1"]


def test_expired_messages_go_to_their_own_alternate_and_stay_there() -> None:
    """S-100, S-172."""
    broker = made("expired", QueueSpec("q", expiry_alternate="expired"))
    broker.publish(broker.queue_target("q"), message("1", ttl_ms=10), START_MS)
    broker.advance(START_MS + 10)
    assert broker.lookup("q").queue.depth == 0
    (entry,) = broker.lookup("expired").queue.entries()
    content = decode_content(entry.message.encoded)
    assert (content.ttl_ms, content.message_annotations["x-opt-original-queue"]) == (None, "q")
    broker.advance(START_MS + 1000)
    assert broker.lookup("expired").queue.depth == 1


def test_without_an_alternate_for_it_an_expired_message_is_gone() -> None:
    broker = made("dead", QueueSpec("q", alternate="dead"))
    broker.publish(broker.queue_target("q"), message("1", ttl_ms=10), START_MS)
    broker.advance(START_MS + 10)
    assert broker.lookup("dead").queue.depth == 0


def test_rings_that_are_each_others_alternates_come_to_rest() -> None:
    ring = Limit(1, when_full=WhenFull.DROP_OLDEST)
    broker = made("a", "b")
    for name, other in (("a", "b"), ("b", "a")):
        broker.reconfigure(QueueSpec(name, limit=ring, alternate=other), START_MS)
    enqueue(broker, "a", "1", "2", "3")
    enqueue(broker, "b", "4")
    broker.pump(START_MS)
    assert broker.lookup("a").queue.depth == 1
    assert broker.lookup("b").queue.depth == 1


def test_a_dead_letter_may_expire_from_queue_to_queue() -> None:
    broker = made("end", QueueSpec("middle", expiry=Expiry(maximum_ttl_ms=5), expiry_alternate="end"))
    broker.declare(QueueSpec("start", expiry=Expiry(maximum_ttl_ms=5), expiry_alternate="middle"))
    enqueue(broker, "start", "1")
    broker.advance(START_MS + 5)
    assert broker.lookup("middle").queue.depth == 1
    broker.advance(START_MS + 10)
    assert contents(broker, "end") == ["1"]
