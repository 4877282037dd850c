"""The clocks of the server: the system's, and a manual one."""

import time
from typing import Final

from mypy_extensions import i64

from lastvalue.server.log_events import CLOCK_STEPPED

LEAST_STEP_MS: Final = 1_000
"""The smallest step of the system's clock that is logged."""

_NANOSECONDS: Final[i64] = 1_000_000
_MILLISECONDS: Final = 1_000.0


def system_time_ms() -> int:
    """What the system's clock says, milliseconds since the epoch; it may be set at any moment."""
    return time.time_ns() // _NANOSECONDS


class Clock:
    """Milliseconds since the epoch; they never go back, even where the system's clock does.

    Attributes:
        is_manual: the time stands still until somebody moves it.
    """

    is_manual = False

    def __init__(self) -> None:
        self._offset_ms: i64 = system_time_ms() - i64(time.monotonic() * _MILLISECONDS)

    def now_ms(self) -> int:
        """The time."""
        return self.at(time.monotonic())

    def at(self, monotonic_s: float) -> int:
        """The time at a moment of the monotonic clock: now, for a caller that has just read that clock."""
        return i64(monotonic_s * _MILLISECONDS) + self._offset_ms


class ClockWatch:
    """Notices that the system's clock was set, or that the machine slept; `Clock` does not follow either."""

    def __init__(self) -> None:
        self._clock = Clock()

    def look(self) -> None:
        """Log a step of the system's clock since the last one that was logged."""
        step_ms = system_time_ms() - self._clock.now_ms()
        if abs(step_ms) < LEAST_STEP_MS:
            return
        self._clock = Clock()
        CLOCK_STEPPED.log(seconds=round(step_ms / 1000, 1))


class ManualClock(Clock):
    """A time that stands still until it is moved, for tests and rehearsals.

    It is the time of the queues. Connections use the system's clock, so that a move does not close them.
    """

    is_manual = True

    def __init__(self, start_ms: int) -> None:
        self._now_ms = start_ms

    def now_ms(self) -> int:
        """The time."""
        return self._now_ms

    def at(self, monotonic_s: float) -> int:
        """The time, whatever the system's clock says."""
        del monotonic_s
        return self._now_ms

    def move_to(self, now_ms: int) -> None:
        """Move the time on.

        Raises:
            ValueError: the new time is earlier.
        """
        if now_ms < self._now_ms:
            raise ValueError(f"time does not go back: it is {self._now_ms}, and {now_ms} is earlier")
        self._now_ms = now_ms
