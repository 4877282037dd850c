"""Arguments of bindings that say whose messages pass and how long they last, in each protocol."""

from typing import Any

import pytest
from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from connected_peer import ConnectedPeer
from pamqp.commands import Channel, Exchange, Queue

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import ROLE_SENDER, Target
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

NO_LOCAL: Any = {"x-qpid-no-local": True}
SCOPED: Any = {"x-scope": "session"}


@pytest.fixture
def broker_state() -> BrokerState:
    broker = Broker(all_effects=False)
    broker.declare(QueueSpec("q", durable=True))
    return BrokerState(broker)


@pytest.fixture
def broker(broker_state: BrokerState) -> Broker:
    return broker_state.broker


def depth(broker: Broker) -> int:
    return broker.lookup("q").queue.depth


@pytest.mark.parametrize(("value", "count"), [(True, 1), ("true", 1), (False, 2), ("false", 2)])
def test_on_0_9_1_a_no_local_binding_excludes_what_its_connection_publishes(
    broker: Broker, value: Any, count: int
) -> None:
    peer, other = Amqp091Peer(broker).open(), Amqp091Peer(broker).open()
    arguments = {"x-qpid-no-local": value}
    peer.say(Queue.Bind(queue="q", exchange="amq.topic", routing_key="k", arguments=arguments))
    peer.expect(Queue.BindOk)
    peer.publish(b"own", "k", "amq.topic")
    other.publish(b"other", "k", "amq.topic")
    assert depth(broker) == count


def test_on_0_9_1_another_connection_that_binds_no_local_takes_the_binding_over(broker: Broker) -> None:
    peer, other = Amqp091Peer(broker).open(), Amqp091Peer(broker).open()
    bind = Queue.Bind(queue="q", exchange="amq.topic", routing_key="k", arguments=NO_LOCAL)
    peer.say(bind).expect(Queue.BindOk)
    other.say(bind).expect(Queue.BindOk)
    other.publish(b"own", "k", "amq.topic")
    assert depth(broker) == 0
    peer.publish(b"other", "k", "amq.topic")
    assert depth(broker) == 1


def test_on_0_10_a_no_local_binding_excludes_what_its_connection_publishes(broker_state: BrokerState) -> None:
    peer, other = Amqp010Peer(broker_state), Amqp010Peer(broker_state)
    other.attach(b"other")
    peer.do("exchange.bind", exchange="amq.topic", queue="q", binding_key="k", arguments=NO_LOCAL)
    peer.send("k", b"own", exchange="amq.topic")
    other.send("k", b"other", exchange="amq.topic")
    assert depth(broker_state.broker) == 1


def test_on_0_10_a_binding_of_the_session_ends_with_it(broker_state: BrokerState) -> None:
    peer = Amqp010Peer(broker_state)
    for key, arguments in {"scoped": SCOPED, "lasting": {}, "other": {"x-scope": "node"}}.items():
        peer.do("exchange.bind", exchange="amq.topic", queue="q", binding_key=key, arguments=arguments)
    assert bound(broker_state.broker) == ["scoped", "lasting", "other"]
    peer.control("session.detach", 1, name=b"test")
    assert bound(broker_state.broker) == ["lasting", "other"]


def test_on_0_9_1_a_binding_of_the_session_ends_with_its_channel(broker: Broker) -> None:
    peer = Amqp091Peer(broker).open()
    peer.say(Queue.Bind(queue="q", exchange="amq.topic", routing_key="k", arguments=SCOPED))
    peer.say(Exchange.Bind(destination="amq.direct", source="amq.topic", routing_key="k", arguments=SCOPED))
    assert bound(broker) == ["k"]
    peer.say(Channel.Close(reply_code=200, reply_text="", class_id=0, method_id=0))
    assert bound(broker) == []
    assert broker.exchanges.bindings_of("amq.direct", is_exchange=True) == []


def test_a_binding_of_the_session_is_not_stored(broker: Broker) -> None:
    peer = Amqp091Peer(broker).open()
    broker.definitions.drain()
    peer.say(Queue.Bind(queue="q", exchange="amq.topic", routing_key="k", arguments=SCOPED))
    assert broker.definitions.drain() == []


def test_a_binding_that_is_made_again_without_the_scope_lasts(broker: Broker) -> None:
    peer = Amqp091Peer(broker).open()
    for arguments in (SCOPED, NO_LOCAL):
        peer.say(Queue.Bind(queue="q", exchange="amq.topic", routing_key="k", arguments=arguments))
    peer.say(Channel.Close(reply_code=200, reply_text="", class_id=0, method_id=0))
    assert bound(broker) == ["k"]


def bound(broker: Broker) -> list[str]:
    return [binding.key for _, binding in broker.exchanges.bindings_of("q")]


VOID: Any = {"x-match": "all", "a": None}


@pytest.mark.parametrize(("headers", "count"), [({"a": None}, 1), ({"a": 1}, 1), ({"b": None}, 0)])
def test_a_void_header_meets_a_void_condition(
    broker_state: BrokerState, headers: dict[str, Any], count: int
) -> None:
    """Every protocol's null is one: who binds and who publishes may speak different ones."""
    broker = broker_state.broker
    first, second = Amqp091Peer(broker).open(), Amqp010Peer(broker_state)
    first.say(Queue.Bind(queue="q", exchange="amq.match", arguments=VOID)).expect(Queue.BindOk)
    first.publish(b"0-9-1", "", "amq.match", headers=headers)
    assert depth(broker) == count
    second.send("", b"0-10", exchange="amq.match", properties={"application_headers": headers})
    assert depth(broker) == 2 * count
    first.say(Queue.Unbind(queue="q", exchange="amq.match", arguments=VOID)).expect(Queue.UnbindOk)
    second.do("exchange.bind", queue="q", exchange="amq.match", binding_key="k", arguments=VOID)
    first.publish(b"0-9-1", "", "amq.match", headers=headers)
    assert depth(broker) == 3 * count
    third = ConnectedPeer(broker).connect().attach(ROLE_SENDER, target=Target(address="amq.match"))
    third.transfer(0, encode_content(MessageContent(body="1.0", application_properties=headers)))
    assert depth(broker) == 4 * count
