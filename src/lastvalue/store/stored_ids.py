"""The segments that store what queues remember: ids and tombstones."""

from collections.abc import Iterable
from itertools import islice

from lastvalue.store import records
from lastvalue.store.records import Remembered


class StoredIds:
    """The ids of durable messages and the tombstones that queues remember, by the segment that stores them.

    Attributes:
        live_bytes: the size of their records.
    """

    def __init__(self) -> None:
        self.live_bytes = 0
        self._live: dict[int, dict[Remembered, int]] = {}

    def store(self, number: int, known: Remembered, segment: int) -> bytes:
        """Assign an item of the queue `number` to a segment; returns its record."""
        record = records.remembered(number, known)
        known.stored = segment
        self._live.setdefault(segment, {})[known] = number
        self.live_bytes += len(record)
        return record

    def adopt(self, number: int, ids: Iterable[Remembered]) -> None:
        """Track the items of a recovered queue; `stored` is their segment."""
        for known in ids:
            self._live.setdefault(known.stored, {})[known] = number
            self.live_bytes += records.remembered_size(known)

    def forget(self, ids: Iterable[Remembered]) -> None:
        """Remove items that their queues have forgotten."""
        for known in ids:
            if known.stored:
                self._take_out(known)

    def drop(self, number: int) -> None:
        """Remove the items of a deleted queue."""
        ids = [known for live in self._live.values() for known, owner in live.items() if owner == number]
        for known in ids:
            self._take_out(known)

    def are_in(self, segment: int) -> bool:
        """Whether the segment stores one that is remembered."""
        return bool(self._live.get(segment))

    def carry(self, oldest: int, segment: int, most: int) -> bytes:
        """Move up to `most` items from the oldest segment to another; returns their records."""
        carried = list(islice(self._live.get(oldest, {}).items(), most))
        buffer = bytearray()
        for known, number in carried:
            self._take_out(known)
            buffer += self.store(number, known, segment)
        return bytes(buffer)

    def _take_out(self, known: Remembered) -> None:
        live = self._live[known.stored]
        del live[known]
        if not live:
            del self._live[known.stored]
        known.stored = 0
        self.live_bytes -= records.remembered_size(known)
