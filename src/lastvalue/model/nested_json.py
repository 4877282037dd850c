"""JSON that a peer sent, with a bound on how deep its values are nested.

Whoever walks over a value does so by recursion, which has no limit of its own in compiled code and one that
depends on the caller in Python. So the bound is here, where the value comes in.
"""

import json
from typing import Any, Final

MOST_NESTED: Final = 64
"""How many lists and maps may be in one another."""


class NestedTooDeeplyError(ValueError):
    """The JSON is nested deeper than MOST_NESTED."""

    def __init__(self) -> None:
        super().__init__(f"its lists and maps are nested deeper than {MOST_NESTED}")


def _refused(constant: str) -> None:
    """Python would read NaN, Infinity and -Infinity, which JSON does not have."""
    raise ValueError(f"{constant} is not a value of JSON; a text or null is")


_DECODER: Final = json.JSONDecoder(parse_constant=_refused)


def parse_json(text: str | bytes) -> Any:
    """The value of a text of JSON.

    Raises:
        NestedTooDeeplyError: its lists and maps are nested deeper than MOST_NESTED.
        ValueError: it is no JSON, or not in UTF-8.
    """
    try:
        value = _DECODER.decode(text if isinstance(text, str) else text.decode("utf-8-sig"))
    except RecursionError:
        raise NestedTooDeeplyError from None
    if _may_be_nested(text) and _is_deeper(value, MOST_NESTED):
        raise NestedTooDeeplyError
    return value


def _may_be_nested(text: str | bytes) -> bool:
    """Whether there are enough brackets; of most texts there are not, and the value need not be walked."""
    if isinstance(text, bytes):
        return text.count(b"[") + text.count(b"{") > MOST_NESTED
    return text.count("[") + text.count("{") > MOST_NESTED


def _is_deeper(value: object, most: int) -> bool:
    """Whether a value has more lists and maps in one another; it recurses no deeper than that."""
    if isinstance(value, dict):
        return most == 0 or any(_is_deeper(each, most - 1) for each in value.values())
    if isinstance(value, list):
        return most == 0 or any(_is_deeper(each, most - 1) for each in value)
    return False
