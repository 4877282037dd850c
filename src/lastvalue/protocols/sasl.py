"""The SASL exchange of both sides [1.0 §5.3; RFC 4422]: ANONYMOUS, PLAIN, and further mechanisms.

An exchange is one authentication: responses go in, steps come out [RFC 4505; RFC 4616].
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from mypy_extensions import mypyc_attr

ANONYMOUS: Final = "ANONYMOUS"
EXTERNAL: Final = "EXTERNAL"
PLAIN: Final = "PLAIN"
ANONYMOUS_IDENTITY: Final = "anonymous"
WRONG: Final = "the name or the password is wrong"
"""The same whether the name exists or not."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class SaslStep:
    """The server's answer to a response.

    Attributes:
        challenge: for the client; None if the exchange is over.
        identity: the user, once the exchange is over; None if it has failed.
        proof: data for the client that goes with success.
        pending: nothing for the client yet: call `step(None)` once the password has been checked.
    """

    challenge: bytes | None = None
    identity: str | None = None
    proof: bytes | None = None
    pending: bool = False


FAILED: Final = SaslStep()
PENDING: Final = SaslStep(pending=True)


@mypyc_attr(allow_interpreted_subclasses=True)
class SaslExchange:
    """The server's side of one authentication."""

    @abstractmethod
    def step(self, response: bytes | None) -> SaslStep:
        """Process the initial response, which may be missing, or the response to the last challenge.

        After a pending step the argument is None, and the step the same or the result of the check.
        """
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class ClientSaslExchange:
    """The client's side of one authentication."""

    @abstractmethod
    def first(self) -> bytes | None:
        """The initial response."""
        raise NotImplementedError

    @abstractmethod
    def respond(self, challenge: bytes) -> bytes:
        """The response to a challenge.

        Raises:
            ValueError: the server has not proved its identity.
        """
        raise NotImplementedError

    @abstractmethod
    def finish(self, proof: bytes | None) -> None:
        """Check the server's proof, which comes with success.

        Raises:
            ValueError: the server has not proved its identity.
        """
        raise NotImplementedError


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Authenticator:
    """Who may connect.

    Attributes:
        anonymous: peers without a user may connect, with or without the exchange.
        check: whether a user's name and password are right, or None as long as they are being checked; the
            engine asks again then. None if PLAIN is not offered.
        others: functions that begin exchanges, by mechanism, the preferred ones first.
        token: the user of a token that a peer presents later, or None; None if tokens are not accepted.
        refusal: after a failed exchange, why every credential is refused for now; empty if the credentials
            were wrong.
    """

    anonymous: bool = True
    check: Callable[[str, str], bool | None] | None = None
    others: Mapping[str, Callable[[], SaslExchange]] = field(default_factory=dict)
    token: Callable[[str], str | None] | None = None
    refusal: Callable[[], str] = str

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """The mechanisms that the server offers, the preferred ones first."""
        plain = (PLAIN,) if self.check is not None else ()
        anonymous = (ANONYMOUS,) if self.anonymous else ()
        return (*self.others, *plain, *anonymous)

    @property
    def open_to_all(self) -> bool:
        """Everybody may connect, and nothing that a peer shows is checked."""
        return self.anonymous and self.check is None and not self.others

    def begin(self, mechanism: str) -> SaslExchange | None:
        """An exchange by this mechanism, or None if it is not offered."""
        if mechanism == ANONYMOUS and self.anonymous:
            return _Anonymous()
        if mechanism == PLAIN and self.check is not None:
            return _Plain(self.check)
        begin = self.others.get(mechanism)
        return None if begin is None else begin()


class _Anonymous(SaslExchange):
    def step(self, response: bytes | None) -> SaslStep:
        del response
        return SaslStep(identity=ANONYMOUS_IDENTITY)


class _Plain(SaslExchange):
    def __init__(self, check: Callable[[str, str], bool | None]) -> None:
        self._check = check
        self._asked = False
        self._user = ""
        self._password: str | None = None

    def step(self, response: bytes | None) -> SaslStep:
        if self._password is not None:
            return self._checked(self._password)
        if response is None and not self._asked:
            # [RFC 4422 §3.3] An empty challenge asks for a missing initial response.
            self._asked = True
            return SaslStep(challenge=b"")
        parts = (response or b"").split(b"\0")
        if len(parts) != 3:
            return FAILED
        try:
            acted_for, user, password = [part.decode() for part in parts]
        except UnicodeDecodeError:
            return FAILED
        # [RFC 4616 §2] A user cannot act for another one.
        if not user or acted_for not in ("", user):
            return FAILED
        self._user = user
        return self._checked(password)

    def _checked(self, password: str) -> SaslStep:
        right = self._check(self._user, password)
        self._password = password if right is None else None
        if right is None:
            return PENDING
        return SaslStep(identity=self._user) if right else FAILED


@mypyc_attr(native_class=False)
@dataclass
class Credentials:
    """The identity of a client; without a user it is ANONYMOUS.

    Attributes:
        others: further mechanisms of the client, the preferred ones first.
    """

    user: str | None = None
    password: str = ""
    others: Mapping[str, Callable[[], ClientSaslExchange]] = field(default_factory=dict)

    def choose(self, offered: tuple[str, ...]) -> str | None:
        """The mechanism to use, or None if the server offers none of them."""
        for mechanism in self.others:
            if mechanism in offered:
                return mechanism
        mechanism = ANONYMOUS if self.user is None else PLAIN
        return mechanism if mechanism in offered else None

    def begin(self, mechanism: str) -> ClientSaslExchange:
        """An exchange by a mechanism that `choose` returned."""
        begin = self.others.get(mechanism)
        return _LastResponse(self._response()) if begin is None else begin()

    def forget(self) -> None:
        """Drop the password and all mechanisms: what has authenticated does not need them any more."""
        self.password = ""
        self.others = {}

    def _response(self) -> bytes:
        """The only response [RFC 4616 §2, RFC 4505 §2]."""
        if self.user is None:
            return b"anonymous"
        return b"\0" + self.user.encode() + b"\0" + self.password.encode()


class _LastResponse(ClientSaslExchange):
    """A mechanism with one response and without a proof by the server."""

    def __init__(self, response: bytes) -> None:
        self._response = response

    def first(self) -> bytes | None:
        return self._response

    def respond(self, challenge: bytes) -> bytes:
        del challenge
        return self._response

    def finish(self, proof: bytes | None) -> None:
        del proof
