"""Histories in a Delta table, for readers.

TABLE/_delta_log/…                                                   which files are valid
TABLE/kind=effects/queue_name=…/stream=…/date=…/<file>.parquet       rows of one queue's day
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from lastvalue.history.columns import SCHEMA, records_of
from lastvalue.history.data_files import EFFECTS, GAPS, DataFile, Gap, Landed
from lastvalue.history.delta_log import file_system, files_in, newest_landed, open_delta_table
from lastvalue.history.errors import HistoryTablesError
from lastvalue.history.locations import location_of
from lastvalue.history.records import DECLARED, DELETED, ENDED, Record

_READ_SCHEMA: Final = pa.schema([pa.field(field.name, field.type) for field in SCHEMA])
_FIRST: Final = frozenset({DECLARED, DELETED})


class HistoryTables:
    """The table of histories at a location, in one of its versions; empty if there is no table.

    Args:
        tables: its directory, or the URL of an object store.

    Attributes:
        table: the Delta table, or None.

    Raises:
        HistoryTablesError: it is not a table of histories, or of a version that cannot be read.
    """

    def __init__(self, tables: Path | str) -> None:
        self.location = location_of(tables)
        self.table = open_delta_table(self.location)
        self._file_system = file_system(self.location)

    @cached_property
    def files(self) -> list[DataFile]:
        """The valid files."""
        return [] if self.table is None else files_in(self.table)

    @property
    def histories(self) -> list[str]:
        """The names of the histories that have files."""
        return sorted({file.history for file in self.files})

    def landed(self, history: str) -> Landed | None:
        """The position up to which a history has landed, or None if nothing has."""
        if self.table is None:
            return None
        # Retention may have left no file of the newest epochs.
        epoch = max((file.epoch for file in self.files if file.history == history), default=1)
        return newest_landed(self.table, history, epoch)

    @cached_property
    def gaps(self) -> list[Gap]:
        """What the histories have lost.

        Raises:
            HistoryTablesError: a file cannot be read.
        """
        return [
            Gap(file.history, file.epoch, record.offset, record.offset + record.updates - 1)
            for file in self.files
            if file.kind == GAPS
            for record in records_of(self._table(file))
        ]

    def files_of(self, queue: str, until_ms: int | None = None) -> list[DataFile]:
        """The files of a queue's history with records up to a time, in the order of their streams."""
        found = [
            file
            for file in self.files
            if file.queue == queue and file.kind != GAPS and (until_ms is None or file.first_ms <= until_ms)
        ]
        began: dict[tuple[str, int], int] = {}
        for file in found:
            began[file.stream] = min(began.get(file.stream, file.first_ms), file.first_ms)
        return sorted(
            found, key=lambda file: (began[file.stream], file.stream, file.first_offset, file.kind == EFFECTS)
        )

    def uri_of(self, file: DataFile) -> str:
        """Where a file is."""
        return f"{self.location.rstrip('/')}/{file.path}"

    def records_in(self, files: Sequence[DataFile]) -> list[Record]:
        """The records of files of one stream, in their order.

        Raises:
            HistoryTablesError: a file cannot be read.
        """
        records = [record for file in files for record in records_of(self._table(file))]
        records.sort(key=_place)
        return records

    def records(self, queue: str, until_ms: int | None = None) -> Iterable[Record]:
        """A queue's records up to a time, in their order."""
        for files in by_stream(self.files_of(queue, until_ms)):
            for record in self.records_in(files):
                if until_ms is None or record.time_ms <= until_ms:
                    yield record

    def _table(self, file: DataFile) -> pa.Table:
        try:
            table = pq.read_table(file.path, filesystem=self._file_system, partitioning=None)
        except (OSError, pa.ArrowInvalid) as fault:
            raise HistoryTablesError(f"{file.path} in {self.location} cannot be read: {fault}") from fault
        return conformed(table)


def by_stream(files: Iterable[DataFile]) -> list[list[DataFile]]:
    """The files of each stream."""
    streams: dict[tuple[str, int], list[DataFile]] = {}
    for file in files:
        streams.setdefault(file.stream, []).append(file)
    return list(streams.values())


def conformed(table: pa.Table) -> pa.Table:
    """The table with exactly the columns of SCHEMA; missing ones are null."""
    columns = [
        table.column(field.name).cast(field.type)
        if field.name in table.schema.names
        else pa.nulls(len(table), field.type)
        for field in SCHEMA
    ]
    return pa.table(columns, schema=_READ_SCHEMA)


def _place(record: Record) -> tuple[int, int, int]:
    """The place of a record in its stream.

    Compaction does not keep the order of rows. All records of a base have one offset: first what the queue
    is, then its messages, and last that its history has ended.
    """
    part = 0 if record.effect in _FIRST else 2 if record.effect == ENDED else 1
    return record.offset, part, record.sequence or 0
