"""The text of an interval, such as `5s`."""

import re
from typing import Final

from lastvalue.pipeline.conflation.errors import InvalidConflationError

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
