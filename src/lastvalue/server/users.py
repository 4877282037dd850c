"""The users file: who may connect, how they prove who they are, and what they may do.

The file is TOML, one table a user:

    [users.alice]
    permissions = ["read,browse prices.*", "write orders"]
    SCRAM-SHA-256 = "16384 c2FsdA== c3RvcmVk c2VydmVy"
    SCRAM-SHA-512 = "…"

A credential is its iterations, salt, stored key and server key [RFC 5802 §3]: nobody can connect with what
stands in the file. A user without `permissions` may do everything.
"""

import json
import os
import secrets
import tomllib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import pbkdf2_hmac, sha256, sha512
from hmac import compare_digest
from hmac import digest as hmac_digest
from pathlib import Path
from typing import Any, Final, Self

from scramp import ScramMechanism

from lastvalue.broker.permissions import ALL, Permissions, parse_rule
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

ITERATIONS: Final = 16_384
MECHANISMS: Final = ("SCRAM-SHA-512", "SCRAM-SHA-256")
_HASHES: Final = {"SCRAM-SHA-256": sha256, "SCRAM-SHA-512": sha512}
_PERMISSIONS: Final = "permissions"


class UsersFileError(LastvalueError):
    """The users file cannot be used."""

    condition = Condition.INVALID_FIELD


class UnknownUserError(LastvalueError):
    """There is no such user."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no user {name!r}; `lastvalue user list` shows those that there are")


@dataclass(frozen=True)
class Credential:
    """What one mechanism needs to check a password [RFC 5802 §3]."""

    iterations: int
    salt: bytes
    stored_key: bytes
    server_key: bytes

    @classmethod
    def of(cls, mechanism: str, password: str) -> Self:
        """The credential of a password, with a new salt."""
        made = ScramMechanism(mechanism).make_auth_info(password, ITERATIONS)
        salt, stored_key, server_key, iterations = made
        return cls(iterations, salt, stored_key, server_key)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` wrote.

        Raises:
            ValueError: it is none.
        """
        iterations, *keys = text.split(" ")
        salt, stored_key, server_key = (b64decode(key, validate=True) for key in keys)
        return cls(int(iterations), salt, stored_key, server_key)

    def __str__(self) -> str:
        """Four words."""
        keys = (self.salt, self.stored_key, self.server_key)
        return " ".join([str(self.iterations), *(b64encode(key).decode() for key in keys)])

    def fits(self, mechanism: str, password: str) -> bool:
        """Whether it is the password's."""
        hash_of = _HASHES[mechanism]
        salted = pbkdf2_hmac(hash_of().name, password.encode(), self.salt, self.iterations)
        client_key = hmac_digest(salted, b"Client Key", hash_of)
        return compare_digest(hash_of(client_key).digest(), self.stored_key)


@dataclass(frozen=True)
class User:
    """One who may connect; without credentials by certificate or token only."""

    credentials: dict[str, Credential] = field(default_factory=dict)
    rules: tuple[str, ...] | None = None

    @cached_property
    def permissions(self) -> Permissions:
        """What the user may do."""
        return ALL if self.rules is None else Permissions(tuple(parse_rule(rule) for rule in self.rules))


