"""Publishing through exchanges, and where messages go that a queue did not deliver."""

import pytest
from bare_queue import START_MS, body_of, encoded
from broker_desk import LimitedReceiver, enqueue, made, message

from lastvalue.broker.alternates import (
    AlternateError,
    AlternateFixedError,
    NodeInUseError,
    UnknownAlternateError,
)
from lastvalue.broker.bindings import Binding
from lastvalue.broker.broker import Broker
from lastvalue.broker.exchange_spec import ExchangeSpec, ExchangeType, Unroutable
from lastvalue.broker.exchanges import ExchangeNotAllowedError, ExchangeNotFoundError
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.owner import NOBODY
from lastvalue.broker.router import RoutingResult
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import InvalidSpecError, QueueNotFoundError
from lastvalue.model.message import Message
from lastvalue.queues.errors import DelayRefusedError
from lastvalue.queues.spec import Expiry, LastValue, Limit, QueueSpec, Readers, WhenFull
from lastvalue.queues.subscription import ANY, Mode, Outcome


def send(broker: Broker, name: str, about: Message, key: str = "") -> RoutingResult:
    node = broker.resolve(name)
    assert node is not None
    return broker.route(broker.target(node), key, about, START_MS)


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


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("path", "name", "subject"),
    [
        ("/queues/my%20queue", "my queue", None),
        ("/exchanges/amq.topic", "amq.topic", ""),
        ("/exchanges/amq.topic/a%2Fb", "amq.topic", "a/b"),
    ],
)
def test_the_paths_of_rabbitmq_are_what_they_name(path: str, name: str, subject: str | None) -> None:
    node = made("my queue").resolve(path)
    assert node is not None
    assert (node.name, node.subject) == (name, subject)


@pytest.mark.parametrize("path", ["/queues/", "/queues/none", "/exchanges/", "/exchanges/q", "/topic/q"])
def test_a_path_that_names_nothing_is_nothing(path: str) -> None:
    assert made("q").resolve(path) is None


def test_a_queue_whose_name_is_a_path_wins() -> None:
    node = made("/queues/q", "q").resolve("/queues/q")
    assert node is not None
    assert node.name == "/queues/q"


# ---------------------------------------------------------------------- exchanges


def test_a_queue_gets_a_message_once_however_many_bindings_match() -> None:
    broker = made("q")
    for key in ("#", "a.*", "*.b"):
        broker.bind("amq.topic", Binding("q", key), NOBODY, START_MS)
    assert send(broker, "amq.topic", message("1"), "a.b").queues == 1
    assert contents(broker, "q") == ["1"]


def test_the_default_exchange_knows_every_queue_by_its_name() -> None:
    broker = made("q")
    default = broker.exchanges.default
    assert [hosted.queue.spec.name for hosted in broker.destinations(default, "q", message())] == ["q"]
    assert broker.destinations(default, "nosuch", message()) == []


def test_an_exchange_may_be_bound_to_another_and_a_circle_ends() -> None:
    broker = made(ExchangeSpec("a", ExchangeType.FANOUT), ExchangeSpec("b", ExchangeType.FANOUT), "q")
    broker.bind("a", Binding("b", "", {}, True), NOBODY, START_MS)
    broker.bind("b", Binding("a", "", {}, True), NOBODY, START_MS)
    broker.bind("b", Binding("q", ""), NOBODY, START_MS)
    assert send(broker, "a", message("1")).queues == 1


def test_what_an_exchange_cannot_route_goes_to_its_alternate() -> None:
    """S-264."""
    broker = made(
        "processed",
        "returned",
        ExchangeSpec("second", ExchangeType.FANOUT),
        ExchangeSpec("first", alternate="second"),
    )
    broker.bind("first", Binding("processed", "good"), NOBODY, START_MS)
    broker.bind("second", Binding("returned", ""), NOBODY, START_MS)
    send(broker, "first", message("Good"), "good")
    send(broker, "first", message("Bad"), "bad")
    assert contents(broker, "processed") == ["Good"]
    assert contents(broker, "returned") == ["Bad"]


def test_an_alternate_that_cannot_route_has_its_own_tried_and_a_circle_ends() -> None:
    broker = made(
        "q",
        ExchangeSpec("c", alternate="q"),
        ExchangeSpec("b", alternate="c"),
        ExchangeSpec("a", alternate="b"),
    )
    assert send(broker, "a", message("1"), "x").queues == 1
    assert contents(broker, "q") == ["1"]


