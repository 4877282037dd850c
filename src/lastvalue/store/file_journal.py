"""The journal in files: writes effects in batches, and compacts the files to what is still needed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from lastvalue.queues.effects import Effect
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId
from lastvalue.queues.tombstones import Tombstones
from lastvalue.store import records
from lastvalue.store.batch_builder import BatchBuilder
from lastvalue.store.committer import Commit, Committer, Syncs
from lastvalue.store.files import DISK, NO_SPACE, Files
from lastvalue.store.records import Declared
from lastvalue.store.reserve import Reserve
from lastvalue.store.segments import Tail
from lastvalue.store.writer import SegmentWriter, Sync

COPIED_A_FLUSH: Final = 500
"""The number of messages, and of ids, that compaction copies per flush; a bound on a confirmation's delay."""
FEW_SEGMENTS: Final = 8
"""The number of small segments that compaction accepts; every start begins one."""
EMPTY: Final = Tail()


@dataclass(frozen=True)
class StoreOptions:
    """How the journal keeps its files.

    Attributes:
        sync: when written batches are synced to the disk.
        interval_ms: with Sync.INTERVAL the longest time until a sync.
        segment_bytes: the size at which a segment ends.
        sparse: the oldest segment is copied forward when less than this fraction of the store is live.
        reserve_bytes: the room kept for removals and compaction on a full disk.
    """

    sync: Sync = Sync.ALWAYS
    interval_ms: int = 1000
    segment_bytes: int = 64 << 20
    sparse: float = 0.5
    reserve_bytes: int = 0


