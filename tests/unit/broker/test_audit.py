"""lastvalue.broker.audit: what the matrix of verbs and protocols does not show of it."""

from broker_desk import made

from lastvalue.broker.bindings import Binding
from lastvalue.broker.broker import Broker
from lastvalue.broker.exchange_spec import ExchangeSpec
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.owner import BROKER, Owner, PeerIdentity
from lastvalue.broker.verbs import Verb
from lastvalue.queues.spec import Limit, QueueSpec

NOW = 1_700_000_000_000
ANN = Owner(principal="ann", peer=PeerIdentity("10.0.0.1:1"))


def audit(broker: Broker) -> list[tuple[Verb, str, str, str]]:
    records = broker.authorization.take_audit()
    return [(each.verb, each.name, each.destination, each.detail) for each in records]


def test_what_changes_nothing_leaves_no_record() -> None:
    broker = made(QueueSpec("q"))
    broker.declare_exchange(ExchangeSpec("x"), ANN)
    broker.bind("x", Binding("q", "k"), ANN, NOW)
    audit(broker)
    assert not broker.declare(QueueSpec("q"), ANN)
    assert not broker.declare_exchange(ExchangeSpec("x"), ANN)
    assert not broker.bind("x", Binding("q", "k"), ANN, NOW)
    assert not broker.unbind("x", "q", "other", ANN)
    broker.reconfigure(QueueSpec("q"), NOW, ANN)
    broker.missing.remove("none", ANN)
    assert audit(broker) == []


def test_a_change_says_what_it_was_and_is() -> None:
    broker = made(QueueSpec("q", limit=Limit(messages=100)))
    audit(broker)
    broker.reconfigure(QueueSpec("q", limit=Limit(messages=200)), NOW, ANN)
    assert audit(broker) == [(Verb.UPDATE_QUEUE, "q", "", "max_messages: wanted 200, has 100")]


def test_what_the_broker_does_for_itself_is_not_in_it() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    assert audit(broker) == []


def test_a_node_that_is_made_because_it_was_missing_is_of_the_one_who_used_it() -> None:
    broker = Broker()
    broker.missing.policies = [NodePolicy("a.*"), NodePolicy("x.*", "exchange")]
    broker.missing.create("a.b", publishing=True, owner=ANN)
    broker.missing.create("x.y", publishing=True, owner=ANN)
    assert audit(broker) == [(Verb.DECLARE_QUEUE, "a.b", "", ""), (Verb.DECLARE_EXCHANGE, "x.y", "", "")]


def test_the_client_is_named_by_its_product_or_what_else_it_says() -> None:
    peer = PeerIdentity("10.0.0.1:1")
    peer.name_client({"product": "pika", "version": "1.3"})
    assert peer.client == "pika 1.3"
    peer.name_client({}, "container-7")
    assert peer.client == "container-7"
