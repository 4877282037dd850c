"""The journal in files: effects in, batches out, and no more on disk than what is still on the queues."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from lastvalue.queues.effects import Effect
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId
from lastvalue.store import records
from lastvalue.store.batch_builder import BatchBuilder
from lastvalue.store.committer import Commit, Committer
from lastvalue.store.files import NO_SPACE, Files
from lastvalue.store.records import Declared
from lastvalue.store.segments import Tail
from lastvalue.store.writer import SegmentWriter, Sync

COPIED_A_FLUSH: Final = 500
"""Messages, and ids, that compaction copies with one flush: it never delays a confirmation for long."""
FEW_SEGMENTS: Final = 8
"""So many may be smaller than they should be; every start begins one."""
EMPTY: Final = Tail()


@dataclass(frozen=True)
class StoreOptions:
    """How the journal keeps its files.

    Attributes:
        sync: when what is written is made safe.
        interval_ms: with Sync.INTERVAL, how much later at most.
        segment_bytes: a segment that has grown to this is followed by another.
        sparse: a segment is copied forward when less than this part of the store's messages is live.
    """

    sync: Sync = Sync.ALWAYS
    interval_ms: int = 1000
    segment_bytes: int = 64 << 20
    sparse: float = 0.5


class FileJournal:
    """Appends records to a buffer; a flush writes the buffer as one batch while the next one fills.

    `append` and `flush` are called by the owner's thread, the files are written by another.

    Attributes:
        flushed: the position up to which everything is safe.
    """

    def __init__(
        self, directory: Path, options: StoreOptions, after: Tail = EMPTY, files: Files | None = None
    ) -> None:
        self.flushed = 0
        self._options = options
        self._writer = SegmentWriter(directory, options.segment_bytes, after, files or Files())
        self._committer = Committer(self._writer, options.sync, options.interval_ms)
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
        """Why nothing can be written at the moment, or None."""
        return self._committer.fault

    @property
    def bytes_per_s(self) -> float:
        """How fast the last batch of some size was written and made safe; 0 before the first."""
        return self._committer.bytes_per_s

    # ------------------------------------------------------------------ declarations

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        """Record that a durable node or binding exists, or not any more; the position behind it."""
        return self.forget(kind, name) if arguments is None else self.declare(kind, name, dict(arguments))

    def declare(self, kind: str, name: str, arguments: dict[str, Any]) -> int:
        """Record that a queue, exchange or binding exists, or is declared anew; the position behind it."""
        known = self._declared.get((kind, name))
        number = known.number if known is not None else self._next_number
        if known is None:
            self._next_number += 1
        record = Declared(number, kind, name, arguments)
        self._declared[kind, name] = record
        if kind == "queue":
            self._numbers[name] = number
        return self._put(records.declared(record))

    def forget(self, kind: str, name: str) -> int:
        """Record that it exists no more; the position behind it."""
        known = self._declared.pop((kind, name), None)
        if known is None:
            return self._position
        if kind == "queue":
            self._numbers.pop(name, None)
            self._builder.drop(known.number)
        return self._put(records.deleted(records.Deleted(known.number, kind, name)))

    def adopt(self, declared: Iterable[Declared], next_number: int) -> None:
        """Go on from what was read: these exist, and numbers begin here."""
        for record in declared:
            self._declared[record.kind, record.name] = record
            if record.kind == "queue":
                self._numbers[record.name] = record.number
        self._next_number = next_number
        self._tell_all()

    def adopt_segments(self, sizes: Mapping[int, int], damaged: int) -> None:
        """Go on with these segments, by number, in bytes; those up to the damaged one are copied and go."""
        for number, size in sizes.items():
            self._bytes[number] = size
            self._builder.follow(number)
        self._damaged = damaged

    def begin(self) -> None:
        """Make the first segment now, so that a directory which takes none is noticed at once.

        A full disk is left to the first flush, which waits until there is room.

        Raises:
            OSError: the directory or the disk takes nothing.
        """
        try:
            self._writer.begin(self._builder.segment)
        except OSError as fault:
            if fault.errno not in NO_SPACE:
                self._committer.close(None)
                raise

    def adopt_entries(self, queue: str, entries: Iterable[Entry], sequence: int) -> None:
        """Go on with the entries of a queue that was read; `stored` is their segment."""
        self._builder.adopt(self._numbers[queue], entries, sequence)

    def adopt_ids(self, queue: str, ids: Iterable[KnownId]) -> None:
        """Go on with the ids that a queue remembers; `stored` is their segment."""
        self._builder.adopt_ids(self._numbers[queue], ids)

    # ------------------------------------------------------------------ effects

    def append(self, queue: str, effects: Sequence[Effect]) -> int:
        """Record the effects that durable messages had on a durable queue; the position behind them."""
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
        """What is appended and not safe yet: the batch that is under way, and the one that fills."""
        return self._under_way + self._builder.size

    def flush(self, done: Callable[[], None]) -> None:
        """Have what was appended written and made safe; `done` is called from the other thread then."""
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
            self._tell_all()
        committed = partial(self._committed, self._position, done)
        self._committer.submit(Commit(segment, data, obsolete, committed, done))

    def at_rest(self, look: Callable[[Callable[[], Mapping[Path, int]]], None]) -> None:
        """Let the files be looked at as they are between two batches, with their sizes: a whole store.

        `look` is called from the other thread, when what is under way is written; nothing is written or
        deleted before it returns.
        """
        self._committer.submit(Commit(self._builder.segment, b"", done=lambda: look(self._writer.contents)))

    def _committed(self, position: int, done: Callable[[], None]) -> None:
        """Runs in the committer's thread."""
        self.flushed = position
        self._under_way = 0
        self._busy = False
        done()

    def _tell_all(self) -> None:
        """Every segment tells what exists, so that older ones can go."""
        for record in self._declared.values():
            self._builder.put(records.declared(record))
        self._builder.tell_sequences()

    # ------------------------------------------------------------------ compaction

    def _compact(self) -> None:
        """Let the oldest segment go when nothing in it is live; copy it forward when the store is sparse.

        Only the oldest one goes, because a removal in a segment may be of a message in an older one.
        """
        builder = self._builder
        oldest = builder.oldest
        if oldest == builder.segment:
            return
        if builder.needs(oldest) and (oldest <= self._damaged or self._is_sparse()):
            builder.carry(oldest, COPIED_A_FLUSH)
        if not builder.needs(oldest):
            builder.release(oldest)
            self._bytes.pop(oldest, None)
            self._obsolete.append(oldest)

    def _is_sparse(self) -> bool:
        total = sum(self._bytes.values())
        segment_bytes = self._options.segment_bytes
        if self._builder.segments > FEW_SEGMENTS + 2 * total // segment_bytes:
            return True
        return total > 2 * segment_bytes and self._builder.live_bytes < self._options.sparse * total

    def close(self) -> None:
        """Write what is left, and close the files."""
        data = self._builder.take()
        self._committer.close(Commit(self._builder.segment, data) if data else None)
