"""OAUTHBEARER and XOAUTH2 [RFC 7628]: signed tokens, checked with keys from a file."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from lastvalue.config.file_access import explain_file_access
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.sasl import FAILED, SaslExchange, SaslStep
from lastvalue.server.log_events import USERS_TOKEN_REFUSED

OAUTHBEARER: Final = "OAUTHBEARER"
XOAUTH2: Final = "XOAUTH2"
_ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
_SEPARATOR: Final = "\x01"


class TokenKeysError(LastvalueError):
    """The keys of tokens cannot be used."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True)
class TokenOptions:
    """Which tokens are accepted.

    Attributes:
        keys: a file with a JSON Web Key Set, or a public key in PEM.
        audience: that `aud` has to contain.
        issuer: that `iss` has to be; None accepts any.
        user_claim: the claim with the user's name.
        ignore_expiry: a connection stays open when its token expires.
    """

    keys: Path
    audience: str
    issuer: str | None = None
    user_claim: str = "sub"
    ignore_expiry: bool = False


@dataclass(frozen=True)
class TokenClaims:
    """What a valid token says: its user, and when it ends the connection, milliseconds since the epoch."""

    user: str
    expires_ms: int | None


class Tokens:
    """Checks tokens; only signatures by asymmetric keys are accepted.

    Raises:
        TokenKeysError: the keys cannot be read, or PyJWT is not installed.
    """

    def __init__(self, options: TokenOptions) -> None:
        self._options = options
        try:
            import jwt  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise TokenKeysError("tokens need PyJWT: pip install 'lastvalue[oauth]'") from error
        self._jwt: Any = jwt
        self._keys = self._read()

    def _read(self) -> dict[str | None, Any]:
        """The keys by their ids; a key in PEM has the id ""."""
        path = self._options.keys
        try:
            text = path.read_text(encoding="utf-8")
            if text.lstrip().startswith("{"):
                return {key.key_id: key.key for key in self._jwt.PyJWKSet.from_json(text).keys}
            from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - an extra
                load_pem_public_key,
            )

            return {None: load_pem_public_key(text.encode())}
        except OSError as error:
            why = explain_file_access(error, path)
            raise TokenKeysError(f"the keys in {path} cannot be read: {why}") from error
        except (ValueError, self._jwt.PyJWTError) as error:
            raise TokenKeysError(f"the keys in {path} cannot be used: {error}") from error

    def read(self, token: str) -> TokenClaims | None:
        """What a token says, or None if it is not valid."""
        options = self._options
        try:
            key = self._key(self._jwt.get_unverified_header(token).get("kid"))
            claims = self._jwt.decode(
                token,
                key,
                algorithms=list(_ALGORITHMS),
                audience=options.audience,
                issuer=options.issuer,
                options={"require": ["exp", "aud", options.user_claim]},
            )
        except (self._jwt.PyJWTError, KeyError, TypeError, ValueError) as error:
            USERS_TOKEN_REFUSED.log(cause=error)
            return None
        name = claims[options.user_claim]
        if not isinstance(name, str) or not name:
            return None
        return TokenClaims(name, None if options.ignore_expiry else int(claims["exp"]) * 1000)

    def _key(self, key_id: str | None) -> Any:
        if key_id in self._keys:
            return self._keys[key_id]
        if len(self._keys) == 1:
            return next(iter(self._keys.values()))
        raise KeyError(f"no key {key_id!r}")

    def exchanges(self, user_of: Callable[[str], str | None]) -> dict[str, Callable[[], SaslExchange]]:
        """The mechanisms, as functions that begin an exchange; `user_of` checks a token."""
        return {name: partial(_Bearer, user_of) for name in (OAUTHBEARER, XOAUTH2)}


class _Bearer(SaslExchange):
    """An exchange of either mechanism: the responses contain the token in the same way."""

    def __init__(self, user_of: Callable[[str], str | None]) -> None:
        self._user_of = user_of
        self._told = False

    def step(self, response: bytes | None) -> SaslStep:
        if self._told:
            # [RFC 7628 §3.2.3] The client has the reason; the outcome follows.
            return FAILED
        if response is None:
            return SaslStep(challenge=b"")
        user = self._user(response)
        if user is not None:
            return SaslStep(identity=user)
        self._told = True
        return SaslStep(challenge=json.dumps({"status": "invalid_token"}).encode())

    def _user(self, response: bytes) -> str | None:
        try:
            parts = response.decode().split(_SEPARATOR)
        except UnicodeDecodeError:
            return None
        acts_for = _acts_for(parts[0])
        for part in parts[1:]:
            kind, _, token = part.removeprefix("auth=").partition(" ")
            if part.startswith("auth=") and kind.lower() == "bearer":
                user = self._user_of(token)
                # A user cannot act for another one.
                return user if acts_for in ("", user) else None
        return None


def _acts_for(head: str) -> str:
    """The user of a response, or "": `n,a=ann,` in OAUTHBEARER, `user=ann` in XOAUTH2."""
    named = head.removeprefix("user=") if head.startswith("user=") else head.removeprefix("n,").rstrip(",")
    return named.removeprefix("a=")
