"""The only clock of the server."""

import time
from typing import Final

_NANOSECONDS: Final = 1_000_000


class Clock:
    """Milliseconds since the epoch that never go back, whatever is done to the system's clock."""

    def __init__(self) -> None:
        self._offset_ns = time.time_ns() - time.monotonic_ns()

    def now_ms(self) -> int:
        """The time."""
        return (time.monotonic_ns() + self._offset_ns) // _NANOSECONDS
