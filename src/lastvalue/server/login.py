"""One connection's authentication, and what may end the connection later."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from scramp import ScramException, ScramMechanism

from lastvalue.delivery.authentication import Authentication
from lastvalue.protocols.sasl import (
    ANONYMOUS_IDENTITY,
    EXTERNAL,
    FAILED,
    WRONG,
    Authenticator,
    SaslExchange,
    SaslStep,
)
from lastvalue.protocols.scram_credential import SCRAM_MECHANISMS
from lastvalue.server.clock import system_time_ms
from lastvalue.server.password_checks import PasswordCheck, PasswordChecks
from lastvalue.server.tokens import OAUTHBEARER, TokenClaims, Tokens
from lastvalue.server.users import User, Users

EXPIRED: Final = "the token has expired; connect with a new one"
UNPROVEN: Final = "no token came in time; without one this client may do nothing"
TOO_MANY: Final = "too many wrong passwords; try again in a minute"
_EVERYBODY: Final = Authenticator()


@dataclass(frozen=True, slots=True)
class Peer:
    """What is known of a peer before its first bytes.

    Attributes:
        secret: others cannot read the connection: it uses TLS, or stays on this machine.
        certificate: the common name of the verified client certificate, or None.
        address: by what limits count it; empty where it has none.
    """

    secret: bool
    certificate: str | None = None
    address: str = ""


@dataclass(frozen=True)
class Directory:
    """Who may connect.

    Attributes:
        anonymous: peers without a user may.
        passwords: checks a user's password, in a thread; None if there are none.
        users: the users file, or None.
        tokens: checks tokens; None if they are not accepted.
        checks: runs `passwords`.
    """

    anonymous: bool
    passwords: Callable[[str, str], bool] | None
    users: Users | None
    tokens: Tokens | None
    checks: PasswordChecks


class LoginOwner(Protocol):
    """The driver of a connection, for its login."""

    def password_checked(self) -> None:
        """A check of the peer's password is over."""

    def token_lasts(self, seconds: float) -> None:
        """The peer's token is valid for so long."""


@dataclass(slots=True)
class Proof:
    """By what a peer proved to be its user.

    Attributes:
        by_password: it knows the password.
        entry: the user's in the users file, when the peer entered; None if there is none.
        expires_ms: when its token does; None if it has none.
    """

    by_password: bool = False
    entry: User | None = None
    expires_ms: int | None = None


