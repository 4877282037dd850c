"""Reads Mosquitto's password file into credentials by which this broker checks the same passwords."""

from base64 import b64decode
from binascii import Error as Base64Error
from hashlib import sha512
from hmac import digest
from typing import Final

from lastvalue.protocols.scram_credential import ScramCredential

MECHANISM: Final = "SCRAM-SHA-512"
_PBKDF2: Final = "7"
_OTHERS: Final = {
    "6": "one round of SHA-512, of which no credential can be made",
    "argon2id": "Argon2, of which no credential can be made",
}
_FIELDS: Final = 5


def read_passwords(text: str) -> tuple[dict[str, ScramCredential], list[str]]:
    """The credentials by user, and a line on each user whose hash does not become one.

    [RFC 5802 §3] The salted password of SCRAM-SHA-512 is PBKDF2 with SHA-512, as in Mosquitto's `$7$`.
    """
    found: dict[str, ScramCredential] = {}
    left_out: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        user, separator, hashed = line.strip().rpartition(":")
        if not separator:
            left_out.append(f"line {number}: expected NAME:HASH")
            continue
        try:
            found[user] = _credential(hashed)
        except ValueError as error:
            left_out.append(f"line {number}, user {user!r}: {error}")
    return found, left_out


def _credential(hashed: str) -> ScramCredential:
    """The credential of a hash.

    Raises:
        ValueError: there is none of it.
    """
    parts = hashed.split("$")
    kind = parts[1] if len(parts) > 1 else ""
    if kind in _OTHERS:
        raise ValueError(f"its password is kept as {_OTHERS[kind]}; `lastvalue user add` makes the user")
    if kind != _PBKDF2 or len(parts) != _FIELDS:
        raise ValueError("its hash is none of `mosquitto_passwd`; expected $7$ROUNDS$SALT$HASH")
    try:
        salt, salted = b64decode(parts[3], validate=True), b64decode(parts[4], validate=True)
    except Base64Error as error:
        raise ValueError(f"its hash is not Base64: {error}") from None
    if len(salted) != sha512().digest_size or not parts[2].isdecimal() or int(parts[2]) < 1 or not salt:
        raise ValueError("its hash does not have the rounds, the salt and the 64 bytes of $7$")
    stored = sha512(digest(salted, b"Client Key", sha512)).digest()
    return ScramCredential(int(parts[2]), salt, stored, digest(salted, b"Server Key", sha512))
