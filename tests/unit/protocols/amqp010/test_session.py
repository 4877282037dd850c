"""The engine of AMQP 0-10: opening, sessions, completion, and what peers do wrong."""

from amqp010_peer import Peer

from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.protocols.amqp010.session import nearest
from lastvalue.queues.spec import QueueSpec


def test_a_session_is_attached_and_detached_by_its_name(peer: Peer) -> None:
    assert peer.last("session.attached").binary("name") == b"test"
    peer.control("session.detach", 1, name=b"test")
    assert peer.last("session.detached").number("code") == 0


def test_a_session_that_somebody_has_is_busy(broker_state: BrokerState, peer: Peer) -> None:
    other = Peer(broker_state)
    assert other.last("session.detached").number("code") == 1
    peer.control("session.detach", 1, name=b"test")
    other.attach()
    assert other.last("session.attached").binary("name") == b"test"


def test_a_session_may_be_attached_and_detached_in_one_breath(peer: Peer) -> None:
    peer.control("session.detach", 1, name=b"test")
    peer.controls = []
    peer.exchange(
        peer.control_bytes("session.attach", 1, name=b"test")
        + peer.control_bytes("session.detach", 1, name=b"test")
    )
    assert [record.layout.name for record in peer.controls] == ["session.attached", "session.detached"]


def test_the_peer_is_told_what_is_complete(peer: Peer) -> None:
    peer.send("q", b"one")
    peer.send("q", b"two")
    assert peer.completed == {0, 1}


def test_a_flush_is_answered_with_what_was_asked(peer: Peer) -> None:
    peer.send("q", b"one")
    peer.controls = []
    peer.control("session.flush", 1, expected=True, confirmed=True, completed=True)
    told = {record.layout.name: record.ranges("commands") for record in peer.controls}
    assert told == {
        "session.expected": [(1, 1)],
        "session.confirmed": [(0, 0)],
        "session.completed": [(0, 0)],
    }


def test_what_the_peer_knows_to_be_complete_is_not_told_again(peer: Peer) -> None:
    peer.send("q", b"one")
    peer.control("session.known-completed", 1, commands=[(0, 0)])
    peer.send("q", b"two")
    assert peer.last("session.completed").ranges("commands") == [(1, 1)]


def test_a_timeout_is_never_promised(peer: Peer) -> None:
    peer.control("session.request-timeout", 1, timeout=300)
    assert peer.last("session.timeout").number("timeout") == 0


def test_a_sync_is_complete_when_all_before_it_is(broker_state: BrokerState) -> None:
    broker_state.broker.declare(QueueSpec("kept", durable=True))
    peer = Peer(broker_state)
    peer.flushed = 0
    peer.send("kept", b"one", delivery={"delivery_mode": 2})
    peer.do("execution.sync")
    assert peer.completed == set()
    peer.flushed = 1
    peer.exchange()
    assert peer.completed == {0, 1}


def test_a_command_that_fails_ends_the_session_with_the_reason(peer: Peer) -> None:
    assert peer.fails("message.subscribe", queue="nosuch", destination="d") == 404
    failure = peer.failures[-1]
    assert (failure.number("class_code"), failure.number("command_code")) == (4, 7)
    assert "nosuch" in failure.text("description")
    assert peer.last("session.detach").binary("name") == b"test"


def test_commands_behind_one_that_fails_are_not_carried_out(broker_state: BrokerState, peer: Peer) -> None:
    bad = peer.command_bytes("exchange.declare", exchange="x", type="nosuch")
    good = peer.command_bytes("exchange.declare", exchange="y", type="direct")
    peer.exchange(bad + good)
    assert broker_state.broker.exchanges.get("y") is None


def test_ids_go_on_behind_the_end_of_32_bits() -> None:
    assert nearest(5, 2**32 - 3) == 2**32 + 5
    assert nearest(2**32 - 3, 2**32 + 5) == 2**32 - 3
    assert nearest(7, 0) == 7
