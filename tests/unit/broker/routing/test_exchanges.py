"""Exchanges: which bindings a message goes to."""

from typing import Any

import pytest
from bare_queue import START_MS, encoded
from broker_desk import made

from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding, BindingError
from lastvalue.broker.routing.exchange_spec import (
    ExchangeSpec,
    ExchangeType,
    Unroutable,
    exchange_from_arguments,
    exchange_to_arguments,
)
from lastvalue.broker.routing.exchanges import (
    EXCHANGE_BYTES,
    DefaultExchangeError,
    Exchange,
    ExchangeNotAllowedError,
    ExchangeNotFoundError,
    Exchanges,
)
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Byte, Float, Int, Short, UByte, UInt, ULong, UShort
from lastvalue.model.errors import InvalidSpecError, NodeUsedError
from lastvalue.model.message import FieldValue, Message


def message(**properties: object) -> Message:
    return read_message(encoded("", properties, None))


def bound(kind: ExchangeType, *bindings: Binding) -> Exchange:
    exchange = Exchange(ExchangeSpec("x", kind))
    for binding in bindings:
        exchange.bind(binding)
    return exchange


def reached(exchange: Exchange, key: str, about: Message | None = None) -> list[str]:
    return [binding.destination for binding in exchange.match(key, about or message())]


def headers(**arguments: FieldValue) -> Exchange:
    names = {name.replace("_", "-"): value for name, value in arguments.items()}
    return bound(ExchangeType.HEADERS, Binding("q", "k", names))


def test_a_direct_exchange_goes_by_the_key() -> None:
    exchange = bound(ExchangeType.DIRECT, Binding("1", "a"), Binding("2", "b"), Binding("3", "a"))
    assert reached(exchange, "a") == ["1", "3"]
    assert reached(exchange, "c") == []


def test_a_topic_exchange_goes_by_patterns() -> None:
    """S-277."""
    exchange = bound(ExchangeType.TOPIC, Binding("red", "red.*"), Binding("squirrels", "*.squirrel"))
    found = {key: sorted(reached(exchange, key)) for key in ("red.dog", "red.squirrel", "grey.squirrel", "x")}
    assert found == {
        "red.dog": ["red"],
        "red.squirrel": ["red", "squirrels"],
        "grey.squirrel": ["squirrels"],
        "x": [],
    }


def test_a_fanout_exchange_does_not_look_at_the_key() -> None:
    exchange = bound(ExchangeType.FANOUT, Binding("1", "a"), Binding("2", ""))
    assert reached(exchange, "whatever") == ["1", "2"]


@pytest.mark.parametrize(
    ("how", "properties", "matches"),
    [
        ("all", {"foo": "FOO", "n": 42}, True),
        ("all", {"foo": "FOO", "n": 42, "more": 1}, True),
        ("all", {"foo": "NotFoo", "n": 42}, False),
        ("all", {"n": 42}, False),
        ("any", {}, False),
        ("any", {"foo": "FOO"}, True),
        ("any", {"foo": "no", "n": 42}, True),
    ],
)
def test_a_headers_exchange_goes_by_all_or_any_of_its_conditions(
    how: str, properties: dict[str, Any], matches: bool
) -> None:
    """S-273."""
    exchange = headers(x_match=how, foo="FOO", n=42)
    assert (reached(exchange, "", message(**properties)) == ["q"]) is matches


def test_of_no_conditions_all_hold_and_none_does() -> None:
    """S-274."""
    assert reached(headers(x_match="all"), "", message(a=1)) == ["q"]
    assert reached(headers(x_match="any"), "", message(a=1)) == []


def test_a_condition_without_a_value_asks_that_the_property_is_there() -> None:
    """S-274."""
    exchange = headers(x_match="all", a=None)
    assert reached(exchange, "", message()) == []
    assert reached(exchange, "", message(a=b"anything")) == ["q"]


@pytest.mark.parametrize("how", [{}, {"x_match": "some"}, {"x_match": 1}])
def test_a_headers_binding_says_whether_all_or_any_must_match(how: dict[str, Any]) -> None:
    """S-274."""
    with pytest.raises(BindingError, match="needs all or any"):
        headers(a=1, **how)


def test_arguments_that_begin_with_x_are_no_conditions() -> None:
    assert reached(headers(x_match="all", x_other="no", X_other="no"), "", message()) == ["q"]


@pytest.mark.parametrize("number", [UByte(1), Byte(1), UShort(1), Short(1), UInt(1), Int(1), 1, ULong(1)])
def test_integers_of_every_width_are_equal_by_value(number: int) -> None:
    """S-275."""
    assert reached(headers(x_match="all", bk=1), "", message(bk=number)) == ["q"]
    assert reached(headers(x_match="all", bk=2), "", message(bk=number)) == []


def test_float_and_double_are_equal_by_value_and_are_no_integers_or_flags() -> None:
    """S-275."""
    exchange = headers(x_match="all", bk=1.0)
    assert reached(exchange, "", message(bk=Float(1.0))) == ["q"]
    assert reached(exchange, "", message(bk=1.0)) == ["q"]
    assert reached(exchange, "", message(bk=1)) == []
    assert reached(headers(x_match="all", bk=1), "", message(bk=True)) == []
    assert reached(headers(x_match="all", bk=True), "", message(bk=True)) == ["q"]


