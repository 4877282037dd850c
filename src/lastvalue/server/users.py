"""The users file: who may connect, with which credentials and permissions.

The file is TOML, one table a user:

    secret = "…"
    [users.alice]
    permissions = ["read,browse prices.*", "write orders"]
    SCRAM-SHA-256 = "16384 c2FsdA== c3RvcmVk c2VydmVy"
    SCRAM-SHA-512 = "…"

A credential is its iterations, salt, stored key and server key [RFC 5802 §3]: the file does not contain what
a client needs to connect. From the `secret` come the salts that users get who do not exist. A user without
`permissions` may do everything.
"""

import json
import os
import secrets
import tomllib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256, shake_256
from hmac import digest as hmac_digest
from pathlib import Path
from typing import Any, Final

from lastvalue.broker.administration.permission_requests import PermittedUsers, UserChange
from lastvalue.broker.rights.permissions import ALL, Permissions, parse_rule
from lastvalue.config.file_access import explain_file_access, keep_access
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.protocols.scram_credential import (
    ITERATIONS,
    SALT_BYTES,
    SCRAM_MECHANISMS,
    ScramCredential,
    key_bytes,
)

EVERYTHING: Final = ("all *", "all $*")
"""The rules of a user without rules."""

_PERMISSIONS: Final = "permissions"
_SALTS_FROM: Final = "secret"


class UsersFileError(BrokerError):
    """The users file cannot be used."""

    condition = Condition.INVALID_FIELD


class UnknownUserError(BrokerError):
    """The user does not exist."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no user {name!r}; `lastvalue user list` shows the users")


@dataclass(frozen=True)
class User:
    """A user; one without credentials may connect by certificate or token only."""

    credentials: dict[str, ScramCredential] = field(default_factory=dict)
    rules: tuple[str, ...] | None = None

    @cached_property
    def permissions(self) -> Permissions:
        """What the user may do."""
        return ALL if self.rules is None else Permissions(tuple(parse_rule(rule) for rule in self.rules))


class Users(PermittedUsers):
    """The users of one file, by name; changes are written at once and read by a running broker.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._users: dict[str, User] = {}
        self._stamp = (0, 0)
        self._secret = b""
        self._shapes: dict[str, list[ScramCredential]] = {}

    def load(self) -> bool:
        """Read the file if it has changed; whether it has.

        Raises:
            UsersFileError: the file cannot be read, or is not a users file, or has an invalid rule.
        """
        try:
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp == self._stamp:
                return False
            text = self.path.read_text(encoding="utf-8")
            whole = tomllib.loads(text)
            secret = b64decode(whole.get(_SALTS_FROM, ""), validate=True)
        except OSError as error:
            why = explain_file_access(error, self.path)
            raise UsersFileError(f"the users file {self.path} cannot be read: {why}") from error
        except (TypeError, ValueError) as error:
            raise UsersFileError(f"the users file {self.path} cannot be read: {error}") from error
        self._users = {name: self._read(name, table) for name, table in whole.get("users", {}).items()}
        # The content of a file without a secret is one: it has keys that nobody else knows.
        self._secret = secret or self._secret or sha256(text.encode()).digest()
        self._shapes = _shapes(self._users.values())
        self._stamp = stamp
        return True

    def _read(self, name: str, table: Any) -> User:
        try:
            rules = table.get(_PERMISSIONS)
            user = User(
                {
                    mechanism: ScramCredential.parse(table[mechanism])
                    for mechanism in SCRAM_MECHANISMS
                    if mechanism in table
                },
                None if rules is None else tuple(rules),
            )
            _ = user.permissions
        except (AttributeError, TypeError, ValueError, Base64Error, LastvalueError) as error:
            raise UsersFileError(f"{self.path}: the entry of user {name!r} is not valid: {error}") from error
        unknown = sorted(set(table) - {_PERMISSIONS, *SCRAM_MECHANISMS})
        if unknown:
            keys = ", ".join([_PERMISSIONS, *SCRAM_MECHANISMS])
            raise UsersFileError(
                f"{self.path}: user {name!r} has an unknown {unknown[0]!r}; expected one of {keys}"
            )
        return user

    def names(self) -> list[str]:
        """All users, by name."""
        return sorted(self._users)

    def get(self, name: str) -> User:
        """The user of a name.

        Raises:
            UnknownUserError: the user does not exist.
        """
        if name not in self._users:
            raise UnknownUserError(name)
        return self._users[name]

    def find(self, name: str) -> User | None:
        """The user of a name, or None."""
        return self._users.get(name)

    def permissions(self, name: str) -> Permissions:
        """The permissions of a user; a user who is not in the file has none."""
        user = self._users.get(name)
        return Permissions(()) if user is None else user.permissions

    def rules(self) -> dict[str, tuple[str, ...]]:
        """See PermittedUsers."""
        users = sorted(self._users.items())
        return {name: EVERYTHING if user.rules is None else user.rules for name, user in users}

    def write(self, user: str, change: UserChange) -> None:
        """See PermittedUsers; the file is read first, since others write it.

        Raises:
            UsersFileError: the name or a credential is not one, or the file cannot be read or written.
        """
        self.load()
        credentials = None
        if change.credentials is not None:
            credentials = _credentials(user, change.credentials)
        self._change(user, credentials, change.rules)

    def remove(self, user: str) -> None:
        """See PermittedUsers; the file is read first, since others write it.

        Raises:
            UnknownUserError: the user does not exist.
            UsersFileError: the file cannot be read or written.
        """
        self.load()
        self.get(user)
        self._save({name: each for name, each in self._users.items() if name != user})

    def check(self, name: str, password: str) -> bool:
        """Whether a password is the user's; false for a user without one."""
        user = self._users.get(name)
        if user is None or not user.credentials:
            # The check takes as long as for a user that exists.
            mechanism = _chosen(self._shapes or {SCRAM_MECHANISMS[0]: []}, self._secret, name)
            self.credential(name, mechanism).fits(mechanism, password)
            return False
        mechanism, credential = next(iter(user.credentials.items()))
        return credential.fits(mechanism, password)

    def credential(self, name: str, mechanism: str) -> ScramCredential:
        """The user's credential; where the user has none, one that fits no password and looks the same.

        Its salt and iterations stay the same, also after a restart, and are as those of a user that exists.
        """
        user = self._users.get(name)
        if user is not None and mechanism in user.credentials:
            return user.credentials[mechanism]
        shapes = {f"{one.iterations} {len(one.salt)}": one for one in self._shapes.get(mechanism, ())}
        iterations, salt_size = ITERATIONS, SALT_BYTES
        if shapes:
            like = shapes[_chosen(shapes, self._secret, name)]
            iterations, salt_size = like.iterations, len(like.salt)
        salt = shake_256(self._secret + f"{mechanism} {name}".encode()).digest(salt_size)
        size = key_bytes(mechanism)
        return ScramCredential(iterations, salt, secrets.token_bytes(size), secrets.token_bytes(size))

    # ------------------------------------------------------------------ changes

    def put(self, name: str, password: str | None, rules: tuple[str, ...] | None) -> None:
        """Add or change a user, and write the file; None leaves a value as it is.

        Raises:
            UsersFileError: the name is empty, or the file cannot be written.
            PermissionRuleError: a rule is not valid.
        """
        credentials = None
        if password is not None:
            credentials = {
                mechanism: ScramCredential.of(mechanism, password, secrets.token_bytes(SALT_BYTES))
                for mechanism in SCRAM_MECHANISMS
            }
        self._change(name, credentials, rules)

    def adopt(self, credentials: Mapping[str, dict[str, ScramCredential]], rules: tuple[str, ...]) -> None:
        """Add users with credentials of another broker, however weak these are, and write the file.

        Raises:
            UsersFileError: one of them exists, a name is not one, or the file cannot be written.
            PermissionRuleError: a rule is not valid.
        """
        for name in credentials:
            if name in self._users:
                raise UsersFileError(f"{self.path}: user {name!r} exists")
            _check(name, rules)
        added = {name: User(dict(one), rules) for name, one in credentials.items()}
        self._save({**self._users, **added})

    def _change(
        self, name: str, credentials: dict[str, ScramCredential] | None, rules: tuple[str, ...] | None
    ) -> None:
        _check(name, rules)
        user = self._users.get(name, User())
        if credentials is not None:
            user = replace(user, credentials=credentials)
        if rules is not None:
            user = replace(user, rules=rules)
        self._save({**self._users, name: user})

    def _save(self, users: dict[str, User]) -> None:
        self._secret = self._secret or secrets.token_bytes(32)
        tables = (_table(name, user) for name, user in sorted(users.items()))
        text = "\n".join([f'{_SALTS_FROM} = "{b64encode(self._secret).decode()}"', "", *tables])
        whole = self.path.with_name(self.path.name + ".new")
        try:
            # What a process that was killed has left there goes, and so does a planted link.
            whole.unlink(missing_ok=True)
            descriptor = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                keep_access(self.path, file.fileno())
                os.fsync(file.fileno())
            whole.replace(self.path)
        except OSError as error:
            raise UsersFileError(f"the users file {self.path} cannot be written: {error}") from error
        self._users = users


