"""Distributed transactions."""

from core_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets

XID = (1, b"global", b"branch")
UNKNOWN, PROTOCOL, ROLLED_BACK = -4, -6, 100


def opened(broker: Broker) -> Peer:
    return Peer(broker).open(xa=True, auto_commit_sends=False, auto_commit_acks=False).declare()


def done(peer: Peer, kind: packets.PacketType, **more: object) -> int:
    """The code with which a command is answered."""
    answer = peer.ask(kind, packets.XA_RESPONSE, xid=XID, **more)
    assert answer.flag("error") is (answer.number("code") != 0)
    return int(answer.number("code"))


def test_a_branch_is_prepared_and_committed(broker: Broker) -> None:
    peer = opened(broker)
    assert done(peer, packets.XA_START) == 0
    peer.send("x").expect(packets.NULL_RESPONSE)
    assert done(peer, packets.XA_END) == 0
    assert done(peer, packets.XA_PREPARE) == 0
    assert peer.ask(packets.XA_IN_DOUBT, packets.XA_IN_DOUBT_XIDS).values["xids"] == [XID]
    assert broker.lookup("q").queue.depth == 0
    assert done(peer, packets.XA_COMMIT) == 0
    assert broker.lookup("q").queue.depth == 1


def test_a_branch_that_is_rolled_back_leaves_nothing(broker: Broker) -> None:
    peer = opened(broker)
    done(peer, packets.XA_START)
    peer.send("x").expect(packets.NULL_RESPONSE)
    done(peer, packets.XA_END)
    assert done(peer, packets.XA_ROLLBACK) == 0
    assert broker.lookup("q").queue.depth == 0
    assert done(peer, packets.XA_COMMIT, one_phase=True) == UNKNOWN


def test_a_branch_may_be_suspended_and_resumed(broker: Broker) -> None:
    peer = opened(broker)
    done(peer, packets.XA_START)
    assert done(peer, packets.XA_SUSPEND) == 0
    peer.send("outside").expect(packets.NULL_RESPONSE)
    assert done(peer, packets.XA_RESUME) == 0
    peer.send("inside").expect(packets.NULL_RESPONSE)
    assert broker.lookup("q").queue.depth == 1
    assert done(peer, packets.XA_END) == 0
    assert done(peer, packets.XA_COMMIT, one_phase=True) == 0
    assert broker.lookup("q").queue.depth == 2


def test_a_session_works_in_one_branch_at_a_time(broker: Broker) -> None:
    peer = opened(broker)
    done(peer, packets.XA_START)
    answer = peer.ask(packets.XA_START, packets.XA_RESPONSE, xid=(1, b"other", b""))
    assert answer.number("code") == PROTOCOL
    assert peer.refused(packets.COMMIT) == 104


def test_a_branch_whose_client_goes_can_only_be_rolled_back(broker: Broker) -> None:
    peer = opened(broker)
    done(peer, packets.XA_START)
    shared = peer.shared
    peer.vanish()
    other = Peer(broker, shared=shared).open(xa=True)
    assert done(other, packets.XA_PREPARE) == ROLLED_BACK


def test_a_timeout_is_told_as_it_was_set(broker: Broker) -> None:
    peer = opened(broker)
    assert peer.ask(packets.XA_SET_TIMEOUT, packets.XA_TIMEOUT_SET, timeout_s=9).flag("ok")
    assert peer.ask(packets.XA_GET_TIMEOUT, packets.XA_TIMEOUT).number("timeout_s") == 9
    assert not peer.ask(packets.XA_SET_TIMEOUT, packets.XA_TIMEOUT_SET, timeout_s=-1).flag("ok")
