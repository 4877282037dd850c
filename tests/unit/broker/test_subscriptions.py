"""The queues of subscriptions: how they are bound, and what a refusal leaves."""

import pytest

from lastvalue.broker.bindings import Binding, BindingError
from lastvalue.broker.broker import Broker
from lastvalue.broker.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.owner import NOBODY
from lastvalue.broker.subscriptions import anycast_queue, bind_subscription, unbind_others
from lastvalue.queues.spec import QueueSpec

NOW = 1_000


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare_exchange(ExchangeSpec("prices", ExchangeType.TOPIC))
    return broker


def bound(broker: Broker, queue: str) -> list[str]:
    return [binding.key for _, binding in broker.exchanges.bindings_of(queue)]


def test_a_subscription_makes_its_queue_once(broker: Broker) -> None:
    exchange = broker.exchanges.find("prices")
    assert bind_subscription(broker, exchange, QueueSpec("mine"), Binding("mine", "eur.*"), NOBODY, NOW)
    assert not bind_subscription(broker, exchange, QueueSpec("mine"), Binding("mine", "usd.*"), NOBODY, NOW)
    assert bound(broker, "mine") == ["eur.*", "usd.*"]


def test_a_subscription_that_is_resumed_loses_its_other_bindings(broker: Broker) -> None:
    exchange = broker.exchanges.find("prices")
    binding = Binding("mine", "usd.*")
    bind_subscription(broker, exchange, QueueSpec("mine"), Binding("mine", "eur.*"), NOBODY, NOW)
    bind_subscription(broker, exchange, QueueSpec("mine"), binding, NOBODY, NOW)
    unbind_others(broker, exchange, binding, NOBODY)
    assert bound(broker, "mine") == ["usd.*"]


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
