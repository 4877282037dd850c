"""When Python's garbage collector searches all objects, for which the event loop waits.

Among a million objects that takes a tenth of a second, and the collector does it as often as peers make the
broker allocate objects. What the broker drops is freed at once, because references are counted; only cycles
that have become old need such a search. So it begins when the process has grown by half since the last one:
rarely, and what it can find is bounded.
"""

import asyncio
import gc
from pathlib import Path
from typing import Final

GROWTH: Final = 1.5
_LOOKS_EVERY_S: Final = 1.0
_NOT_BY_ITSELF: Final = (1 << 31) - 1
_MEMORY: Final = Path("/proc/self/statm")


class FullCollections:
    """The searches among all objects of this process; those among young ones go on by themselves.

    Objects that exist when it is made are never searched. Where the system does not tell how large the
    process is, the collector decides by itself.

    Args:
        memory: the file whose second word is how much of the process is in memory.
    """

    def __init__(self, memory: Path = _MEMORY) -> None:
        self._memory = memory
        self._size = 0
        gc.collect()
        gc.freeze()
        if memory.exists():
            young, middle, _ = gc.get_threshold()
            gc.set_threshold(young, middle, _NOT_BY_ITSELF)
            self._size = self._size_now()

    def look(self) -> None:
        """Search if the process has grown enough since the last search."""
        if self._size and self._size_now() > GROWTH * self._size:
            gc.collect()
            self._size = self._size_now()

    def look_regularly(self, loop: asyncio.AbstractEventLoop) -> None:
        """Look now, and again as long as the loop runs."""
        self.look()
        loop.call_later(_LOOKS_EVERY_S, self.look_regularly, loop)

    def _size_now(self) -> int:
        return int(self._memory.read_text().split()[1])
