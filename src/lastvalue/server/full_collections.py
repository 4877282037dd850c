"""Which objects Python's garbage collector searches, for which the event loop waits.

Among a million objects a search takes a tenth of a second, and peers make the broker keep as many. What the
broker drops is freed at once, because references are counted; only cycles need a search. So old objects that
have become many are left out of further searches. Cycles among them are found when the process and the
objects left out have doubled, or the process alone is four times as large and the search is short: a search
among all objects is rare, and what it can find is bounded. A long one waits until the process has little to
do, so that no peer can bring it about while others are served. A process that grows by the bytes of messages
has nothing to find.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lastvalue.server.memory_and_disk import STATM, resident_bytes

GROWTH: Final = 2.0
GROWTH_BY_BYTES: Final = 4.0
"""The process is searched when it is so much larger, if it has few objects."""
FEW_OBJECTS: Final = 75_000
"""A search of this many takes some milliseconds."""
LONG_SEARCH_S: Final = 0.003
"""Few objects may refer to many, as a table of keys does: a search that takes so long leaves them out."""
LITTLE_TO_DO: Final = 0.01
"""The process has little to do while it uses no more of a processor, as for a hundred messages a second."""
CALM_LOOKS: Final = 60
"""A long search waits until the process had little to do at this many looks, for a minute."""
MOST_OLD: Final = 25_000
"""This many old objects are searched again."""
_LOOKS_EVERY_S: Final = 1.0
_OLD: Final = 2
_SEARCHES_OF_MIDDLE: Final = 5
"""After this many the old ones are searched, too: at most some 50,000 more have become old by then."""


class FullCollections:
    """The searches among old objects of this process; those among young ones stay as they are.

    Objects that exist when it is made are left out until the first search among all. Where the system does
    not tell how large the process is, the collector decides by itself.

    Args:
        memory: the file whose second word is how much of the process is in memory.
        used_s: the processor's time that the process has used.
    """

    def __init__(self, memory: Path = STATM, used_s: Callable[[], float] = time.process_time) -> None:
        self._memory = memory
        self._process_s = used_s
        self._used_s = used_s()
        self._looked_s = time.monotonic()
        self._calm_looks = 0
        self._size = 0
        self._objects = 0
        self._has_left_out = False
        self._began_s = 0.0
        # How long a search of those took that were left out because it took long.
        self._long_s = 0.0
        # No search first: with a store that takes as long as reading it, and finds nothing.
        gc.freeze()
        # The collector searches old objects when a quarter of those that it searched last have become old.
        gc.collect()
        # This many are left out; those that are freed count until they are counted again.
        self._left_out = gc.get_freeze_count()
        if memory.exists():
            young, middle, _ = gc.get_threshold()
            gc.set_threshold(young, middle, _SEARCHES_OF_MIDDLE)
            gc.callbacks.append(self._searched)

    def look(self) -> None:
        """Search all objects, if some are left out since the last time and the process has grown.

        A long search waits until the process had little to do for a while.
        """
        used_s, now_s = self._process_s(), time.monotonic()
        little = used_s - self._used_s <= LITTLE_TO_DO * (now_s - self._looked_s)
        self._calm_looks = self._calm_looks + 1 if little else 0
        self._used_s, self._looked_s = used_s, now_s
        if self._has_left_out and self._has_grown():
            gc.unfreeze()
            began_s = self._process_s()
            _leave_out_all()
            if self._long_s > 0.0:
                self._long_s = self._process_s() - began_s
            self._size = self._size_now()
            self._objects = self._left_out = gc.get_freeze_count()
            self._has_left_out = False

    def look_regularly(self, loop: asyncio.AbstractEventLoop) -> None:
        """Look now, and again as long as the loop runs."""
        self.look()
        loop.call_later(_LOOKS_EVERY_S, self.look_regularly, loop)

    def _searched(self, phase: str, search: dict[str, int]) -> None:
        """Leave out what has survived a search among old objects, where it is much, or took long."""
        if search["generation"] != _OLD:
            return
        if phase == "start":
            self._began_s = self._process_s()
            return
        took_s = self._process_s() - self._began_s
        old = len(gc.get_objects(_OLD))
        if old > MOST_OLD or took_s > LONG_SEARCH_S:
            gc.freeze()
            if old <= MOST_OLD:
                self._long_s += took_s
            self._left_out += old
            if not self._has_left_out:
                self._has_left_out = True
                self._size = max(self._size, self._size_now())
                self._objects = max(self._objects, self._left_out)

    def _has_grown(self) -> bool:
        size = self._size_now()
        if size <= GROWTH * self._size:
            return False
        if not self._has_many_more(size):
            return False
        # They are counted one by one, a quarter of a million in 25 ms: only before a search.
        self._left_out = gc.get_freeze_count()
        return self._has_many_more(size)

    def _has_many_more(self, size: int) -> bool:
        if self._left_out < FEW_OBJECTS and self._long_s <= LONG_SEARCH_S:
            return self._left_out > GROWTH * self._objects or size > GROWTH_BY_BYTES * self._size
        return self._calm_looks >= CALM_LOOKS and self._left_out > GROWTH * self._objects

    def _size_now(self) -> int:
        return resident_bytes(self._memory)


def _leave_out_all() -> None:
    """Search all objects that are not left out, and leave them out from then on."""
    gc.collect()
    gc.freeze()
    # As for the first ones.
    gc.collect()
