"""What a reader asks for that watches a queue: removals, a marker, a place to continue from, keys, a pace."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.policy import policy_from_text, policy_to_text
from lastvalue.queues.spec import LARGEST

MOST_WATCHED_KEYS: Final = 10_000
"""How many keys one reader names, and of how many the broker keeps something for it, if it does not say."""

UNCHANGED_BODY: Final = "body"


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class WatchTerms:
    """What a reader asks for besides its filter.

    Attributes:
        removals: it hears which keys lost their values, and why.
        snapshot: a marker follows the values that are there when it comes.
        token: where it continues, or "".
        keys: only these keys; prefix, glob: only keys that are texts and begin so, or match.
        rate: the most messages a second, or 0.
        interval_ms: each key at most once in this many milliseconds, or 0.
        conflate: the property, or several with commas between them, by whose value messages of a queue
            without keys are conflated, or "".
        max_keys: of how many keys the broker keeps something for the reader.
        unchanged: leave out a value that is equal to the reader's last one of its key: "body", or some fields
            of a body that is a map; dead_band: fields whose numbers count as equal within a distance.
        delta: send the change of a body that is a map as a JSON merge patch.
        policy: how the messages of a key become one, as text, or "" for the newest. Then `interval_ms` is the
            length of intervals, counted from 1970, and a value comes when its own is over.
    """

    removals: bool = False
    snapshot: bool = False
    token: str = ""
    keys: tuple[object, ...] = ()
    prefix: str = ""
    glob: str = ""
    rate: float = 0.0
    interval_ms: int = 0
    conflate: str = ""
    max_keys: int = MOST_WATCHED_KEYS
    unchanged: tuple[str, ...] = ()
    dead_band: tuple[tuple[str, float], ...] = ()
    delta: bool = False
    policy: str = ""

    @property
    def narrows(self) -> bool:
        """Whether only some keys are asked for."""
        return bool(self.keys or self.prefix or self.glob)


def read_watch_terms(value: object) -> WatchTerms:
    """The terms that a map says.

    Raises:
        InvalidSpecError: it is no such map.
    """
    if not isinstance(value, Mapping):
        raise InvalidSpecError(f"a watch is a map of {', '.join(_READERS)}; not {value!r:.80}")
    read: dict[str, Any] = {}
    for name, given in value.items():
        reader = _READERS.get(str(name))
        if reader is None:
            raise InvalidSpecError(f"a watch has no {name!r:.80}; it has {', '.join(_READERS)}")
        if given is not None:
            read[str(name)] = reader(str(name), given)
    terms = WatchTerms(**read)
    if sum(map(bool, (terms.keys, terms.prefix, terms.glob))) > 1:
        raise InvalidSpecError("a watch has keys, a prefix or a glob; not several of them")
    if terms.rate and terms.interval_ms:
        raise InvalidSpecError("a watch has a rate or an interval_ms; not both")
    if terms.policy and (terms.narrows or terms.removals or terms.token):
        raise InvalidSpecError("a watch with a policy has no removals, token, keys, prefix or glob")
    return terms


def _flag(name: str, given: object) -> bool:
    if not isinstance(given, bool):
        raise InvalidSpecError(f"{name} of a watch is true or false, not {given!r:.80}")
    return given


def _text(name: str, given: object) -> str:
    if not isinstance(given, str):
        raise InvalidSpecError(f"{name} of a watch is a text, not {given!r:.80}")
    return str(given)


def _policy(name: str, given: object) -> str:
    return policy_to_text(policy_from_text(_text(name, given)))


def _whole(name: str, given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given <= LARGEST:
        raise InvalidSpecError(f"{name} of a watch is a whole number from 0, not {given!r:.80}")
    return int(given)


def _number(name: str, given: object) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool) or not 0 <= given <= 1e9:
        raise InvalidSpecError(f"{name} of a watch is a number from 0 to 1e9, not {given!r:.80}")
    return float(given)


def _list(name: str, given: object) -> tuple[object, ...]:
    if not isinstance(given, list | tuple) or not 0 < len(given) <= MOST_WATCHED_KEYS:
        raise InvalidSpecError(f"{name} of a watch is a list of 1 to {MOST_WATCHED_KEYS} values")
    return tuple(given)


def _unchanged(name: str, given: object) -> tuple[str, ...]:
    if given == UNCHANGED_BODY:
        return (UNCHANGED_BODY,)
    # A leading empty text tells fields from the whole body.
    return ("", *(_text(name, each) for each in _list(name, given)))


def _dead_band(name: str, given: object) -> tuple[tuple[str, float], ...]:
    if not isinstance(given, Mapping):
        raise InvalidSpecError(f"{name} of a watch is a map of fields to distances, not {given!r:.80}")
    return tuple((str(each), _number(name, distance)) for each, distance in given.items())


def _at_least_one(name: str, given: object) -> int:
    return max(1, _whole(name, given))


_READERS: Final[dict[str, Callable[[str, object], object]]] = {
    "removals": _flag,
    "snapshot": _flag,
    "token": _text,
    "keys": _list,
    "prefix": _text,
    "glob": _text,
    "rate": _number,
    "interval_ms": _whole,
    "conflate": _text,
    "policy": _policy,
    "max_keys": _at_least_one,
    "unchanged": _unchanged,
    "dead_band": _dead_band,
    "delta": _flag,
}
