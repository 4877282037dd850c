"""The batch that fills: effects come in, records go out, and it is known which of them are still needed."""

from collections.abc import Iterable, Sequence
from typing import assert_never, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER
from lastvalue.queues.effects import (
    REPLACED,
    Acquired,
    Added,
    Amended,
    Dismissed,
    Due,
    Effect,
    Identified,
    Reconfigured,
    Refused,
    Released,
    Removed,
    Scheduled,
    Superseded,
)
from lastvalue.queues.entry import WAITS, Entry
from lastvalue.queues.ids import KnownId
from lastvalue.store import records
from lastvalue.store.records import AddedRecords, added_size
from lastvalue.store.segment_entries import SegmentEntries
from lastvalue.store.stored_ids import StoredIds


@final
class BatchBuilder:
    """Collects records until they are taken as one batch.

    A message becomes a record only when the batch is taken: one that has left by then never was in the
    store, and the batch tells its sequence alone. So a record of a message has the state that it is in, and
    the queue must not have changed since its last effects were appended.

    Attributes:
        segment: the one that the batch is for.
        sequences: the last sequence of each queue, by its number.
    """

    __slots__ = (
        "_added",
        "_by_segment",
        "_gone",
        "_ids",
        "_live_bytes",
        "_near",
        "_near_number",
        "_near_segment",
        "_parts",
        "_reason",
        "_size",
        "_superseded",
        "_waiting",
        "segment",
        "sequences",
    )

    def __init__(self, segment: i64) -> None:
        self.segment: i64 = segment
        self.sequences: dict[int, int] = {}
        self._added = AddedRecords()
        self._parts: list[bytes] = []
        self._size: i64 = 0
        self._waiting: list[tuple[int, list[Entry]]] = []
        # Of what waits: to be told behind its record.
        self._superseded: list[tuple[int, Entry]] = []
        # By segment, then by the number of the queue; none is empty.
        self._by_segment: dict[int, dict[int, SegmentEntries]] = {segment: {}}
        self._live_bytes: i64 = 0
        self._ids = StoredIds()
        # Removals that are to be one record, and their reason.
        self._gone: list[int] = []
        self._reason: i64 = REPLACED
        # The entries that were needed last: most often they are needed next.
        self._near: SegmentEntries | None = None
        self._near_segment: i64 = 0
        self._near_number: i64 = 0

    @property
    def size(self) -> int:
        """How many bytes the batch would have now, about."""
        return self._size

    @property
    def live_bytes(self) -> int:
        """What the records take that are needed, without those of this batch."""
        return self._live_bytes + self._ids.live_bytes

    @property
    def oldest(self) -> int:
        """The oldest segment that is not released."""
        return min(self._by_segment)

    @property
    def segments(self) -> int:
        """How many there are that are not released."""
        return len(self._by_segment)

    # ------------------------------------------------------------------ what comes in

    def put(self, record: bytes) -> None:
        """Take a record as it is."""
        self._parts.append(record)
        self._size += len(record)

    def append(self, number: i64, effects: Sequence[Effect]) -> bool:  # noqa: C901 - one test each
        """Take the effects on the queue of that number; whether any is for the store."""
        before = len(self._parts)
        taken: list[Entry] = []
        last: i64 = 0
        # One test each, the usual ones first: this runs for every message.
        for effect in effects:
            if isinstance(effect, (Added, Scheduled)):
                last = effect.entry.sequence
                self._take(effect.entry, taken)
            elif isinstance(effect, Removed):
                if effect.entry.stored != 0:
                    self._remove(number, effect)
            elif isinstance(effect, (Acquired, Released, Due)):
                self._mark(number, effect)
            elif isinstance(effect, Amended):
                self._amend(number, effect, taken)
            elif isinstance(effect, Superseded):
                self._supersede(number, effect.entry)
            elif isinstance(effect, Identified):
                self._identify(number, effect)
            elif isinstance(effect, Reconfigured):
                self._reschedule(number)
            elif not isinstance(effect, (Dismissed, Refused)):
                assert_never(effect)
        self._tell_gone(number)
        if last > 0:
            self.sequences[number] = last
        if taken:
            self._waiting.append((number, taken))
        return bool(taken) or len(self._parts) > before

    def _take(self, entry: Entry, taken: list[Entry]) -> None:
        if entry.message.durable:
            entry.stored = WAITS
            self._size += added_size(entry)
            taken.append(entry)

    def _amend(self, number: i64, effect: Amended, taken: list[Entry]) -> None:
        """Write a message anew; should it leave before the batch is taken, its old record is gone already."""
        entry = effect.entry
        more: i64 = len(entry.message.encoded) - effect.size_bytes
        if entry.stored == WAITS:
            self._size += more
        elif entry.stored > 0:
            self.put(records.removed(number, entry.sequence, REPLACED))
            self._drop_entry(number, entry, entry.stored)
            self._live_bytes -= added_size(entry) - more
            entry.stored = WAITS
            self._size += added_size(entry)
            # The last one tells the queue's last sequence.
            taken.insert(0, entry)
            if entry.superseded:
                self._superseded.append((number, entry))

    def _remove(self, number: i64, effect: Removed) -> None:
        entry = effect.entry
        stored = entry.stored
        entry.stored = 0
        if stored == WAITS:
            self._size -= added_size(entry)
            return
        if effect.reason != self._reason:
            self._tell_gone(number)
            self._reason = effect.reason
        self._gone.append(entry.sequence)
        self._drop_entry(number, entry, stored)
        self._live_bytes -= added_size(entry)

    def _tell_gone(self, number: i64) -> None:
        """Record the removals that were gathered; all other records of an entry stand before its removal."""
        if self._gone:
            self.put(records.gone(number, self._gone, self._reason))
            self._gone = []

    def _drop_entry(self, number: i64, entry: Entry, segment: i64) -> None:
        segment_entries = self._near
        if segment_entries is None or segment != self._near_segment or number != self._near_number:
            segment_entries = self._by_segment[segment][number]
            self._near = segment_entries
            self._near_segment = segment
            self._near_number = number
        segment_entries.clear(entry)
        if segment_entries.live == 0:
            del self._by_segment[segment][number]
            self._near = None

    def _mark(self, number: i64, effect: Acquired | Released | Due) -> None:
        entry = effect.entry
        if entry.stored <= 0:
            return
        if isinstance(effect, Acquired):
            self.put(records.marked(records.ACQUIRED, number, entry.sequence))
        elif isinstance(effect, Released):
            self.put(records.released(number, entry.sequence, effect.delivery_count))
        else:
            self.put(records.due(number, entry.sequence, entry.updates))

    def _supersede(self, number: i64, entry: Entry) -> None:
        if entry.stored == WAITS:
            self._superseded.append((number, entry))
        elif entry.stored > 0:
            self.put(records.marked(records.SUPERSEDED, number, entry.sequence))

    def _identify(self, number: i64, effect: Identified) -> None:
        self._ids.forget(effect.forgotten)
        if effect.known.durable:
            self.put(self._ids.store(number, effect.known, self.segment))

    def _reschedule(self, number: i64) -> None:
        """Record the deadlines of what is on a queue that was declared anew: they may be others."""
        for by_queue in self._by_segment.values():
            if number in by_queue:
                for entry in by_queue[number].entries():
                    if entry.expires_ms != NEVER:
                        self.put(records.rescheduled(number, entry.sequence, entry.expires_ms))

    def adopt(self, number: int, entries: Iterable[Entry], sequence: int) -> None:
        """Go on with the entries of a queue that was read; `stored` is their segment."""
        self.sequences[number] = sequence
        # The segments that tell it otherwise may go before the next one begins.
        self.put(records.marked(records.SEQUENCE, number, sequence))
        for entry in entries:
            self._by_segment.setdefault(entry.stored, {}).setdefault(number, SegmentEntries()).put(entry)
            self._live_bytes += added_size(entry)

    def adopt_ids(self, number: int, ids: Iterable[KnownId]) -> None:
        """Go on with the ids that a queue remembers; `stored` is their segment."""
        kept = list(ids)
        self._ids.adopt(number, kept)
        for known in kept:
            self._by_segment.setdefault(known.stored, {})

    def drop(self, number: int) -> None:
        """Forget what is left of a queue that is gone."""
        self._near = None
        self.sequences.pop(number, None)
        self._ids.drop(number)
        for owner, taken in self._waiting:
            for entry in taken:
                if owner == number and entry.stored == WAITS:
                    entry.stored = 0
                    self._size -= added_size(entry)
        self._waiting = [each for each in self._waiting if each[0] != number]
        for by_queue in self._by_segment.values():
            if number in by_queue:
                for entry in by_queue.pop(number).entries():
                    entry.stored = 0
                    self._live_bytes -= added_size(entry)

    # ------------------------------------------------------------------ what goes out

    def take(self) -> bytes:
        """The batch; another one begins."""
        self._write_waiting()
        batch = b"".join(self._parts)
        self._parts = []
        self._size = 0
        return batch

    def _write_waiting(self) -> None:
        unsaid: set[int] = set()
        for number, taken in self._waiting:
            self._write(number, taken)
            if taken[-1].stored == 0:
                unsaid.add(number)
        self._waiting = []
        for number, entry in self._superseded:
            if entry.stored > 0:
                self._parts.append(records.marked(records.SUPERSEDED, number, entry.sequence))
        self._superseded = []
        for number in unsaid:
            self._parts.append(records.marked(records.SEQUENCE, number, self.sequences[number]))

    def _write(self, number: int, taken: list[Entry]) -> None:
        added = self._added
        parts = self._parts
        segment = self.segment
        by_queue = self._by_segment[segment]
        segment_entries = by_queue.get(number) or SegmentEntries()
        added.begin(number)
        for entry in taken:
            if entry.stored == WAITS:
                added.write(entry, parts)
                entry.stored = segment
                segment_entries.put(entry)
                self._live_bytes += added_size(entry)
        if segment_entries.live > 0:
            by_queue[number] = segment_entries

    # ------------------------------------------------------------------ segments

    def follow(self, segment: int) -> None:
        """Go on with this segment, which exists."""
        self._by_segment.setdefault(segment, {})

    def begin_segment(self) -> None:
        """What comes from now on is for the next segment, which tells the sequences of all queues."""
        self.segment += 1
        self._by_segment[self.segment] = {}

    def tell_sequences(self) -> None:
        """Record the last sequence of each queue."""
        for number, sequence in self.sequences.items():
            self.put(records.marked(records.SEQUENCE, number, sequence))

    def carry(self, oldest: int, most: int) -> None:
        """Copy so many messages, and ids, that are needed into this batch."""
        self._near = None
        by_queue = self._by_segment[oldest]
        room = most
        for number in list(by_queue):
            if room <= 0:
                break
            segment_entries = by_queue[number]
            carried = segment_entries.take(room)
            room -= len(carried)
            for entry in carried:
                self._live_bytes -= added_size(entry)
                entry.stored = WAITS
                self._size += added_size(entry)
                if entry.superseded:
                    self._superseded.append((number, entry))
            self._waiting.append((number, carried))
            if segment_entries.live == 0:
                del by_queue[number]
        self.put(self._ids.carry(oldest, self.segment, most))

    def needs(self, segment: int) -> bool:
        """Whether anything in it is needed."""
        return bool(self._by_segment[segment]) or self._ids.are_in(segment)

    def release(self, segment: int) -> None:
        """Forget a segment in which nothing is needed."""
        del self._by_segment[segment]
