"""Times as users write them."""

import re
from datetime import UTC, datetime
from typing import Final

from lastvalue.history.errors import InvalidTimeError

_RELATIVE: Final = re.compile(r"-(\d+(?:\.\d+)?)(ms|s|m|h|d|w)")
_TIME_OF_DAY: Final = re.compile(r"\d\d:\d\d")
_UNIT_MS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


def read_time(text: str, now_ms: int) -> int:
    """The time of a text, in milliseconds since the epoch.

    `now`, a time before now (`-5m`; ms, s, m, h, d, w), or ISO 8601; a time without a zone is in UTC, one
    without a date today's.

    Raises:
        InvalidTimeError: the text has another form.
    """
    text = text.strip()
    if text == "now":
        return now_ms
    relative = _RELATIVE.fullmatch(text)
    if relative is not None:
        return now_ms - round(float(relative[1]) * _UNIT_MS[relative[2]])
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
    try:
        moment = datetime.fromisoformat(f"{today}T{text}" if _TIME_OF_DAY.match(text) else text)
    except ValueError:
        raise InvalidTimeError(
            f"{text!r} is not a time; expected ISO 8601 as in 2026-03-01T12:00:00Z, 12:00 of today, a time "
            "before now as in -5m (ms, s, m, h, d, w), or now"
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def is_relative(text: str) -> bool:
    """Whether the text is a time that depends on now."""
    return text.strip() == "now" or _RELATIVE.fullmatch(text.strip()) is not None


def print_time(time_ms: int) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return (
        datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )
