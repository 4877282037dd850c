"""The queues of subscriptions: how they are bound, and what a refusal leaves."""

from collections.abc import Callable
from typing import Any

import pytest
from bare_queue import encoded

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.routing.bindings import Binding, BindingError
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.subscriptions import SubscriptionInUseError, anycast_queue, bind_subscription
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import ANY, Mode

NOW = 1_000
SELECTED = {"x-filter-jms-selector": "a = 1"}
NOT_LOCAL = {"x-qpid-no-local": True}
MESSAGE = read_message(encoded("1", {}, None))


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare_exchange(ExchangeSpec("prices", ExchangeType.TOPIC))
    return broker


def bound(broker: Broker, queue: str) -> list[str]:
    return [binding.key for _, binding in broker.exchanges.bindings_of(queue)]


@pytest.fixture
def subscribe(broker: Broker) -> Callable[..., bool]:
    def bind(key: str = "eur.*", container: str = "one", **arguments: Any) -> bool:
        exchange = broker.exchanges.find("prices")
        owner = Owner(container=container)
        return bind_subscription(
            broker, exchange, QueueSpec("mine"), Binding("mine", key, arguments), owner, NOW
        )

    return bind


def read(broker: Broker) -> QueueReader:
    return broker.read(broker.lookup("mine"), Mode.CONSUME, NullReceiver(), ANY, NOBODY, NOW)


def test_a_subscription_makes_its_queue_once(broker: Broker, subscribe: Callable[..., bool]) -> None:
    assert subscribe()
    broker.lookup("mine").queue.enqueue(MESSAGE, NOW)
    assert not subscribe()
    assert bound(broker, "mine") == ["eur.*"]
    assert broker.lookup("mine").queue.depth == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {"key": "usd.*"}),
        ({}, SELECTED),
        (SELECTED, {}),
        (SELECTED, {"x-filter-jms-selector": "a = 2"}),
        (NOT_LOCAL, {}),
        (NOT_LOCAL, {**NOT_LOCAL, "container": "two"}),
    ],
    ids=["key", "a selector", "no selector", "another selector", "local again", "another container"],
)
def test_a_subscription_that_is_bound_otherwise_begins_anew_unless_it_has_a_reader(
    broker: Broker, subscribe: Callable[..., bool], first: Any, second: Any
) -> None:
    subscribe(**first)
    broker.lookup("mine").queue.enqueue(MESSAGE, NOW)
    reader = read(broker)
    with pytest.raises(SubscriptionInUseError, match="has a reader with another topic"):
        subscribe(**second)
    broker.stop(reader, NOW)
    assert broker.lookup("mine").queue.depth == 1
    assert subscribe(**second)
    assert bound(broker, "mine") == [second.get("key", "eur.*")]
    assert broker.lookup("mine").queue.depth == 0


def test_a_subscription_stays_as_it_is_when_another_binding_is_refused(broker: Broker) -> None:
    broker.declare_exchange(ExchangeSpec("sports", ExchangeType.HEADERS))
    exchange = broker.exchanges.find("sports")
    right, wrong = Binding("mine", "", {"x-match": "all"}), Binding("mine", "", {"x-match": "some"})
    bind_subscription(broker, exchange, QueueSpec("mine"), right, NOBODY, NOW)
    broker.lookup("mine").queue.enqueue(MESSAGE, NOW)
    with pytest.raises(BindingError):
        bind_subscription(broker, exchange, QueueSpec("mine"), wrong, NOBODY, NOW)
    assert broker.lookup("mine").queue.depth == 1


def test_a_subscription_whose_exchange_was_deleted_keeps_its_messages(
    broker: Broker, subscribe: Callable[..., bool]
) -> None:
    subscribe()
    broker.lookup("mine").queue.enqueue(MESSAGE, NOW)
    broker.delete_exchange("prices")
    broker.declare_exchange(ExchangeSpec("prices", ExchangeType.TOPIC))
    assert not subscribe("usd.*")
    assert broker.lookup("mine").queue.depth == 1


def test_a_refused_subscription_leaves_no_queue(broker: Broker) -> None:
    broker.declare_exchange(ExchangeSpec("sports", ExchangeType.HEADERS))
    exchange = broker.exchanges.find("sports")
    binding = Binding("mine", "", {"x-match": "some"})
    with pytest.raises(BindingError):
        bind_subscription(broker, exchange, QueueSpec("mine"), binding, NOBODY, NOW)
    assert not broker.has_queue("mine")


def test_an_address_without_an_anycast_queue_has_none(broker: Broker) -> None:
    broker.declare(QueueSpec("work"))
    broker.declare_exchange(ExchangeSpec("jobs", ExchangeType.ADDRESS))
    assert anycast_queue(broker, "nowhere") is None
    assert anycast_queue(broker, "jobs") is None
    broker.bind("jobs", Binding("work", "", {"routing-type": "anycast"}), NOBODY, NOW)
    assert anycast_queue(broker, "jobs") is broker.lookup("work")
