"""The mechanisms that a connection is offered, by what is known of its peer."""

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from scramp import ScramException, ScramMechanism

from lastvalue.protocols.sasl import FAILED, Authenticator, SaslExchange, SaslStep
from lastvalue.server.connection_limiter import ConnectionLimiter
from lastvalue.server.tokens import Tokens
from lastvalue.server.users import MECHANISMS, Users, UsersFileError

logger = logging.getLogger(__name__)

EXTERNAL: Final = "EXTERNAL"


@dataclass(frozen=True)
class Peer:
    """What is known of a peer before its first bytes.

    Attributes:
        secret: others cannot read the connection: it uses TLS, or stays on this machine.
        certificate: the common name of the verified client certificate, or None.
    """

    secret: bool
    certificate: str | None = None


class ScramExchange(SaslExchange):
    """SCRAM [RFC 5802, RFC 7677]; channel binding is not offered."""

    def __init__(self, mechanism: str, users: Users) -> None:
        self._user = ""
        self._first = True

        def credential(user: str) -> tuple[bytes, bytes, bytes, int]:
            self._user = user
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
                return SaslStep(challenge=self._server.get_server_first().encode())
            self._server.set_client_final(text)
            return SaslStep(identity=self._user, proof=self._server.get_server_final().encode())
        except (ScramException, UnicodeDecodeError):
            return FAILED


class _Certificate(SaslExchange):
    """EXTERNAL [RFC 4422 appendix A]: the user is the certificate's common name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def step(self, response: bytes | None) -> SaslStep:
        acts_for = (response or b"").decode(errors="replace")
        return SaslStep(identity=self._name) if acts_for in ("", self._name) else FAILED


class AuthenticationPolicy:
    """Makes a connection's authenticator: with a users file, else from names and passwords.

    Attributes:
        limiter: of connections.
        on_changed: called after a changed users file was read.
    """

    def __init__(
        self,
        users: Users | None,
        *,
        anonymous: bool,
        passwords: Mapping[str, str],
        tokens: Tokens | None = None,
        limiter: ConnectionLimiter | None = None,
    ) -> None:
        self.limiter = ConnectionLimiter() if limiter is None else limiter
        self.on_changed: Callable[[], None] = _ignore
        self._users = users
        self._tokens = tokens
        self._anonymous = anonymous
        self._passwords = dict(passwords)

    def authenticator(self, peer: Peer) -> Authenticator:
        """The mechanisms for a peer: PLAIN only where others cannot listen, EXTERNAL with a certificate."""
        users = self._users
        if users is None:
            check = _among(self._passwords) if self._passwords else None
            others = {**_external(peer), **self._bearer(peer)}
            return Authenticator(self._anonymous, check, others, self._token(peer))
        self.refresh()
        scram = {name: partial(ScramExchange, name, users) for name in MECHANISMS}
        check = users.check if peer.secret else None
        others = {**_external(peer), **self._bearer(peer), **scram}
        return Authenticator(self._anonymous, check, others, self._token(peer))

    def _bearer(self, peer: Peer) -> dict[str, Callable[[], SaslExchange]]:
        """Whether tokens are accepted: only where others cannot listen, as a token works for everyone."""
        return self._tokens.exchanges() if self._tokens is not None and peer.secret else {}

    def _token(self, peer: Peer) -> Callable[[str], str | None] | None:
        return self._tokens.user if self._tokens is not None and peer.secret else None

    def refresh(self) -> None:
        """Read the users file again if it has changed."""
        try:
            if self._users is not None and self._users.load():
                self.on_changed()
        except UsersFileError as error:
            logger.error("%s; the users stay as they are", error)  # noqa: TRY400 - the operator's fault


def _ignore() -> None:
    """Do nothing."""


def _external(peer: Peer) -> dict[str, Callable[[], SaslExchange]]:
    name = peer.certificate
    return {} if name is None else {EXTERNAL: lambda: _Certificate(name)}


def _among(passwords: Mapping[str, str]) -> Callable[[str, str], bool]:
    def check(user: str, password: str) -> bool:
        expected = passwords.get(user)
        presented = password.encode()
        return secrets.compare_digest(
            presented, expected.encode() if expected is not None else presented + b"x"
        )

    return check
