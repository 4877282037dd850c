"""Writing tables of histories: landing, compaction, retention, checkpoints."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from history_records import BEGIN, added, held, removed

from lastvalue.history import delta_log
from lastvalue.history.data_files import BASE, EFFECTS, Gap, Landed
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.recorded_history import read_history
from lastvalue.history.records import Record
from lastvalue.history.table_writer import CHECKPOINT_COMMITS, TableWriter
from lastvalue.history.tables import HistoryTables

DAY_MS = 86_400_000


def number_of_files(directory: Path) -> int:
    return len(list(directory.rglob("date=*/*.parquet")))


def commits(directory: Path) -> int:
    return len(list((directory / "_delta_log").glob("*.json")))


def test_landing_the_same_again_changes_nothing(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    records = [BEGIN, added(2, 1001, 1)]
    writer.append("h", 1, records)
    before = commits(tmp_path)
    writer.append("h", 1, records)
    assert commits(tmp_path) == before
    TableWriter(tmp_path).append("h", 1, [*records, removed(3, 1002, 1)])
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [1, 2, 3]


def test_what_two_writers_land_is_landed_once(tmp_path: Path) -> None:
    first, second = TableWriter(tmp_path), TableWriter(tmp_path)
    records = [BEGIN, *(added(offset, 1000 + offset, offset) for offset in range(2, 8))]
    gap = Gap("h", 1, 4, 4)
    first.append("h", 1, records[:1])
    second.append("h", 1, records[:3])
    first.append("h", 1, records[1:6], [gap])
    second.append("g", 1, [Record(1, "declared", "p", 1000, declaration={})])
    second.append("h", 1, records[3:], [gap])
    first.append("h", 1, records)
    tables = HistoryTables(tmp_path)
    assert [record.offset for record in tables.records("q")] == list(range(1, 8))
    assert tables.gaps == [gap]
    assert [tables.landed(name) for name in tables.histories] == [Landed(1, 1, 1000), Landed(1, 7, 1007)]
    first.append("h", 2, records[:1])
    second.append("h", 1, [*records, added(8, 1008, 8)])
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [*range(1, 9), 1]


def test_what_lands_while_another_process_creates_the_table_too_lands(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    # As the commit of one that found no table at the same time; both write its metadata.
    DeltaTable(tmp_path).alter.set_table_properties(delta_log.PROPERTIES)
    writer.append("h", 1, [BEGIN])
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [1]


def test_writers_of_different_histories_maintain_one_table(tmp_path: Path) -> None:
    first, second = TableWriter(tmp_path), TableWriter(tmp_path)
    for offset in range(1, 12):
        first.append("h", 1, [added(offset, 1000, offset)])
        second.append("g", 1, [replace(added(offset, 1000, offset), queue="p")])
    assert first.compact() == 22
    assert second.compact() == 0
    assert first.retain(DAY_MS) == 22
    assert second.retain(DAY_MS) == 0


def test_gaps_land_with_the_records_after_them(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    writer.append("h", 1, [added(5, 1001, 1)], [Gap("h", 1, 2, 4)])
    writer.append("h", 2, [added(1, 1002, 1), added(9, 1003, 2)], [Gap("h", 2, 2, 6), Gap("h", 2, 7, 8)])
    tables = HistoryTables(tmp_path)
    assert sorted(tables.gaps, key=lambda gap: (gap.epoch, gap.first)) == [
        Gap("h", 1, 2, 4), Gap("h", 2, 2, 6), Gap("h", 2, 7, 8),
    ]  # fmt: skip
    assert tables.landed("h") == Landed(2, 9, 1003)
    assert [record.effect for record in tables.records("q")] == ["declared", "added", "added", "added"]
    assert list(tables.records("h")) == []


async def test_many_small_files_of_a_day_are_compacted(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    for offset in range(2, 12):
        writer.append("h", 1, [added(offset, 1000 + offset, offset)])
    writer.append("h", 2, [added(1, 2000, 1)])
    expected = await held(tmp_path, 1011)
    assert writer.compact(most=20) == 0
    assert writer.compact(most=5) == 11
    assert writer.compact(most=5) == 0
    tables = HistoryTables(tmp_path)
    assert sorted((file.stream, file.rows) for file in tables.files) == [(("h", 1), 11), (("h", 2), 1)]
    assert tables.landed("h") == Landed(2, 1, 2000)
    assert await held(tmp_path, 1011) == expected
    # Present readers have an hour.
    assert writer.delete_unread() == 0
    assert number_of_files(tmp_path) == 13
    assert writer.delete_unread(after_hours=0) == 11
    assert number_of_files(tmp_path) == 2
    writer.append("h", 2, [added(2, 2001, 2)])


async def test_larger_files_are_left_and_the_order_is_that_of_the_offsets(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    writer.append("h", 1, [added(2, 1002, 1)])
    writer.append("h", 1, [added(offset, 1003, offset) for offset in range(3, 2000)])
    writer.append("h", 1, [removed(2000, 1004, 3)])
    writer.append("h", 1, [removed(2001, 1005, 4)])
    large, *others = sorted((file.size_bytes for file in HistoryTables(tmp_path).files), reverse=True)
    assert writer.compact(small_bytes=large, most=1) == len(others)
    assert max(file.size_bytes for file in HistoryTables(tmp_path).files) == large
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == list(range(1, 2002))


async def test_old_days_are_forgotten_but_for_what_was_there_at_their_end(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append(
        "h",
        1,
        [
            BEGIN,
            added(2, 1001, 1),
            added(3, 1002, 2, updates=2),
            removed(4, 1003, 1),
            added(5, DAY_MS + 1, 3),
            removed(6, 2 * DAY_MS + 1, 3),
        ],
    )
    assert writer.retain(DAY_MS) == 4
    assert writer.retain(DAY_MS) == 0
    with pytest.raises(HistoryUnavailableError, match="begins after"):
        await held(tmp_path, 1002)
    assert await held(tmp_path, 1003) == [(2, 2)]
    assert await held(tmp_path, DAY_MS + 1) == [(2, 2), (3, 1)]
    recorded_history = await read_history("q", tables=tmp_path)
    assert [record.sequence for record in recorded_history.published(1004, 2 * DAY_MS)] == [3]
    with pytest.raises(HistoryUnavailableError, match="is kept since"):
        recorded_history.published(1003, 2 * DAY_MS)
    assert next(file.kind for file in HistoryTables(tmp_path).files_of("q")) == BASE


def meanwhile(monkeypatch: pytest.MonkeyPatch, writer: TableWriter, do: Callable[[], object]) -> None:
    """Let another process do something once, right before the next commit of a writer."""
    commit = writer._commit
    waiting = [do]

    def late(*arguments: Any) -> None:
        while waiting:
            waiting.pop()()
        commit(*arguments)

    monkeypatch.setattr(writer, "_commit", late)


async def test_of_two_retentions_at_once_one_leaves_it_to_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = TableWriter(tmp_path), TableWriter(tmp_path)
    first.append("h", 1, [BEGIN, added(2, 1001, 1), added(3, 1002, 2), added(4, DAY_MS, 3)])
    meanwhile(monkeypatch, first, lambda: second.retain(DAY_MS))
    assert first.retain(DAY_MS) == 0
    assert await held(tmp_path, DAY_MS) == [(1, 1), (2, 1), (3, 1)]
    assert [file.kind for file in HistoryTables(tmp_path).files_of("q")] == [BASE, EFFECTS]


async def test_a_retention_goes_on_with_what_another_process_has_compacted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = TableWriter(tmp_path), TableWriter(tmp_path)
    for record in [BEGIN, added(2, 1001, 1), added(3, 1002, 2)]:
        first.append("h", 1, [record])
    meanwhile(monkeypatch, first, lambda: second.compact(most=2))
    assert first.retain(DAY_MS) == 6
    assert second.retain(DAY_MS) == 0
    second.append("h", 1, [added(4, DAY_MS, 3)])
    assert await held(tmp_path, DAY_MS) == [(1, 1), (2, 1), (3, 1)]
    assert [file.kind for file in HistoryTables(tmp_path).files_of("q")] == [BASE, EFFECTS]


def test_a_history_that_has_no_file_left_goes_on_where_it_was(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    # Without a declaration, what is on the queue is not known, and nothing is left of it.
    for epoch in (1, 2, 3):
        writer.append("h", epoch, [added(7, 1000 + epoch, 1)])
    assert writer.retain(DAY_MS) == 3
    tables = HistoryTables(tmp_path)
    assert tables.files == []
    assert tables.landed("h") == Landed(3, 7, 1003)
    TableWriter(tmp_path).append("h", 3, [added(7, 1003, 1), added(8, 1004, 2)])
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [8]


def test_the_log_gets_checkpoints_from_which_readers_begin(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    for offset in range(1, CHECKPOINT_COMMITS + 3):
        writer.append("h", 1, [added(offset, 1000, offset)])
    (checkpoint,) = (tmp_path / "_delta_log").glob("*.checkpoint.parquet")
    assert int(checkpoint.name.split(".")[0]) == CHECKPOINT_COMMITS
    for version in range(CHECKPOINT_COMMITS):
        (tmp_path / "_delta_log" / f"{version:020d}.json").unlink()
    tables = HistoryTables(tmp_path)
    assert tables.landed("h") == Landed(1, CHECKPOINT_COMMITS + 2, 1000)
    assert len(list(tables.records("q"))) == CHECKPOINT_COMMITS + 2
    TableWriter(tmp_path).append("h", 1, [added(CHECKPOINT_COMMITS + 3, 1000, 9)])


def test_a_table_of_an_earlier_version_gets_the_later_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        names = [name for name in delta_log.TABLE_SCHEMA.names if name not in {"priority", "message"}]
        earlier.setattr(delta_log, "TABLE_SCHEMA", delta_log.TABLE_SCHEMA.empty_table().select(names).schema)
        TableWriter(tmp_path)
    writer = TableWriter(tmp_path)
    for offset in range(1, 12):
        writer.append("h", 1, [added(offset, 1000, offset)])
    assert writer.compact() == 11
    assert all(record.message for record in HistoryTables(tmp_path).records("q"))
