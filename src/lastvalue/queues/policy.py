"""Policies of conflation: how the updates of a key become one value.

The broker's queues and readers, and `conflate` on Spark, have the same ones. As text, in options, one is
`last`, `first`, `count`, `min(FIELD)`, `max(FIELD)`, `sum(FIELD)`, `ohlc(FIELD)`, `ohlc(FIELD, VOLUME)`,
`vwap(FIELD, VOLUME)`, `list(FIELD, N)`, `list(N)`, `merge` or `merge(FIELD)`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from mypy_extensions import mypyc_attr

from lastvalue.model.errors import InvalidSpecError

MOST_LISTED: Final = 10_000
"""The largest number of values in the list of a key."""

ADDED_FIELDS: Final = ("updates", "first_time", "last_time", "interval_start")
"""What the value of a key has besides the fields of its policy."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Last:
    """The newest update, with all its fields."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class First:
    """The oldest update, with all its fields."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Max:
    """The greatest value, without nulls."""

    value: str


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Min:
    """The least value, without nulls."""

    value: str


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the values; null if there are none."""

    value: str


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Count:
    """The number of updates that came, in the field `count`."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Ohlc:
    """The oldest, greatest, least and newest value: the fields `open`, `high`, `low` and `close`.

    Attributes:
        value: its field; updates in which it is null are ignored.
        volume: the field whose sum is the field `volume`.
    """

    value: str
    volume: str | None = None


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Vwap:
    """The volume-weighted mean of the value, a double, in the field `vwap`; the volume in `volume`.

    An update in which one of them is null is ignored. Without volume the mean is null.
    """

    value: str
    volume: str


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Merge:
    """A map of all entries; of entries with the same name, the newest, and none if that is null.

    Attributes:
        value: the field that is the map. On a queue "" is the whole body, and maps in one another are merged,
            too [RFC 7396].
    """

    value: str = ""


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class List:
    """The newest values, without nulls, the oldest of them first.

    Attributes:
        value: the field. On a queue "" is the whole body, and the list is the field `list`.
        most: how many.
    """

    value: str
    most: int

    def __post_init__(self) -> None:
        if not 1 <= self.most <= MOST_LISTED:
            raise InvalidSpecError(f"a list has 1 to {MOST_LISTED} values, not {self.most}")


RowPolicy: TypeAlias = Last | First
ValuePolicy: TypeAlias = Max | Min | Sum | Count | Ohlc | Vwap | Merge | List
Policy: TypeAlias = RowPolicy | ValuePolicy

LAST: Final = Last()

_FORM: Final = re.compile(r"\s*([a-z]+)\s*(?:\(([^()]*)\))?\s*", re.IGNORECASE)

_FORMS: Final = (
    "last, first, count, min(FIELD), max(FIELD), sum(FIELD), ohlc(FIELD), ohlc(FIELD, VOLUME), "
    "vwap(FIELD, VOLUME), list(FIELD, N), list(N), merge, merge(FIELD)"
)


def policy_from_text(text: str) -> Policy:
    """The policy that a text means.

    Raises:
        InvalidSpecError: it means none.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise _unknown(text)
    name = str(match[1]).lower()
    arguments = [each.strip() for each in str(match[2]).split(",")] if match[2] is not None else []
    if arguments == [""]:
        arguments = []
    if any(not each or "=" in each for each in arguments):
        raise _unknown(text)
    policy = _list(text, arguments) if name == "list" else _named(text, name, arguments)
    for field in fields_of(policy):
        if field in ADDED_FIELDS:
            raise InvalidSpecError(f"{text!r}: the field {field!r} has the name of one that the value gets")
    return policy


def policy_to_text(policy: Policy) -> str:
    """The text that means a policy."""
    name = type(policy).__name__.lower()
    arguments = fields_of(policy)
    if isinstance(policy, List):
        arguments = (*arguments, str(policy.most))
    return f"{name}({', '.join(arguments)})" if arguments else name


def fields_of(policy: Policy) -> tuple[str, ...]:
    """The fields that a policy reads."""
    match policy:
        case Last() | First() | Count():
            return ()
        case Ohlc() | Vwap():
            return (policy.value,) if policy.volume is None else (policy.value, policy.volume)
        case _:
            return (policy.value,) if policy.value else ()


def _named(text: str, name: str, arguments: list[str]) -> Policy:
    form = _BY_NAME.get(name)
    if form is None or not form[0] <= len(arguments) <= form[1]:
        raise _unknown(text)
    return form[2](*arguments)


def _list(text: str, arguments: list[str]) -> Policy:
    number = arguments[-1] if arguments else ""
    if len(arguments) > 2 or not (number.isascii() and number.isdigit()):
        raise _unknown(text)
    return List(arguments[0] if len(arguments) == 2 else "", int(number[:9]))


_BY_NAME: Final[dict[str, tuple[int, int, Callable[..., Policy]]]] = {
    "last": (0, 0, Last),
    "first": (0, 0, First),
    "count": (0, 0, Count),
    "min": (1, 1, Min),
    "max": (1, 1, Max),
    "sum": (1, 1, Sum),
    "ohlc": (1, 2, Ohlc),
    "vwap": (2, 2, Vwap),
    "merge": (0, 1, Merge),
}
"""How many fields each takes, and its class."""


def _unknown(text: str) -> InvalidSpecError:
    return InvalidSpecError(f"{text!r:.80} is no policy of conflation; expected one of {_FORMS}")
