"""Credentials that only a session's secret opens; the session's browser alone has it.

A secret is made for one session and seals one text, so a stream of HMAC-SHA-512 in counter mode hides it, and
a tag under another key shows whether it was changed. The secret has 256 random bits.
"""

import json
from base64 import b64decode, b64encode
from hmac import compare_digest
from hmac import digest as hmac_digest
from typing import Final

from lastvalue.http.caller import Caller

_HASH: Final = "sha512"
_TAG_BYTES: Final = 64
_LENGTH_BYTES: Final = 4
_BLOCK: Final = 256
"""The length of what is sealed is a multiple of this, so that it does not tell the password's."""


def sealed_credentials(credentials: Caller, secret: str) -> str:
    """User, password and token as a text that says nothing without the secret."""
    said = json.dumps([credentials.user, credentials.password, credentials.token]).encode()
    plain = len(said).to_bytes(_LENGTH_BYTES) + said
    plain += bytes(-len(plain) % _BLOCK)
    hidden = _hidden(plain, secret)
    return b64encode(_tag(hidden, secret) + hidden).decode()


def open_credentials(sealed: str, secret: str) -> Caller | None:
    """The credentials of such a text; None if it was made with another secret, or changed."""
    try:
        tagged = b64decode(sealed, validate=True)
    except ValueError:
        return None
    tag, hidden = tagged[:_TAG_BYTES], tagged[_TAG_BYTES:]
    if not compare_digest(tag, _tag(hidden, secret)):
        return None
    plain = _hidden(hidden, secret)
    size = int.from_bytes(plain[:_LENGTH_BYTES])
    user, password, token = json.loads(plain[_LENGTH_BYTES : _LENGTH_BYTES + size])
    return Caller(user, password, token)


def _hidden(text: bytes, secret: str) -> bytes:
    """The text combined with the secret's stream; the same again is the text."""
    key = hmac_digest(secret.encode(), b"stream", _HASH)
    blocks = [hmac_digest(key, number.to_bytes(8), _HASH) for number in range(len(text) // 64 + 1)]
    return bytes(a ^ b for a, b in zip(text, b"".join(blocks), strict=False))


def _tag(hidden: bytes, secret: str) -> bytes:
    return hmac_digest(hmac_digest(secret.encode(), b"tag", _HASH), hidden, _HASH)
