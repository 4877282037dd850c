"""Connections of every protocol: what of them one may see, and close."""

from typing import Any

import pytest
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from broker_desk import enqueue
from broker_peer import BrokerPeer
from core_peer import Peer as PeerOfCore
from pamqp.commands import Basic, Tx
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.listing import LISTED_AT_ONCE
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import NotPermittedError, Permissions
from lastvalue.broker.statistics.connections import ConnectionHandle, ConnectionStatistics
from lastvalue.codec.amqp10.performatives import Detach
from lastvalue.codec.core import packets
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp10.connection import connection_statistics
from lastvalue.queues.spec import QueueSpec


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    enqueue(broker, "q", "a", "b", "c")
    return broker


def shown(broker: Broker, kind: str) -> list[dict[str, Any]]:
    rows = manage(broker, Request("QUERY", kind), 0).body
    assert isinstance(rows, list)
    return rows


class Handle(ConnectionHandle):
    """The connection of a peer without a driver."""

    def __init__(self, peer: BrokerPeer) -> None:
        self.peer = peer

    def statistics(self) -> ConnectionStatistics | None:
        frontend = self.peer.frontend
        return connection_statistics(frontend.engine, frontend.number, frontend.output.traffic)

    def shut_down(self, reason: str) -> None:
        raise AssertionError(reason)


def test_a_link_of_amqp_1_0_is_shown_with_what_it_waits_for(broker: Broker) -> None:
    peer = BrokerPeer(broker, Clock())
    broker.connections.join(Handle(peer))
    peer.reads(2)
    [link] = shown(broker, "consumer")
    assert (link["role"], link["node"], link["delivered"], link["unsettled"]) == ("consumer", "q", 2, 2)
    assert (link["credit"], link["waits_for"]) == (0, "credit")
    [connection] = shown(broker, "connection")
    assert (connection["protocol"], connection["delivered"]) == ("AMQP 1.0", 2)


def test_a_subscription_of_amqp_0_10_is_shown_with_its_connection(broker: Broker) -> None:
    peer = Peer010(BrokerState(broker))
    peer.subscribe("q", "d")
    peer.send("q", b"x")
    [link] = shown(broker, "consumer")
    assert (link["name"], link["delivered"], link["waits_for"]) == ("d", 4, "empty")
    [producer] = shown(broker, "producer")
    assert (producer["received"], producer["connection"]) == (1, link["connection"])
    [connection] = shown(broker, "connection")
    assert connection["bytes_in"] > 0
    assert connection["bytes_out"] > 0
    assert connection["memory_bytes"] > 0


def test_a_consumer_of_amqp_0_9_1_is_shown_with_its_channel(broker: Broker) -> None:
    peer = Peer091(broker).open()
    peer.say(Basic.Qos(prefetch_count=1), Basic.Consume(queue="q", consumer_tag="t"))
    peer.publish(b"x", "q")
    [link] = shown(broker, "consumer")
    assert (link["name"], link["delivered"], link["waits_for"]) == ("t", 1, "window")
    [session] = shown(broker, "session")
    assert (session["channel"], session["unsettled"], session["links"]) == (1, 1, 2)
    [producer] = shown(broker, "producer")
    assert producer["received"] == 1


def test_a_connection_is_closed_by_its_name(broker: Broker) -> None:
    Peer091(broker).open()
    [connection] = shown(broker, "connection")
    assert manage(broker, Request("READ", "connection", connection["name"]), 0).body == connection
    assert manage(broker, Request("DELETE", "connection", connection["name"]), 0).status == 204
    assert shown(broker, "connection") == []
    assert manage(broker, Request("DELETE", "connection", connection["name"]), 0).status == 404


def close_consumer(broker: Broker) -> None:
    """Close the only consumer of the only connection."""
    [link] = shown(broker, "consumer")
    where = {"session": link["session"], "connection": link["connection"]}
    assert manage(broker, Request("DELETE", "consumer", link["name"], where), 0).status == 204
    assert (shown(broker, "consumer"), len(shown(broker, "connection"))) == ([], 1)
    assert broker.lookup("q").queue.available == 3
    assert manage(broker, Request("DELETE", "consumer", link["name"], where), 0).status == 404


def test_a_closed_consumer_of_amqp_1_0_is_detached_with_the_reason(broker: Broker) -> None:
    peer = BrokerPeer(broker, Clock())
    broker.connections.join(Handle(peer))
    peer.reads(2)
    assert [body for _, _, body in peer.got()] == ["a", "b"]
    close_consumer(broker)
    peer.turn()
    detached = peer.heard(Detach)
    assert detached.error is not None
    assert (detached.closed, detached.error.condition) == (True, "amqp:link:detach-forced")


