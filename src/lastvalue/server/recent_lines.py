"""The newest lines of the log, kept in memory for those who may ask for them."""

import logging
import threading
from collections import deque
from typing import Any, Final

from lastvalue.broker.administration.log_requests import LogTail
from lastvalue.config.log_levels import LogFormat
from lastvalue.server.log_output import LineFormatter

MOST_KEPT: Final = 2000


class RecentLines(LogTail):
    """Keeps the lines that a handler writes: it is the last of the handler's filters, and lets all pass."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._formatter = LineFormatter(LogFormat.JSON, terminal=False)
        self._lock = threading.Lock()
        self._newest = 0
        self._kept: deque[tuple[int, int, dict[str, Any]]] = deque(maxlen=most)

    def filter(self, record: logging.LogRecord) -> bool:
        """See logging.Filter."""
        values = self._formatter.values(record)
        with self._lock:
            self._newest += 1
            self._kept.append((self._newest, record.levelno, values))
        return True

    def newest(self) -> int:
        """See LogTail."""
        return self._newest

    def lines(self, after: int, level: str, event: str) -> list[dict[str, Any]]:
        """See LogTail."""
        least = logging.getLevelNamesMapping()[level.upper()]
        with self._lock:
            kept = list(self._kept)
        return [
            {"number": number, **_plain(values)}
            for number, levelno, values in kept
            if number > after and levelno >= least and event in f"{values['component']} {values['event']}"
        ]


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, bool | int | float | str) else str(value)
        for name, value in values.items()
    }
