"""Tokens: whose are believed, and who is let in by one."""

import asyncio
import json
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from login_records import LoginRecord
from waiting import until

from lastvalue.client import AuthenticationError, ConnectionLostError, RefusedError, connect
from lastvalue.server.authentication import AuthenticationPolicy
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.clock import system_time_ms
from lastvalue.server.login import Peer
from lastvalue.server.tokens import OAUTHBEARER, XOAUTH2, TokenClaims, TokenKeysError, TokenOptions, Tokens
from lastvalue.server.users import Users

KEY = ec.generate_private_key(ec.SECP256R1())
FUTURE = 4_000_000_000
OTHER = ec.generate_private_key(ec.SECP256R1())


def token(key: Any = KEY, headers: dict[str, Any] | None = None, **claims: Any) -> str:
    whole = {"sub": "ann", "aud": "lastvalue", "iss": "me", "exp": FUTURE, **claims}
    said = {name: value for name, value in whole.items() if value is not None}
    return jwt.encode(said, key, "ES256", headers=headers)


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    path = tmp_path / "key.pem"
    path.write_bytes(KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return path


def user_of(tokens: Tokens, text: str) -> str | None:
    claims = tokens.read(text)
    return None if claims is None else claims.user


def test_a_token_names_its_user(pem: Path) -> None:
    assert user_of(Tokens(TokenOptions(pem, "lastvalue", "me")), token()) == "ann"
    assert user_of(Tokens(TokenOptions(pem, "lastvalue", user_claim="mail")), token(mail="a@b")) == "a@b"


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": 1_700_000_000},
        {"exp": None},
        {"aud": "another"},
        {"aud": None},
        {"iss": "another"},
        {"sub": None},
        {"sub": ""},
        pytest.param({"key": OTHER}, id="signed by another"),
    ],
    ids=str,
)
def test_a_token_that_is_not_for_us_proves_nothing(pem: Path, claims: dict[str, Any]) -> None:
    assert user_of(Tokens(TokenOptions(pem, "lastvalue", "me")), token(**claims)) is None


def test_a_token_signed_with_the_public_key_as_a_secret_proves_nothing(pem: Path) -> None:
    header = jwt.utils.base64url_encode(b'{"alg":"HS256","typ":"JWT"}').decode()
    body = jwt.utils.base64url_encode(json.dumps({"sub": "ann", "aud": "lastvalue"}).encode()).decode()
    tokens = Tokens(TokenOptions(pem, "lastvalue"))
    assert user_of(tokens, f"{header}.{body}.c2ln") is None
    assert user_of(tokens, "nonsense") is None


def test_a_set_of_keys_is_looked_through_by_id(tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    keys = []
    for key_id, key in (("one", OTHER), ("two", KEY)):
        jwk = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key()))
        keys.append({**jwk, "kid": key_id, "alg": "ES256"})
    path.write_text(json.dumps({"keys": keys}))
    tokens = Tokens(TokenOptions(path, "lastvalue"))
    assert user_of(tokens, token(headers={"kid": "two"})) == "ann"
    assert user_of(tokens, token(headers={"kid": "one"})) is None
    assert user_of(tokens, token(headers={"kid": "three"})) is None


@pytest.mark.parametrize("text", ["", "{}", "nonsense", '{"keys": [{"kty": "x"}]}'])
def test_keys_that_cannot_be_used_are_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys"
    path.write_text(text)
    with pytest.raises(TokenKeysError, match="cannot be used"):
        Tokens(TokenOptions(path, "lastvalue"))
    with pytest.raises(TokenKeysError, match="No such file"):
        Tokens(TokenOptions(tmp_path / "missing", "lastvalue"))


@pytest.mark.parametrize(
    ("mechanism", "head", "identity"),
    [
        (OAUTHBEARER, "n,,", "ann"),
        (OAUTHBEARER, "n,a=ann,", "ann"),
        (OAUTHBEARER, "n,a=bob,", None),
        (XOAUTH2, "user=ann", "ann"),
        (XOAUTH2, "user=bob", None),
    ],
)
def test_both_mechanisms_take_a_token(pem: Path, mechanism: str, head: str, identity: str | None) -> None:
    authentication = AuthenticationPolicy(
        None, anonymous=False, passwords={}, tokens=Tokens(TokenOptions(pem, "lastvalue"))
    )
    exchange = authentication.login(Peer(secret=True), LoginRecord()).make_authenticator().begin(mechanism)
    assert exchange is not None
    step = exchange.step(f"{head}\x01auth=Bearer {token()}\x01\x01".encode())
    assert step.identity == identity
    if identity is None:
        assert step.challenge == b'{"status": "invalid_token"}'
        assert exchange.step(b"\x01").identity is None


