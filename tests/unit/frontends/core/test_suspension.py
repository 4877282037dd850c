"""Sessions that outlive their connection."""

from core_peer import SESSION, Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import SESSION_CREATION_REJECTED

TTL_MS = 60_000


def opened(broker: Broker, **more: object) -> Peer:
    return Peer(broker).open(name="kept", window=1000, **more)


def reattached(peer: Peer, last: int, name: str = "kept") -> packets.Packet:
    return peer.say(packets.REATTACH, 1, name=name, last_command=last).expect(packets.REATTACHED, 1)


def test_a_session_goes_on_with_another_connection(broker: Broker) -> None:
    peer = opened(broker).declare().read()
    heard = 2
    peer.send("seen").expect(packets.NULL_RESPONSE)
    seen = peer.received()
    peer.send("lost")
    peer.vanish()
    assert not broker.lookup("q").queue.available
    other = Peer(broker, shared=peer.shared).begin()
    answer = reattached(other, heard + 1)
    # START, CREATE_QUEUE, CREATE_CONSUMER, CREDIT and two times SEND.
    assert (answer.flag("reattached"), answer.number("last_command")) == (True, 5)
    other.expect(packets.NULL_RESPONSE)
    assert other.received().number == seen.number + 1
    other.ask(packets.ACKNOWLEDGE, consumer=1, message=seen.number + 1)
    assert broker.lookup("q").queue.depth == 0


def test_a_session_without_a_confirmation_window_is_over(broker: Broker, peer: Peer) -> None:
    peer.vanish()
    other = Peer(broker, shared=peer.shared).begin()
    assert not reattached(other, 0, "session").flag("reattached")


def test_a_session_that_nobody_attaches_in_time_is_over(broker: Broker) -> None:
    peer = opened(broker).declare().declare("temp", temporary=True).read()
    peer.send("x")
    peer.vanish()
    assert broker.has_queue("temp")
    broker.advance(peer.now + TTL_MS)
    assert not broker.has_queue("temp")
    assert broker.lookup("q").queue.available == 1
    assert not reattached(Peer(broker, shared=peer.shared).begin(), 0).flag("reattached")


def test_temporary_queues_go_with_the_connection_that_has_their_session(broker: Broker) -> None:
    peer = opened(broker).declare("temp", temporary=True)
    peer.vanish()
    other = Peer(broker, shared=peer.shared).begin()
    reattached(other, 1)
    assert broker.has_queue("temp")
    other.ask(packets.CLOSE)
    other.vanish()
    assert not broker.has_queue("temp")


def test_a_client_may_come_back_before_its_connection_is_known_to_be_lost(broker: Broker) -> None:
    peer = opened(broker).declare()
    other = Peer(broker, shared=peer.shared).begin()
    assert reattached(other, -1).flag("reattached")
    other.expect(packets.NULL_RESPONSE)
    other.say(packets.QUEUE_QUERY, SESSION, queue="q").expect(packets.QUEUE_QUERIED)
    assert peer.conversation.finished or peer.turn().conversation.finished


def test_a_transaction_goes_on(broker: Broker) -> None:
    peer = opened(broker, auto_commit_sends=False, auto_commit_acks=False).declare()
    peer.send("x", answered=False).vanish()
    other = Peer(broker, shared=peer.shared).begin()
    reattached(other, 1)
    other.ask(packets.COMMIT)
    assert broker.lookup("q").queue.depth == 1


def test_a_peer_on_another_host_cannot_take_a_session_or_end_its_connection(broker: Broker) -> None:
    peer = opened(broker).declare()
    other = Peer(broker, shared=peer.shared, address="10.0.0.10:1").begin()
    assert not reattached(other, 0).flag("reattached")
    assert not peer.conversation.finished
    peer.vanish()
    assert not reattached(other, 0).flag("reattached")
    assert reattached(Peer(broker, shared=peer.shared).begin(), 0).flag("reattached")


def test_two_sessions_that_may_be_attached_again_cannot_have_one_name(broker: Broker) -> None:
    peer = opened(broker)
    other = Peer(broker, shared=peer.shared).begin().create("kept", window=1000)
    assert other.expect(packets.EXCEPTION, 1).number("code") == SESSION_CREATION_REJECTED
    other.create("another", window=1000).expect(packets.SESSION_CREATED, 1)
