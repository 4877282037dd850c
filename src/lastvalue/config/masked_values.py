"""Values of configurations as they may be shown: what is or may be a secret is masked."""

import re
from collections.abc import Mapping
from typing import Any, Final

MASK: Final = "***"

_CREDENTIALS: Final = re.compile(r"(?<=://)[^/?#\s]*@")
_QUERY: Final = re.compile(r"((?:[a-z][a-z0-9+.:-]*)://[^?#\s]*[?#])\S+", re.IGNORECASE)
_PATH: Final = re.compile(r"([a-z][a-z0-9+.-]*://[^/?#\s]*).*", re.IGNORECASE | re.DOTALL)
_SECRET_NAME: Final = re.compile(
    r"(?:passw(?:or)?ds?|passphrases?|pwd|secrets?|tokens?|credentials?)$", re.IGNORECASE
)
_LIKE_A_SECRET: Final = re.compile("pass|pwd|secret|token|credential|key|auth|jaas|sas|sig", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?[a-z]{0,3}|true|false", re.IGNORECASE)


def names_a_secret(name: str) -> bool:
    """Whether a key with this name has a password or the like as its value."""
    return _SECRET_NAME.search(name) is not None


def masked_text(text: str) -> str:
    """A text without the credentials and the query of each URL in it."""
    return _QUERY.sub(rf"\1{MASK}", _CREDENTIALS.sub(f"{MASK}@", text))


def masked_address(url: str) -> str:
    """A URL of which only the scheme and the host are known: its path lets in whoever has it."""
    return _PATH.sub(rf"\1/{MASK}", masked_text(url))


def masked_foreign(values: Mapping[str, Any], known: frozenset[str] = frozenset()) -> dict[str, Any]:
    """A table whose names others choose: numbers, sizes, flags and what is `known` (in lower case) show."""
    return {
        name: value if name.lower() in known or _is_plain(name, value) else MASK
        for name, value in values.items()
    }


def masked_value(value: Any, name: str = "") -> Any:
    """A value of one of our own tables, and what is within it."""
    match value:
        case Mapping():
            return {key: masked_value(item, key) for key, item in value.items()}
        case list() | tuple():
            return [masked_value(item, name) for item in value]
        case _ if names_a_secret(name):
            return MASK
        case str():
            return masked_text(value)
        case None | bool() | int() | float():
            return value
        case _:
            # TOML has dates and times, too.
            return str(value)


def _is_plain(name: str, value: object) -> bool:
    return _LIKE_A_SECRET.search(name) is None and _PLAIN.fullmatch(str(value)) is not None
