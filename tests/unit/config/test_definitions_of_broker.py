"""lastvalue.config.definitions_of_broker."""

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.config.definitions_of_broker import definitions_of_broker
from lastvalue.queues.spec import LastValue, QueueSpec


def test_a_brokers_definitions_are_its_nodes_bindings_and_policies() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", LastValue("symbol")))
    broker.declare_exchange(ExchangeSpec("news", ExchangeType.TOPIC))
    broker.bind("news", Binding("q", "a.*", {"x": 1}), BROKER, 0)
    broker.missing.add(NodePolicy("auto.*"))
    definitions = definitions_of_broker(broker)
    assert definitions.queues["q"] == {"type": "lvq", "lvq_key": "symbol"}
    assert definitions.exchanges["news"] == {"type": "topic"}
    assert definitions.bindings["news", "q", "a.*"] == {"x": 1}
    assert [policy["pattern"] for policy in definitions.policies] == ["auto.*"]
    assert "amq.topic" not in definitions.without_own().exchanges
