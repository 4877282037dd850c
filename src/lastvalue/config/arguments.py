"""Options of queues in a configuration: reading one, and overlaying several."""

import difflib
import json
from collections.abc import Mapping
from typing import Any, Final

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues import spec_arguments
from lastvalue.queues.meanings import BY_ALIAS, FAIRSHARE
from lastvalue.queues.option import TYPES, Kind
from lastvalue.queues.options import BY_NAME, BY_SPELLING

Arguments = Mapping[str, Any]

SPELLINGS: Final = frozenset((*BY_SPELLING, *BY_ALIAS))


def read_argument(spelling: str, raw: Any) -> tuple[str, Any]:
    """An option's own name and value; a spelling that implies other options is kept.

    Raises:
        InvalidSpecError: the name is unknown or the value is invalid; the text says what would be right, and
            does not repeat the value.
    """
    if spelling == "default_filters" and isinstance(raw, Mapping):
        raw = json.dumps(raw)
    try:
        return _read(spelling, raw)
    except InvalidSpecError as fault:
        raise InvalidSpecError(str(fault).removeprefix(f"{spelling!r} is {raw!r}; ")) from None


def overlaid(upper: Arguments, lower: Arguments) -> dict[str, Any]:
    """The upper arguments, and those of the lower ones that the upper ones do not settle.

    A lower argument is dropped if it belongs to another type of queue than the upper ones define, or
    contradicts their expiry.
    """
    taken = {option for spelling, value in upper.items() for option in decided(spelling, value)}
    kind = _kind(upper)
    kept = {
        spelling: value
        for spelling, value in lower.items()
        if spelling not in upper
        and not _gives_way(decided(spelling, value), taken)
        and (kind is None or kind in _kinds(spelling))
        and not _contradicts(upper, spelling)
    }
    return {**kept, **upper}


def _read(spelling: str, raw: Any) -> tuple[str, Any]:
    if share := FAIRSHARE.fullmatch(spelling):
        return f"qpid.fairshare-{share[1]}", _option_and_value("fairshare", raw)[1]
    if spelling in BY_ALIAS and BY_ALIAS[spelling].implied(raw) is not None:
        return spelling, raw
    if spelling not in BY_SPELLING:
        near = difflib.get_close_matches(spelling, SPELLINGS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`lastvalue queue add --help` lists them"
        raise InvalidSpecError(f"unknown option of a queue; {hint}")
    return _option_and_value(spelling, raw)


def _option_and_value(spelling: str, raw: Any) -> tuple[str, Any]:
    name, value = spec_arguments.read_argument(spelling, raw)
    if BY_NAME[name].kind is Kind.NUMBER and isinstance(value, int) and value < 0:
        # The declaration would refuse it too, but under another name.
        raise InvalidSpecError(f"expected a number of {BY_NAME[name].unit} that is not negative")
    return name, value


# ---------------------------------------------------------------------- overlaying


_TTL: Final = ("minimum_ttl_ms", "maximum_ttl_ms", "default_ttl_ms")


def decided(spelling: str, value: Any) -> tuple[str, ...]:
    """The options that an argument settles."""
    return BY_ALIAS[spelling].decided(value) if spelling in BY_ALIAS else (spelling,)


def _gives_way(options: tuple[str, ...], taken: set[str]) -> bool:
    return bool(options) and taken.issuperset(options)


def _kinds(spelling: str) -> tuple[str, ...]:
    if spelling == "type":
        return ()
    if FAIRSHARE.fullmatch(spelling):
        spelling = "fairshare"
    declared = BY_ALIAS.get(spelling) or BY_NAME.get(spelling)
    return TYPES if declared is None else declared.types


def _kind(arguments: Arguments) -> str | None:
    """The type of queue that the arguments name or imply, or None."""
    if isinstance(named := arguments.get("type"), str):
        return named
    for spelling, value in arguments.items():
        kinds = _kinds(spelling)
        if len(kinds) == 1 and value not in (None, False, "false"):
            return kinds[0]
    return "priority" if arguments.get("priorities") else None


def _contradicts(upper: Arguments, spelling: str) -> bool:
    if upper.get("no_expiry") is True:
        return spelling in _TTL
    return spelling == "no_expiry" and any(upper.get(name) for name in _TTL)
