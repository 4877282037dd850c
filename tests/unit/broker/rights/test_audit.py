"""lastvalue.broker.rights.audit: what the matrix of verbs and protocols does not show of it."""

import pytest
from broker_desk import enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import BROKER, Owner, PeerIdentity
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.queues.spec import Lifetime, Limit, QueueSpec, WhenFull
from lastvalue.queues.subscription import Mode, Terms

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


def test_a_changed_exchange_says_what_it_was_and_is() -> None:
    broker = made("spare", ExchangeSpec("x"))
    audit(broker)
    broker.reconfigure_exchange(ExchangeSpec("x", alternate="spare"), ANN)
    broker.reconfigure_exchange(ExchangeSpec("x", alternate="spare"), ANN)
    assert audit(broker) == [(Verb.DECLARE_EXCHANGE, "x", "", "alternate: wanted 'spare', has None")]


@pytest.mark.parametrize("lifetime", [Lifetime.CONNECTION_CLOSE, Lifetime.NO_LINKS])
def test_a_queue_whose_lifetime_ends_is_deleted_in_the_name_of_its_creator(lifetime: Lifetime) -> None:
    broker = Broker()
    owner = Owner(broker.identify(), principal="ann")
    broker.declare(QueueSpec("q", lifetime=lifetime), owner)
    reader = broker.read(broker.lookup("q"), Mode.BROWSE, NullReceiver(), Terms(), owner, NOW)
    audit(broker)
    broker.stop(reader, NOW)
    broker.ended(owner.connection, NOW)
    (record,) = broker.authorization.take_audit()
    assert record.owner is owner
    assert (record.verb, record.name) == (Verb.DELETE_QUEUE, "q")
    assert record.detail == "its lifetime has ended, 0 messages"


def test_a_queue_that_deletes_itself_because_it_is_full_leaves_a_record() -> None:
    limit = Limit(messages=1, when_full=WhenFull.SELF_DESTRUCT)
    broker = made(QueueSpec("q", limit=limit))
    audit(broker)
    enqueue(broker, "q", "1", "2")
    broker.drain(NOW)
    assert audit(broker) == [(Verb.DELETE_QUEUE, "q", "", "it was full, 1 messages")]


def test_an_exchange_that_is_deleted_with_its_last_binding_leaves_a_record() -> None:
    broker = made("q", ExchangeSpec("x", auto_delete=True))
    broker.bind("x", Binding("q", "k"), ANN, NOW)
    audit(broker)
    broker.unbind("x", "q", "k", ANN)
    assert (Verb.DELETE_EXCHANGE, "x", "", "its last binding is gone") in audit(broker)


def test_the_client_is_named_by_its_product_or_what_else_it_says() -> None:
    peer = PeerIdentity("10.0.0.1:1")
    peer.name_client({"product": "pika", "version": "1.3"})
    assert peer.client == "pika 1.3"
    peer.name_client({}, "container-7")
    assert peer.client == "container-7"
