"""Who sends a request, by its Authorization header."""

import base64
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final

from lastvalue.http.problems import Problem
from lastvalue.protocols.scram_credential import prepared_password

_EXPECTED: Final = "expected `Authorization: Basic …` or `Authorization: Bearer …`"


@dataclass(frozen=True, slots=True)
class Caller:
    """The credentials of a request; without user, token and session it is anonymous.

    Attributes:
        leader: the addresses of the broker that is meant; none is the gateway's own.
        address: from which the request came; empty where that is not known.
        credentials: with which the connection of a session is opened again; only while a request needs them.
    """

    user: str | None = None
    password: str = field(default="", repr=False)
    token: str | None = field(default=None, repr=False)
    session: str | None = field(default=None, repr=False)
    leader: tuple[str, ...] = ()
    address: str = field(default="", compare=False)
    credentials: "Caller | None" = field(default=None, compare=False, repr=False)

    @property
    def proof(self) -> "Caller":
        """What the broker is shown: the credentials of a session, or its own."""
        return self if self.credentials is None else self.credentials

    @property
    def without_credentials(self) -> "Caller":
        """The same, to be kept."""
        return self if self.credentials is None else replace(self, credentials=None)


ANONYMOUS: Final = Caller()


def read_caller(authorization: str | None) -> Caller:
    """The caller of a request with this header [RFC 7617, RFC 6750].

    Raises:
        Problem: the header cannot be read.
    """
    if authorization is None:
        return ANONYMOUS
    scheme, _, credentials = authorization.strip().partition(" ")
    match scheme.lower():
        case "basic":
            return _basic(credentials.strip())
        case "bearer" if credentials.strip():
            return Caller(token=credentials.strip())
        case _:
            raise Problem(HTTPStatus.UNAUTHORIZED, _EXPECTED)


def _basic(credentials: str) -> Caller:
    try:
        user, colon, password = base64.b64decode(credentials, validate=True).decode().partition(":")
    except ValueError:
        raise Problem(HTTPStatus.UNAUTHORIZED, _EXPECTED) from None
    if not colon or not user:
        raise Problem(HTTPStatus.UNAUTHORIZED, "the credentials must be base64 of USER:PASSWORD")
    return Caller(user, prepared_password(password))
