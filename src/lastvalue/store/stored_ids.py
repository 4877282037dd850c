"""The segments that store the ids that queues remember."""

from collections.abc import Iterable
from itertools import islice

from lastvalue.queues.ids import KnownId
from lastvalue.store import records


class StoredIds:
    """The remembered ids of durable messages, by the segment that stores them.

    Attributes:
        live_bytes: the size of their records.
    """

    def __init__(self) -> None:
        self.live_bytes = 0
        self._live: dict[int, dict[KnownId, int]] = {}

    def store(self, number: int, known: KnownId, segment: int) -> bytes:
        """Assign an id of the queue `number` to a segment; returns its record."""
        record = records.identified(number, known)
        known.stored = segment
        self._live.setdefault(segment, {})[known] = number
        self.live_bytes += len(record)
        return record

    def adopt(self, number: int, ids: Iterable[KnownId]) -> None:
        """Track the ids of a recovered queue; `stored` is their segment."""
        for known in ids:
            self._live.setdefault(known.stored, {})[known] = number
            self.live_bytes += records.identified_size(known)

    def forget(self, ids: Iterable[KnownId]) -> None:
        """Remove ids that their queues have forgotten."""
        for known in ids:
            if known.stored:
                self._take_out(known)

    def drop(self, number: int) -> None:
        """Remove the ids of a deleted queue."""
        ids = [known for live in self._live.values() for known, owner in live.items() if owner == number]
        for known in ids:
            self._take_out(known)

    def are_in(self, segment: int) -> bool:
        """Whether the segment stores a remembered id."""
        return bool(self._live.get(segment))

    def carry(self, oldest: int, segment: int, most: int) -> bytes:
        """Move up to `most` ids from the oldest segment to another; returns their records."""
        carried = list(islice(self._live.get(oldest, {}).items(), most))
        buffer = bytearray()
        for known, number in carried:
            self._take_out(known)
            buffer += self.store(number, known, segment)
        return bytes(buffer)

    def _take_out(self, known: KnownId) -> None:
        live = self._live[known.stored]
        del live[known]
        if not live:
            del self._live[known.stored]
        known.stored = 0
        self.live_bytes -= records.identified_size(known)