def _check(name: str, rules: tuple[str, ...] | None) -> None:
    if not name or name != name.strip():
        raise UsersFileError(f"{name!r} is not a user name; expected text without spaces around it")
    for rule in rules or ():
        parse_rule(rule)


def _credentials(user: str, texts: Mapping[str, str]) -> dict[str, ScramCredential]:
    credentials: dict[str, ScramCredential] = {}
    for mechanism, text in texts.items():
        if mechanism not in SCRAM_MECHANISMS:
            raise UsersFileError(f"{mechanism!r:.40} is not one of {', '.join(SCRAM_MECHANISMS)}")
        try:
            credentials[mechanism] = ScramCredential.parse(text)
            credentials[mechanism].check_strength(mechanism)
        except (ValueError, Base64Error) as error:
            raise UsersFileError(f"the {mechanism} credential of user {user!r} is not one: {error}") from None
    return credentials


def _shapes(users: Iterable[User]) -> dict[str, list[ScramCredential]]:
    """By mechanism one credential of each number of iterations and size of the salt."""
    shapes: dict[str, dict[tuple[int, int], ScramCredential]] = {}
    for user in users:
        for mechanism, one in user.credentials.items():
            shapes.setdefault(mechanism, {})[one.iterations, len(one.salt)] = one
    return {mechanism: list(ones.values()) for mechanism, ones in shapes.items()}


def _chosen(among: Iterable[str], secret: bytes, name: str) -> str:
    """One of several, the same whenever it is asked for a name, and mostly also if others are added."""
    return max(among, key=lambda each: hmac_digest(secret, f"{each} {name}".encode(), sha256))


def _table(name: str, user: User) -> str:
    # A text in JSON is a text in TOML.
    lines = [f"[users.{json.dumps(name)}]"]
    if user.rules is not None:
        lines.append(f"{_PERMISSIONS} = {json.dumps(list(user.rules))}")
    lines += [f'{mechanism} = "{credential}"' for mechanism, credential in user.credentials.items()]
    return "\n".join([*lines, ""])
