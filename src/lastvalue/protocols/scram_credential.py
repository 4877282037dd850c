"""SCRAM credentials: by what a broker checks a password that it does not know [RFC 5802 §3]."""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import pbkdf2_hmac, sha256, sha512
from hmac import compare_digest
from hmac import digest as hmac_digest
from typing import Final, Self

from scramp import ScramException, ScramMechanism
from scramp.utils import saslprep

ITERATIONS: Final = 16_384
SALT_BYTES: Final = 32
SCRAM_MECHANISMS: Final = ("SCRAM-SHA-512", "SCRAM-SHA-256")
"""The strongest first."""

_HASHES: Final = {"SCRAM-SHA-256": sha256, "SCRAM-SHA-512": sha512}
_LEAST_ITERATIONS: Final = 4096
_MOST_ITERATIONS: Final = 1_000_000
_LEAST_SALT_BYTES: Final = 8
_MOST_SALT_BYTES: Final = 256


@dataclass(frozen=True)
class ScramCredential:
    """The data by which one mechanism checks a password; nobody can connect with it."""

    iterations: int
    salt: bytes
    stored_key: bytes
    server_key: bytes

    @classmethod
    def of(cls, mechanism: str, password: str, salt: bytes) -> Self:
        """The credential of a password; the salt is SALT_BYTES of random. It takes some 10 ms.

        Raises:
            ValueError: a password cannot have such characters [RFC 4013 §2.3].
        """
        try:
            auth_info = ScramMechanism(mechanism).make_auth_info(password, ITERATIONS, salt)
        except ScramException as error:
            raise ValueError(str(error).removesuffix(": other-error")) from None
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

    def check_strength(self, mechanism: str) -> None:
        """Refuse what is no credential of the mechanism, too weak, or too costly to check.

        Raises:
            ValueError: it is.
        """
        size = _HASHES[mechanism]().digest_size
        if {len(self.stored_key), len(self.server_key)} != {size}:
            raise ValueError(f"the keys of {mechanism} have {size} bytes")
        if not _LEAST_ITERATIONS <= self.iterations <= _MOST_ITERATIONS:
            raise ValueError(
                f"{self.iterations} iterations; expected {_LEAST_ITERATIONS} to {_MOST_ITERATIONS}"
            )
        if not _LEAST_SALT_BYTES <= len(self.salt) <= _MOST_SALT_BYTES:
            raise ValueError(
                f"a salt of {len(self.salt)} bytes; expected {_LEAST_SALT_BYTES} to {_MOST_SALT_BYTES}"
            )

    def fits(self, mechanism: str, password: str) -> bool:
        """Whether the credential belongs to a password."""
        hash_of = _HASHES[mechanism]
        prepared = _saslprep(password)
        if prepared is None:
            # No credential is of such a password.
            return False
        salted = pbkdf2_hmac(hash_of().name, prepared.encode(), self.salt, self.iterations)
        client_key = hmac_digest(salted, b"Client Key", hash_of)
        return compare_digest(hash_of(client_key).digest(), self.stored_key)


def prepared_password(password: str) -> str:
    """The form of a password that stands for all that are equal to it [RFC 4013]; itself if it has none."""
    prepared = _saslprep(password)
    return password if prepared is None else prepared


def _saslprep(password: str) -> str | None:
    try:
        return str(saslprep(password))
    except ScramException:
        return None


def key_bytes(mechanism: str) -> int:
    """The size of a mechanism's keys."""
    return _HASHES[mechanism]().digest_size
