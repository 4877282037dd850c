"""Credentials that only a session's secret opens; the session's browser alone has it."""

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, InvalidToken

from lastvalue.http.caller import Caller

_BLOCK: Final = 256
"""The length of what is sealed is a multiple of this, so that it does not tell the password's."""


def sealed_credentials(credentials: Caller, secret: str) -> str:
    """User, password and token as a text that says nothing without the secret, which is hard to guess."""
    said = json.dumps([credentials.user, credentials.password, credentials.token]).encode()
    # JSON may end in blanks.
    return _cipher(secret).encrypt(said + b" " * (-len(said) % _BLOCK)).decode()


def open_credentials(sealed: str, secret: str) -> Caller | None:
    """The credentials of such a text; None if it was made with another secret, or changed."""
    try:
        user, password, token = json.loads(_cipher(secret).decrypt(sealed))
    except (InvalidToken, ValueError):
        return None
    return Caller(user, password, token)


def _cipher(secret: str) -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(secret.encode()).digest()))
