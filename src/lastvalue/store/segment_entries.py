"""The messages of one queue that one segment holds and that are still needed."""

from typing import final

from mypy_extensions import i64

from lastvalue.queues.entry import Entry


@final
class SegmentEntries:
    """Entries, each in the slot that it knows: found without a search, however many there are.

    Attributes:
        live: how many there are.
    """

    __slots__ = ("_emptied", "_slots", "live")

    def __init__(self) -> None:
        self.live: i64 = 0
        self._emptied: i64 = 0
        self._slots: list[Entry | None] = []

    def put(self, entry: Entry) -> None:
        """Take an entry."""
        entry.slot = len(self._slots)
        self._slots.append(entry)
        self.live += 1

    def clear(self, entry: Entry) -> None:
        """Let an entry go that is here."""
        self._slots[entry.slot] = None
        self.live -= 1

    def entries(self) -> list[Entry]:
        """Those that are here, in the order in which they came."""
        return [entry for entry in self._slots if entry is not None]

    def take(self, most: i64) -> list[Entry]:
        """Let so many go, the first first."""
        taken: list[Entry] = []
        slot = self._emptied
        size: i64 = len(self._slots)
        while slot < size and len(taken) < most:
            entry = self._slots[slot]
            if entry is not None:
                self._slots[slot] = None
                taken.append(entry)
            slot += 1
        self._emptied = slot
        self.live -= len(taken)
        return taken
