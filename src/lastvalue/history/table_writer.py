"""Writing histories to a Delta table: landing, compaction, retention, checkpoints."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final
from uuid import uuid4

from deltalake import CommitProperties, Transaction, WriterProperties
from deltalake.exceptions import CommitFailedError

from lastvalue.history.base_records import base_records
from lastvalue.history.columns import table_of
from lastvalue.history.data_file_writer import DataFileWriter, add_action, day_of, remove_action
from lastvalue.history.data_files import BASE, EFFECTS, GAPS, DataFile, Gap, Landed
from lastvalue.history.delta_log import (
    NO_HOOKS,
    PARTITIONS,
    READERS_HOURS,
    files_in,
    landed_in,
    landed_transactions,
    newest_landed,
    open_or_create_delta_table,
    partition_of,
    told_as_tables,
)
from lastvalue.history.file_sync import (
    make_directory,
    set_unfinished_aside,
    sync_checkpoint,
    sync_files,
    sync_log,
)
from lastvalue.history.locations import is_remote, location_of
from lastvalue.history.moment import Moment
from lastvalue.history.records import LOST, Record
from lastvalue.history.tables import HistoryTables, by_stream

SMALL_BYTES: Final = 32 << 20
"""Files smaller than this many bytes are compacted."""
MOST_SMALL: Final = 8
"""The number of small files of a queue's day beyond which they are compacted."""
CHECKPOINT_COMMITS: Final = 20
"""The number of commits after which the log gets a checkpoint; each since then slows the next one."""


