"""How a CONNECT proves who its client is [MQTT 5.0 §4.12, §5.4.1]."""

from collections.abc import Callable
from pathlib import Path

import pytest
from login_records import LoginRecord
from mqtt_engine_peer import EnginePeer

from lastvalue.client.scram import scram
from lastvalue.codec.mqtt.packets import Auth, ConnAck, Connect, Disconnect
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.protocols.sasl import EXTERNAL, FAILED, Authenticator, SaslExchange, SaslStep
from lastvalue.server.authentication import AuthenticationPolicy
from lastvalue.server.login import Peer
from lastvalue.server.password_checks import PasswordChecks
from lastvalue.server.users import Users

TOKENS = {"eyJ.ann": "ann", "eyJ.bob": "bob"}


def check(user: str, password: str) -> bool | None:
    return (user, password) == ("ann", "right")


class Certificate(SaslExchange):
    """EXTERNAL of a peer whose certificate says ann."""

    def step(self, response: bytes | None) -> SaslStep:
        return SaslStep(identity="ann") if response == b"" else FAILED


class Echo(SaslExchange):
    """An exchange of two steps: the second response is the user."""

    def __init__(self) -> None:
        self._asked = False

    def step(self, response: bytes | None) -> SaslStep:
        if not self._asked:
            self._asked = True
            return SaslStep(challenge=b"who?")
        user = (response or b"").decode()
        return SaslStep(identity=user or None, proof=b"me, too")


USERS = Authenticator(anonymous=False, check=check, token=TOKENS.get)
MIXED = Authenticator(anonymous=True, check=check, others={EXTERNAL: Certificate, "ECHO": Echo})


def method(name: str, data: bytes | None = None) -> Properties:
    properties = Properties({PropertyId.AUTHENTICATION_METHOD: name})
    if data is not None:
        properties.values[PropertyId.AUTHENTICATION_DATA] = data
    return properties


@pytest.mark.parametrize(
    ("authenticator", "user", "password", "identity", "mechanism"),
    [
        (Authenticator(), None, None, "anonymous", "ANONYMOUS"),
        (Authenticator(), "any", b"thing", "anonymous", "PLAIN"),
        (USERS, "ann", b"right", "ann", "PLAIN"),
        (USERS, None, b"eyJ.bob", "bob", "OAUTHBEARER"),
        (USERS, "", b"eyJ.bob", "bob", "OAUTHBEARER"),
        (MIXED, None, None, "ann", "EXTERNAL"),
    ],
    ids=["nobody", "a name that nobody checks", "a password", "a token", "a token with an empty name",
         "a certificate"],
)  # fmt: skip
def test_a_connect_proves_its_user(
    authenticator: Authenticator, user: str | None, password: bytes | None, identity: str, mechanism: str
) -> None:
    peer = EnginePeer(authenticator=authenticator).connect(user_name=user, password=password)
    peer.event(Connect)
    assert (peer.engine.identity, peer.engine.mechanism) == (identity, mechanism)


@pytest.mark.parametrize(
    ("level", "user", "password", "reason"),
    [
        (5, "ann", b"wrong", ReasonCode.BAD_USER_NAME_OR_PASSWORD),
        (5, "ann", b"\xff", ReasonCode.BAD_USER_NAME_OR_PASSWORD),
        (5, "ann", None, ReasonCode.BAD_USER_NAME_OR_PASSWORD),
        (5, "an\U0001f600n", b"a", ReasonCode.BAD_USER_NAME_OR_PASSWORD),
        (5, None, None, ReasonCode.NOT_AUTHORIZED),
        (5, None, b"eyJ.nobody", ReasonCode.NOT_AUTHORIZED),
        (4, None, None, ReasonCode.NOT_AUTHORIZED),
    ],
)
def test_a_connect_that_proves_nothing_is_refused(
    level: int, user: str | None, password: bytes | None, reason: ReasonCode
) -> None:
    """[MQTT-3.1.4-2]."""
    peer = EnginePeer(level, authenticator=USERS).connect(user_name=user, password=password)
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    assert answer.reason is reason
    assert peer.engine.ended
    assert peer.engine.events() == []


def test_a_wrong_password_of_mqtt_3_1_1_has_return_code_4() -> None:
    peer = EnginePeer(4, authenticator=USERS).connect(user_name="ann", password=b"wrong")
    assert peer.engine.data_to_send() == b"\x20\x02\x00\x04"


def test_a_refusal_of_all_credentials_is_said_with_its_reason() -> None:
    refusing = Authenticator(anonymous=False, check=check, refusal=lambda: "too many wrong passwords")
    peer = EnginePeer(authenticator=refusing).connect(user_name="ann", password=b"wrong")
    assert peer.engine.end_cause == "too many wrong passwords"


def later(answers: list[bool | None]) -> Callable[[str, str], bool | None]:
    return lambda user, password: answers.pop(0)


def test_what_comes_while_a_password_is_checked_waits_for_the_result() -> None:
    authenticator = Authenticator(anonymous=False, check=later([None, None, True]))
    peer = EnginePeer(4, authenticator=authenticator).connect(user_name="ann", password=b"p")
    peer.raw(b"\xc0\x00")
    assert peer.engine.events() == []
    assert peer.heard() == []
    peer.raw(b"").event(Connect)
    assert peer.engine.identity == "ann"


# ---------------------------------------------------------------------- AUTH