class FileJournal:
    """Appends records to a buffer; a flush writes the buffer as one batch while the next one fills.

    The owner's thread calls `append` and `flush`; another thread writes the files.

    Attributes:
        flushed: the position up to which all effects are safe.
    """

    def __init__(
        self, directory: Path, options: StoreOptions, after: Tail = EMPTY, files: Files = DISK
    ) -> None:
        self.flushed = 0
        self._options = options
        self._writer = SegmentWriter(directory, options.segment_bytes, after, files)
        self._reserve = Reserve(directory, options.reserve_bytes, files)
        self._committer = Committer(self._writer, options.sync, options.interval_ms, self._reserve)
        self._damaged = 0
        self._bytes: dict[int, int] = {}
        self._builder = BatchBuilder(after.number + 1)
        self._numbers: dict[str, int] = {}
        self._declared: dict[tuple[str, str], Declared] = {}
        self._next_number = 1
        self._position = 0
        self._busy = False
        self._under_way = 0
        self._obsolete: list[int] = []

    @property
    def fault(self) -> OSError | None:
        """Why the store cannot be written now, or None."""
        return self._committer.fault

    @property
    def write_failures(self) -> int:
        """How often a write to the disk has failed."""
        return self._committer.failures

    @property
    def bytes_per_s(self) -> float:
        """The speed of the last large batch, written and synced; 0 before the first."""
        return self._committer.bytes_per_s

    # ------------------------------------------------------------------ declarations

    @property
    def segment_bytes(self) -> Mapping[int, int]:
        """The size in bytes of each segment, by its number."""
        return dict(self._bytes)

    @property
    def syncs(self) -> Syncs:
        """How often the disk was synced, and how long that took."""
        return self._committer.syncs

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        """Record a durable node or binding, or with None its deletion; returns the position after it."""
        return self.forget(kind, name) if arguments is None else self.declare(kind, name, dict(arguments))

    def declare(self, kind: str, name: str, arguments: dict[str, Any]) -> int:
        """Record a new or changed queue, exchange or binding; returns the position after it."""
        present = self._declared.get((kind, name))
        number = present.number if present is not None else self._next_number
        if present is None:
            self._next_number += 1
        record = Declared(number, kind, name, arguments)
        self._declared[kind, name] = record
        if kind == "queue":
            self._numbers[name] = number
        return self._put(records.declared(record))

    def forget(self, kind: str, name: str) -> int:
        """Record the deletion of a queue, exchange or binding; returns the position after it."""
        present = self._declared.pop((kind, name), None)
        if present is None:
            return self._position
        if kind == "queue":
            self._numbers.pop(name, None)
            self._builder.drop(present.number)
        return self._put(records.deleted(records.Deleted(present.number, kind, name)))

    def adopt(self, declared: Iterable[Declared], next_number: int) -> None:
        """Continue a recovered store: its declarations, and the next free number."""
        for record in declared:
            self._declared[record.kind, record.name] = record
            if record.kind == "queue":
                self._numbers[record.name] = record.number
        self._next_number = next_number
        self._repeat_declarations()

    def adopt_segments(self, sizes: Mapping[int, int], damaged: int) -> None:
        """Continue a recovered store: its segments' sizes in bytes by number, and the newest damaged one.

        Segments up to the damaged one are copied forward and deleted.
        """
        for number, size in sizes.items():
            self._bytes[number] = size
            self._builder.follow(number)
        self._damaged = damaged

    def begin(self) -> None:
        """Create the first segment and the reserve, so that a directory that cannot be written is noticed.

        A full disk does not fail here; the first flush waits until there is room.

        Raises:
            OSError: the directory or the disk cannot be written.
        """
        try:
            self._writer.begin(self._builder.segment)
            self._reserve.make()
        except OSError as fault:
            if fault.errno not in NO_SPACE:
                self._committer.close(None)
                raise

    def adopt_entries(self, queue: str, entries: Iterable[Entry], sequence: int) -> None:
        """Continue with the entries of a recovered queue; `stored` is their segment."""
        self._builder.adopt(self._numbers[queue], entries, sequence)

    def adopt_ids(self, queue: str, ids: Iterable[KnownId]) -> None:
        """Continue with the ids that a recovered queue remembers; `stored` is their segment."""
        self._builder.adopt_ids(self._numbers[queue], ids)

    def adopt_tombstones(self, queue: str, tombstones: Tombstones) -> None:
        """Continue with the tombstones and the epochs of a recovered queue."""
        number = self._numbers[queue]
        self._builder.adopt_tombstones(
            number, tombstones.all(), int(tombstones.number), int(tombstones.forgotten)
        )
        self._builder.adopt_epochs(number, tombstones.epochs)

    # ------------------------------------------------------------------ effects

    def append(self, queue: str, effects: Sequence[Effect]) -> int:
        """Record the effects on a durable queue, as far as they concern durable messages.

        Returns:
            The position after them.
        """
        number = self._numbers.get(queue)
        if number is None:
            return self._position
        if self._builder.append(number, effects):
            self._position += 1
        return self._position

    def _put(self, record: bytes) -> int:
        self._builder.put(record)
        self._position += 1
        return self._position

    # ------------------------------------------------------------------ writing

    @property
    def waiting_bytes(self) -> int:
        """The size of the batch being written and of the one that fills, in bytes."""
        return self._under_way + self._builder.size

    def flush(self, done: Callable[[], None]) -> None:
        """Write and sync what was appended; the other thread calls `done` afterwards."""
        if self._busy:
            return
        self._compact()
        segment = self._builder.segment
        data = self._builder.take()
        if not data and not self._obsolete:
            self.flushed = self._position
            return
        self._busy = True
        self._under_way = len(data)
        obsolete, self._obsolete = self._obsolete, []
        self._bytes[segment] = self._bytes.get(segment, 0) + len(data)
        if self._bytes[segment] >= self._options.segment_bytes:
            self._builder.begin_segment()
            self._repeat_declarations()
        committed = partial(self._committed, self._position, done)
        self._committer.submit(Commit(segment, data, obsolete, committed, done))

    def at_rest(self, look: Callable[[Callable[[], Mapping[Path, int]]], None]) -> None:
        """Call `look` between two batches, when the files are a consistent store.

        The other thread calls it, with a function that returns the files and their sizes in bytes. No file
        is written or deleted until it returns.
        """
        self._committer.submit(Commit(self._builder.segment, b"", done=lambda: look(self._writer.contents)))

    def _committed(self, position: int, done: Callable[[], None]) -> None:
        """Runs in the committer's thread."""
        self.flushed = position
        self._under_way = 0
        self._busy = False
        done()

    def _repeat_declarations(self) -> None:
        """Repeat the declarations and sequences in a new segment, so that older ones can be deleted."""
        for record in self._declared.values():
            self._builder.put(records.declared(record))
        self._builder.put_sequences()

    # ------------------------------------------------------------------ compaction

    def _compact(self) -> None:
        """Release the oldest segment if no record in it is live; copy it forward if the store is sparse.

        Only the oldest one can be released, because a segment's removals may concern messages in older ones.
        """
        builder = self._builder
        oldest = builder.oldest
        if oldest == builder.segment:
            if self._reserve.missing and self._bytes.get(oldest, 0) > self._reserve.size_bytes:
                self._begin_segment_if_sparse()
            return
        if builder.needs(oldest) and (oldest <= self._damaged or self._may_carry(oldest)):
            builder.carry(oldest, COPIED_A_FLUSH)
        if not builder.needs(oldest):
            builder.release(oldest)
            self._bytes.pop(oldest, None)
            self._obsolete.append(oldest)

    def _begin_segment_if_sparse(self) -> None:
        """On a full disk, begin another segment where the only one could be copied forward."""
        if self._fits_reserve(self._builder.segment):
            self._builder.begin_segment()
            self._repeat_declarations()

    def _may_carry(self, oldest: int) -> bool:
        return self._fits_reserve(oldest) if self._reserve.missing else self._is_sparse()

    def _fits_reserve(self, segment: int) -> bool:
        """Whether the records of a segment that are needed surely fit the room that the reserve left."""
        return self._builder.live_bytes_in(segment) <= self._reserve.size_bytes // 2

    def _is_sparse(self) -> bool:
        total = sum(self._bytes.values())
        segment_bytes = self._options.segment_bytes
        if self._builder.segments > FEW_SEGMENTS + 2 * total // segment_bytes:
            return True
        return total > 2 * segment_bytes and self._builder.live_bytes < self._options.sparse * total

    def close(self) -> None:
        """Write the last batch, and close the files."""
        data = self._builder.take()
        self._committer.close(Commit(self._builder.segment, data) if data else None)
