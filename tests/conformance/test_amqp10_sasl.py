"""AMQP 1.0 part 5, section 5.3: SASL."""

import pytest
from scripted_peer import ScriptedPeer, client, server

from lastvalue.codec.amqp10.frames import AMQP_HEADER, KIND_SASL, SASL_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import (
    SASL_AUTH,
    SASL_OK,
    SASL_SYS_PERM,
    Begin,
    Open,
    SaslChallenge,
    SaslInit,
    SaslMechanisms,
    SaslOutcome,
    SaslResponse,
    encode_performative,
)
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.protocols.amqp10.connection import ConnectionClosed, ConnectionOpened
from lastvalue.protocols.sasl import Authenticator, Credentials

SECRET = b"\0user\0secret"


def check(user: str, password: str) -> bool:
    return (user, password) == ("user", "secret")


def greeted(*, anonymous: bool = False) -> ScriptedPeer:
    peer = server(authenticator=Authenticator(anonymous=anonymous, check=check)).send(SASL_HEADER)
    assert peer.heard_header() == SASL_HEADER
    return peer


def offered(*, anonymous: bool = False) -> ScriptedPeer:
    peer = greeted(anonymous=anonymous)
    peer.heard(SaslMechanisms)
    return peer


# ---- The server


@pytest.mark.spec("amqp-1.0", "5.3.2", "the server announces its mechanisms")
def test_the_server_offers_its_mechanisms() -> None:
    assert greeted(anonymous=True).heard(SaslMechanisms).sasl_server_mechanisms == ("PLAIN", "ANONYMOUS")
    assert greeted().heard(SaslMechanisms).sasl_server_mechanisms == ("PLAIN",)


@pytest.mark.spec("amqp-1.0", "5.3.3.5", "the outcome ends the exchange")
@pytest.mark.spec("amqp-1.0", "5.3.2", "after the outcome ok the AMQP header follows")
def test_right_credentials_open_the_way() -> None:
    peer = offered().sasl(SaslInit("PLAIN", SECRET))
    assert peer.heard(SaslOutcome).code == SASL_OK
    assert peer.engine.identity == "user"
    peer.send(AMQP_HEADER).open()
    assert peer.heard_header() == AMQP_HEADER
    peer.heard(Open)
    assert peer.kinds() == [ConnectionOpened]


@pytest.mark.spec("amqp-1.0", "5.3.3.6", "code 1: the connection authentication failed")
@pytest.mark.parametrize(
    "init",
    [
        SaslInit("PLAIN", b"\0user\0wrong"),
        SaslInit("PLAIN", b"\0nobody\0secret"),
        SaslInit("PLAIN", b"no separators"),
        SaslInit("PLAIN", b"\0\xff\0\xfe"),
        SaslInit("PLAIN", b"\0\0"),
        SaslInit("PLAIN", b"another\0user\0secret"),
        SaslInit("ANONYMOUS", b"someone"),
        SaslInit("SCRAM-SHA-256", b""),
    ],
    ids=[
        "password",
        "user",
        "malformed",
        "not text",
        "empty",
        "for another",
        "anonymous",
        "unknown mechanism",
    ],
)
def test_wrong_credentials_end_with_the_outcome_auth(init: SaslInit) -> None:
    peer = offered().sasl(init)
    assert peer.heard(SaslOutcome).code == SASL_AUTH
    assert peer.engine.finished
    assert peer.engine.identity is None
    closed = peer.event(ConnectionClosed).error
    assert closed is not None
    assert closed.condition == "amqp:unauthorized-access"


@pytest.mark.spec("amqp-1.0", "5.3.2", "bytes behind a refused exchange are not looked at")
def test_nothing_is_heard_from_a_peer_that_was_refused() -> None:
    peer = offered().sasl(SaslInit("PLAIN", b"\0user\0wrong"))
    peer.heard(SaslOutcome)
    assert peer.send(AMQP_HEADER).open().hears_nothing()


@pytest.mark.spec(
    "amqp-1.0", "5.3.1", "a SASL frame has exactly one performative: an empty frame is an error"
)
@pytest.mark.parametrize(
    "body",
    [b"", encode_performative(SaslInit("PLAIN", SECRET)) + b"\x40"],
    ids=["empty", "more than a performative"],
)
def test_a_sasl_frame_with_none_or_more_than_one_performative_ends_the_connection(body: bytes) -> None:
    peer = offered().send(encode_frame(body, 0, KIND_SASL))
    closed = peer.event(ConnectionClosed).error
    assert closed is not None
    assert closed.condition == "amqp:connection:framing-error"
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "5.3.2", "a challenge asks for the response that was not sent with the init")
def test_a_response_may_follow_the_init() -> None:
    peer = offered().sasl(SaslInit("PLAIN"))
    assert peer.heard(SaslChallenge).challenge == b""
    peer.sasl(SaslResponse(SECRET))
    assert peer.heard(SaslOutcome).code == SASL_OK


@pytest.mark.spec("amqp-1.0", "5.3.2", "an anonymous peer may skip the exchange where the server lets it")
def test_anonymous_peers_may_skip_the_exchange() -> None:
    peer = server(authenticator=Authenticator(anonymous=True, check=check)).send(AMQP_HEADER).open()
    assert peer.heard_header() == AMQP_HEADER
    peer.heard(Open)
    assert peer.engine.identity == "anonymous"


