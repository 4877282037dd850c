"""Transactions over AMQP 0-10: of a session, and of branches by xid."""

from typing import Any

import pytest
from amqp010_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp010.command_layouts import DTX_XID
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

OK, ROLLED_BACK, TIMED_OUT = 0, 1, 2


@pytest.fixture
def broker_state() -> BrokerState:
    broker = Broker()
    broker.declare(QueueSpec("a"))
    broker.declare(QueueSpec("b"))
    return BrokerState(broker)


@pytest.fixture
def peer(broker_state: BrokerState) -> Peer:
    return Peer(broker_state)


def xid(name: bytes = b"x") -> Record:
    return Record(DTX_XID, {"format": 1, "global_id": name, "branch_id": b""})


def swap(peer: Peer) -> None:
    """Take a message from a and publish one to b."""
    peer.subscribe("a", "swap")
    (transfer,) = peer.take()
    peer.do("message.cancel", destination="swap")
    peer.do("message.accept", transfers=[(transfer.number, transfer.number)])
    peer.send("b", transfer.body)


def swap_in_branch(peer: Peer) -> None:
    """Send a message to a; then, in a branch that stays open, take it and publish one to b."""
    peer.send("a", b"one")
    peer.do("dtx.select")
    peer.do("dtx.start", xid=xid())
    swap(peer)


def depths(peer: Peer) -> tuple[int, int]:
    return int(peer.broker.lookup("a").queue.available), int(peer.broker.lookup("b").queue.available)


def status(result: Record | None) -> int:
    assert result is not None
    return result.number("status", -1)


def other_session(broker_state: BrokerState) -> Peer:
    other = Peer(broker_state)
    other.attach(b"other")
    return other


def test_what_is_committed_takes_effect_at_once(peer: Peer) -> None:
    peer.send("a", b"one")
    peer.do("tx.select")
    swap(peer)
    assert depths(peer) == (0, 0)
    peer.do("tx.commit")
    assert depths(peer) == (0, 1)
    assert peer.broker.lookup("a").queue.depth == 0


def test_what_is_rolled_back_stays_with_the_session(broker_state: BrokerState, peer: Peer) -> None:
    peer.send("a", b"one")
    peer.do("tx.select")
    swap(peer)
    peer.do("tx.rollback")
    assert depths(peer) == (0, 0)
    peer.conversation.lost(peer.now, peer.now)
    assert depths(peer) == (1, 0)


def test_a_branch_is_committed_in_one_phase(broker_state: BrokerState, peer: Peer) -> None:
    peer.send("a", b"one")
    peer.do("dtx.select")
    assert status(peer.do("dtx.start", xid=xid())) == OK
    swap(peer)
    assert status(peer.do("dtx.end", xid=xid())) == OK
    assert depths(peer) == (0, 0)
    assert status(peer.do("dtx.commit", xid=xid(), one_phase=True)) == OK
    assert depths(peer) == (0, 1)


def test_a_branch_is_told_to_be_committed_when_the_journal_has_it(
    broker_state: BrokerState, peer: Peer
) -> None:
    swap_in_branch(peer)
    peer.do("dtx.end", xid=xid())
    peer.flushed = 0
    number = peer.numbered("dtx.commit", xid=xid(), one_phase=True)
    assert depths(peer) == (0, 1)
    assert number not in peer.results
    assert number not in peer.completed
    peer.flushed = 1
    peer.exchange()
    assert status(peer.results[number]) == OK


@pytest.mark.parametrize("command", ["dtx.prepare", "dtx.rollback"])
def test_a_branch_is_told_to_be_prepared_or_rolled_back_when_the_journal_has_it(
    peer: Peer, command: str
) -> None:
    peer.do("dtx.select")
    peer.do("dtx.start", xid=xid())
    peer.do("dtx.end", xid=xid())
    peer.flushed = 0
    number = peer.numbered(command, xid=xid())
    assert number not in peer.results
    peer.flushed = 1
    peer.exchange()
    assert status(peer.results[number]) == OK


