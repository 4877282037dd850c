"""Histories in Parquet files: one writer, any number of readers, and no duplicates.

DIR/manifest/<version>.json                      the valid files (see `manifest`)
DIR/data/queue=<name>/date=<day>/<file>.parquet  rows of one queue, sorted by offset
DIR/lock                                         held by the writer
"""

import fcntl
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from lastvalue.history.columns import SCHEMA, records_of, table_of
from lastvalue.history.errors import HistoryTablesError
from lastvalue.history.manifest import (
    BASE,
    EFFECTS,
    DataFile,
    Gap,
    Landed,
    Manifest,
    commit_manifest,
    make_directory,
    read_manifest,
    sync_directory,
)
from lastvalue.history.moment import Moment
from lastvalue.history.records import DECLARED, DELETED, ENDED, PRESENT, Record
from lastvalue.queues.spec_arguments import spec_to_arguments

SMALL_BYTES: Final = 32 << 20
"""Files smaller than this many bytes are compacted."""
MOST_SMALL: Final = 8
"""The number of small files of a queue's day beyond which they are compacted."""
READERS_MS: Final = 3_600_000
"""How long files that are no longer valid are kept for readers."""


_READ_SCHEMA: Final = pa.schema([pa.field(field.name, field.type) for field in SCHEMA])


class HistoryTables:
    """A directory of tables, for readers; `manifest` is its content at the last `refresh`."""

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)
        self.manifest = read_manifest(self.directory)

    def refresh(self) -> Manifest:
        """Read the newest manifest."""
        self.manifest = read_manifest(self.directory)
        return self.manifest

    def files_of(self, queue: str, until_ms: int | None = None) -> list[DataFile]:
        """The files of a queue's history with records up to a time, in the order of their records."""
        found = [
            file
            for file in self.manifest.files
            if file.queue == queue and (until_ms is None or file.first_ms <= until_ms)
        ]
        began: dict[tuple[str, int], int] = {}
        for file in found:
            began[file.stream] = min(began.get(file.stream, file.first_ms), file.first_ms)
        return sorted(
            found, key=lambda file: (began[file.stream], file.stream, file.first_offset, file.kind == EFFECTS)
        )

    def table(self, file: DataFile) -> pa.Table:
        """A file's rows; columns that an older file does not have are null.

        Raises:
            HistoryTablesError: the file cannot be read.
        """
        try:
            table = pq.read_table(self.directory / file.path, partitioning=None)
        except (OSError, pa.ArrowInvalid) as fault:
            raise HistoryTablesError(f"{file.path} in {self.directory} cannot be read: {fault}") from fault
        return conformed(table)

    def records_in(self, file: DataFile) -> list[Record]:
        """A file's records.

        Raises:
            HistoryTablesError: the file cannot be read.
        """
        return records_of(self.table(file))

    def records(self, queue: str, until_ms: int | None = None) -> Iterable[Record]:
        """A queue's records up to a time, in their order."""
        for file in self.files_of(queue, until_ms):
            for record in records_of(self.table(file)):
                if until_ms is None or record.time_ms <= until_ms:
                    yield record


def conformed(table: pa.Table) -> pa.Table:
    """The table with exactly the columns of SCHEMA; missing ones are null."""
    columns = [
        table.column(field.name).cast(field.type)
        if field.name in table.schema.names
        else pa.nulls(len(table), field.type)
        for field in SCHEMA
    ]
    return pa.table(columns, schema=_READ_SCHEMA)


