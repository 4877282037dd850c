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
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import pbkdf2_hmac, sha256, sha512, shake_256
from hmac import compare_digest
from hmac import digest as hmac_digest
from pathlib import Path
from typing import Any, Final, Self

from scramp import ScramMechanism

from lastvalue.broker.permission_requests import PermittedUsers
from lastvalue.broker.permissions import ALL, Permissions, parse_rule
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.server.file_access import explain_file_access, keep_access

ITERATIONS: Final = 16_384
SALT_BYTES: Final = 32
MECHANISMS: Final = ("SCRAM-SHA-512", "SCRAM-SHA-256")
_HASHES: Final = {"SCRAM-SHA-256": sha256, "SCRAM-SHA-512": sha512}
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
class Credential:
    """The data by which one mechanism checks a password [RFC 5802 §3]."""

    iterations: int
    salt: bytes
    stored_key: bytes
    server_key: bytes

    @classmethod
    def of(cls, mechanism: str, password: str) -> Self:
        """The credential of a password, with a new salt."""
        auth_info = ScramMechanism(mechanism).make_auth_info(password, ITERATIONS)
        salt, stored_key, server_key, iterations = auth_info
        return cls(iterations, salt, stored_key, server_key)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text that `str` writes.

        Raises:
            ValueError: the text is not a credential.
        """
        number, *keys = text.split(" ")
        salt, stored_key, server_key = (b64decode(key, validate=True) for key in keys)
        iterations = int(number)
        if iterations < 1:
            raise ValueError(f"{iterations} iterations; expected at least 1")
        return cls(iterations, salt, stored_key, server_key)

    def __str__(self) -> str:
        """Four words: iterations, salt, stored key and server key."""
        keys = (self.salt, self.stored_key, self.server_key)
        return " ".join([str(self.iterations), *(b64encode(key).decode() for key in keys)])

    def fits(self, mechanism: str, password: str) -> bool:
        """Whether the credential belongs to a password."""
        hash_of = _HASHES[mechanism]
        salted = pbkdf2_hmac(hash_of().name, password.encode(), self.salt, self.iterations)
        client_key = hmac_digest(salted, b"Client Key", hash_of)
        return compare_digest(hash_of(client_key).digest(), self.stored_key)


@dataclass(frozen=True)
class User:
    """A user; one without credentials may connect by certificate or token only."""

    credentials: dict[str, Credential] = field(default_factory=dict)
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
        self._shapes: dict[str, list[Credential]] = {}

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
                    mechanism: Credential.parse(table[mechanism])
                    for mechanism in MECHANISMS
                    if mechanism in table
                },
                None if rules is None else tuple(rules),
            )
            _ = user.permissions
        except (AttributeError, TypeError, ValueError, Base64Error, LastvalueError) as error:
            raise UsersFileError(f"{self.path}: the entry of user {name!r} is not valid: {error}") from error
        unknown = sorted(set(table) - {_PERMISSIONS, *MECHANISMS})
        if unknown:
            keys = ", ".join([_PERMISSIONS, *MECHANISMS])
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

    def permit(self, user: str, rules: tuple[str, ...]) -> None:
        """See PermittedUsers; the file is read first, since others write it.

        Raises:
            UnknownUserError: the user does not exist.
            UsersFileError: the file cannot be read or written.
        """
        self.load()
        self.get(user)
        self.put(user, None, rules)

    def check(self, name: str, password: str) -> bool:
        """Whether a password is the user's; false for a user without one."""
        user = self._users.get(name)
        if user is None or not user.credentials:
            # The check takes as long as for a user that exists.
            mechanism = _chosen(self._shapes or {MECHANISMS[0]: []}, self._secret, name)
            self.credential(name, mechanism).fits(mechanism, password)
            return False
        mechanism, credential = next(iter(user.credentials.items()))
        return credential.fits(mechanism, password)

    def credential(self, name: str, mechanism: str) -> Credential:
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
        size = _HASHES[mechanism]().digest_size
        return Credential(iterations, salt, secrets.token_bytes(size), secrets.token_bytes(size))

    # ------------------------------------------------------------------ changes

    def put(self, name: str, password: str | None, rules: tuple[str, ...] | None) -> None:
        """Add or change a user, and write the file; None leaves a value as it is.

        Raises:
            UsersFileError: the name is empty, or the file cannot be written.
            PermissionRuleError: a rule is not valid.
        """
        if not name or name != name.strip():
            raise UsersFileError(f"{name!r} is not a user name; expected text without spaces around it")
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
            UnknownUserError: the user does not exist.
            UsersFileError: the file cannot be written.
        """
        self.get(name)
        del self._users[name]
        self._save()

    def _save(self) -> None:
        self._secret = self._secret or secrets.token_bytes(32)
        tables = (_table(name, user) for name, user in sorted(self._users.items()))
        text = "\n".join([f'{_SALTS_FROM} = "{b64encode(self._secret).decode()}"', "", *tables])
        whole = self.path.with_name(self.path.name + ".new")
        try:
            descriptor = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                keep_access(self.path, file.fileno())
                os.fsync(file.fileno())
            whole.replace(self.path)
        except OSError as error:
            raise UsersFileError(f"the users file {self.path} cannot be written: {error}") from error


def _shapes(users: Iterable[User]) -> dict[str, list[Credential]]:
    """By mechanism one credential of each number of iterations and size of the salt."""
    shapes: dict[str, dict[tuple[int, int], Credential]] = {}
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
