"""Publishing through exchanges, and where messages go that a queue did not deliver."""

from itertools import pairwise
from typing import Any

import pytest
from bare_queue import START_MS, body_of, encoded
from broker_desk import LimitedReceiver, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType, Unroutable
from lastvalue.broker.routing.exchanges import ExchangeNotFoundError
from lastvalue.broker.routing.router import RoutingResult
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.model.message import Message
from lastvalue.queues.errors import DelayRefusedError
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, WhenFull
from lastvalue.queues.subscription import ANY, Mode


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


def test_a_queue_gets_a_message_once_however_many_bindings_match() -> None:
    broker = made("q")
    for key in ("#", "a.*", "*.b"):
        broker.bind("amq.topic", Binding("q", key), NOBODY, START_MS)
    assert send(broker, "amq.topic", message("1"), "a.b").queues == 1
    assert contents(broker, "q") == ["1"]


def test_the_default_exchange_knows_every_queue_by_its_name() -> None:
    broker = made("q")
    default = broker.exchanges.default
    assert [hosted.queue.spec.name for hosted in broker.router.destinations(default, "q", message())] == ["q"]
    assert broker.router.destinations(default, "nosuch", message()) == []


def found(broker: Broker, key: str, exchange: str = "amq.topic") -> list[str] | None:
    """The queues that every message with a key reaches."""
    queues = broker.router.route_of(broker.exchanges.find(exchange), key).queues
    return None if queues is None else [each.queue.spec.name for each in queues]


def test_the_queues_of_a_key_are_the_same_until_something_changes() -> None:
    broker = made("q", "r")
    changes = [broker.exchanges.changes]
    assert found(broker, "a.b") == []
    broker.bind("amq.topic", Binding("q", "a.*"), NOBODY, START_MS)
    changes.append(broker.exchanges.changes)
    broker.bind("amq.topic", Binding("r", "#"), NOBODY, START_MS)
    changes.append(broker.exchanges.changes)
    assert found(broker, "a.b") == ["r", "q"]
    broker.unbind("amq.topic", "q", "a.*")
    changes.append(broker.exchanges.changes)
    broker.delete("r", START_MS)
    changes.append(broker.exchanges.changes)
    assert found(broker, "a.b") == []
    assert all(one < other for one, other in pairwise(changes))


@pytest.mark.parametrize(
    "binding",
    [
        Binding("q", "a", {"x-filter-jms-selector": "b = 1"}),
        Binding("q", "a", excluded="me"),
        Binding("amq.fanout", "a", to_exchange=True),
    ],
    ids=["selector", "no local", "exchange"],
)
def test_they_are_not_known_where_a_message_decides(binding: Binding) -> None:
    broker = made("q")
    broker.bind("amq.topic", binding, NOBODY, START_MS)
    assert (found(broker, "a"), found(broker, "b")) == (None, [])


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (ExchangeType.HEADERS, {}),
        (ExchangeType.TOPIC, {"alternate": "amq.fanout"}),
        (ExchangeType.TOPIC, {"numbered": True}),
        (ExchangeType.TOPIC, {"initial_value": True}),
    ],
    ids=str,
)
def test_nor_where_the_exchange_does_more(kind: ExchangeType, options: dict[str, Any]) -> None:
    broker = made(ExchangeSpec("e", kind, **options))
    assert found(broker, "a", "e") is None
    assert found(broker, "a", "") is None


def found_at(broker: Broker, name: str) -> list[str] | None:
    """The queues that every message to the addresses of a name reaches."""
    queues = broker.router.route_at(name).queues
    return None if queues is None else [each.queue.spec.name for each in queues]


def test_the_queues_of_an_address_are_the_same_until_something_changes() -> None:
    broker = made(ExchangeSpec("a.b", ExchangeType.ADDRESS), "q")
    assert found_at(broker, "a.b") == []
    broker.bind("a.b", Binding("q", ""), NOBODY, START_MS)
    assert found_at(broker, "a.b") == ["q"]
    broker.declare(QueueSpec("a.b"))
    assert found_at(broker, "a.b") == ["a.b", "q"]
    broker.declare_exchange(ExchangeSpec("a.*", ExchangeType.ADDRESS))
    broker.declare(QueueSpec("r"))
    broker.bind("a.*", Binding("r", ""), NOBODY, START_MS)
    assert found_at(broker, "a.b") == ["a.b", "r", "q"]
    assert [each.name for each in broker.router.route_at("a.b").exchanges] == ["a.*", "a.b"]


def test_anycast_queues_of_an_address_take_turns_so_a_message_decides() -> None:
    broker = made(ExchangeSpec("a", ExchangeType.ADDRESS), "q", "r", "s")
    broker.bind("a", Binding("q", "", {"routing-type": "anycast"}), NOBODY, START_MS)
    assert found_at(broker, "a") == ["q"]
    broker.bind("a", Binding("r", "", {"routing-type": "anycast"}), NOBODY, START_MS)
    assert found_at(broker, "a") is None


def test_what_has_queues_does_not_go_to_an_alternate() -> None:
    broker = made(ExchangeSpec("e", ExchangeType.DIRECT, alternate="amq.fanout"), "q")
    broker.bind("e", Binding("q", "a"), NOBODY, START_MS)
    assert (found(broker, "a", "e"), found(broker, "b", "e")) == (["q"], None)


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
    assert routed.refused is (unroutable is Unroutable.REFUSE)
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


def ephemeral(name: str) -> ExchangeSpec:
    return ExchangeSpec(name, ExchangeType.DIRECT, auto_delete=True)


def to_exchange(name: str) -> Binding:
    return Binding(name, "", {}, True)


def exchanges(broker: Broker) -> set[str]:
    """The names of those that were declared."""
    return {each.name for each in broker.exchanges.every() if each.name and not each.name.startswith("amq.")}


@pytest.mark.parametrize("others", [0, 2 * HANDLED_AT_ONCE])
def test_an_exchange_that_deletes_itself_goes_with_the_exchange_to_which_it_is_bound(others: int) -> None:
    """In a chain each with the next one, also if the deletion takes several turns."""
    chain = [f"x{number}" for number in range(2000)]
    broker = made("q", *map(ephemeral, chain), ExchangeSpec("kept"), ephemeral("bound twice"))
    for bound_to, destination in pairwise(chain):
        broker.bind(bound_to, to_exchange(destination), NOBODY, START_MS)
    for exchange in ("kept", "bound twice"):
        broker.bind(exchange, to_exchange("x0"), NOBODY, START_MS)
    broker.bind("bound twice", Binding("q", ""), NOBODY, START_MS)
    for number in range(others):
        broker.bind("x1999", Binding("q", str(number)), NOBODY, START_MS)
    broker.delete_exchange("x1999")
    while broker.long_commands.busy:
        broker.pump(START_MS)
    assert exchanges(broker) == {"kept", "bound twice"}


def test_exchanges_that_delete_themselves_and_are_bound_in_a_circle_go_together() -> None:
    broker = made(*map(ephemeral, "abc"))
    for bound_to, destination in ("ab", "bc", "ca"):
        broker.bind(bound_to, to_exchange(destination), NOBODY, START_MS)
    broker.delete_exchange("b")
    assert exchanges(broker) == set()


def test_a_full_queue_that_deletes_itself_is_gone_and_its_reader_told() -> None:
    """S-258."""
    broker = made(QueueSpec("q", limit=Limit(10, when_full=WhenFull.SELF_DESTRUCT)), "plain")
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
