"""What commands of AMQP 0-10 do to a broker."""

import pytest
from amqp010_peer import UNLIMITED, Peer

from lastvalue.frontends.amqp010.broker_state import BrokerState

MESSAGE, BYTE = 0, 1


def count(peer: Peer, queue: str = "q") -> int:
    result = peer.do("queue.query", queue=queue)
    assert result is not None
    return result.number("message_count")


def test_a_queue_that_deletes_itself_after_a_while_is_there_until_then(
    broker_state: BrokerState, peer: Peer
) -> None:
    """S-245."""
    arguments = {"qpid.auto_delete_timeout": 3}
    peer.do("queue.declare", queue="brief", exclusive=True, auto_delete=True, arguments=arguments)
    peer.control("session.detach", 1, name=b"test")
    assert broker_state.broker.has_queue("brief")
    broker_state.broker.advance(peer.now + 3000)
    assert not broker_state.broker.has_queue("brief")


def test_a_group_stays_closed_while_the_session_of_its_closed_consumer_goes_on(
    broker_state: BrokerState, peer: Peer
) -> None:
    """S-142."""
    arguments = {"qpid.group_header_key": "g", "qpid.shared_msg_group": 1}
    peer.do("queue.declare", queue="grouped", arguments=arguments)
    for group, body in [("A", b"A0"), ("A", b"A1"), ("B", b"B2"), ("B", b"B3")]:
        peer.send("grouped", body, properties={"application_headers": {"g": group}})
    peer.do("message.subscribe", queue="grouped", destination="d")
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=1)
    assert peer.bodies() == [b"A0"]
    peer.do("message.cancel", destination="d")
    other = Peer(broker_state, opens=False)
    other.open(b"other")
    other.subscribe("grouped")
    assert other.bodies() == [b"B2", b"B3"]
    peer.control("session.detach", 1, name=b"test")
    assert other.bodies() == [b"A0", b"A1"]


def test_a_deleted_queue_gives_its_alternate_what_was_prefetched_too(peer: Peer) -> None:
    """S-257."""
    peer.do("queue.declare", queue="main", alternate_exchange="amq.fanout")
    peer.do("exchange.bind", queue="q", exchange="amq.fanout")
    for number in range(10):
        peer.send("main", b"%d" % number)
    peer.do("message.subscribe", queue="main", destination="d")
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=5)
    assert len(peer.take()) == 5
    peer.do("queue.delete", queue="main")
    peer.subscribe("q", "dead")
    assert peer.bodies() == [b"%d" % number for number in range(10)]


def test_a_queue_that_destroys_itself_is_no_fault_of_the_producer(peer: Peer) -> None:
    """S-258."""
    arguments = {"qpid.max_count": 10, "qpid.policy_type": "self-destruct"}
    peer.do("queue.declare", queue="fragile", arguments=arguments)
    for queue in ("fragile", "q"):
        peer.do("exchange.bind", queue=queue, exchange="amq.fanout")
    for number in range(20):
        peer.send("", b"%d" % number, exchange="amq.fanout")
    assert (peer.failures, peer.broker.has_queue("fragile"), count(peer)) == ([], False, 20)


@pytest.mark.parametrize(("ttl_ms", "lives_ms"), [(2**64 - 1, 2**50), (2**33, 2**33 - 1)])
def test_a_time_to_live_may_be_longer_than_other_protocols_can_say(
    peer: Peer, ttl_ms: int, lives_ms: int
) -> None:
    """S-262."""
    peer.send("q", b"old", delivery={"ttl": ttl_ms})
    peer.now += lives_ms
    peer.broker.advance(peer.now)
    assert count(peer) == 1