class Users:
    """The users of one file, by name; changes are written at once and read by a running broker."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._users: dict[str, User] = {}
        self._stamp = (0, 0)
        # Users that do not exist are asked for their passwords like the others, with a salt that stays.
        self._secret = secrets.token_bytes(32)

    def load(self) -> bool:
        """Read the file, where it has changed; whether it had.

        Raises:
            UsersFileError: it is none, cannot be read, or has a rule that is none.
        """
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp == self._stamp:
                return False
            tables = tomllib.loads(self._path.read_text(encoding="utf-8")).get("users", {})
        except (OSError, ValueError) as error:
            raise UsersFileError(f"the users file {self._path} cannot be read: {error}") from error
        self._users = {name: self._read(name, table) for name, table in tables.items()}
        self._stamp = stamp
        return True

    def _read(self, name: str, table: Any) -> User:
        try:
            rules = table.get(_PERMISSIONS)
            user = User(
                {
                    mechanism: Credential.parse(table[mechanism])
                    for mechanism in MECHANISMS
                    if mechanism in table
                },
                None if rules is None else tuple(rules),
            )
            _ = user.permissions
        except (AttributeError, TypeError, ValueError, Base64Error, LastvalueError) as error:
            raise UsersFileError(f"{self._path}: user {name!r} is not well written: {error}") from error
        unknown = sorted(set(table) - {_PERMISSIONS, *MECHANISMS})
        if unknown:
            known = ", ".join([_PERMISSIONS, *MECHANISMS])
            raise UsersFileError(f"{self._path}: user {name!r} has {unknown[0]!r}; known are {known}")
        return user

    def names(self) -> list[str]:
        """Every user, in order."""
        return sorted(self._users)

    def get(self, name: str) -> User:
        """The user of that name.

        Raises:
            UnknownUserError: there is none.
        """
        if name not in self._users:
            raise UnknownUserError(name)
        return self._users[name]

    def permissions(self, name: str) -> Permissions:
        """What a user may do; one that is not in the file may do nothing."""
        user = self._users.get(name)
        return Permissions(()) if user is None else user.permissions

    def check(self, name: str, password: str) -> bool:
        """Whether a password is the user's; a user without one has none."""
        user = self._users.get(name)
        if user is None or not user.credentials:
            # As long as for one that exists.
            self.credential(name, MECHANISMS[0]).fits(MECHANISMS[0], password)
            return False
        mechanism, credential = next(iter(user.credentials.items()))
        return credential.fits(mechanism, password)

    def credential(self, name: str, mechanism: str) -> Credential:
        """The user's; of a user who has none, one that no password fits."""
        user = self._users.get(name)
        if user is not None and mechanism in user.credentials:
            return user.credentials[mechanism]
        size = _HASHES[mechanism]().digest_size
        salt = hmac_digest(self._secret, name.encode(), sha256)[:16]
        return Credential(ITERATIONS, salt, secrets.token_bytes(size), secrets.token_bytes(size))

    # ------------------------------------------------------------------ changes

    def put(self, name: str, password: str | None, rules: tuple[str, ...] | None) -> None:
        """Add or change a user, and write the file; None leaves what there is.

        Raises:
            UsersFileError: the name is empty, or the file cannot be written.
            PermissionRuleError: a rule is none.
        """
        if not name or name != name.strip():
            raise UsersFileError(f"{name!r} is no name of a user; write one without spaces around it")
        for rule in rules or ():
            parse_rule(rule)
        user = self._users.get(name, User())
        if password is not None:
            credentials = {mechanism: Credential.of(mechanism, password) for mechanism in MECHANISMS}
            user = replace(user, credentials=credentials)
        if rules is not None:
            user = replace(user, rules=rules)
        self._users[name] = user
        self._save()

    def remove(self, name: str) -> None:
        """Remove a user, and write the file.

        Raises:
            UnknownUserError: there is none of that name.
            UsersFileError: the file cannot be written.
        """
        self.get(name)
        del self._users[name]
        self._save()

    def _save(self) -> None:
        text = "\n".join(_table(name, user) for name, user in sorted(self._users.items()))
        whole = self._path.with_name(self._path.name + ".new")
        try:
            descriptor = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            whole.replace(self._path)
        except OSError as error:
            raise UsersFileError(f"the users file {self._path} cannot be written: {error}") from error


def _table(name: str, user: User) -> str:
    # What JSON makes of a text, TOML reads.
    lines = [f"[users.{json.dumps(name)}]"]
    if user.rules is not None:
        lines.append(f"{_PERMISSIONS} = {json.dumps(list(user.rules))}")
    lines += [f'{mechanism} = "{credential}"' for mechanism, credential in user.credentials.items()]
    return "\n".join([*lines, ""])