def test_an_exchange_goes_on_by_auth_until_the_connack_has_the_proof() -> None:
    """[MQTT-4.12.0-2, MQTT-4.12.0-3, MQTT-4.12.0-5]."""
    peer = EnginePeer(authenticator=MIXED).connect(properties=method("ECHO"))
    assert peer.heard() == [Auth(ReasonCode.CONTINUE_AUTHENTICATION, method("ECHO", b"who?"))]
    peer.say(Auth(ReasonCode.CONTINUE_AUTHENTICATION, method("ECHO", b"ann")))
    peer.event(Connect)
    assert (peer.engine.identity, peer.engine.mechanism) == ("ann", "ECHO")
    peer.engine.accept(session_present=False)
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    assert answer.properties.octets(PropertyId.AUTHENTICATION_DATA) == b"me, too"
    assert answer.properties.text(PropertyId.AUTHENTICATION_METHOD) == "ECHO"


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512"])
async def test_scram_proves_both_sides(tmp_path: Path, mechanism: str) -> None:
    """[RFC 5802, RFC 7677] With the users of a server, and its client's mechanisms."""
    users = Users(tmp_path / "users.toml")
    users.put("ann", "right", None)
    users.load()
    policy = AuthenticationPolicy(users, anonymous=False, passwords={}, checks=PasswordChecks(0, 0))
    login = policy.login(Peer(secret=False), LoginRecord())
    client = scram("ann", "right")[mechanism]()
    peer = EnginePeer(authenticator=login.make_authenticator())
    peer.connect(properties=method(mechanism, client.first()))
    (challenge,) = peer.heard()
    assert isinstance(challenge, Auth)
    answered = client.respond(challenge.properties.octets(PropertyId.AUTHENTICATION_DATA) or b"")
    peer.say(Auth(ReasonCode.CONTINUE_AUTHENTICATION, method(mechanism, answered)))
    peer.event(Connect)
    assert peer.engine.identity == "ann"
    peer.engine.accept(session_present=False)
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    client.finish(answer.properties.octets(PropertyId.AUTHENTICATION_DATA))


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        (method("GSSAPI"), ReasonCode.BAD_AUTHENTICATION_METHOD),
        (Properties({PropertyId.AUTHENTICATION_DATA: b"x"}), ReasonCode.PROTOCOL_ERROR),
    ],
)
def test_a_method_that_is_not_offered_and_data_without_a_method_are_refused(
    properties: Properties, reason: ReasonCode
) -> None:
    """[MQTT-4.12.0-1; MQTT 5.0 §3.1.2.11.10]."""
    (answer,) = EnginePeer(authenticator=MIXED).connect(properties=properties).heard()
    assert isinstance(answer, ConnAck)
    assert answer.reason is reason


@pytest.mark.parametrize(
    "packet",
    [
        Auth(ReasonCode.CONTINUE_AUTHENTICATION, method("OTHER", b"ann")),
        Auth(ReasonCode.CONTINUE_AUTHENTICATION),
        Auth(ReasonCode.REAUTHENTICATE, method("ECHO", b"ann")),
        Auth(ReasonCode.SUCCESS, method("ECHO", b"ann")),
    ],
)
def test_an_auth_with_another_method_or_reason_is_a_protocol_error(packet: Auth) -> None:
    """[MQTT-4.12.0-3, MQTT-4.12.0-5]."""
    peer = EnginePeer(authenticator=MIXED).connect(properties=method("ECHO"))
    peer.heard()
    (answer,) = peer.say(packet).heard()
    assert isinstance(answer, ConnAck)
    assert answer.reason is ReasonCode.PROTOCOL_ERROR


def entered() -> EnginePeer:
    peer = EnginePeer(authenticator=MIXED).connect(properties=method("ECHO"))
    peer.say(Auth(ReasonCode.CONTINUE_AUTHENTICATION, method("ECHO", b"ann")))
    peer.event(Connect)
    peer.engine.accept(session_present=False)
    peer.heard()
    return peer


def test_a_client_may_prove_again_that_it_is_its_user() -> None:
    """[MQTT-4.12.1-1]."""
    peer = entered().say(Auth(ReasonCode.REAUTHENTICATE, method("ECHO")))
    peer.raw(b"\xc0\x00")
    peer.say(Auth(ReasonCode.CONTINUE_AUTHENTICATION, method("ECHO", b"ann")))
    heard = peer.heard()
    assert heard[0] == Auth(ReasonCode.CONTINUE_AUTHENTICATION, method("ECHO", b"who?"))
    assert heard[2] == Auth(ReasonCode.SUCCESS, method("ECHO", b"me, too"))
    assert peer.engine.opened


@pytest.mark.parametrize("user", [b"bob", b""])
def test_a_client_that_proves_to_be_another_user_or_nobody_is_disconnected(user: bytes) -> None:
    """[MQTT-4.12.1-2]."""
    peer = entered().say(Auth(ReasonCode.REAUTHENTICATE, method("ECHO")))
    peer.say(Auth(ReasonCode.CONTINUE_AUTHENTICATION, method("ECHO", user)))
    last = peer.heard()[-1]
    assert isinstance(last, Disconnect)
    assert last.reason is ReasonCode.NOT_AUTHORIZED


def test_a_second_proof_waits_for_the_first_one() -> None:
    peer = entered().say(Auth(ReasonCode.REAUTHENTICATE, method("ECHO")))
    peer.say(Auth(ReasonCode.REAUTHENTICATE, method("ECHO")))
    last = peer.heard()[-1]
    assert isinstance(last, Disconnect)
    assert last.reason is ReasonCode.PROTOCOL_ERROR