def test_an_address_gives_each_multicast_queue_a_copy_and_the_anycast_queues_one_in_turn() -> None:
    anycast = {"routing-type": "ANYCAST"}
    exchange = bound(
        ExchangeType.ADDRESS, Binding("m", ""), Binding("1", "", anycast), Binding("2", "", anycast)
    )
    assert [reached(exchange, "x") for _ in range(3)] == [["m", "1"], ["m", "2"], ["m", "1"]]


def test_a_routing_type_is_one_of_two() -> None:
    with pytest.raises(BindingError, match="anycast or multicast"):
        Binding("q", "", {"routing-type": "broadcast"})


@pytest.mark.parametrize("kind", list(ExchangeType))
def test_what_is_unbound_gets_nothing(kind: ExchangeType) -> None:
    arguments = {"x-match": "all", "routing-type": "anycast"}
    gone, stays = Binding("1", "k", arguments), Binding("2", "k", arguments)
    exchange = bound(kind, gone, stays)
    exchange.unbind(gone)
    exchange.unbind(gone)
    assert reached(exchange, "k") == ["2"]


def test_an_identical_binding_changes_nothing_and_other_arguments_replace_it() -> None:
    exchange = headers(x_match="all", a=1)
    assert exchange.bind(Binding("q", "k", {"x-match": "all", "a": 1})) is False
    assert exchange.bind(Binding("q", "k", {"x-match": "all", "a": 2})) is True
    assert reached(exchange, "", message(a=1)) == []
    assert reached(exchange, "", message(a=2)) == ["q"]


def test_a_refused_replacement_leaves_the_binding_as_it_was() -> None:
    exchange = headers(x_match="all", a=1)
    with pytest.raises(BindingError):
        exchange.bind(Binding("q", "k", {"x-match": "none"}))
    assert reached(exchange, "", message(a=1)) == ["q"]


def test_an_exclusive_binding_takes_the_key_from_the_others() -> None:
    exchanges = Exchanges()
    exchange = exchanges.find("amq.direct")
    exchanges.bind(exchange, Binding("1", "k"))
    exchanges.bind(exchange, Binding("2", "k", {"qpid.exclusive-binding": True}))
    assert reached(exchange, "k") == ["2"]
    assert exchanges.bindings_of("1") == []


# ---------------------------------------------------------------------- the table


def test_a_broker_starts_with_an_exchange_of_each_type() -> None:
    kinds = {exchange.name: exchange.spec.type.value for exchange in Exchanges().every()}
    assert kinds == {
        "": "direct",
        "amq.direct": "direct",
        "amq.topic": "topic",
        "amq.fanout": "fanout",
        "amq.match": "headers",
        "amq.headers": "headers",
    }


@pytest.mark.parametrize("name", ["amq.mine", "qpid.mine"])
def test_reserved_names_are_refused(name: str) -> None:
    with pytest.raises(ExchangeNotAllowedError, match="reserved"):
        Exchanges().declare(ExchangeSpec(name))


def test_declaring_an_equal_exchange_again_changes_nothing() -> None:
    exchanges = Exchanges()
    assert exchanges.declare(ExchangeSpec("x", alternate="amq.fanout")) is True
    assert exchanges.declare(ExchangeSpec("x", alternate="amq.fanout")) is False
    assert exchanges.declare(ExchangeSpec("x")) is False
    assert exchanges.declare(ExchangeSpec("amq.topic", ExchangeType.TOPIC, durable=True)) is False


@pytest.mark.parametrize(
    "spec",
    [
        ExchangeSpec("x", ExchangeType.TOPIC),
        ExchangeSpec("x", alternate="amq.fanout"),
        ExchangeSpec("x", unroutable=Unroutable.REFUSE),
    ],
)
def test_declaring_an_exchange_differently_is_not_allowed(spec: ExchangeSpec) -> None:
    exchanges = Exchanges()
    exchanges.declare(ExchangeSpec("x"))
    with pytest.raises(ExchangeNotAllowedError, match="exists and differs"):
        exchanges.declare(spec)


def test_the_default_exchange_is_not_bound_unbound_or_deleted() -> None:
    exchanges = Exchanges()
    with pytest.raises(DefaultExchangeError):
        exchanges.bind(exchanges.default, Binding("q", "k"))
    with pytest.raises(DefaultExchangeError):
        exchanges.unbind(exchanges.default, "q", "q")
    with pytest.raises(DefaultExchangeError):
        exchanges.check_deletable("")


def test_a_predeclared_exchange_is_not_deletable_and_an_unknown_one_is_not_found() -> None:
    with pytest.raises(ExchangeNotAllowedError, match="cannot be deleted"):
        Exchanges().check_deletable("amq.topic")
    with pytest.raises(ExchangeNotFoundError, match="no exchange named 'x'"):
        Exchanges().check_deletable("x")


