"""Policies of `conflate`: how the rows of a key and interval become one."""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from lastvalue.pipeline.conflation.errors import InvalidConflationError


@dataclass(frozen=True, slots=True)
class Last:
    """The newest row, with all columns."""


@dataclass(frozen=True, slots=True)
class First:
    """The oldest row, with all columns."""


@dataclass(frozen=True, slots=True)
class Max:
    """The greatest value, without nulls."""

    value: str


@dataclass(frozen=True, slots=True)
class Min:
    """The least value, without nulls."""

    value: str


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the values; null if there are none."""

    value: str


@dataclass(frozen=True, slots=True)
class Count:
    """The number of rows, in the column `count`."""


@dataclass(frozen=True, slots=True)
class Ohlc:
    """The oldest, greatest, least and newest value: the columns `open`, `high`, `low` and `close`.

    Attributes:
        value: its column; rows in which it is null are ignored.
        volume: the column whose sum is the column `volume`.
    """

    value: str
    volume: str | None = None


@dataclass(frozen=True, slots=True)
class Vwap:
    """The volume-weighted mean of the value, a double, in the column `vwap`; the volume in `volume`.

    A row in which one of them is null is ignored. Without volume the mean is null.
    """

    value: str
    volume: str


@dataclass(frozen=True, slots=True)
class Merge:
    """A map of all entries; of entries with the same name, the newest."""

    value: str


RowPolicy: TypeAlias = Last | First
ValuePolicy: TypeAlias = Max | Min | Sum | Count | Ohlc | Vwap | Merge
Policy: TypeAlias = RowPolicy | ValuePolicy


@dataclass(frozen=True, slots=True)
class Tombstones:
    """Which rows delete their key.

    Attributes:
        column: if it is a boolean, true deletes; if it has any other type, null deletes.
        keep: deletions stay in the result; otherwise a deleted key is not in it.
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
        InvalidConflationError: the text is not an interval, or the interval is empty.
    """
    match = re.fullmatch(r"([0-9]+)\s*(us|ms|s|m|h|d)", text.strip())
    if match is None or not int(match[1]):
        raise InvalidConflationError(f"{text!r} is not an interval; write it as 500ms, 5s, 1m, 1h or 1d")
    return int(match[1]) * _UNITS_US[match[2]]