def test_tokens_are_not_taken_where_others_listen(pem: Path) -> None:
    authentication = AuthenticationPolicy(
        None, anonymous=False, passwords={}, tokens=Tokens(TokenOptions(pem, "lastvalue"))
    )
    assert authentication.login(Peer(secret=False), LoginRecord()).make_authenticator().mechanisms == ()


async def test_a_client_is_let_in_by_a_token_and_does_what_its_user_may(pem: Path, tmp_path: Path) -> None:
    users = tmp_path / "users.toml"
    Users(users).put("ann", None, ("configure mine",))
    options = ServerOptions(port=0, anonymous=False, users_file=users, token_keys=pem, token_issuer="me")
    async with BrokerServer(options) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url, token=token()) as connection:
            await connection.declare("mine")
            with pytest.raises(RefusedError, match="may not"):
                await connection.declare("other")
        with pytest.raises(AuthenticationError):
            await connect(url, token=token(key=OTHER)).open()


async def test_a_connection_ends_with_its_token(pem: Path) -> None:
    options = ServerOptions(port=0, token_keys=pem)
    async with BrokerServer(options) as server, asyncio.timeout(60):
        expires_s = system_time_ms() // 1000 + 2
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url, token=token(exp=expires_s), reconnect=False) as connection:
            queue = await connection.declare("q")
            with pytest.raises(ConnectionLostError, match="the token has expired; connect with a new one"):
                _ = [each async for each in queue.receive(limit=1)]
            assert system_time_ms() >= expires_s * 1000


def test_an_expired_token_ends_no_connection_where_that_is_ignored(pem: Path) -> None:
    tokens = Tokens(TokenOptions(pem, "lastvalue", ignore_expiry=True))
    assert tokens.read(token()) == TokenClaims("ann", None)
    assert Tokens(TokenOptions(pem, "lastvalue")).read(token()) == TokenClaims("ann", FUTURE * 1000)


def test_a_later_token_of_the_same_user_replaces_the_first_one(pem: Path) -> None:
    authentication = AuthenticationPolicy(
        None, anonymous=True, passwords={}, tokens=Tokens(TokenOptions(pem, "lastvalue"))
    )
    owner = LoginRecord()
    login = authentication.login(Peer(secret=True), owner)
    assert login.user_of(token()) == "ann"
    assert login.user_of(token(sub="bob")) == "bob"
    assert login.user_of(token(exp=FUTURE + 100)) == "ann"
    assert len(owner.lasts_s) == 2
    assert owner.lasts_s[0] + 99 < owner.lasts_s[1] <= owner.lasts_s[0] + 100


async def test_an_anonymous_client_who_may_do_nothing_has_to_present_a_token_in_time(
    pem: Path, tmp_path: Path
) -> None:
    users = tmp_path / "users.toml"
    Users(users).put("ann", None, ("all *",))
    options = ServerOptions(port=0, anonymous=True, users_file=users, token_keys=pem, open_timeout_ms=300)
    async with BrokerServer(options) as server, asyncio.timeout(60):
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url, token=token()) as ann, connect(url, reconnect=False) as nobody:
            await until(lambda: not nobody.is_open)
            with pytest.raises(ConnectionLostError, match="no token came in time"):
                await nobody.declare("mine")
            await ann.declare("q")


async def test_an_anonymous_client_without_a_token_gives_way_as_one_that_has_not_logged_in(
    pem: Path, tmp_path: Path
) -> None:
    users = tmp_path / "users.toml"
    Users(users).put("ann", None, ("all *",))
    options = ServerOptions(
        port=0, anonymous=True, users_file=users, token_keys=pem, open_timeout_ms=0, max_unknown_per_address=1
    )
    async with BrokerServer(options) as server, asyncio.timeout(60):
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url, token=token()) as ann, connect(url, reconnect=False) as nobody:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            await until(lambda: not nobody.is_open)
            assert not reader.at_eof()
            await ann.declare("q")
            writer.close()


@pytest.mark.parametrize(
    ("user", "known", "needed"),
    [("anonymous", False, True), ("anonymous", True, False), ("ann", True, False)],
)
def test_who_is_no_user_needs_a_token(
    pem: Path, tmp_path: Path, user: str, known: bool, needed: bool
) -> None:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "pw", None)
    if known:
        users.put("anonymous", "pw", None)
    users.load()
    tokens = Tokens(TokenOptions(pem, "lastvalue"))
    for offered in (tokens, None):
        authentication = AuthenticationPolicy(users, anonymous=True, passwords={}, tokens=offered)
        login = authentication.login(Peer(secret=True), LoginRecord())
        login.enter(user)
        assert login.needs_token is (needed and offered is not None)