def test_bindings_go_with_what_they_tie() -> None:
    exchanges = Exchanges()
    exchanges.declare(ExchangeSpec("x"))
    exchange, topic = exchanges.find("x"), exchanges.find("amq.topic")
    exchanges.bind(exchange, Binding("q", "a"))
    exchanges.bind(exchange, Binding("q", "b"))
    exchanges.bind(topic, Binding("q", "#"))
    exchanges.bind(topic, Binding("x", "#", {}, True))
    exchanges.remove(exchange)
    assert [(bound_to.name, binding.key) for bound_to, binding in exchanges.bindings_of("q")] == [
        ("amq.topic", "#")
    ]
    assert list(topic.bindings) == [("q", False, "#")]
    exchanges.unbind_all("q", False)
    assert topic.bindings == {}


def test_an_address_receives_what_its_pattern_matches() -> None:
    exchanges = Exchanges()
    for name in ("a.*", "a.#", "a.b", "x"):
        exchanges.declare(ExchangeSpec(name, ExchangeType.ADDRESS))
    assert sorted(exchange.name for exchange in exchanges.addresses("a.b")) == ["a.#", "a.*", "a.b"]
    exchanges.remove(exchanges.find("a.*"))
    assert sorted(exchange.name for exchange in exchanges.addresses("a.c")) == ["a.#"]
    assert exchanges.addresses("y") == []


# ---------------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    "arguments",
    [
        {"type": "topic", "alternate": "other", "unroutable": "refuse"},
        {"exchange-type": "TOPIC", "alternate-exchange": "other", "unroutableMessageBehaviour": "REJECT"},
        {"type": "topic", "alternateBinding": {"destination": "other"}, "unroutable": "refuse"},
    ],
)
def test_arguments_are_read_in_every_dialect(arguments: dict[str, Any]) -> None:
    spec = exchange_from_arguments("x", arguments)
    assert exchange_to_arguments(spec) == {"type": "topic", "alternate": "other", "unroutable": "refuse"}


def test_every_argument_of_a_declaration_is_read_back() -> None:
    arguments = {
        "type": "fanout",
        "durable": True,
        "alternate": "other",
        "unroutable": "refuse",
        "auto_delete": True,
        "initial_value": True,
        "numbered": True,
        "internal": True,
        "description": "all of it",
    }
    assert exchange_to_arguments(exchange_from_arguments("x", arguments)) == arguments
    foreign = {"qpid.ive": 1, "qpid.msg_sequence": 1, "lifetimePolicy": "DELETE_ON_NO_LINKS"}
    spec = exchange_from_arguments("x", foreign)
    assert (spec.initial_value, spec.numbered, spec.auto_delete) == (True, True, True)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"typ": "topic"}, "unknown exchange option 'typ'"),
        ({"type": "xml"}, "expected one of direct, topic"),
        ({"durable": "maybe"}, "expected true or false"),
        ({"unroutable": "bounce"}, "expected discard or refuse"),
        ({"alternate": 1}, "expected text"),
        ({"alternate": "a", "alternateExchange": "b"}, "contradicts"),
        ({"lifetime": "delete-on-session-end"}, "permanent or delete-on-no-links"),
        ({"alternate": "x"}, "its own alternate"),
    ],
)
def test_arguments_that_say_nothing_sensible_are_refused(arguments: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        exchange_from_arguments("x", arguments)


def test_a_property_may_be_any_field_of_the_message() -> None:
    about = read_message(encode_content(MessageContent(subject="news", body="")))
    assert reached(headers(x_match="all", subject="news"), "", about) == ["q"]


def test_exchanges_and_bindings_take_memory_until_they_are_gone() -> None:
    exchanges = Exchanges()
    for name in ("x", "y"):
        exchanges.declare(ExchangeSpec(name, ExchangeType.TOPIC))
    for key in ("a", "b", "b", "c"):
        exchanges.bind(exchanges.find("x"), Binding("q", key))
    exchanges.bind(exchanges.find("x"), Binding("y", "a", to_exchange=True))
    exchanges.bind(exchanges.find("y"), Binding("q", "a"))
    assert exchanges.size_bytes == 7 * EXCHANGE_BYTES
    exchanges.unbind(exchanges.find("x"), "q", "a")
    assert exchanges.size_bytes == 6 * EXCHANGE_BYTES
    exchanges.remove(exchanges.find("y"))
    assert exchanges.size_bytes == 3 * EXCHANGE_BYTES
    exchanges.unbind_all("q", False)
    assert exchanges.size_bytes == EXCHANGE_BYTES


def test_an_exchange_in_use_is_not_deleted_where_it_has_to_be_unused() -> None:
    broker = made("q", ExchangeSpec("x"))
    broker.bind("x", Binding("q", "k"), NOBODY, START_MS)
    with pytest.raises(NodeUsedError, match="'x' is in use: it has 1 bindings"):
        broker.delete_exchange("x", if_unused=True)
    broker.unbind("x", "q", "k")
    broker.delete_exchange("x", if_unused=True)
    assert broker.exchanges.get("x") is None