class TableWriter:
    """Writes to the table at a location, which it creates if there is none.

    Several processes may write to one table; a record of a history that two of them land is landed once.

    Raises:
        HistoryTablesError: it is not a table of histories, or of a version that cannot be written.
        OSError: the directory cannot be used.
    """

    def __init__(self, tables: Path | str) -> None:
        self.location = location_of(tables)
        self._files = DataFileWriter(self.location)
        self._local = None if is_remote(self.location) else Path(self.location)
        if self._local is not None:
            make_directory(self._local)
            set_unfinished_aside(self._local)
        self._table = open_or_create_delta_table(self.location)
        # Whoever wrote the others has flushed them.
        self._synced_version = self._table.version() - 1
        self._sync_commits()
        self._epochs: dict[str, int] = {}
        self._checkpoint_version = self._table.version()

    def landed(self, history: str) -> Landed | None:
        """The position up to which a history has landed, or None if nothing has."""
        if history not in self._epochs:
            self._epochs[history] = max(
                (file.epoch for file in files_in(self._table) if file.history == history), default=1
            )
        landed = newest_landed(self._table, history, self._epochs[history])
        if landed is not None:
            self._epochs[history] = landed.epoch
        return landed

    def append(self, history: str, epoch: int, records: Sequence[Record], gaps: Sequence[Gap] = ()) -> None:
        """Land records of one history, which follow those that have landed; all of them or none.

        Records that have landed, by whichever process, are left out, so a repeated call changes nothing.

        Raises:
            HistoryTablesError: the table cannot be written.
        """

        def land(after: int) -> None:
            fresh = [record for record in records if record.offset > after]
            if fresh:
                last = Landed(epoch, fresh[-1].offset, fresh[-1].time_ms)
                self._land(EFFECTS, history, last, fresh, [gap for gap in gaps if gap.last > after])

        self._land_after(history, epoch, land)

    def append_base(
        self, history: str, landed: Landed, base: Sequence[Record], gaps: Sequence[Gap] = ()
    ) -> None:
        """Land what stands for all records of one history up to a position, unless these have landed.

        Raises:
            HistoryTablesError: the table cannot be written.
        """

        def land(after: int) -> None:
            if after < landed.offset:
                self._land(BASE, history, landed, base, [gap for gap in gaps if gap.last > after])

        self._land_after(history, landed.epoch, land)

    def _land_after(self, history: str, epoch: int, land: Callable[[int], None]) -> None:
        """Land what follows the last record that has landed, by whichever process."""
        while True:
            before = landed_in(self._table, history, epoch)
            with told_as_tables(self.location):
                try:
                    land(0 if before is None else before.offset)
                    break
                except CommitFailedError:
                    version = self._table.version()
                    self._refresh()
                    # Another process has landed the same, or created the table at the same time.
                    if self._table.version() == version:
                        raise
        self._checkpoint_when_due()

    def _land(
        self, kind: str, history: str, landed: Landed, records: Iterable[Record], gaps: Iterable[Gap]
    ) -> None:
        groups: dict[tuple[str, str, str], list[Record]] = {}
        for record in records:
            groups.setdefault((kind, record.queue, day_of(record.time_ms)), []).append(record)
        for gap in gaps:
            lost = Record(gap.first, LOST, history, landed.time_ms, updates=gap.last - gap.first + 1)
            groups.setdefault((GAPS, history, day_of(landed.time_ms)), []).append(lost)
        added = [
            self._files.write(table_of(some, history, landed.epoch), each, queue, day, uuid4().hex)
            for (each, queue, day), some in groups.items()
        ]
        transactions = landed_transactions(history, landed.epoch, landed.offset, landed.time_ms)
        self._commit(added, [], transactions)

    def compact(self, small_bytes: int = SMALL_BYTES, most: int = MOST_SMALL) -> int:
        """Compact the small files of each queue's day if there are many; returns how many were compacted."""
        count = 0
        self._refresh()
        for files in self._small_files(small_bytes):
            if len(files) > most:
                count += self._merge(files[0], small_bytes)
        return count

    def retain(self, since_ms: int) -> int:
        """Delete the days before a time, except each queue's content at their end; returns how many rows.

        Raises:
            HistoryTablesError: the table cannot be read or written.
        """
        self._refresh()
        reader = HistoryTables(self.location)
        queues = sorted({file.queue for file in reader.files if file.kind != GAPS})
        return sum(self._retain_queue(reader, queue, since_ms) for queue in queues)

    def _retain_queue(self, reader: HistoryTables, queue: str, since_ms: int) -> int:
        forgotten = 0
        while True:
            old = [file for file in reader.files_of(queue) if file.date < day_of(since_ms)]
            rows = sum(file.rows for file in old if file.kind == EFFECTS)
            if rows == 0:
                return forgotten
            base = self._base(reader, queue, old)
            with told_as_tables(self.location):
                try:
                    self._commit(base, old, [])
                    forgotten += rows
                except CommitFailedError:
                    version = self._table.version()
                    self._refresh()
                    # Another process has deleted the same files.
                    if self._table.version() == version:
                        raise
            # Or it has compacted them, which delta-rs takes for no conflict: the rows are in another file.
            reader = HistoryTables(self.location)

    def delete_unread(self, after_hours: int = READERS_HOURS) -> int:
        """Delete files that have been invalid, or without a commit, for long enough; returns how many."""
        with told_as_tables(self.location):
            self._refresh()
            # A vacuum is a commit, even if it deletes nothing.
            if not self._table.vacuum(after_hours, enforce_retention_duration=False, full=True):
                return 0
            gone = self._table.vacuum(
                after_hours,
                dry_run=False,
                enforce_retention_duration=False,
                post_commithook_properties=NO_HOOKS,
                full=True,
            )
            self._refresh()
        self._sync_commits()
        return len(gone)

    def delete_old_versions(self) -> None:
        """Delete versions of the log that are older than a checkpoint, and old enough for their readers."""
        with told_as_tables(self.location):
            self._table.cleanup_metadata()

    def checkpoint(self) -> None:
        """Write the state of the log as a checkpoint, from which readers begin, and so does this writer."""
        with told_as_tables(self.location):
            self._refresh()
            self._table.create_checkpoint()
        self._checkpoint_version = self._table.version()
        if self._local is not None:
            sync_checkpoint(self._local, self._checkpoint_version)
        self._table = open_or_create_delta_table(self.location)

    def _checkpoint_when_due(self) -> None:
        if self._table.version() - self._checkpoint_version >= CHECKPOINT_COMMITS:
            self.checkpoint()

    def _merge(self, like: DataFile, small_bytes: int) -> int:
        """Compact the partition of a file; returns how many files were compacted."""
        before = set(self._table.file_uris())
        partition = partition_of(EFFECTS, like.queue, like.stream, like.date)
        with told_as_tables(self.location):
            try:
                self._table.optimize.compact(
                    [(name, "=", str(value)) for name, value in partition.items()],
                    target_size=small_bytes,
                    writer_properties=WriterProperties(compression="ZSTD"),
                    post_commithook_properties=NO_HOOKS,
                )
            except CommitFailedError:
                # Another process has compacted or deleted the same files meanwhile.
                self._refresh()
                return 0
        after = set(self._table.file_uris())
        if self._local is not None:
            sync_files(self._local, [str(Path(uri).relative_to(self._local)) for uri in after - before])
        self._sync_commits()
        return len(before - after)

    def _small_files(self, small_bytes: int) -> list[list[DataFile]]:
        """The small files of each queue's day."""
        days: dict[tuple[str, tuple[str, int], str], list[DataFile]] = {}
        for file in files_in(self._table):
            if file.kind == EFFECTS and file.size_bytes < small_bytes:
                days.setdefault((file.queue, file.stream, file.date), []).append(file)
        return list(days.values())

    def _base(self, reader: HistoryTables, queue: str, old: list[DataFile]) -> list[DataFile]:
        """What stands for the files of a queue; nothing if its content at their end is not known."""
        moment = Moment()
        for files in by_stream(old):
            moment.apply_all(reader.records_in(files))
        last = max(old, key=lambda file: file.last_ms)
        base = base_records(moment, queue, last.last_offset, last.last_ms)
        if not base:
            return []
        rows = table_of(base, last.history, last.epoch)
        return [self._files.write(rows, BASE, queue, last.date, uuid4().hex)]

    def _commit(
        self, added: Iterable[DataFile], removed: Iterable[DataFile], transactions: list[Transaction]
    ) -> None:
        """Add and remove valid files atomically.

        Raises:
            CommitFailedError: another process has landed the same history, or removed the same files.
        """
        self._table.create_write_transaction(
            [*map(add_action, added), *map(remove_action, removed)],
            "append",
            self._table.schema(),
            list(PARTITIONS),
            commit_properties=CommitProperties(app_transactions=transactions),
            post_commithook_properties=NO_HOOKS,
        )
        self._refresh()
        self._sync_commits()

    def _refresh(self) -> None:
        self._table.update_incremental()

    def _sync_commits(self) -> None:
        """Flush the commits since the last call to the disk, also those of other processes."""
        version = self._table.version()
        if self._local is not None and version > self._synced_version:
            sync_log(self._local, self._synced_version + 1, version)
        self._synced_version = version
