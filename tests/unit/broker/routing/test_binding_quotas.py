"""How many exchanges and bindings a user may have."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.broker.routing.binding_quotas import TooManyBindingsError, binding_weight, exchange_weight
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.definitions import CREATOR, stored_binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.queues.spec import QueueSpec

ANN, BOB = Owner(principal="ann"), Owner(principal="bob")


def limited(most: int) -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q", durable=True), BROKER)
    broker.exchanges.quotas.most = most
    return broker


def bind(broker: Broker, key: str, owner: Owner = ANN, exchange: str = "amq.topic") -> bool:
    return broker.bind(exchange, Binding("q", key), owner, 0)


@pytest.mark.parametrize(
    ("key", "arguments", "weight"),
    [
        ("", {}, 1),
        ("a.b.c", {}, 1),
        ("a.#", {}, 1),
        ("*.b", {}, 1),
        ("#.b", {}, 17),
        ("a.#.b.*.#", {}, 49),
        (".".join(["*"] * 17), {}, 3),
        ("", {"x-match": "all", "a": 1, "b": 1, "c": 1}, 2),
        ("", {"x-filter-jms-selector": "a = 1 OR " * 14 + "b = 1"}, 3),
    ],
)
def test_a_binding_counts_as_what_it_may_cost(key: str, arguments: dict[str, object], weight: int) -> None:
    assert binding_weight(Binding("q", key, arguments)) == weight


@pytest.mark.parametrize(
    ("name", "kind", "weight"),
    [
        ("a.b", ExchangeType.ADDRESS, 1),
        ("a.#", ExchangeType.ADDRESS, 1),
        ("#.a.b", ExchangeType.ADDRESS, 33),
        ("#.a.b", ExchangeType.TOPIC, 1),
    ],
)
def test_an_exchange_counts_as_a_binding_by_the_name_of_an_address(
    name: str, kind: ExchangeType, weight: int
) -> None:
    assert exchange_weight(ExchangeSpec(name, kind)) == weight


def test_exchanges_count_together_with_bindings() -> None:
    broker = limited(2)
    broker.declare_exchange(ExchangeSpec("e"), ANN)
    assert bind(broker, "one")
    with pytest.raises(TooManyBindingsError, match="exchanges and bindings of user 'ann' count as 2"):
        broker.declare_exchange(ExchangeSpec("f"), ANN)
    assert broker.exchanges.get("f") is None
    assert not broker.declare_exchange(ExchangeSpec("e"), ANN)
    broker.declare_exchange(ExchangeSpec("f"), BOB)
    broker.declare_exchange(ExchangeSpec("g"), BROKER)
    broker.delete_exchange("e", ANN)
    broker.declare_exchange(ExchangeSpec("h"), ANN)


def test_a_user_may_have_so_many_and_more_once_one_is_gone() -> None:
    broker = limited(2)
    for key in ("one", "two"):
        assert bind(broker, key)
    with pytest.raises(TooManyBindingsError, match="'ann' count as 2, this one as 1; 2 are allowed"):
        bind(broker, "three")
    assert not bind(broker, "two")
    assert bind(broker, "three", BOB)
    broker.unbind("amq.topic", "q", "one", ANN)
    assert bind(broker, "four")


def test_one_that_costs_much_is_refused_alone() -> None:
    broker = limited(20)
    with pytest.raises(TooManyBindingsError, match="count as 0, this one as 33"):
        bind(broker, "#.a.b")
    assert broker.exchanges.bindings_of("q") == []


def test_the_broker_may_have_any_number() -> None:
    broker = limited(1)
    assert [bind(broker, key, BROKER) for key in "abc"] == [True] * 3


def test_what_goes_with_its_queue_or_exchange_counts_no_more() -> None:
    broker = limited(2)
    for destroy in (lambda: broker.delete("q", 0), lambda: broker.delete_exchange("e")):
        broker.declare_exchange(ExchangeSpec("e", ExchangeType.TOPIC))
        broker.declare(QueueSpec("q", durable=True), BROKER)
        for key in ("one", "two"):
            bind(broker, key, exchange="e")
        destroy()


def test_bindings_of_an_earlier_run_count_for_the_users_who_made_them() -> None:
    broker = limited(1)
    bind(broker, "one")
    [kept] = [each.arguments for each in broker.definitions.drain() if each.kind == "binding"]
    assert kept is not None
    again = limited(1)
    again.bind("amq.topic", stored_binding(kept), BROKER, 0)
    with pytest.raises(TooManyBindingsError):
        bind(again, "two")
    assert bind(again, "two", BOB)


def test_a_changed_exchange_stays_its_creators() -> None:
    broker = limited(1)
    broker.declare_exchange(ExchangeSpec("e", durable=True), ANN)
    broker.reconfigure_exchange(ExchangeSpec("e", durable=True, alternate="amq.fanout"), BOB)
    creators = [(each.arguments or {})[CREATOR] for each in broker.definitions.drain() if each.name == "e"]
    assert creators == ["ann", "ann"]
    broker.declare_exchange(ExchangeSpec("f"), BOB)
    with pytest.raises(TooManyBindingsError):
        broker.declare_exchange(ExchangeSpec("g"), ANN)


def test_exchanges_of_an_earlier_run_count_for_the_users_who_declared_them() -> None:
    broker = limited(1)
    for name in ("one", "two"):
        broker.declare_exchange(ExchangeSpec(name), BROKER)
        broker.exchanges.restored(name, "ann")
    with pytest.raises(TooManyBindingsError, match="count as 2"):
        broker.declare_exchange(ExchangeSpec("three"), ANN)
