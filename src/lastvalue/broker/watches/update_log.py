"""The updates of a queue that readers make values of: kept once, however many readers there are."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.queues.entry import Entry

MOST_KEPT: Final = 10_000
"""How many updates wait at most until values are made of them."""

UPDATE_BYTES: Final = 128
"""Bytes of memory of an update that waits, besides its message."""

_DROPPED: Final = 10
"""The part of the updates that is dropped at once if there is no room."""


@final
class Update:
    """A message of a key.

    Attributes:
        updates: for how many it stands.
        size_bytes: the memory that it takes.
    """

    __slots__ = ("entry", "size_bytes", "updates")

    def __init__(self, entry: Entry) -> None:
        try:
            self.updates: i64 = entry.message.updates()
        except LastvalueError:
            self.updates = 1
        self.entry = entry
        self.size_bytes: i64 = UPDATE_BYTES + len(entry.encoded)


@final
class UpdateReader:
    """How far one reader has come.

    Attributes:
        place: how many updates came before the one that it gets next.
        wake: called once when there is another update, if it waits.
    """

    __slots__ = ("place", "wake")

    def __init__(self, place: i64, wake: Callable[[], None]) -> None:
        self.place: i64 = place
        self.wake = wake


@final
class UpdateLog:
    """Updates in the order in which they came, each for all readers.

    An update costs the same whatever the number of readers, except that it wakes those that wait. What all
    have had is dropped. If there is no room, the oldest are dropped, and readers that are behind lack them.

    Args:
        memory: that the updates take.
    """

    __slots__ = ("_first", "_kept", "_memory", "_readers", "_waiting")

    def __init__(self, memory: MemoryAccount) -> None:
        self._memory = memory
        self._first: i64 = 0
        self._kept: list[Update] = []
        self._readers: dict[UpdateReader, None] = {}
        self._waiting: dict[UpdateReader, None] = {}

    @property
    def empty(self) -> bool:
        """Whether nobody reads it."""
        return not self._readers

    def join(self, wake: Callable[[], None]) -> UpdateReader:
        """Add a reader of the updates that come from now on; the next one wakes it."""
        reader = UpdateReader(self._first + len(self._kept), wake)
        self._readers[reader] = None
        self._waiting[reader] = None
        return reader

    def leave(self, reader: UpdateReader) -> None:
        """End what `join` began."""
        self._readers.pop(reader, None)
        self._waiting.pop(reader, None)
        self._drop_if_all_wait()

    def add(self, entry: Entry) -> None:
        """Keep an update, and wake the readers that wait."""
        update = Update(entry)
        kept = self._kept
        if kept and (len(kept) >= MOST_KEPT or not self._memory.has_room(update.size_bytes)):
            self._drop(max(1, len(kept) // _DROPPED))
        # One alone is let in: what becomes of it is decided when a value is made of it.
        self._memory.add(update.size_bytes)
        kept.append(update)
        waiting = self._waiting
        self._waiting = {}
        for reader in waiting:
            reader.wake()

    def missed(self, reader: UpdateReader) -> i64:
        """How many updates were dropped that the reader has not had; it continues behind them."""
        missed: i64 = max(0, self._first - reader.place)
        reader.place += missed
        return missed

    def has_all(self, reader: UpdateReader) -> bool:
        """Whether the reader has had all updates; then the next one wakes it."""
        if reader.place < self._first + len(self._kept):
            return False
        self._waiting[reader] = None
        self._drop_if_all_wait()
        return True

    def next(self, reader: UpdateReader) -> Update:
        """The next update of a reader that has missed none, and has not had all."""
        update = self._kept[reader.place - self._first]
        reader.place += 1
        # The value that is made of the last one has the memory of those before.
        self.has_all(reader)
        return update

    def _drop_if_all_wait(self) -> None:
        if len(self._waiting) == len(self._readers):
            self._drop(len(self._kept))

    def _drop(self, number: i64) -> None:
        """Drop this many of the oldest."""
        for update in self._kept[:number]:
            self._memory.release(update.size_bytes)
        del self._kept[:number]
        self._first += number