def test_a_closed_consumer_of_amqp_0_9_1_is_cancelled_and_may_come_back(broker: Broker) -> None:
    peer = Peer091(broker).open()
    peer.say(Basic.Qos(prefetch_count=1)).expect(Basic.QosOk)
    peer.say(Basic.Consume(queue="q", consumer_tag="t")).expect(Basic.ConsumeOk)
    peer.content(Basic.Deliver)
    close_consumer(broker)
    assert peer.turn().expect(Basic.Cancel).consumer_tag == "t"
    # What it had of the closed consumer is not its own any more.
    peer.say(Basic.Ack(1), Basic.Consume(queue="q", consumer_tag="t"))
    assert broker.lookup("q").queue.depth == 3
    assert [link["delivered"] for link in shown(broker, "consumer")] == [1]


def test_a_closed_consumer_of_core_is_disconnected(broker: Broker) -> None:
    peer = PeerOfCore(broker).open().read()
    assert peer.texts() == ["a", "b", "c"]
    close_consumer(broker)
    assert peer.turn().expect(packets.DISCONNECT_CONSUMER).number("consumer") == 1


def test_a_closed_consumer_of_amqp_0_10_gets_nothing_more(broker: Broker) -> None:
    peer = Peer010(BrokerState(broker))
    peer.subscribe("q", "d")
    assert peer.bodies() == [b"a", b"b", b"c"]
    close_consumer(broker)
    peer.send("q", b"x")
    assert (peer.bodies(), broker.lookup("q").queue.available) == ([], 4)


def test_consumers_of_others_are_closed_with_the_right_for_it(broker: Broker) -> None:
    peer = Peer091(broker).open()
    peer.say(Basic.Consume(queue="q", consumer_tag="t"))
    [link] = shown(broker, "consumer")
    where = {"session": link["session"], "connection": link["connection"]}
    broker.authorization.permissions = lambda user: Permissions(())
    ann = Owner(principal="ann")
    for name in ("t", "no such consumer"):
        with pytest.raises(NotPermittedError):
            broker.connections.reader(name, where["session"], where["connection"], ann)
    assert manage(broker, Request("DELETE", "consumer", "t", {"session": 1}), 0).status == 422


def test_whoever_may_not_close_others_learns_nothing_of_them(broker: Broker) -> None:
    Peer091(broker).open()
    broker.authorization.permissions = lambda user: Permissions(())
    ann = Owner(principal="ann")
    assert list(broker.connections.visible(ann)) == []
    with pytest.raises(NotPermittedError):
        broker.connections.close("no such connection", "", ann)


def test_transactions_count_while_they_have_work_that_is_not_committed(broker: Broker) -> None:
    older = Peer010(BrokerState(broker))
    older.do("tx.select")
    other = Peer091(broker).open()
    other.say(Tx.Select())
    assert broker.connections.unfinished().transactions == 0
    older.send("q", b"x")
    other.publish(b"y", "q")
    assert [each["transactions"] for each in shown(broker, "connection")] == [1, 1]
    assert broker.connections.unfinished().transactions == 2
    older.do("tx.commit")
    other.say(Tx.Rollback())
    assert broker.connections.unfinished().transactions == 0


def test_messages_that_consumers_hold_are_unfinished_until_they_are_settled(broker: Broker) -> None:
    peer = Peer091(broker).open()
    peer.say(Basic.Qos(prefetch_count=2), Basic.Consume(queue="q", consumer_tag="t"))
    assert broker.connections.unfinished().messages == 2
    broker.quiesce()
    peer.say(Basic.Ack(delivery_tag=1))
    # Nothing more is delivered though there is room, and no turn is needed for that.
    assert (broker.connections.unfinished().messages, broker.busy) == (1, False)


@pytest.mark.parametrize("kind", ["connection", "session", "link"])
def test_a_long_list_of_connections_takes_several_turns(broker: Broker, kind: str) -> None:
    for _ in range(3 * LISTED_AT_ONCE - 1):
        Peer091(broker).open()
    rows = shown(broker, kind)
    lengths = [len(rows)]
    while broker.long_commands.busy:
        broker.pump(0)
        lengths.append(len(rows))
    assert lengths == [LISTED_AT_ONCE, 2 * LISTED_AT_ONCE, 3 * LISTED_AT_ONCE - 1]


def test_a_connection_that_is_gone_before_its_turn_is_left_out(broker: Broker) -> None:
    peers = [Peer091(broker).open() for _ in range(LISTED_AT_ONCE + 1)]
    rows = shown(broker, "connection")
    peers[-1].conversation.lost(0, 0)
    while broker.long_commands.busy:
        broker.pump(0)
    assert len(rows) == LISTED_AT_ONCE
