"""The entries of one queue whose records in one segment are still needed."""

from typing import final

from mypy_extensions import i64

from lastvalue.queues.entry import Entry


@final
class SegmentEntries:
    """Entries in slots; each entry has its slot number, so that it is removed in constant time.

    Attributes:
        live: the number of entries.
    """

    __slots__ = ("_emptied", "_slots", "live")

    def __init__(self) -> None:
        self.live: i64 = 0
        self._emptied: i64 = 0
        self._slots: list[Entry | None] = []

    def put(self, entry: Entry) -> None:
        """Add an entry."""
        entry.slot = len(self._slots)
        self._slots.append(entry)
        self.live += 1

    def clear(self, entry: Entry) -> None:
        """Remove an entry, which must be here."""
        self._slots[entry.slot] = None
        self.live -= 1

    def entries(self) -> list[Entry]:
        """The entries, in the order in which they were added."""
        return [entry for entry in self._slots if entry is not None]

    def take(self, most: i64) -> list[Entry]:
        """Remove and return up to `most` entries, the oldest first."""
        oldest: list[Entry] = []
        slot = self._emptied
        size: i64 = len(self._slots)
        while slot < size and len(oldest) < most:
            entry = self._slots[slot]
            if entry is not None:
                self._slots[slot] = None
                oldest.append(entry)
            slot += 1
        self._emptied = slot
        self.live -= len(oldest)
        return oldest
