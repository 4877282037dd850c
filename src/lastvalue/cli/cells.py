"""The headings and cells of tables."""

import json
from datetime import UTC, datetime
from typing import Final

from lastvalue.model.jsonable import jsonable
from lastvalue.model.queue_statistics import QUEUE_STATISTICS, Unit


def heading(column: str) -> str:
    """The heading of a column, in capitals."""
    return label(column).replace("_", " ").upper()


def label(name: str) -> str:
    """The name of a value as a table shows it: that of a moment, which is shown as a time, has no unit."""
    return name.removesuffix("_ms") if name in _MOMENTS else name


_MOMENTS: Final = frozenset(
    {
        *(each.name for each in QUEUE_STATISTICS if each.unit is Unit.MOMENT),
        "arrival_time_ms",
        "expires_ms",
        "last_ms",
        "since_ms",
        "taken_ms",
        "waits_since_ms",
    }
)
"""What tables show as a time; other names that end in _ms are durations."""


def cell(name: str, value: object) -> str:
    """A value of a table: a moment as its time in UTC, another value as it is."""
    if name in _MOMENTS and type(value) is int:
        return moment(value)
    return cell_text(value)


def moment(time_ms: int) -> str:
    """A time in UTC, to the second; 0 is none."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ") if time_ms else ""


def cell_text(value: object) -> str:
    """A value on one line; signs that a terminal would obey are escaped."""
    match value:
        case None:
            return ""
        case str():
            text = value
        case bytes():
            text = value.decode(errors="backslashreplace")
        case _:
            text = json.dumps(jsonable(value), ensure_ascii=False)
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )
