"""A connection: who may open it, and how it ends."""

from core_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import SECURITY_EXCEPTION, SESSION_CREATION_REJECTED
from lastvalue.protocols.sasl import Authenticator

WITH_PASSWORD = Authenticator(
    anonymous=False, check=lambda user, password: (user, password) == ("me", "secret")
)


def test_a_name_and_a_password_let_in(broker: Broker) -> None:
    peer = Peer(broker, authenticator=WITH_PASSWORD).begin()
    peer.create(username="me", password="wrong")
    assert peer.expect(packets.EXCEPTION, 1).number("code") == SECURITY_EXCEPTION
    peer.create().expect(packets.EXCEPTION, 1)
    peer.create(username="me", password="secret").expect(packets.SESSION_CREATED, 1)
    assert [each.user for each in broker.connections.visible(BROKER)] == ["me"]


def test_a_connection_is_shown_by_the_client_id_of_its_jms_client(broker: Broker, peer: Peer) -> None:
    peer.ask(packets.ADD_METADATA_V2, key="jms-client-id", value="pricing")
    (shown,) = broker.connections.visible(BROKER)
    assert (shown.program, shown.protocol) == ("pricing", "CORE 136")


def test_a_user_that_has_too_many_connections_gets_no_session(broker: Broker) -> None:
    peer = Peer(broker).begin()
    peer.refusal = "too many"
    answer = peer.create().expect(packets.EXCEPTION, 1)
    assert (answer.number("code"), answer.text("text")) == (SESSION_CREATION_REJECTED, "too many")


def test_a_broker_that_shuts_down_says_so(peer: Peer) -> None:
    peer.conversation.shut_down("the broker is shutting down")
    assert peer.turn().expect(packets.DISCONNECT_V3, 0).number("reason") == 3
    assert peer.conversation.finished


def test_a_connection_has_the_sessions_of_one_user(broker: Broker) -> None:
    either = Authenticator(check=lambda user, password: password == "secret")
    peer = Peer(broker, authenticator=either).begin()
    peer.create(username="ann", password="secret").expect(packets.SESSION_CREATED, 1)
    peer.create("other", 11, username="bob", password="secret")
    assert "'ann'" in peer.expect(packets.EXCEPTION, 1).text("text")
