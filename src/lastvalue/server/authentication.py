"""Who may connect: by a users file, by names and passwords, by tokens, or everybody."""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from lastvalue.protocols.scram_credential import SCRAM_MECHANISMS, prepared_password
from lastvalue.server.connection_limiter import ConnectionLimiter
from lastvalue.server.log_events import USERS_RELOADED, USERS_UNREADABLE
from lastvalue.server.login import Directory, Login, LoginOwner, Peer
from lastvalue.server.password_checks import PasswordChecks
from lastvalue.server.tokens import Tokens
from lastvalue.server.users import Users, UsersFileError


class AuthenticationPolicy:
    """Begins the logins of connections: with a users file, else from names and passwords.

    Attributes:
        limiter: of connections.
        checks: of passwords.
        on_changed: called after a changed users file was read.
        failures: how many peers were refused for their credentials, by the mechanism that they tried last.
    """

    def __init__(
        self,
        users: Users | None,
        *,
        anonymous: bool,
        passwords: Mapping[str, str],
        tokens: Tokens | None = None,
        limiter: ConnectionLimiter | None = None,
        checks: PasswordChecks | None = None,
    ) -> None:
        self.limiter = ConnectionLimiter() if limiter is None else limiter
        self.on_changed: Callable[[], None] = _ignore
        self.failures = Counter(dict.fromkeys((*SCRAM_MECHANISMS, "PLAIN", "OAUTHBEARER", "none"), 0))
        self._users = users
        self.checks = PasswordChecks() if checks is None else checks
        check = _among(dict(passwords)) if passwords else None
        self._directory = Directory(
            anonymous, check if users is None else users.check, users, tokens, self.checks
        )

    def use_passwords(self, passwords: Mapping[str, str]) -> None:
        """Admit these names and passwords from now on, where there is no users file."""
        if self._users is None:
            self._directory = replace(self._directory, passwords=_among(dict(passwords)))

    def login(self, peer: Peer, owner: LoginOwner) -> Login:
        """Begin the login of a new connection, with the users as the file has them now."""
        self.refresh()
        return Login(self._directory, peer, owner)

    def refresh(self) -> None:
        """Read the users file again if it has changed."""
        try:
            if self._users is not None and self._users.load():
                USERS_RELOADED.log(file=self._users.path)
                self.on_changed()
        except UsersFileError as error:
            USERS_UNREADABLE.log(cause=error)

    def close(self) -> None:
        """Check no more passwords."""
        self.checks.close()


def _ignore() -> None:
    """Do nothing."""


def _among(passwords: Mapping[str, str]) -> Callable[[str, str], bool]:
    def check(user: str, password: str) -> bool:
        expected = passwords.get(user)
        presented = prepared_password(password).encode()
        return secrets.compare_digest(
            presented, prepared_password(expected).encode() if expected is not None else presented + b"x"
        )

    return check
