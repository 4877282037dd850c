"""The SASL mechanisms, either side: ANONYMOUS and PLAIN [1.0 §5.3; RFC 4505; RFC 4616]."""

from collections.abc import Callable
from dataclasses import dataclass

from mypy_extensions import mypyc_attr

ANONYMOUS = "ANONYMOUS"
PLAIN = "PLAIN"
ANONYMOUS_IDENTITY = "anonymous"


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Authenticator:
    """Who may connect.

    Attributes:
        anonymous: whether those who name nobody are let in, with or without the exchange.
        check: told a user's name and password, says whether they are right; None offers no PLAIN.
    """

    anonymous: bool = True
    check: Callable[[str, str], bool] | None = None

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """What the server offers, its preference first."""
        plain = (PLAIN,) if self.check is not None else ()
        return (*plain, ANONYMOUS) if self.anonymous else plain

    def identify(self, mechanism: str, response: bytes | None) -> str | None:
        """The user that an initial response proves, or None."""
        if mechanism == ANONYMOUS and self.anonymous:
            return ANONYMOUS_IDENTITY
        if mechanism == PLAIN and self.check is not None and response is not None:
            return _checked(self.check, response)
        return None


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Credentials:
    """As whom a client connects; no user is ANONYMOUS."""

    user: str | None = None
    password: str = ""

    def choose(self, offered: tuple[str, ...]) -> str | None:
        """The mechanism to use, or None where none fits."""
        wanted = ANONYMOUS if self.user is None else PLAIN
        return wanted if wanted in offered else None

    def response(self) -> bytes:
        """The initial response [RFC 4616 §2, RFC 4505 §2]."""
        if self.user is None:
            return b"anonymous"
        return b"\0" + self.user.encode() + b"\0" + self.password.encode()


def _checked(check: Callable[[str, str], bool], response: bytes) -> str | None:
    parts = response.split(b"\0")
    if len(parts) != 3:
        return None
    try:
        acted_for, user, password = [part.decode() for part in parts]
    except UnicodeDecodeError:
        return None
    # [RFC 4616 §2] Nobody may act for anyone else here.
    if not user or acted_for not in ("", user):
        return None
    return user if check(user, password) else None
