"""What the rows of a key and interval become: the choices of `conflate`, as data."""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from lastvalue.pipeline.columns import InvalidConflationError


@dataclass(frozen=True, slots=True)
class Last:
    """The newest row, whole."""


@dataclass(frozen=True, slots=True)
class First:
    """The oldest row, whole."""


@dataclass(frozen=True, slots=True)
class Max:
    """The greatest value; a null is no value."""

    value: str


@dataclass(frozen=True, slots=True)
class Min:
    """The least value; a null is no value."""

    value: str


@dataclass(frozen=True, slots=True)
class Sum:
    """The values added up; of none, a null."""

    value: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows, in the column `count`."""


@dataclass(frozen=True, slots=True)
class Ohlc:
    """The oldest, greatest, least and newest value: the columns `open`, `high`, `low` and `close`.

    Attributes:
        value: its column; rows in which it is null count for nothing.
        volume: is added up, in the column `volume`.
    """

    value: str
    volume: str | None = None


@dataclass(frozen=True, slots=True)
class Vwap:
    """The mean of the value weighted by the volume, a double, in the column `vwap`; the volume in `volume`.

    A row in which one of them is null counts for nothing. Without volume the mean is null.
    """

    value: str
    volume: str


@dataclass(frozen=True, slots=True)
class Merge:
    """A map of all entries; of those with one name, the newest."""

    value: str


RowPolicy: TypeAlias = Last | First
ValuePolicy: TypeAlias = Max | Min | Sum | Count | Ohlc | Vwap | Merge
Policy: TypeAlias = RowPolicy | ValuePolicy


@dataclass(frozen=True, slots=True)
class Tombstones:
    """Which rows delete their key.

    Attributes:
        column: where it is a boolean, true deletes; of any other type, null deletes.
        keep: deletions stay in the result; else a key that ends deleted is not in it.
    """

    column: str
    keep: bool = False


_UNITS_US: Final = {
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}


def interval_us(text: str) -> int:
    """The microseconds of an interval such as `250ms`, `5s`, `1m`, `1h` or `1d`.

    Raises:
        InvalidConflationError: it is no interval, or an empty one.
    """
    match = re.fullmatch(r"([0-9]+)\s*(us|ms|s|m|h|d)", text.strip())
    if match is None or not int(match[1]):
        raise InvalidConflationError(f"{text!r} is no interval; write it as 500ms, 5s, 1m, 1h or 1d")
    return int(match[1]) * _UNITS_US[match[2]]
