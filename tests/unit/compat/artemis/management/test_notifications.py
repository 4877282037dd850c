"""Notifications tell those who read their address what happens, as far as they may see it."""

from collections.abc import Iterator
from typing import Any

import pytest
from bare_queue import START_MS
from canned_message import CannedMessage
from core_peer import Peer, permit

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER, PeerIdentity
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.broker.routing.exchanges import ExchangeNotAllowedError
from lastvalue.codec.core import packets
from lastvalue.compat.artemis.management import notifications
from lastvalue.compat.artemis.management.management_requests import ManagementRequests
from lastvalue.delivery.branches import Branches
from lastvalue.frontends.core.broker_state import BrokerState
from lastvalue.queues.effects import Effect, Refused
from lastvalue.queues.spec import QueueSpec

pytestmark = pytest.mark.pure

ADDRESS = "activemq.notifications"
MULTICAST = 0


class Watched:
    """A broker, somebody who reads its notifications, and somebody who does things."""

    def __init__(self) -> None:
        self.broker = Broker()
        self.shared = BrokerState(self.broker, Branches(self.broker))
        self.shared.management = ManagementRequests(self.broker, "node-1")
        self.listener = self.connect("listener")
        self.listener.declare("told", ADDRESS, MULTICAST).read("told")
        self.actor = self.connect("actor")
        self.take()

    def connect(self, session: str) -> Peer:
        return Peer(self.broker, shared=self.shared).begin().create(session).say(packets.START)

    def take(self) -> list[dict[str, Any]]:
        """The properties of what was told since the last call."""
        self.listener.turn()
        told = []
        for _, kind, _ in list(self.listener.heard):
            if kind is packets.RECEIVE:
                told.append(self.listener.received().properties)
            else:
                self.listener.heard.pop(0)
        return told

    def kinds(self) -> list[str]:
        return [each["_AMQ_NotifType"] for each in self.take()]


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_a_queue_is_told_when_it_is_made_and_deleted(watched: Watched) -> None:
    watched.actor.declare("q", filter="color = 'red'")
    (added,) = watched.take()
    assert added["_AMQ_NotifType"] == "BINDING_ADDED"
    assert (added["_AMQ_Address"], added["_AMQ_RoutingName"], added["_AMQ_Routing_Type"]) == ("q", "q", 1)
    assert added["_AMQ_FilterString"] == "color = 'red'"
    assert added["_AMQ_NotifTimestamp"] == watched.listener.now
    watched.actor.ask(packets.DELETE_QUEUE, queue="q")
    (removed,) = watched.take()
    assert (removed["_AMQ_NotifType"], removed["_AMQ_RoutingName"]) == ("BINDING_REMOVED", "q")
    assert removed["_AMQ_Binding_ID"] == added["_AMQ_Binding_ID"]


def test_a_subscription_is_told_with_its_address(watched: Watched) -> None:
    watched.actor.ask(packets.CREATE_ADDRESS, address="news", routing_types=[MULTICAST])
    watched.actor.declare("reader", "news", MULTICAST)
    address, binding = watched.take()
    assert (address["_AMQ_NotifType"], address["_AMQ_Address"]) == ("ADDRESS_ADDED", "news")
    assert (binding["_AMQ_Address"], binding["_AMQ_Routing_Type"]) == ("news", MULTICAST)
    watched.actor.ask(packets.DELETE_QUEUE, queue="reader")
    (removed,) = watched.take()
    assert (removed["_AMQ_Address"], removed["_AMQ_RoutingName"]) == ("news", "reader")


def test_consumers_are_told_with_how_many_there_are(watched: Watched) -> None:
    watched.actor.declare("q")
    watched.take()
    watched.actor.read("q").read("q", number=2)
    watched.actor.ask(packets.CLOSE_CONSUMER, consumer=1)
    told = watched.take()
    assert [(each["_AMQ_NotifType"], each["_AMQ_ConsumerCount"]) for each in told] == [
        ("CONSUMER_CREATED", 1), ("CONSUMER_CREATED", 2), ("CONSUMER_CLOSED", 1)
    ]  # fmt: skip
    assert told[0]["_AMQ_RemoteAddress"] == "10.0.0.9:1"


def test_connections_are_told(watched: Watched) -> None:
    other = watched.connect("other")
    (opened,) = watched.take()
    assert (opened["_AMQ_NotifType"], opened["_AMQ_Protocol_Name"]) == ("CONNECTION_CREATED", "CORE 136")
    other.vanish()
    (closed,) = watched.take()
    assert closed["_AMQ_NotifType"] == "CONNECTION_DESTROYED"
    assert closed["_AMQ_ConnectionName"] == opened["_AMQ_ConnectionName"]


