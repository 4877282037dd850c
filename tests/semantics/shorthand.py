"""The short forms of scenarios: many messages of one template, and bodies that are counted."""

import re
from collections.abc import Mapping
from typing import Any

_TERM = re.compile(r"n(?:\*(?P<factor>\d+))?(?:\+(?P<plus>\d+))?(?:%(?P<modulus>\d+))?")
_NUMBERS = (
    "priority",
    "ttl_ms",
    "expires_in_ms",
    "delivery_time_in_ms",
    "not_valid_before_in_ms",
    "delay_ms",
)


class _Number(dict[str, int]):
    """What the terms of a template stand for, for the message of a number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, term: str) -> int:
        found = _TERM.fullmatch(term)
        assert found is not None, f"{term!r} in a template; expected n, n*7, n+1, n%10 or all of them"
        value = self._number * int(found["factor"] or 1) + int(found["plus"] or 0)
        return value % int(found["modulus"]) if found["modulus"] else value


def many(what: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages of a `send_many`."""
    template = {name: value for name, value in what.items() if name not in ("count", "first")}
    first = what.get("first", 0)
    count = what.get("count") or max(len(value) for value in _lists(template))
    assert all(len(value) == count for value in _lists(template)), f"lists that are not {count} long: {what}"
    return [_numbered(template, position, first + position) for position in range(count)]


def _lists(value: Any) -> list[list[Any]]:
    if isinstance(value, dict):
        return [found for item in value.values() for found in _lists(item)]
    return [value] if isinstance(value, list) else []


def _numbered(value: Any, position: int, number: int) -> Any:
    if isinstance(value, dict):
        filled = {name: _numbered(item, position, number) for name, item in value.items()}
        return {name: int(item) if name in _NUMBERS else item for name, item in filled.items()}
    if isinstance(value, list):
        return value[position]
    return value.format_map(_Number(number)) if isinstance(value, str) else value


def bodies(expected: list[str] | str) -> list[str]:
    """The bodies that are expected, of a list or of the short form."""
    if isinstance(expected, list):
        return expected
    found: list[str] = []
    for word in expected.split():
        body, _, times = word.partition("*")
        start, dots, end = body.partition("..")
        one = [str(number) for number in range(int(start), int(end) + 1)] if dots else [body]
        found += one * int(times or 1)
    return found
