"""Migration of the tables of earlier versions to a Delta table."""

import fcntl
import json
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from history_records import BEGIN, added, held, removed

from lastvalue.history.columns import LATEST_MS, table_of
from lastvalue.history.data_files import BASE, EFFECTS, DataFile, Gap, Landed
from lastvalue.history.errors import HistoryTablesError
from lastvalue.history.migration import Migration, migrate_tables
from lastvalue.history.records import Record
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.tables import HistoryTables

DAY_MS = 86_400_000
MILLISECONDS = pa.timestamp("ms", tz="UTC")


class EarlierTables:
    """A directory of tables as earlier versions wrote them: format 1."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.files: list[DataFile] = []
        (directory / "manifest").mkdir(parents=True)
        (directory / "lock").touch()

    def add(self, kind: str, queue: str, records: list[Record], epoch: int = 1) -> Path:
        """A file with these records of one day."""
        table = table_of(records, "h", epoch)
        for index, column in enumerate(table.schema):
            if pa.types.is_timestamp(column.type):
                field = pa.field(column.name, MILLISECONDS, column.nullable)
                table = table.set_column(index, field, table.column(index).cast(MILLISECONDS))
        day = f"1970-01-0{1 + records[0].time_ms // DAY_MS}"
        path = f"data/queue={queue}/date={day}/{kind}-{len(self.files)}.parquet"
        (self.directory / path).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, self.directory / path, compression="zstd")
        offsets, times = [each.offset for each in records], [each.time_ms for each in records]
        self.files.append(
            DataFile(path, kind, "h", epoch, queue, day, len(records), (self.directory / path).stat().st_size,
                     min(offsets), max(offsets), min(times), max(times))
        )  # fmt: skip
        return self.directory / path

    def commit(self, landed: Landed, gaps: tuple[Gap, ...] = (), version: int = 7) -> None:
        told = {
            "format": 1,
            "version": version,
            "files": [asdict(file) for file in self.files],
            "landed": {"h": asdict(landed)},
            "gaps": [asdict(gap) for gap in gaps],
            "removed": {},
        }
        (self.directory / "manifest" / f"{version:020d}.json").write_text(json.dumps(told))


def earlier(directory: Path) -> EarlierTables:
    tables = EarlierTables(directory)
    tables.add(BASE, "q", [replaced_offset(BEGIN, 3), added(3, 1002, 1, effect="present")])
    tables.add(EFFECTS, "q", [added(4, DAY_MS, 2), removed(5, DAY_MS + 1, 1)])
    tables.add(EFFECTS, "q", [added(9, DAY_MS + 2, 3, expires_ms=2**53)])
    tables.add(EFFECTS, "q", [replaced_offset(BEGIN, 1, 2 * DAY_MS), added(2, 2 * DAY_MS, 1)], epoch=2)
    tables.commit(Landed(2, 2, 2 * DAY_MS), (Gap("h", 1, 6, 8),))
    # An earlier version of the manifest, and a file that it does not name.
    (directory / "manifest" / f"{6:020d}.json").write_text("{}")
    (directory / "data" / "queue=q" / "stray.parquet").write_bytes(b"half")
    return tables


def replaced_offset(record: Record, offset: int, time_ms: int = 1002) -> Record:
    return Record(offset, record.effect, record.queue, time_ms, declaration=record.declaration)


def names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


async def test_everything_is_there_afterwards_and_the_landing_goes_on(tmp_path: Path) -> None:
    earlier(tmp_path)
    steps: list[tuple[int, int]] = []
    assert migrate_tables(tmp_path, lambda done, of: steps.append((done, of))) == Migration(4, 7)
    assert steps == [(number, 4) for number in range(1, 5)]
    assert names(tmp_path) == {"_delta_log", "kind=base", "kind=effects", "kind=gaps"}
    tables = HistoryTables(tmp_path)
    assert [(record.offset, record.effect) for record in tables.records("q")] == [
        (3, "declared"), (3, "present"), (4, "added"), (5, "removed"), (9, "added"),
        (1, "declared"), (2, "added"),
    ]  # fmt: skip
    assert tables.gaps == [Gap("h", 1, 6, 8)]
    assert tables.landed("h") == Landed(2, 2, 2 * DAY_MS)
    assert await held(tmp_path, 1002) == [(1, 1)]
    assert await held(tmp_path, 2 * DAY_MS) == [(1, 1)]
    writer = TableWriter(tmp_path)
    writer.append("h", 2, [added(2, 2 * DAY_MS, 1), added(3, 2 * DAY_MS, 2)])
    assert writer.compact(most=0) == 4
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [3, 3, 4, 5, 9, 1, 2, 3]


def test_times_that_no_column_can_hold_are_its_last_one(tmp_path: Path) -> None:
    tables = EarlierTables(tmp_path)
    path = tables.add(EFFECTS, "q", [BEGIN, added(2, 1001, 1, expires_ms=5)])
    table = pq.read_table(path, partitioning=None)
    far = pa.array([None, 2**62]).cast(MILLISECONDS)
    pq.write_table(table.set_column(table.schema.get_field_index("expires"), "expires", far), path)
    tables.commit(Landed(1, 2, 1001))
    migrate_tables(tmp_path)
    assert [record.expires_ms for record in HistoryTables(tmp_path).records("q")] == [
        None,
        LATEST_MS,
    ]


def test_a_killed_migration_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed at every step of its work: a call that opens, renames, links or deletes something there."""
    program = (
        "import os, signal, sys\n"
        "from lastvalue.history.migration import migrate_tables\n"
        "left = int(sys.argv[2])\n"
        "def count(event, arguments):\n"
        "    global left\n"
        "    if event in {'os.mkdir', 'os.remove', 'os.rmdir', 'open', 'shutil.rmtree'} and "
        "sys.argv[1] in str(arguments[0]):\n"
        "        left -= 1\n"
        "        if left < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(count)\n"
        "migrate_tables(sys.argv[1])\n"
    )
    steps = 0
    ended = -signal.SIGKILL
    while ended == -signal.SIGKILL:
        directory = tmp_path / str(steps)
        earlier(directory)
        command = [sys.executable, "-c", program, str(directory), str(steps)]
        ended = subprocess.run(command, check=False).returncode
        if (directory / "manifest").exists():
            migrate_tables(directory)
        tables = HistoryTables(directory)
        assert [record.offset for record in tables.records("q")] == [3, 3, 4, 5, 9, 1, 2]
        assert tables.landed("h") == Landed(2, 2, 2 * DAY_MS)
        assert tables.gaps == [Gap("h", 1, 6, 8)]
        assert not (directory / "data").exists()
        steps += 16
    assert ended == 0
    assert steps > 32


