"""Who may connect: by a users file, by names and passwords, by tokens, or everybody."""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from lastvalue.config.server_options import ServerOptions
from lastvalue.protocols.scram_credential import SCRAM_MECHANISMS, prepared_password
from lastvalue.server.connection_limiter import ConnectionLimiter
from lastvalue.server.log_events import USERS_RELOADED, USERS_UNREADABLE
from lastvalue.server.login import Directory, Login, LoginOwner, Peer
from lastvalue.server.password_checks import PasswordChecks
from lastvalue.server.tokens import TokenOptions, Tokens
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

    def take_settings(self, before: ServerOptions, options: ServerOptions) -> None:
        """Use the limits of these options from now on, and without a users file their passwords."""
        self.limiter.adjust(
            options.max_connections_per_user,
            options.connection_rate,
            options.max_connections,
            options.max_unknown_per_address,
        )
        self.checks.adjust(options.wrong_passwords_per_address, options.wrong_passwords_per_user)
        if self._users is None and before.users != options.users:
            self._directory = replace(self._directory, passwords=_among(dict(options.users)))

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


def policy_of(options: ServerOptions, users: Users | None) -> AuthenticationPolicy:
    """The policy of a server with these options, and with the users of `users_of`."""
    return AuthenticationPolicy(
        users,
        anonymous=options.admits_anonymous,
        passwords=options.users,
        tokens=_tokens_of(options),
        limiter=ConnectionLimiter(
            options.max_connections_per_user,
            options.connection_rate,
            options.max_connections,
            options.max_unknown_per_address,
        ),
        checks=PasswordChecks(options.wrong_passwords_per_address, options.wrong_passwords_per_user),
    )


def users_of(options: ServerOptions) -> Users | None:
    """The users of the options' file, which is read; None if they name none.

    Raises:
        UsersFileError: the file cannot be read.
    """
    if options.users_file is None:
        return None
    users = Users(options.users_file)
    users.load()
    return users


def _tokens_of(options: ServerOptions) -> Tokens | None:
    if options.token_keys is None:
        return None
    names = (options.token_audience, options.token_issuer, options.token_user_claim)
    return Tokens(TokenOptions(options.token_keys, *names, ignore_expiry=options.ignore_token_expiry))


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