@pytest.mark.parametrize("unroutable", list(Unroutable))
def test_what_no_queue_gets_is_dropped_or_refused(unroutable: Unroutable) -> None:
    broker = made(ExchangeSpec("x", unroutable=unroutable))
    routed = send(broker, "x", message(), "nobody")
    assert routed.refused is (unroutable is Unroutable.REJECT)
    assert broker.exchanges.find("x").unrouted == 1


def test_a_queue_that_is_full_is_named_and_the_others_do_not_get_the_message_either() -> None:
    broker = made(QueueSpec("small", limit=Limit(1)), "large", "larger")
    for queue in ("large", "small", "larger"):
        broker.bind("amq.fanout", Binding(queue, ""), NOBODY, START_MS)
    assert send(broker, "amq.fanout", message("1")).full == []
    assert send(broker, "amq.fanout", message("2")).full == ["small"]
    assert [contents(broker, name) for name in ("large", "small", "larger")] == [["1"], ["1"], ["1"]]
    assert broker.lookup("small").queue.refused == 1


def test_a_queue_that_refuses_what_is_delayed_keeps_it_from_the_others() -> None:
    broker = made(QueueSpec("prompt", refuses_delay=True), "patient")
    for queue in ("patient", "prompt"):
        broker.bind("amq.fanout", Binding(queue, ""), NOBODY, START_MS)
    later = read_message(
        encoded("later", {}, None, message_annotations={"x-opt-delivery-time": START_MS + 1000})
    )
    assert isinstance(send(broker, "amq.fanout", later).fault, DelayRefusedError)
    assert contents(broker, "patient") == []


def test_room_that_what_is_due_leaves_is_room() -> None:
    broker = made(QueueSpec("small", limit=Limit(1)), "large")
    for queue in ("small", "large"):
        broker.bind("amq.fanout", Binding(queue, ""), NOBODY, START_MS)
    node = broker.resolve("amq.fanout")
    assert node is not None
    target = broker.target(node)
    assert broker.route(target, "", read_message(encoded("1", {}, 10)), START_MS).full == []
    assert broker.route(target, "", message("2"), START_MS + 9).full == ["small"]
    assert broker.route(target, "", message("3"), START_MS + 10).full == []


def test_a_new_value_of_a_key_has_room_on_a_full_queue_that_others_share() -> None:
    broker = made(QueueSpec("small", ordering=LastValue("k"), limit=Limit(1)), "large")
    for queue in ("small", "large"):
        broker.bind("amq.fanout", Binding(queue, ""), NOBODY, START_MS)
    for body in ("1", "2"):
        assert send(broker, "amq.fanout", read_message(encoded(body, {"k": "a"}, None))).full == []
    assert send(broker, "amq.fanout", read_message(encoded("3", {"k": "b"}, None))).full == ["small"]
    assert contents(broker, "large") == ["1", "2"]


def test_binding_what_is_not_there_is_refused() -> None:
    broker = made("q")
    with pytest.raises(ExchangeNotFoundError):
        broker.bind("nosuch", Binding("q", ""), NOBODY, START_MS)
    with pytest.raises(QueueNotFoundError):
        broker.bind("amq.fanout", Binding("nosuch", ""), NOBODY, START_MS)
    with pytest.raises(ExchangeNotFoundError):
        broker.bind("amq.fanout", Binding("nosuch", "", {}, True), NOBODY, START_MS)
    assert broker.unbind("amq.fanout", "q", "") is False


def test_an_exchange_that_deletes_itself_goes_with_its_last_binding() -> None:
    broker = made("1", "2", ExchangeSpec("x", auto_delete=True))
    for queue in ("1", "2"):
        broker.bind("x", Binding(queue, "k"), NOBODY, START_MS)
    broker.unbind("x", "1", "k")
    assert broker.exchanges.get("x") is not None
    broker.delete("2", START_MS)
    assert broker.exchanges.get("x") is None


def test_a_full_queue_that_deletes_itself_is_gone_and_its_reader_told() -> None:
    """S-258."""
    broker = made(QueueSpec("q", limit=Limit(10, when_full=WhenFull.DELETE_QUEUE)), "plain")
    for queue in ("q", "plain"):
        broker.bind("amq.fanout", Binding(queue, ""), NOBODY, START_MS)
    receiver = consume(broker, "q", 0)
    for number in range(20):
        assert send(broker, "amq.fanout", message(str(number))).full == []
        broker.pump(START_MS)
    assert receiver.deleted
    assert broker.resolve("q") is None
    assert len(contents(broker, "plain")) == 20