def test_a_directory_without_tables_is_refused_and_a_delta_table_is_left(tmp_path: Path) -> None:
    with pytest.raises(HistoryTablesError, match="has no tables of an earlier version; there is nothing"):
        migrate_tables(tmp_path)
    TableWriter(tmp_path)
    assert migrate_tables(tmp_path) == Migration(0, 0)


@pytest.mark.parametrize("text", ['{"format": 99}', "{", '{"format": 1}', '{"format": 1, "files": [{}]}'])
def test_what_is_no_manifest_of_that_format_is_refused_and_left(tmp_path: Path, text: str) -> None:
    tables = earlier(tmp_path)
    (tmp_path / "manifest" / f"{8:020d}.json").write_text(text)
    with pytest.raises(HistoryTablesError, match=r"format 99|not a manifest"):
        migrate_tables(tmp_path)
    assert all((tmp_path / file.path).exists() for file in tables.files)


def test_a_damaged_file_is_named_and_nothing_is_deleted(tmp_path: Path) -> None:
    tables = earlier(tmp_path)
    (tmp_path / tables.files[1].path).write_bytes(b"PAR1")
    with pytest.raises(HistoryTablesError, match=r"effects-1\.parquet in .* cannot be read"):
        migrate_tables(tmp_path)
    assert all((tmp_path / file.path).exists() for file in tables.files)
    with pytest.raises(HistoryTablesError, match="migrate-history"):
        HistoryTables(tmp_path)


def test_a_directory_where_an_earlier_version_lands_is_refused(tmp_path: Path) -> None:
    earlier(tmp_path)
    with (tmp_path / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(HistoryTablesError, match="another process lands histories"):
            migrate_tables(tmp_path)
    migrate_tables(tmp_path)