@pytest.mark.spec(
    "amqp-1.0", "2.2", "a peer that skips a security layer that is required is told so, and left"
)
def test_a_peer_that_skips_the_exchange_where_it_is_required_is_told_and_left() -> None:
    peer = server(authenticator=Authenticator(anonymous=False, check=check)).send(AMQP_HEADER).open()
    assert peer.heard_header() == SASL_HEADER
    assert peer.engine.finished
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "5.3.1", "a SASL frame may have 512 octets; we take those of tokens, too")
def test_a_sasl_frame_is_bounded_and_a_longer_one_is_told_so() -> None:
    peer = offered().sasl(SaslInit("PLAIN", b"x" * FIRST_BYTES.most))
    assert peer.engine.finished
    outcome = peer.heard(SaslOutcome)
    assert outcome.code == SASL_SYS_PERM
    assert f"at most {FIRST_BYTES.most} are allowed" in (outcome.additional_data or b"").decode()


@pytest.mark.spec("amqp-1.0", "5.3.2", "the order of the exchange is fixed")
@pytest.mark.parametrize(
    "said",
    [SaslResponse(SECRET), SaslMechanisms(()), SaslOutcome(SASL_OK)],
    ids=["response", "mechanisms", "outcome"],
)
def test_a_frame_out_of_order_ends_the_exchange(said: SaslResponse | SaslMechanisms | SaslOutcome) -> None:
    assert offered().sasl(said).engine.finished


@pytest.mark.spec("amqp-1.0", "5.3.1", "frames within the exchange are of type SASL")
def test_an_amqp_frame_within_the_exchange_ends_it() -> None:
    assert offered().open().engine.finished


@pytest.mark.spec("amqp-1.0", "5.3.2", "the exchange may be pipelined")
def test_everything_may_come_at_once() -> None:
    script = client(credentials=Credentials("user", "secret"))
    script.engine.open()
    peer = server(authenticator=Authenticator(anonymous=False, check=check))
    for _ in range(4):
        peer.send(script.engine.data_to_send())
        script.send(peer.engine.data_to_send())
    assert script.engine.opened
    assert peer.engine.identity == "user"


# ---- The client


def asked(credentials: Credentials) -> ScriptedPeer:
    peer = client(credentials=credentials, hostname="broker")
    peer.engine.open()
    assert peer.heard_header() == SASL_HEADER
    return peer.send(SASL_HEADER)


@pytest.mark.spec("amqp-1.0", "5.3.3.2", "the client sends the mechanism it chose and its initial response")
@pytest.mark.parametrize(
    ("credentials", "init"),
    [
        (Credentials("user", "secret"), SaslInit("PLAIN", SECRET, "broker")),
        (Credentials(), SaslInit("ANONYMOUS", b"anonymous", "broker")),
    ],
    ids=["plain", "anonymous"],
)
def test_the_client_chooses_by_its_credentials(credentials: Credentials, init: SaslInit) -> None:
    peer = asked(credentials).sasl(SaslMechanisms(("ANONYMOUS", "PLAIN", "EXTERNAL")))
    assert peer.heard(SaslInit) == init


@pytest.mark.spec("amqp-1.0", "5.3.2", "the client opens once the outcome is ok")
def test_the_client_opens_after_the_outcome() -> None:
    peer = asked(Credentials()).sasl(SaslMechanisms(("ANONYMOUS",)))
    peer.heard(SaslInit)
    peer.sasl(SaslOutcome(SASL_OK))
    assert peer.heard_header() == AMQP_HEADER
    peer.heard(Open)
    peer.send(AMQP_HEADER).open()
    assert peer.engine.opened
    peer.engine.begin()
    peer.heard(Begin)


@pytest.mark.spec("amqp-1.0", "5.3.3.6", "any other code ends the connection")
def test_a_client_whose_credentials_are_refused_ends() -> None:
    peer = asked(Credentials("user", "wrong")).sasl(SaslMechanisms(("PLAIN",)))
    peer.heard(SaslInit)
    peer.sasl(SaslOutcome(SASL_AUTH))
    closed = peer.event(ConnectionClosed).error
    assert closed is not None
    assert closed.condition == "amqp:unauthorized-access"
    assert peer.engine.finished
    assert peer.hears_nothing()


@pytest.mark.spec("amqp-1.0", "5.3.3.1", "a client that supports none of the mechanisms closes")
def test_a_client_for_which_no_mechanism_fits_ends() -> None:
    peer = asked(Credentials("user", "secret")).sasl(SaslMechanisms(("ANONYMOUS", "GSSAPI")))
    closed = peer.event(ConnectionClosed).error
    assert closed is not None
    assert "ANONYMOUS, GSSAPI" in str(closed.description)
    assert peer.engine.finished


@pytest.mark.spec("amqp-1.0", "5.3.3.3", "a challenge is for the client to answer")
@pytest.mark.spec("amqp-1.0", "5.3.3.4", "a challenge is answered with a response")
def test_a_challenge_is_answered() -> None:
    peer = asked(Credentials("user", "secret")).sasl(SaslMechanisms(("PLAIN",)))
    peer.heard(SaslInit)
    peer.sasl(SaslChallenge(b""))
    assert peer.heard(SaslResponse).response == SECRET


@pytest.mark.spec("amqp-1.0", "5.3.2", "the mechanisms come before the outcome")
def test_an_outcome_that_nobody_asked_for_ends_the_exchange() -> None:
    assert asked(Credentials()).say(SaslOutcome(SASL_OK), kind=KIND_SASL).engine.finished
