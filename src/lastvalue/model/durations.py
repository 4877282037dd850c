"""Durations as people write them."""

import re
from typing import Final

_UNITS_MS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_DURATION: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?) ?(ms|s|m|h|d)")

DURATION_EXAMPLES: Final = "500ms, 10s, 5m, 1h or 1d"


def duration_ms(text: str) -> int | None:
    """The milliseconds, rounded, of a text such as `500ms`, `1.5s` or `1d`; None if it has another form."""
    duration = _DURATION.fullmatch(text.strip())
    return None if duration is None else round(float(duration[1]) * _UNITS_MS[duration[2]])