def test_a_prepared_branch_outlives_its_session_and_is_known_to_others(
    broker_state: BrokerState, peer: Peer
) -> None:
    swap_in_branch(peer)
    peer.do("dtx.end", xid=xid())
    assert status(peer.do("dtx.prepare", xid=xid())) == OK
    peer.conversation.lost(peer.now, peer.now)
    other = other_session(broker_state)
    found = other.do("dtx.recover")
    assert found is not None
    in_doubt: Any = found.values["in_doubt"]
    assert [each.binary("global_id") for each in in_doubt.items] == [b"x"]
    assert depths(other) == (0, 0)
    assert status(other.do("dtx.commit", xid=xid())) == OK
    assert depths(other) == (0, 1)


def test_a_branch_that_is_rolled_back_leaves_nothing(broker_state: BrokerState, peer: Peer) -> None:
    swap_in_branch(peer)
    peer.do("dtx.end", xid=xid())
    assert status(peer.do("dtx.rollback", xid=xid())) == OK
    assert depths(peer) == (1, 0)


def test_work_may_be_suspended_and_joined(broker_state: BrokerState, peer: Peer) -> None:
    peer.do("dtx.select")
    peer.do("dtx.start", xid=xid())
    peer.send("a", b"one")
    peer.do("dtx.end", xid=xid(), suspend=True)
    peer.send("a", b"outside")
    peer.do("dtx.start", xid=xid(), resume=True)
    peer.send("b", b"two")
    other = other_session(broker_state)
    other.do("dtx.select")
    other.do("dtx.start", xid=xid(), join=True)
    other.send("b", b"three")
    other.do("dtx.end", xid=xid())
    peer.do("dtx.end", xid=xid())
    assert depths(peer) == (1, 0)
    peer.do("dtx.commit", xid=xid(), one_phase=True)
    assert depths(peer) == (2, 2)


def test_a_session_that_ends_in_a_branch_leaves_it_to_be_rolled_back(
    broker_state: BrokerState, peer: Peer
) -> None:
    swap_in_branch(peer)
    peer.conversation.lost(peer.now, peer.now)
    other = other_session(broker_state)
    assert depths(other) == (1, 0)
    assert status(other.do("dtx.prepare", xid=xid())) == ROLLED_BACK
    assert status(other.do("dtx.rollback", xid=xid())) == OK


def test_a_branch_ends_when_its_time_is_over(broker_state: BrokerState, peer: Peer) -> None:
    swap_in_branch(peer)
    peer.do("dtx.set-timeout", xid=xid(), timeout=2)
    assert peer.broker.next_deadline() == peer.now + 2000
    peer.now += 2000
    peer.broker.advance(peer.now)
    assert depths(peer) == (1, 0)
    assert status(peer.do("dtx.end", xid=xid())) == TIMED_OUT
    assert status(peer.do("dtx.rollback", xid=xid())) == TIMED_OUT


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        ("dtx.start", {"xid": xid(b"known")}, 530),
        ("dtx.start", {"xid": xid(b"new"), "join": True}, 404),
        ("dtx.start", {"xid": xid(b"new"), "join": True, "resume": True}, 503),
        ("dtx.end", {"xid": xid(b"known"), "fail": True, "suspend": True}, 503),
        ("dtx.end", {"xid": xid(b"new")}, 409),
        ("dtx.prepare", {"xid": xid(b"new")}, 404),
        ("dtx.commit", {"xid": xid(b"known")}, 409),
        ("dtx.set-timeout", {"xid": xid(b"known"), "timeout": 3601}, 542),
        ("dtx.forget", {"xid": xid(b"known")}, 409),
        ("dtx.rollback", {}, 542),
    ],
)
def test_what_a_branch_does_not_allow_is_refused(
    peer: Peer, name: str, fields: dict[str, Any], code: int
) -> None:
    peer.do("dtx.select")
    peer.do("dtx.start", xid=xid(b"known"))
    peer.do("dtx.end", xid=xid(b"known"))
    assert peer.fails(name, **fields) == code


def test_branches_are_for_sessions_that_have_selected_them(peer: Peer) -> None:
    assert peer.fails("dtx.start", xid=xid()) == 503