class TableWriter:
    """The one writer of a directory.

    Raises:
        HistoryTablesError: another process writes there.
        OSError: the directory cannot be used.
    """

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)
        make_directory(self.directory)
        self._lock = os.open(self.directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise HistoryTablesError(
                f"another process lands histories in {self.directory}; stop it first"
            ) from None
        self.manifest = read_manifest(self.directory)
        self._sweep()

    def close(self) -> None:
        """Release the lock, so that another process can write."""
        os.close(self._lock)

    def append(self, history: str, epoch: int, records: Sequence[Record], gaps: Iterable[Gap] = ()) -> None:
        """Land records of one history, which follow those that have landed; all of them or none.

        Records up to the landed offset of the epoch are left out, so a repeated call changes nothing.
        """
        before = self.manifest.landed.get(history)
        after = before.offset if before is not None and before.epoch == epoch else 0
        fresh = [record for record in records if record.offset > after]
        if not fresh:
            return
        groups: dict[tuple[str, str], list[Record]] = {}
        for record in fresh:
            groups.setdefault((record.queue, day_of(record.time_ms)), []).append(record)
        added = [
            self.write(table_of(some, history, epoch), EFFECTS, queue, day)
            for (queue, day), some in groups.items()
        ]
        last = fresh[-1]
        self.commit(
            added,
            landed={**self.manifest.landed, history: Landed(epoch, last.offset, last.time_ms)},
            gaps=(*self.manifest.gaps, *gaps),
        )

    def write(self, table: pa.Table, kind: str, queue: str, day: str) -> DataFile:
        """Write rows to a file, which is not valid before `commit`."""
        folder = self.directory / "data" / f"queue={quote(queue, safe='')}" / f"date={day}"
        make_directory(folder)
        path = folder / f"{kind}-{uuid4().hex}.parquet"
        pq.write_table(table, path, compression="zstd")
        with path.open("rb") as file:
            os.fsync(file.fileno())
        sync_directory(folder)
        offsets = table.column("offset").to_pylist()
        times = table.column("time").cast(pa.int64()).to_pylist()
        return DataFile(
            path=path.relative_to(self.directory).as_posix(),
            kind=kind,
            history=table.column("history")[0].as_py(),
            epoch=table.column("epoch")[0].as_py(),
            queue=queue,
            date=day,
            rows=len(table),
            size_bytes=path.stat().st_size,
            first_offset=min(offsets),
            last_offset=max(offsets),
            first_ms=min(times),
            last_ms=max(times),
        )

    def commit(
        self,
        added: Iterable[DataFile],
        removed: Iterable[DataFile] = (),
        landed: dict[str, Landed] | None = None,
        gaps: tuple[Gap, ...] | None = None,
    ) -> None:
        """Add and remove valid files atomically.

        Raises:
            HistoryTablesError: another process has written a version.
        """
        gone = {file.path for file in removed}
        manifest = self.manifest
        now_ms = time.time_ns() // 1_000_000
        self.manifest = commit_manifest(
            self.directory,
            replace(
                manifest,
                files=(*(file for file in manifest.files if file.path not in gone), *added),
                landed=manifest.landed if landed is None else landed,
                gaps=manifest.gaps if gaps is None else gaps,
                removed={**manifest.removed, **dict.fromkeys(gone, now_ms)},
            ),
        )

    def compact(self, small_bytes: int = SMALL_BYTES, most: int = MOST_SMALL) -> int:
        """Compact the small files of each queue's day if there are many; returns how many were compacted."""
        count = 0
        reader = HistoryTables(self.directory)
        for files in self._small_runs(small_bytes):
            if len(files) > most:
                merged = pa.concat_tables([reader.table(file) for file in files])
                one = self.write(merged, EFFECTS, files[0].queue, files[0].date)
                self.commit([one], files)
                count += len(files)
        return count

    def _small_runs(self, small_bytes: int) -> list[list[DataFile]]:
        """Small files of one queue and day with no larger one between them."""
        runs: list[list[DataFile]] = []
        previous: DataFile | None = None
        ordered = sorted(
            (file for file in self.manifest.files if file.kind == EFFECTS),
            key=lambda file: (file.stream, file.queue, file.date, file.first_offset),
        )
        for file in ordered:
            small = file.size_bytes < small_bytes
            if small and previous is not None and _are_neighbours(previous, file):
                runs[-1].append(file)
            elif small:
                runs.append([file])
            previous = file if small else None
        return runs

    def retain(self, since_ms: int) -> int:
        """Delete the days before a time, except each queue's content at their end; returns how many rows."""
        forgotten = 0
        for queue in sorted({file.queue for file in self.manifest.files}):
            reader = HistoryTables(self.directory)
            old = [file for file in reader.files_of(queue) if file.date < day_of(since_ms)]
            if any(file.kind == EFFECTS for file in old):
                self._replace(reader, queue, old)
                forgotten += sum(file.rows for file in old if file.kind == EFFECTS)
        return forgotten

    def _replace(self, reader: HistoryTables, queue: str, old: list[DataFile]) -> None:
        moment = Moment()
        for file in old:
            moment.apply_all(records_of(reader.table(file)))
        last = max(old, key=lambda file: file.last_ms)
        base = base_records(moment, queue, last.last_offset, last.last_ms)
        added = [self.write(table_of(base, last.history, last.epoch), BASE, queue, last.date)] if base else []
        self.commit(added, old)

    def delete_unread(self, after_ms: int = READERS_MS) -> int:
        """Delete files that have been invalid for long enough; returns how many."""
        old = time.time_ns() // 1_000_000 - after_ms
        over = [path for path, since_ms in self.manifest.removed.items() if since_ms <= old]
        for path in over:
            (self.directory / path).unlink(missing_ok=True)
        if over:
            kept = {path: since for path, since in self.manifest.removed.items() if path not in over}
            self.manifest = commit_manifest(self.directory, replace(self.manifest, removed=kept))
        return len(over)

    def _sweep(self) -> None:
        """Delete files that a killed writer did not commit."""
        known = {file.path for file in self.manifest.files} | set(self.manifest.removed)
        for path in (self.directory / "data").glob("queue=*/date=*/*.parquet"):
            if path.relative_to(self.directory).as_posix() not in known:
                path.unlink()
        for path in (self.directory / "manifest").glob(".*.part"):
            path.unlink()


def base_records(moment: Moment, queue: str, offset: int, time_ms: int) -> list[Record]:
    """The records that rebuild a moment; empty if the moment is not complete."""
    if not moment.complete:
        return []
    if not moment.exists or moment.spec is None:
        return [Record(offset, DELETED, queue, time_ms)]
    base = [Record(offset, DECLARED, queue, time_ms, declaration=spec_to_arguments(moment.spec))]
    base += [
        replace(
            queued_message.record,
            offset=offset,
            effect=PRESENT,
            time_ms=time_ms,
            updates=queued_message.updates,
            expires_ms=queued_message.expires_ms,
            not_before_ms=queued_message.record.not_before_ms if queued_message.waits else None,
            delivery_count=queued_message.delivery_count,
            holder=queued_message.holder,
        )
        for _, queued_message in sorted(moment.present.items())
    ]
    if not moment.recorded:
        base.append(Record(offset, ENDED, queue, time_ms))
    return base


def _are_neighbours(one: DataFile, other: DataFile) -> bool:
    return (one.stream, one.queue, one.date) == (other.stream, other.queue, other.date)


def day_of(time_ms: int) -> str:
    """The day of a time, in UTC."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).date().isoformat()