class Login(Authentication):
    """The mechanisms that a peer is offered, and by what it proved to be its user.

    Attributes:
        user: the peer's, once it has entered; else None.
        claimed: the name that the peer gave, if it did.
        failure: why it did not get in, if that is known: the same whether its name exists or not.
        tried: the mechanism by which it tried last; empty where it tried none.
        checking: the peer's password is being checked.
    """

    __slots__ = (
        "_check",
        "_directory",
        "_owner",
        "_peer",
        "_proof",
        "checking",
        "claimed",
        "failure",
        "tried",
        "user",
    )

    def __init__(self, directory: Directory, peer: Peer, owner: LoginOwner) -> None:
        self.user: str | None = None
        self.claimed = ""
        self.failure = ""
        self.tried = ""
        self.checking = False
        self._directory = directory
        self._peer = peer
        self._owner = owner
        self._check: PasswordCheck | None = None
        self._proof = Proof()

    def make_authenticator(self) -> Authenticator:
        """The connection's: PLAIN and tokens only where others cannot listen, EXTERNAL with a certificate."""
        directory, peer = self._directory, self._peer
        bearer = directory.tokens is not None and peer.secret
        name = peer.certificate
        others: dict[str, Callable[[], SaslExchange]] = {}
        if name is not None:
            others[EXTERNAL] = partial(_Certificate, name)
        if directory.tokens is not None and bearer:
            others |= directory.tokens.exchanges(self.user_of)
        if directory.users is not None:
            others |= {each: partial(ScramExchange, each, directory.users, self) for each in SCRAM_MECHANISMS}
        plain = bearer or (directory.passwords is not None and (directory.users is None or peer.secret))
        if directory.anonymous and not (others or plain or bearer):
            return _EVERYBODY
        return Authenticator(
            directory.anonymous,
            self.check if plain else None,
            others,
            self.user_of if bearer else None,
            self._refusal,
        )

    def _refusal(self) -> str:
        return self.failure if self.failure != WRONG else ""

    @property
    def proof(self) -> Proof:
        """By what the peer proved to be its user."""
        return self._proof

    def check(self, user: str, password: str) -> bool | None:
        """See Authenticator. A password may be a token of the user, where others cannot listen."""
        check = self._check
        self.claimed = user
        passwords = self._directory.passwords
        if check is None and self._is_token(password) and self._takes(user, password):
            return True
        self.tried = "PLAIN"
        if check is None and passwords is None:
            self.failure = WRONG
            return False
        if check is None and passwords is not None:
            address, fits = self._peer.address, partial(passwords, user, password)
            self._check = PasswordCheck(address, user, fits, self._checked)
            self.checking = True
            self._directory.checks.begin(self._check)
            return None
        if check is None or check.right is None:
            return None
        self._check = None
        self._judge(right=check.right)
        if check.refused:
            self.failure = TOO_MANY
        return check.right

    def _is_token(self, password: str) -> bool:
        """Whether a password has the form of a JSON Web Token, and tokens are accepted of this peer."""
        accepted = self._directory.tokens is not None and self._peer.secret
        return accepted and password.startswith("eyJ") and password.count(".") == 2

    def _takes(self, user: str, token: str) -> bool:
        """Take a token if it is this user's."""
        tokens = self._directory.tokens
        claims = None if tokens is None else tokens.read(token)
        if claims is None or claims.user != user:
            return False
        self.tried = OAUTHBEARER
        self._take(claims)
        return True

    def _checked(self) -> None:
        self.checking = False
        self._owner.password_checked()

    def refuses(self, user: str) -> bool:
        """Whether there were too many wrong passwords for a user, or from the peer's address."""
        self.claimed = user
        refused = self._directory.checks.refuses(self._peer.address, user)
        if refused:
            self.failure = TOO_MANY
        return refused

    def _judge(self, *, right: bool) -> None:
        self._proof.by_password = right
        self.failure = "" if right else WRONG

    def count(self, user: str, mechanism: str, *, right: bool) -> None:
        """The peer proved by a mechanism that it knows a user's password, or that it does not."""
        self.tried = mechanism
        self._judge(right=right)
        self._directory.checks.count(self._peer.address, user, right=right)

    def user_of(self, token: str) -> str | None:
        """The user of a token, or None if it is not valid; a later token of the same user replaces it."""
        tokens = self._directory.tokens
        self.tried = OAUTHBEARER
        claims = None if tokens is None else tokens.read(token)
        if claims is None:
            return None
        self._take(claims)
        return claims.user

    def _take(self, claims: TokenClaims) -> None:
        if self.user in (None, ANONYMOUS_IDENTITY):
            self.enter(claims.user)
        if self.user == claims.user:
            self._expire_at(claims.expires_ms)

    def _expire_at(self, expires_ms: int | None) -> None:
        if expires_ms is not None:
            self._proof.expires_ms = expires_ms
            self._owner.token_lasts((expires_ms - system_time_ms()) / 1000)

    def enter(self, user: str) -> None:
        """The peer is this user."""
        users = self._directory.users
        self.user = user
        self._proof.entry = None if users is None else users.find(user)

    @property
    def needs_token(self) -> bool:
        """Whether the peer may do nothing before it presents a token: it is anonymous, which is no user."""
        directory = self._directory
        nobody = self.user == ANONYMOUS_IDENTITY and self._proof.entry is None
        return nobody and directory.users is not None and directory.tokens is not None

    @property
    def revoked(self) -> str | None:
        """Why the users file, as it is now, or the end of a token ends the connection, or None."""
        proof = self._proof
        if proof.expires_ms is not None and proof.expires_ms <= system_time_ms():
            return EXPIRED
        users, entry = self._directory.users, proof.entry
        if users is None or entry is None or self.user is None:
            return None
        now = users.find(self.user)
        if now is None:
            return f"the user {self.user!r} has been removed"
        if proof.by_password and now.credentials != entry.credentials:
            return f"the password of user {self.user!r} has changed"
        return None

    def follow(self, earlier: Authentication) -> None:
        """See Authentication."""
        if isinstance(earlier, Login):
            self.user = earlier.user
            self._proof = earlier.proof
            self._expire_at(earlier.proof.expires_ms)

    def abandon(self) -> None:
        """The connection is over: its password need not be checked."""
        self._owner = _Nobody()
        if self._check is not None:
            self._check.abandoned = True


class _Nobody:
    """The driver of a connection that is over: it is not kept as long as its login."""

    def password_checked(self) -> None:
        """See LoginOwner."""

    def token_lasts(self, seconds: float) -> None:
        """See LoginOwner."""


class ScramExchange(SaslExchange):
    """SCRAM [RFC 5802, RFC 7677]; channel binding is not offered."""

    def __init__(self, mechanism: str, users: Users, login: Login) -> None:
        self._login = login
        self._mechanism = mechanism
        self._first = True
        # The exchange itself must not be in the function: it would wait for the garbage collector.
        names = self._names = [""]

        def credential(user: str) -> tuple[bytes, bytes, bytes, int]:
            names[0] = user
            credential = users.credential(user, mechanism)
            return credential.salt, credential.stored_key, credential.server_key, credential.iterations

        self._server = ScramMechanism(mechanism).make_server(credential)

    def step(self, response: bytes | None) -> SaslStep:
        """See SaslExchange."""
        if response is None:
            return SaslStep(challenge=b"") if self._first else FAILED
        try:
            text = response.decode()
            if self._first:
                self._first = False
                self._server.set_client_first(text)
                challenge = self._server.get_server_first().encode()
                return FAILED if self._login.refuses(self._names[0]) else SaslStep(challenge=challenge)
            self._server.set_client_final(text)
        except (ScramException, UnicodeDecodeError):
            self._login.count(self._names[0], self._mechanism, right=False)
            return FAILED
        self._login.count(self._names[0], self._mechanism, right=True)
        return SaslStep(identity=self._names[0], proof=self._server.get_server_final().encode())


class _Certificate(SaslExchange):
    """EXTERNAL [RFC 4422 appendix A]: the user is the certificate's common name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def step(self, response: bytes | None) -> SaslStep:
        acts_for = (response or b"").decode(errors="replace")
        return SaslStep(identity=self._name) if acts_for in ("", self._name) else FAILED