def test_a_message_that_expires_is_told(watched: Watched) -> None:
    watched.actor.declare("q").send("x", expiration=watched.actor.now + 10)
    watched.take()
    watched.actor.at(watched.actor.now + 11)
    (expired,) = watched.take()
    assert (expired["_AMQ_NotifType"], expired["_AMQ_RoutingName"]) == ("MESSAGE_EXPIRED", "q")
    assert expired["_AMQ_Message_ID"] == 1


def test_a_refused_login_is_told(watched: Watched) -> None:
    watched.broker.connections.login_refused(PeerIdentity("10.0.0.1:7"), "mallory")
    watched.actor.turn()
    (refused,) = watched.take()
    assert refused["_AMQ_NotifType"] == "SECURITY_AUTHENTICATION_VIOLATION"
    assert (refused["_AMQ_User"], refused["_AMQ_RemoteAddress"]) == ("mallory", "10.0.0.1:7")


def test_a_missing_right_is_told(watched: Watched) -> None:
    permit(watched.broker, "read #", "administer $connections")
    watched.actor.refused(packets.CREATE_QUEUE_V2, queue="q", address="q", routing_type=1, max_consumers=-1)
    (refused,) = watched.take()
    assert refused["_AMQ_NotifType"] == "SECURITY_PERMISSION_VIOLATION"
    assert (refused["_AMQ_Address"], refused["_AMQ_CheckType"]) == ("q", "CONFIGURE")


def test_a_listener_chooses_by_a_filter(watched: Watched) -> None:
    watched.actor.ask(packets.CREATE_QUEUE_V2, queue="few", address=ADDRESS, routing_type=MULTICAST,
        max_consumers=-1, filter="_AMQ_NotifType = 'CONSUMER_CREATED'")  # fmt: skip
    watched.actor.declare("q").read("q")
    watched.take()
    few = watched.broker.lookup("few").queue
    assert few.depth == 1


def test_who_may_not_see_a_queue_is_told_nothing_of_it(watched: Watched) -> None:
    permit(watched.broker, "read told", f"read {ADDRESS}", "configure mine", "read mine")
    watched.broker.declare_exchange(ExchangeSpec("secret"), BROKER)
    watched.actor.declare("mine")
    assert watched.kinds() == ["BINDING_ADDED"]


def test_who_may_not_see_the_connections_of_others_is_told_no_refused_login(watched: Watched) -> None:
    permit(watched.broker, "read told", f"read {ADDRESS}")
    watched.broker.connections.login_refused(PeerIdentity("10.0.0.1:7"), "mallory")
    watched.actor.turn()
    assert watched.take() == []


def test_a_notification_that_expires_unread_is_not_told(watched: Watched) -> None:
    watched.actor.ask(packets.CREATE_QUEUE_V2, queue="brief", address=ADDRESS, routing_type=MULTICAST,
        max_consumers=-1)  # fmt: skip
    brief = watched.broker.lookup("brief")
    watched.actor.send("x", "brief", expiration=watched.actor.now + 10)
    watched.take()
    watched.actor.at(watched.actor.now + 11)
    assert brief.queue.depth > 0
    assert watched.take() == []


def test_what_waits_is_bounded(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "MOST_WAITING", 3)
    for number in range(5):
        watched.broker.connections.login_refused(PeerIdentity(), str(number))
    watched.actor.turn()
    assert [each["_AMQ_User"] for each in watched.take()] == ["0", "1", "2"]


def test_the_address_cannot_be_deleted(watched: Watched) -> None:
    with pytest.raises(ExchangeNotAllowedError, match="the broker's own"):
        watched.broker.delete_exchange(ADDRESS)


def test_nobody_is_told_while_nobody_listens() -> None:
    broker = Broker()
    shared = BrokerState(broker, Branches(broker))
    shared.management = ManagementRequests(broker, "node-1")
    peer = Peer(broker, shared=shared).open()
    peer.declare("q").read("q")
    assert broker.exchanges.find(ADDRESS).received == 0


class UnreadEffects(list[Effect]):
    """Effects that nobody may look at."""

    def __iter__(self) -> Iterator[Effect]:
        pytest.fail("the effects were looked at")


def test_effects_are_not_looked_at_while_nobody_listens() -> None:
    broker = Broker()
    observer = notifications.Notifications(broker)
    broker.declare(QueueSpec("q"))
    observer.effects_drained(broker.lookup("q"), UnreadEffects([Refused(CannedMessage())]), START_MS)
