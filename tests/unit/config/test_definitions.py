"""lastvalue.config.definitions."""

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType, created_address
from lastvalue.config.declarations import rehearsed_declarations
from lastvalue.config.definitions import configuration_of
from lastvalue.config.definitions_of_broker import definitions_of_broker
from lastvalue.queues.spec import LastValue, Lifetime, QueueSpec


def a_broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q", LastValue("symbol")))
    broker.declare(QueueSpec("passing", lifetime=Lifetime.NO_LINKS))
    broker.declare_exchange(ExchangeSpec("news", ExchangeType.TOPIC))
    broker.declare_exchange(ExchangeSpec("brief", auto_delete=True))
    broker.bind("news", Binding("q", "a.*", {"x": 1}), BROKER, 0)
    broker.bind("amq.topic", Binding("passing", "b"), BROKER, 0)
    broker.missing.add(NodePolicy("auto.*"))
    return broker


def test_what_lasts_is_what_an_operator_made() -> None:
    lasting = definitions_of_broker(a_broker()).lasting()
    assert set(lasting.queues) == {"q"}
    assert set(lasting.exchanges) == {"news"}
    assert set(lasting.bindings) == {("news", "q", "a.*")}


def test_an_address_that_was_made_with_its_queues_lasts_as_they_do() -> None:
    broker = a_broker()
    for address, queue in (("made", "q"), ("passing", "passing")):
        broker.declare_exchange(created_address(address))
        broker.bind(address, Binding(queue, ""), BROKER, 0)
    broker.bind("brief", Binding("q", ""), BROKER, 0)
    lasting = definitions_of_broker(broker).lasting()
    assert set(lasting.exchanges) == {"news", "made"}
    assert set(lasting.bindings) == {("news", "q", "a.*"), ("made", "q", "")}
    assert rehearsed_declarations(configuration_of(lasting))[1] == []
