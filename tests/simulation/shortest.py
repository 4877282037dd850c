"""Makes a history that breaks a law shorter, as long as it still breaks one."""

from collections.abc import Callable
from typing import Final

from history import History

MOST_RUNS: Final = 150


def shorten(history: History, breaks: Callable[[History], bool], most_runs: int = MOST_RUNS) -> History:
    """A history with fewer steps that breaks a law, too: as few as leaving out ever smaller parts gives."""
    runs = 0
    part = len(history.steps) // 2
    while part >= 1 and runs < most_runs:
        start, shorter = 0, False
        while start < len(history.steps) and runs < most_runs:
            candidate = history.without(set(range(start, start + part)))
            runs += 1
            if breaks(candidate):
                history, shorter = candidate, True
            else:
                start += part
        if not shorter or part > len(history.steps):
            part = min(part, len(history.steps)) // 2
    return history
