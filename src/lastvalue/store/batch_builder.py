"""Turns effects into a batch of records, and tracks which stored records are still needed."""

from collections.abc import Iterable
from typing import assert_never, final

from librt.strings import BytesWriter, write_i64_be
from mypy_extensions import i32, i64

from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import (
    REPLACED,
    Acquired,
    Added,
    Amended,
    Dismissed,
    Due,
    Effect,
    EpochBegan,
    Identified,
    Reason,
    Reconfigured,
    Refused,
    Released,
    Removed,
    Scheduled,
    Superseded,
    TakenRun,
    Tombstone,
    Tombstoned,
    Updated,
)
from lastvalue.queues.entry import WAITS, Entry
from lastvalue.queues.invariants import BrokenInvariantError, disagreements, is_turn_of_all
from lastvalue.queues.tombstones import MOST_EPOCHS
from lastvalue.store import records
from lastvalue.store.records import ADDED_SIZE, AddedRecords, Remembered, added_size
from lastvalue.store.segment_entries import SegmentEntries
from lastvalue.store.stored_ids import StoredIds


@final
class BatchBuilder:
    """Collects records until `take` returns them as one batch.

    A message becomes a record only in `take`: if it has left the queue by then, only its sequence is
    recorded. So a message's record has its state at that time, and the queue must not have changed since its
    last effects were appended.

    Attributes:
        segment: the number of the segment that the batch is for.
        sequences: the last sequence of each queue, by the queue's number.
    """

    __slots__ = (
        "_added",
        "_buffer",
        "_by_segment",
        "_checks",
        "_epochs",
        "_freed_bytes",
        "_ids",
        "_live_bytes",
        "_live_bytes_of",
        "_near",
        "_near_number",
        "_near_segment",
        "_reason",
        "_removals",
        "_size",
        "_superseded",
        "_tombstones",
        "_waiting",
        "segment",
        "sequences",
    )

    def __init__(self, segment: i64) -> None:
        self.segment: i64 = segment
        self.sequences: dict[int, int] = {}
        self._added = AddedRecords()
        self._buffer = OutputBuffer()
        self._size: i64 = 0
        self._waiting: list[tuple[int, list[Entry]]] = []
        # Waiting entries that are superseded: that mark follows their record.
        self._superseded: list[tuple[int, Entry]] = []
        # By segment, then by the queue's number; no SegmentEntries is empty.
        self._by_segment: dict[int, dict[int, SegmentEntries]] = {segment: {}}
        self._live_bytes: i64 = 0
        # By the queue's number: its part of them.
        self._live_bytes_of: dict[int, int] = {}
        # What the effects that are appended take from them.
        self._freed_bytes: i64 = 0
        self._ids = StoredIds()
        # By the queue's number: its last tombstone, and the last one that was dropped because of its age.
        self._tombstones: dict[int, tuple[int, int]] = {}
        self._epochs: dict[int, list[EpochBegan]] = {}
        # Sequences of removals that will be one record, and their reason.
        self._removals = BytesWriter()
        self._reason: i64 = REPLACED
        # The last SegmentEntries used, which is most often the next one too.
        self._near: SegmentEntries | None = None
        self._near_segment: i64 = 0
        self._near_number: i64 = 0
        self._checks: i64 = 0

    @property
    def size(self) -> int:
        """The approximate size of the batch, in bytes."""
        return self._size

    @property
    def live_bytes(self) -> int:
        """The size of the stored records that are still needed, without this batch, in bytes."""
        return self._live_bytes + self._ids.live_bytes

    def live_bytes_in(self, segment: i64) -> int:
        """The size of what is still needed of one segment, by the average of all messages, in bytes."""
        here: i64 = 0
        everywhere: i64 = 0
        for number, by_queue in self._by_segment.items():
            for segment_entries in by_queue.values():
                everywhere += segment_entries.live
                if number == segment:
                    here += segment_entries.live
        return self._ids.live_bytes + (self._live_bytes * here // everywhere if everywhere else 0)

    @property
    def oldest(self) -> int:
        """The oldest segment that is not released."""
        return min(self._by_segment)

    @property
    def segments(self) -> int:
        """The number of segments that are not released."""
        return len(self._by_segment)

    # ------------------------------------------------------------------ input

    def put(self, record: bytes) -> None:
        """Add an encoded record."""
        self._buffer.put(record)
        self._size += len(record)

    def append(self, number: i64, effects: list[Effect]) -> bool:  # noqa: C901, PLR0912 - a test each
        """Add the effects on the queue of this number; returns whether any needs a record."""
        before = self._buffer.size
        fresh: list[Entry] = []
        last: i64 = 0
        # One test each, the frequent ones first: this runs for every message.
        for effect in effects:
            if isinstance(effect, TakenRun):
                last = effect.entries[-1].sequence
                self._take_run(number, effect, fresh)
            elif isinstance(effect, (Added, Scheduled)):
                last = effect.entry.sequence
                self._take(effect.entry, fresh)
            elif isinstance(effect, Updated):
                last = effect.entry.sequence
                self._take(effect.entry, fresh)
                if effect.previous.stored != 0:
                    self._remove(number, effect.previous, REPLACED)
            elif isinstance(effect, Removed):
                if effect.entry.stored != 0:
                    self._remove(number, effect.entry, effect.reason)
            elif isinstance(effect, (Acquired, Released, Due)):
                self._mark(number, effect)
            elif isinstance(effect, Amended):
                self._amend(number, effect, fresh)
            elif isinstance(effect, Superseded):
                self._supersede(number, effect.entry)
            elif isinstance(effect, (Identified, Tombstoned, EpochBegan)):
                self._remember(number, effect)
            elif isinstance(effect, Reconfigured):
                self._reschedule(number, effect)
            elif not isinstance(effect, (Dismissed, Refused)):
                assert_never(effect)
        self._put_removals(number)
        self._free(number)
        if last > 0:
            self.sequences[number] = last
        if fresh:
            self._waiting.append((number, fresh))
        return bool(fresh) or self._buffer.size > before

    def _take(self, entry: Entry, fresh: list[Entry]) -> None:
        if entry.example.durable:
            entry.stored = WAITS
            self._size += added_size(entry)
            fresh.append(entry)

    def _take_run(self, number: i64, run: TakenRun, fresh: list[Entry]) -> None:
        """Add messages that were taken, and the removals of what their entries had before."""
        replaced = run.replaced
        if replaced is not None:
            self._remove_for(number, REPLACED)
            self._removals.write(replaced.getvalue())
            self._freed_bytes += run.replaced_bytes + ADDED_SIZE * (i64(len(replaced)) // 8)
        for entry in run.entries:
            stored = i64(entry.stored)
            if stored < WAITS:
                self._drop_entry(number, entry, WAITS - stored)
                entry.stored = 0
            self._take(entry, fresh)

    def _amend(self, number: i64, effect: Amended, fresh: list[Entry]) -> None:
        """Record the removal of the old message now, and the new one when the batch is taken."""
        entry = effect.entry
        if entry.stored == WAITS:
            self._size += effect.more_bytes
        elif entry.stored > 0:
            self.put(records.removed(number, entry.sequence, REPLACED))
            self._drop_entry(number, entry, i64(entry.stored))
            self._freed_bytes += effect.size_bytes + ADDED_SIZE
            entry.stored = WAITS
            self._size += added_size(entry)
            # Not last: the last entry's record implies the queue's last sequence.
            fresh.insert(0, entry)
            if entry.superseded:
                self._superseded.append((number, entry))
        elif entry.stored < WAITS:
            # The run that follows counts the removal of what this made of the stored message.
            self._freed_bytes -= effect.more_bytes

    def _remove(self, number: i64, entry: Entry, reason: Reason) -> None:
        stored = i64(entry.stored)
        entry.stored = 0
        if stored == WAITS:
            self._size -= added_size(entry)
            return
        self._remove_for(number, reason)
        write_i64_be(self._removals, entry.sequence)
        self._drop_entry(number, entry, stored)
        self._freed_bytes += added_size(entry)

    def _remove_for(self, number: i64, reason: Reason) -> None:
        """Let the next removals have this reason."""
        if reason != self._reason:
            self._put_removals(number)
            self._reason = reason

    def _put_removals(self, number: i64) -> None:
        """Write one record of the collected removals; an entry's other records all come before it."""
        if len(self._removals) > 0:
            self.put(records.removals(number, self._removals.getvalue(), self._reason))
            self._removals = BytesWriter()

    def _free(self, number: i64) -> None:
        """Count the records of a queue that are needed no more."""
        if self._freed_bytes != 0:
            self._add_live(number, -self._freed_bytes)
            self._freed_bytes = 0

    def _add_live(self, number: i64, size_bytes: i64) -> None:
        """Count records of a queue that are needed."""
        self._live_bytes += size_bytes
        self._live_bytes_of[number] = self._live_bytes_of.get(number, 0) + size_bytes

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

    def _remember(self, number: i64, effect: Identified | Tombstoned | EpochBegan) -> None:
        if isinstance(effect, Identified):
            self._identify(number, effect)
        elif isinstance(effect, Tombstoned):
            self._entomb(number, effect)
        else:
            self.adopt_epochs(number, [effect])

    def _identify(self, number: i64, effect: Identified) -> None:
        self._ids.forget(effect.forgotten)
        if effect.known.durable:
            self.put(self._ids.store(number, effect.known, self.segment))

    def _entomb(self, number: i64, effect: Tombstoned) -> None:
        self._ids.forget(effect.dropped)
        last, forgotten = self._tombstones.get(number, (0, 0))
        if effect.kept is not None:
            last = int(effect.kept.number)
            self.put(self._ids.store(number, effect.kept, self.segment))
        if effect.forgotten > forgotten:
            self.put(records.forgotten(number, last, effect.forgotten))
        self._tombstones[number] = (last, int(effect.forgotten))

    def _reschedule(self, number: i64, effect: Reconfigured) -> None:
        """Record the deadlines of a queue's stored entries, because its declaration has changed."""
        endless = {int(entry.sequence) for entry in effect.endless}
        for by_queue in self._by_segment.values():
            if number in by_queue:
                for entry in by_queue[number].entries():
                    if entry.expires_ms != NEVER or entry.sequence in endless:
                        self.put(records.rescheduled(number, entry.sequence, entry.expires_ms))

    def adopt(self, number: int, entries: Iterable[Entry], sequence: int) -> None:
        """Track the entries of a recovered queue; `stored` is their segment."""
        self.sequences[number] = sequence
        # Other segments with this sequence may be deleted before the next one begins.
        self.put(records.marked(records.SEQUENCE, number, sequence))
        for entry in entries:
            self._by_segment.setdefault(entry.stored, {}).setdefault(number, SegmentEntries()).put(entry)
            self._add_live(number, added_size(entry))

    def adopt_ids(self, number: int, ids: Iterable[Remembered]) -> None:
        """Track the ids, or the tombstones, that a recovered queue remembers; `stored` is their segment."""
        recovered = list(ids)
        self._ids.adopt(number, recovered)
        for known in recovered:
            self._by_segment.setdefault(known.stored, {})

    def adopt_tombstones(
        self, number: int, tombstones: Iterable[Tombstone], last: int, forgotten: int
    ) -> None:
        """Track the tombstones of a recovered queue; `stored` is their segment."""
        self.adopt_ids(number, tombstones)
        self._tombstones[number] = (last, forgotten)
        self.put(records.forgotten(number, last, forgotten))

    def adopt_epochs(self, number: i64, epochs: Iterable[EpochBegan]) -> None:
        """Record the next epochs of a queue; epoch 0 ends those before it."""
        for began in epochs:
            known = [] if began.epoch == 0 else self._epochs.get(number, [])
            self._epochs[number] = [*known, began][-MOST_EPOCHS:]
            self.put(records.epoch(number, began))

    def drop(self, number: int) -> None:
        """Forget a deleted queue."""
        self._near = None
        self._tombstones.pop(number, None)
        self._epochs.pop(number, None)
        self.sequences.pop(number, None)
        self._ids.drop(number)
        for owner, entries in self._waiting:
            for entry in entries:
                if owner == number and entry.stored == WAITS:
                    entry.stored = 0
                    self._size -= added_size(entry)
        self._waiting = [each for each in self._waiting if each[0] != number]
        for by_queue in self._by_segment.values():
            if number in by_queue:
                for entry in by_queue.pop(number).entries():
                    entry.stored = 0
        self._live_bytes -= self._live_bytes_of.pop(number, 0)

    # ------------------------------------------------------------------ output

    def take(self) -> bytes:
        """Return the batch, and begin another one."""
        self._write_waiting()
        self._size = 0
        return self._buffer.take()

    def discard(self) -> None:
        """Forget the batch; none follows."""
        self._waiting = []
        self._superseded = []
        self._size = 0
        self._buffer.take()

    def _write_waiting(self) -> None:
        unrecorded: set[int] = set()
        for number, entries in self._waiting:
            self._write(number, entries)
            if entries[-1].stored == 0:
                unrecorded.add(number)
        self._waiting = []
        for number, entry in self._superseded:
            if entry.stored > 0:
                self._buffer.put(records.marked(records.SUPERSEDED, number, entry.sequence))
        self._superseded = []
        for number in unrecorded:
            self._buffer.put(records.marked(records.SEQUENCE, number, self.sequences[number]))

    def _write(self, number: int, entries: list[Entry]) -> None:
        added = self._added
        buffer = self._buffer
        segment = self.segment
        by_queue = self._by_segment[segment]
        segment_entries = by_queue.get(number) or SegmentEntries()
        added.begin(number)
        size_bytes: i64 = 0
        for entry in entries:
            if entry.stored == WAITS:
                added.write(entry, buffer)
                entry.stored = i32(segment)
                segment_entries.put(entry)
                size_bytes += added_size(entry)
        self._add_live(number, size_bytes)
        if segment_entries.live > 0:
            by_queue[number] = segment_entries

    # ------------------------------------------------------------------ segments

    def follow(self, segment: int) -> None:
        """Track an existing segment."""
        self._by_segment.setdefault(segment, {})

    def begin_segment(self) -> None:
        """Begin the next segment; the caller adds the declarations and sequences that each segment has."""
        self.segment += 1
        self._by_segment[self.segment] = {}

    def put_sequences(self) -> None:
        """Record the last sequence, the last tombstone and the epochs of each queue."""
        for number, sequence in self.sequences.items():
            self.put(records.marked(records.SEQUENCE, number, sequence))
        for number, (last, forgotten) in self._tombstones.items():
            self.put(records.forgotten(number, last, forgotten))
        for number, epochs in self._epochs.items():
            for began in epochs:
                self.put(records.epoch(number, began))

    def carry(self, oldest: int, most: int) -> None:
        """Copy up to `most` needed messages, and as many ids, from the oldest segment into this batch."""
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
                self._freed_bytes += added_size(entry)
                entry.stored = WAITS
                self._size += added_size(entry)
                if entry.superseded:
                    self._superseded.append((number, entry))
            self._free(number)
            self._waiting.append((number, carried))
            if segment_entries.live == 0:
                del by_queue[number]
        self.put(self._ids.carry(oldest, self.segment, most))

    def needs(self, segment: int) -> bool:
        """Whether a record in the segment is still needed."""
        return bool(self._by_segment[segment]) or self._ids.are_in(segment)

    def release(self, segment: int) -> None:
        """Forget a segment of which no record is needed."""
        del self._by_segment[segment]

    # ------------------------------------------------------------------ what always holds

    def check(self) -> None:
        """Check between two batches of effects that the counts agree; now and then also with all entries.

        Raises:
            BrokenInvariantError: some do not.
        """
        self._checks += 1
        faults = disagreements(
            ("the records that are needed", self._live_bytes, "the sum", sum(self._live_bytes_of.values())),
            ("bytes that are freed and not counted", self._freed_bytes, "their bound", 0),
            ("removals that are not written", len(self._removals), "their bound", 0),
        )
        stored = sum([each.live for by_queue in self._by_segment.values() for each in by_queue.values()])
        if is_turn_of_all(stored, self._checks):
            faults += self._disagreeing_entries()
        if faults:
            raise BrokenInvariantError("the store", faults)

    def _disagreeing_entries(self) -> list[str]:
        faults: list[str] = []
        needed = dict.fromkeys(self._live_bytes_of, 0)
        for segment, by_queue in self._by_segment.items():
            for number, segment_entries in by_queue.items():
                entries = segment_entries.entries()
                needed[number] = needed.get(number, 0) + sum([added_size(each) for each in entries])
                strange = [each.sequence for each in entries if each.stored != segment]
                here = f"of queue {number} in segment {segment}"
                faults += disagreements(
                    (f"entries {here}", segment_entries.live, "its slots", len(entries)),
                    (f"whether any are {here}", segment_entries.live > 0, "whether it is known", 1),
                    (f"entries {here} that are elsewhere", len(strange), "their bound", 0),
                )
        return faults + disagreements(
            *[
                (f"the records of queue {number}", size_bytes, "the sum", needed.get(number, 0))
                for number, size_bytes in self._live_bytes_of.items()
            ]
        )
