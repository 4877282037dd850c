"""A queue's default filters, which apply to readers that bring none of the same name."""

import json
from typing import Any, Final

from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.nested_json import parse_json

SELECTOR: Final = "x-filter-jms-selector"
REPLAY_PERIOD: Final = "x-qpid-replay-period"

Filters = tuple[tuple[str, str, str], ...]
"""(name, type, argument), by name."""


def filters_from_json(text: str) -> Filters:
    """Filters from `{name: {type: [argument]}}`.

    Raises:
        InvalidSpecError: the text is not such JSON, a type is unknown, or there is not exactly one argument.
    """
    try:
        table = parse_json(text)
    except ValueError as fault:
        raise InvalidSpecError(f"default_filters is not valid JSON: {fault}") from None
    if not isinstance(table, dict):
        raise InvalidSpecError("default_filters must be a map: {name: {type: [argument]}}")
    return tuple(sorted(_filter(name, value) for name, value in table.items()))


def filters_to_json(filters: Filters) -> str:
    """The JSON that `filters_from_json` reads."""
    return json.dumps({name: {kind: [argument]} for name, kind, argument in filters})


def replay_period_s(argument: object) -> int:
    """The seconds of a replay period: a whole number, or its text.

    Raises:
        InvalidSpecError: the argument is neither, or negative.
    """
    if isinstance(argument, str) and argument.strip().isdecimal():
        return int(argument)
    if isinstance(argument, int | float) and not isinstance(argument, bool) and argument >= 0:
        return int(argument)
    raise InvalidSpecError(f"cannot parse {REPLAY_PERIOD} {argument!r}; expected a number of seconds")


def _filter(name: str, value: Any) -> tuple[str, str, str]:
    where = f"default filter {name!r}"
    if not isinstance(value, dict) or len(value) != 1:
        raise InvalidSpecError(f"{where} must have one type: {{type: [argument]}}")
    ((kind, arguments),) = value.items()
    if kind not in (SELECTOR, REPLAY_PERIOD):
        raise InvalidSpecError(f"{where} has the type {kind!r}; expected {SELECTOR} or {REPLAY_PERIOD}")
    if not isinstance(arguments, list) or len(arguments) != 1:
        raise InvalidSpecError(f"{where} needs one argument in a list")
    if kind == REPLAY_PERIOD:
        replay_period_s(arguments[0])
    elif not isinstance(arguments[0], str):
        raise InvalidSpecError(f"{where}: a selector must be text")
    return name, kind, str(arguments[0])
