"""Sessions that outlive their connection."""

from typing import Any

import pytest
from core_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import SESSION_CREATION_REJECTED
from lastvalue.protocols.sasl import Authenticator, SaslExchange, SaslStep

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


def test_it_goes_on_once_the_journal_has_what_was_carried_out(broker: Broker) -> None:
    peer = opened(broker).declare(durable=True).hold_flushes()
    peer.send("a", durable=True).send("b", durable=True).vanish()
    other = Peer(broker, shared=peer.shared).begin().hold_flushes()
    other.position = peer.position
    other.say(packets.REATTACH, 1, name="kept", last_command=0)
    assert other.silent()
    answer = other.flush().expect(packets.REATTACHED, 1)
    # START, CREATE_QUEUE and two times SEND, of which neither is to be sent again.
    assert (answer.flag("reattached"), answer.number("last_command")) == (True, 3)
    assert [other.expect(packets.NULL_RESPONSE).number("correlation") for _ in "ab"] == [7, 7]
    other.send("c").expect(packets.NULL_RESPONSE)
    assert broker.lookup("q").queue.depth == 3


def test_a_connection_that_is_lost_before_that_leaves_the_session_to_the_next_one(broker: Broker) -> None:
    peer = opened(broker).declare(durable=True).hold_flushes()
    peer.send("a", durable=True).vanish()
    other = Peer(broker, shared=peer.shared).begin().hold_flushes()
    other.position = peer.position
    other.say(packets.REATTACH, 1, name="kept", last_command=0).vanish()
    other.flush()
    assert reattached(Peer(broker, shared=peer.shared).begin(), 0).number("last_command") == 2


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


def test_a_session_is_not_taken_from_a_connection_that_lives(broker: Broker) -> None:
    peer = opened(broker).declare()
    other = Peer(broker, shared=peer.shared).begin()
    assert not reattached(other, -1).flag("reattached")
    # Without a user it has proved nothing: it cannot end that connection by creating the session again.
    other.create("again", window=1000).expect(packets.SESSION_CREATED, 1)
    peer.turn().ask(packets.QUEUE_QUERY, packets.QUEUE_QUERIED, queue="q")


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


# ---------------------------------------------------------------------- who may attach a session

USERS = Authenticator(True, lambda user, password: password == user)


class Certified(SaslExchange):
    """EXTERNAL of a peer whose certificate says that it is ann."""

    def step(self, response: bytes | None) -> SaslStep:
        return SaslStep(identity="ann")


def of_ann(broker: Broker, **more: Any) -> Peer:
    """A connection with the session `kept` of the user ann."""
    return Peer(broker, authenticator=USERS).open(name="kept", window=1000, **LOGINS["ann"], **more)


LOGINS: dict[str, dict[str, Any]] = {user: {"username": user, "password": user} for user in ("ann", "bob")}


def beside(peer: Peer, authenticator: Authenticator = USERS) -> Peer:
    """Another connection from the same host."""
    return Peer(peer.broker, authenticator=authenticator, shared=peer.shared).begin()


@pytest.mark.parametrize("user", [None, "bob"])
def test_a_session_of_a_user_is_attached_by_nobody_else(broker: Broker, user: str | None) -> None:
    peer = of_ann(broker).declare().read()
    peer.send("secret")
    other = beside(peer)
    for _ in range(2):
        if user is not None:
            other.create("own", 11, **LOGINS[user]).expect(packets.SESSION_CREATED, 1)
        assert not reattached(other, 0).flag("reattached")
        peer.vanish()
        other = beside(peer)
    assert broker.lookup("q").queue.depth == 1
    attached = beside(peer, Authenticator(others={"EXTERNAL": Certified}))
    assert reattached(attached, 0).flag("reattached")


def test_its_own_user_attaches_it_once_the_new_connection_has_another_session(broker: Broker) -> None:
    peer = of_ann(broker)
    peer.vanish()
    other = beside(peer).create("first", 11, **LOGINS["ann"])
    other.expect(packets.SESSION_CREATED, 1)
    assert reattached(other, 0).flag("reattached")


def test_a_client_that_may_not_attach_a_session_creates_it_again_and_the_old_one_ends(broker: Broker) -> None:
    peer = of_ann(broker).declare().declare("temp", temporary=True).read()
    peer.send("x")
    peer.vanish()
    other = beside(peer)
    assert not reattached(other, 0).flag("reattached")
    assert not broker.lookup("q").queue.available
    other.create("again", **LOGINS["ann"]).expect(packets.SESSION_CREATED, 1)
    assert broker.lookup("q").queue.available == 1
    # The temporary queue is the new connection's, and goes with that.
    assert other.turn().ask(packets.QUEUE_QUERY, packets.QUEUE_QUERIED, queue="temp").flag("exists")
    other.vanish()
    assert not broker.has_queue("temp")


def test_a_password_also_ends_the_session_of_a_connection_that_is_not_yet_known_to_be_lost(
    broker: Broker,
) -> None:
    peer = of_ann(broker).declare().read()
    peer.send("x")
    other = beside(peer)
    assert not reattached(other, 0).flag("reattached")
    assert not broker.lookup("q").queue.available
    other.create("again", **LOGINS["ann"]).expect(packets.SESSION_CREATED, 1)
    assert broker.lookup("q").queue.available == 1
    assert peer.turn().conversation.finished


def test_another_user_ends_no_session_by_its_name(broker: Broker) -> None:
    peer = of_ann(broker).declare().read()
    peer.send("x")
    other = beside(peer)
    assert not reattached(other, 0).flag("reattached")
    other.create("again", **LOGINS["bob"]).expect(packets.SESSION_CREATED, 1)
    assert not peer.turn().conversation.finished
    assert not broker.lookup("q").queue.available