def test_a_new_binding_is_given_the_last_message_that_it_matches() -> None:
    broker = made("1", "2", "3", ExchangeSpec("x", ExchangeType.TOPIC, initial_value=True))
    broker.bind("x", Binding("1", "#"), NOBODY, START_MS)
    broker.pump(START_MS)
    send(broker, "x", message("old"), "a")
    send(broker, "x", message("new"), "a")
    broker.bind("x", Binding("2", "a"), NOBODY, START_MS)
    broker.bind("x", Binding("3", "b"), NOBODY, START_MS)
    broker.bind("x", Binding("2", "a"), NOBODY, START_MS)
    assert [contents(broker, name) for name in "123"] == [["old", "new"], ["new"], []]


def test_an_exchange_may_number_its_messages() -> None:
    broker = made("q", ExchangeSpec("x", ExchangeType.FANOUT, numbered=True))
    broker.bind("x", Binding("q", ""), NOBODY, START_MS)
    for body in "ab":
        send(broker, "x", message(body))
    notes = [
        decode_content(entry.message.encoded).message_annotations
        for entry in broker.lookup("q").queue.entries()
    ]
    assert notes == [{"qpid.msg_sequence": 1}, {"qpid.msg_sequence": 2}]


# ---------------------------------------------------------------------- alternates


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
        "x-opt-reason": "dead-lettered",
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


def test_an_alternate_must_be_there_and_not_the_queue_itself() -> None:
    """S-207."""
    with pytest.raises(InvalidSpecError, match="its own alternate"):
        QueueSpec("q", alternate="q")
    with pytest.raises(UnknownAlternateError, match="'nosuch'"):
        made(QueueSpec("q", alternate="nosuch"))
    with pytest.raises(UnknownAlternateError, match="'nosuch'"):
        made(ExchangeSpec("x", alternate="nosuch"))


def test_a_policy_may_make_the_missing_alternate() -> None:
    broker = Broker()
    broker.missing.policies = [NodePolicy("*_DLQ")]
    broker.declare(QueueSpec("q", alternate="q_DLQ"))
    assert broker.lookup("q_DLQ").queue.depth == 0


def test_policies_that_never_end_are_followed_only_so_far() -> None:
    broker = Broker()
    broker.missing.policies = [NodePolicy("q#", "queue", {"x-qpid-dlq-enabled": True})]
    with pytest.raises(UnknownAlternateError):
        broker.missing.create("q", publishing=True)
    assert broker.queues() == []


def test_what_is_durable_has_a_durable_alternate() -> None:
    broker = made("dead", ExchangeSpec("x"), QueueSpec("kept", durable=True))
    for alternate in ("dead", "x"):
        with pytest.raises(AlternateError, match="must be durable too"):
            broker.declare(QueueSpec("q", durable=True, alternate=alternate))
    broker.declare(QueueSpec("q", durable=True, alternate="kept"))
    broker.declare(QueueSpec("q2", durable=True, alternate="amq.fanout"))


def test_what_is_used_as_an_alternate_is_not_deleted() -> None:
    """S-267."""
    broker = made("dead", ExchangeSpec("x"), QueueSpec("q", alternate="dead", expiry_alternate="x"))
    broker.declare_exchange(ExchangeSpec("y", alternate="x"))
    with pytest.raises(NodeInUseError):
        broker.delete("dead", START_MS, NOBODY)
    with pytest.raises(NodeInUseError):
        broker.delete_exchange("x")
    broker.delete("q", START_MS)
    broker.delete("dead", START_MS, NOBODY)
    with pytest.raises(NodeInUseError):
        broker.delete_exchange("x")
    broker.delete_exchange("y")
    broker.delete_exchange("x")


def test_a_declaration_may_leave_an_alternate_out_but_not_change_or_add_it() -> None:
    """S-268."""
    broker = made("a", "b", QueueSpec("with", alternate="a"), "without")
    assert broker.declare(QueueSpec("with")) is False
    with pytest.raises(AlternateFixedError):
        broker.declare(QueueSpec("with", alternate="b"))
    with pytest.raises(AlternateFixedError):
        broker.declare(QueueSpec("without", alternate="a"))
    broker.declare_exchange(ExchangeSpec("x", alternate="a"))
    with pytest.raises(ExchangeNotAllowedError):
        broker.declare_exchange(ExchangeSpec("x", alternate="b"))


def test_a_rerouted_message_is_still_its_senders() -> None:
    """S-270."""
    broker = made("behind", QueueSpec("q", alternate="behind"))
    mine = message("a")
    mine.origin = "me"
    broker.publish(broker.queue_target("q"), mine, START_MS)
    broker.delete("q", START_MS)
    (entry,) = broker.lookup("behind").queue.entries()
    assert entry.message.origin == "me"
