"""The journal of a store: writes effects in batches to a log, and compacts it to what is still needed."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, final

from lastvalue.queues.effects import Effect
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId
from lastvalue.queues.tombstones import Tombstones
from lastvalue.store import records
from lastvalue.store.batch_builder import BatchBuilder
from lastvalue.store.batch_log import BatchLog, Commit, Syncs
from lastvalue.store.journal import Journal
from lastvalue.store.records import Declared
from lastvalue.store.segments import StoreError
from lastvalue.store.store_options import StoreOptions

COPIED_A_FLUSH: Final = 500
"""The number of messages, and of ids, that compaction copies per flush; a bound on a confirmation's delay."""
FEW_SEGMENTS: Final = 8
"""The number of small segments that compaction accepts; every start begins one."""
PIPELINED_BYTES: Final = 64 << 10
"""The smallest batch that leaves while another is under way; smaller ones wait, and become one."""


@final
class StoreJournal(Journal):
    """Appends records to a buffer; a flush writes the buffer as one batch while the next one fills.

    The owner's thread calls `append` and `flush`; the log's thread writes.

    Args:
        log: where the batches go.
        options: of the store.
        segment: the number of the first segment that is written.
    """

    def __init__(self, log: BatchLog, options: StoreOptions, segment: int = 1) -> None:
        super().__init__()
        self._log = log
        self._options = options
        self._damaged = 0
        self._bytes: dict[int, int] = {}
        self._builder = BatchBuilder(segment)
        self._numbers: dict[str, int] = {}
        # By kind and name: the number and the record, which each segment repeats.
        self._declared: dict[tuple[str, str], tuple[int, bytes]] = {}
        self._next_number = 1
        self._position = 0
        # Batches and their bytes; the log's thread alone changes what is committed.
        self._submitted, self._submitted_bytes = 0, 0
        self._committed, self._committed_bytes = 0, 0
        self._obsolete: list[int] = []
        self._prepared: Commit | None = None

    @property
    def shared(self) -> bool:
        """See Journal."""
        return self._log.shared

    @property
    def leads(self) -> bool:
        """See Journal."""
        return self._log.leads

    @property
    def ended(self) -> StoreError | None:
        """See Journal."""
        return self._log.ended

    @property
    def fault(self) -> OSError | None:
        """Why the store cannot be written now, or None."""
        return self._log.fault

    @property
    def write_failures(self) -> int:
        """How often a write has failed."""
        return self._log.failures

    @property
    def bytes_per_s(self) -> float:
        """The speed of the last large batch, written and safe; 0 before the first."""
        return self._log.bytes_per_s

    # ------------------------------------------------------------------ declarations

    @property
    def segment_bytes(self) -> Mapping[int, int]:
        """The size in bytes of each segment, by its number."""
        return dict(self._bytes)

    @property
    def live_bytes(self) -> int:
        """The size of the records that are still needed; compaction frees the others."""
        return self._builder.live_bytes

    @property
    def syncs(self) -> Syncs:
        """How often the disk was synced, and how long that took."""
        return self._log.syncs

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        """Record a durable node or binding, or with None its deletion; returns the position after it."""
        return self.forget(kind, name) if arguments is None else self.declare(kind, name, dict(arguments))

    def declare(self, kind: str, name: str, arguments: dict[str, Any]) -> int:
        """Record a new or changed queue, exchange or binding; returns the position after it."""
        present = self._declared.get((kind, name))
        number = present[0] if present is not None else self._next_number
        if present is None:
            self._next_number += 1
        record = records.declared(Declared(number, kind, name, arguments))
        self._declared[kind, name] = number, record
        if kind == "queue":
            self._numbers[name] = number
        return self._put(record)

    def forget(self, kind: str, name: str) -> int:
        """Record the deletion of a queue, exchange or binding; returns the position after it."""
        present = self._declared.pop((kind, name), None)
        if present is None:
            return self._position
        number, _ = present
        if kind == "queue":
            self._numbers.pop(name, None)
            self._builder.drop(number)
        return self._put(records.deleted(records.Deleted(number, kind, name)))

    def adopt(self, declared: Iterable[Declared], next_number: int) -> None:
        """Continue a recovered store: its declarations, and the next free number."""
        for record in declared:
            self._declared[record.kind, record.name] = record.number, records.declared(record)
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
        """Make the log ready for the first segment, so that one that cannot be written is noticed.

        Raises:
            OSError: it cannot be written.
        """
        self._log.begin(self._builder.segment)

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

    def append(self, queue: str, effects: list[Effect]) -> int:
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

    def discard(self) -> None:
        """See Journal."""
        self._builder.discard()

    def _put(self, record: bytes) -> int:
        self._builder.put(record)
        self._position += 1
        return self._position

    # ------------------------------------------------------------------ writing

    @property
    def waiting_bytes(self) -> int:
        """The size of the batches under way and of the one that fills, in bytes."""
        return self._submitted_bytes - self._committed_bytes + self._builder.size

    @property
    def appended_bytes(self) -> int:
        """See Journal."""
        return self._submitted_bytes + self._builder.size

    def flush(self, done: Callable[[], None]) -> None:
        """Make what was appended safe; the other thread calls `done` afterwards.

        While a batch is under way a small one waits, so that it grows; `done` of the first tells the owner.
        """
        self.prepare_flush(done)
        self.submit()

    def prepare_flush(self, done: Callable[[], None]) -> None:
        """See Journal."""
        self.submit()
        if self._options.checks:
            self._builder.check()
        under_way = self._submitted - self._committed
        if under_way and (under_way >= self._log.most_under_way or self._builder.size < PIPELINED_BYTES):
            return
        self._compact()
        segment = self._builder.segment
        data = self._builder.take()
        if not data and not self._obsolete:
            if not under_way:
                self.flushed = self._position
            return
        self._submitted += 1
        self._submitted_bytes += len(data)
        obsolete, self._obsolete = self._obsolete, []
        self._bytes[segment] = self._bytes.get(segment, 0) + len(data)
        if self._bytes[segment] >= self._options.segment_bytes:
            self._builder.begin_segment()
            self._repeat_declarations()
        committed = partial(self._commit, self._position, self._submitted_bytes, done)
        self._prepared = Commit(segment, data, obsolete, committed, done)

    def submit(self) -> None:
        """See Journal."""
        prepared = self._prepared
        if prepared is not None:
            self._prepared = None
            self._log.submit(prepared)

    def _commit(self, position: int, submitted_bytes: int, done: Callable[[], None]) -> None:
        """Runs in the log's thread."""
        self.flushed = position
        self._committed_bytes = submitted_bytes
        self._committed += 1
        done()

    def _repeat_declarations(self) -> None:
        """Repeat the declarations and sequences in a new segment, so that older ones can be deleted."""
        for _, record in self._declared.values():
            self._builder.put(record)
        self._builder.put_sequences()

    # ------------------------------------------------------------------ compaction

    def _compact(self) -> None:
        """Release the oldest segment if no record in it is live; copy it forward if the store is sparse.

        Only the oldest one can be released, because a segment's removals may concern messages in older ones.
        """
        builder = self._builder
        oldest = builder.oldest
        if oldest == builder.segment:
            spare_bytes = self._log.spare_bytes
            if spare_bytes is not None and self._bytes.get(oldest, 0) > spare_bytes:
                self._begin_segment_if_sparse(spare_bytes)
            return
        if builder.needs(oldest) and (oldest <= self._damaged or self._may_carry(oldest)):
            builder.carry(oldest, COPIED_A_FLUSH)
        if not builder.needs(oldest):
            builder.release(oldest)
            self._bytes.pop(oldest, None)
            self._obsolete.append(oldest)

    def _begin_segment_if_sparse(self, spare_bytes: int) -> None:
        """Where there is no room, begin another segment if the only one could be copied forward."""
        if self._fits(self._builder.segment, spare_bytes):
            self._builder.begin_segment()
            self._repeat_declarations()

    def _may_carry(self, oldest: int) -> bool:
        spare_bytes = self._log.spare_bytes
        return self._is_sparse() if spare_bytes is None else self._fits(oldest, spare_bytes)

    def _fits(self, segment: int, spare_bytes: int) -> bool:
        """Whether the records of a segment that are needed surely fit the room that is left."""
        return self._builder.live_bytes_in(segment) <= spare_bytes // 2

    def _is_sparse(self) -> bool:
        total = sum(self._bytes.values())
        segment_bytes = self._options.segment_bytes
        if self._builder.segments > FEW_SEGMENTS + 2 * total // segment_bytes:
            return True
        return total > 2 * segment_bytes and self._builder.live_bytes < self._options.sparse * total

    def close(self) -> None:
        """Write the last batch, and close the log."""
        self.submit()
        data = self._builder.take()
        self._log.close(Commit(self._builder.segment, data) if data else None)
