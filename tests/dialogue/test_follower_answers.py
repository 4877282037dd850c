"""What a broker that follows another one tells a client of CORE."""

import pytest
from core_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import ILLEGAL_STATE
from lastvalue.queues.spec import QueueSpec

pytestmark = pytest.mark.pure


@pytest.fixture
def follower() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    broker.authorization.leader = "one:5673"
    return broker


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (packets.CREATE_QUEUE_V2, {"queue": "new", "address": "new", "routing_type": 1, "max_consumers": -1}),
        (packets.CREATE_CONSUMER, {"consumer": 1, "queue": "q"}),
        (packets.DELETE_QUEUE, {"queue": "q"}),
    ],
)
def test_what_is_the_leaders_is_refused_with_its_address(
    follower: Broker, kind: packets.PacketType, values: dict[str, object]
) -> None:
    refusal = Peer(follower).open().ask(kind, packets.EXCEPTION, **values)
    assert refusal.number("code") == ILLEGAL_STATE
    assert "ask one:5673, which leads" in refusal.text("text")


def test_a_message_is_refused_with_the_leaders_address(follower: Broker) -> None:
    refusal = Peer(follower).open().send("x").expect(packets.EXCEPTION)
    assert refusal.number("code") == ILLEGAL_STATE
    assert "ask one:5673, which leads" in refusal.text("text")


def test_who_wants_no_answer_to_a_message_is_sent_away_and_learns_it_so(follower: Broker) -> None:
    peer = Peer(follower).open().send("x", answered=False)
    peer.expect(packets.DISCONNECT_V3, 0)
    assert peer.conversation.finished


def test_the_topology_names_no_other_broker_so_clients_keep_to_their_lists(follower: Broker) -> None:
    peer = Peer(follower).begin()
    told = peer.say(packets.SUBSCRIBE_TOPOLOGY_V2, 0, cluster=True, version=136).expect(packets.TOPOLOGY, 0)
    assert (told.flag("last"), told.flag("live"), told.flag("backup")) == (True, False, False)
