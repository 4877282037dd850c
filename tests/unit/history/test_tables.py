"""Tables of histories: what counts, what is put together, what is forgotten."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.history.columns import SCHEMA, records_of, table_of
from lastvalue.history.errors import HistoryTablesError, HistoryUnavailableError
from lastvalue.history.manifest import KEPT_VERSIONS, commit_manifest, read_manifest
from lastvalue.history.recorded_history import read_history
from lastvalue.history.records import Record
from lastvalue.history.tables import HistoryTables, TableWriter

DAY_MS = 86_400_000
SPEC = {"type": "lvq", "lvq_key": "k", "history": "h"}
CONTENT = encode_content(
    MessageContent(body={"a": [1]}, application_properties={"k": "a", "n": 1.5, "yes": True}, group_id="g")
)
BEGIN = Record(1, "declared", "q", 1000, declaration=SPEC)


def added(offset: int, time_ms: int, sequence: int, **more: Any) -> Record:
    record = Record(
        offset, "added", "q", time_ms, sequence, key=f"k{sequence}", arrival_ms=time_ms, message=CONTENT
    )
    return replace(record, **more)


def removed(offset: int, time_ms: int, sequence: int) -> Record:
    return Record(offset, "removed", "q", time_ms, sequence, reason="accepted", key=f"k{sequence}")


def number_of_files(directory: Path) -> int:
    return len(list(directory.rglob("*.parquet")))


async def held(directory: Path, time_ms: int) -> list[tuple[int | None, int]]:
    moment = (await read_history("q", tables=directory)).as_of(time_ms)
    return [(each.record.sequence, each.updates) for each in moment.in_order()]


def test_rows_are_records_and_say_what_can_be_read_of_the_message() -> None:
    far = added(2, 1001, 1, rank=b"\x01", place=9, expires_ms=2**53, durable=True, updates=3)
    table = table_of([BEGIN, far], "h", 4)
    assert records_of(table) == [BEGIN, far]
    row = table.slice(1).drop(["expires"]).to_pylist()[0]
    assert (row["history"], row["epoch"], row["body"], row["group_id"]) == ("h", 4, b'{"a": [1]}', "g")
    assert row["properties"] == [("k", "a"), ("n", "1.5"), ("yes", "true")]


def test_a_message_that_cannot_be_decoded_is_kept_as_it_came() -> None:
    broken = added(2, 1001, 1, message=b"\x00\x53\x77\xff")
    table = table_of([broken], "h", 1)
    assert records_of(table) == [broken]
    assert table.column("body").to_pylist() == [None]


def test_landing_the_same_again_changes_nothing(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    records = [BEGIN, added(2, 1001, 1)]
    writer.append("h", 1, records)
    before = writer.manifest
    writer.append("h", 1, records)
    assert writer.manifest is before
    writer.append("h", 1, [*records, removed(3, 1002, 1)])
    writer.close()
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [1, 2, 3]


async def test_many_small_files_of_a_day_are_put_together(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    for offset in range(2, 12):
        writer.append("h", 1, [added(offset, 1000 + offset, offset)])
    expected = await held(tmp_path, 1011)
    assert writer.compact(most=20) == 0
    assert writer.compact(most=5) == 11
    assert len(writer.manifest.files) == 1
    assert await held(tmp_path, 1011) == expected
    assert number_of_files(tmp_path) == 12
    assert writer.delete_unread(after_ms=0) == 11
    assert number_of_files(tmp_path) == 1
    writer.close()


async def test_a_larger_file_between_small_ones_keeps_its_place(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    writer.append("h", 1, [added(2, 1002, 1)])
    large = [added(offset, 1003, offset) for offset in range(3, 2000)]
    writer.append("h", 1, large)
    writer.append("h", 1, [removed(2000, 1004, 3)])
    writer.append("h", 1, [removed(2001, 1005, 4)])
    small = max(file.size_bytes for file in writer.manifest.files)
    assert writer.compact(small_bytes=small, most=1) == 4
    writer.close()
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
    writer.close()
    with pytest.raises(HistoryUnavailableError, match="begins after"):
        await held(tmp_path, 1002)
    assert await held(tmp_path, 1003) == [(2, 2)]
    assert await held(tmp_path, DAY_MS + 1) == [(2, 2), (3, 1)]
    recorded_history = await read_history("q", tables=tmp_path)
    assert [record.sequence for record in recorded_history.published(1004, 2 * DAY_MS)] == [3]
    with pytest.raises(HistoryUnavailableError, match="is kept since"):
        recorded_history.published(1003, 2 * DAY_MS)


def test_columns_that_an_older_file_lacks_are_null(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN, added(2, 1001, 1)])
    writer.close()
    (file,) = writer.manifest.files
    older = pq.read_table(tmp_path / file.path, partitioning=None).drop(["group_id", "priority"])
    newer = older.append_column("invented", pa.array(["later", "version"]))
    pq.write_table(newer, tmp_path / file.path)
    table = HistoryTables(tmp_path).table(file)
    assert table.schema.names == SCHEMA.names
    assert table.column("group_id").null_count == 2
    assert len(list(HistoryTables(tmp_path).records("q"))) == 2


def test_only_one_writer_makes_the_next_version(tmp_path: Path) -> None:
    first = read_manifest(tmp_path)
    assert commit_manifest(tmp_path, first).version == 1
    with pytest.raises(HistoryTablesError, match="another process writes"):
        commit_manifest(tmp_path, first)
    assert [path.name for path in (tmp_path / "manifest").iterdir()] == ["00000000000000000001.json"]


def test_old_versions_of_the_manifest_go(tmp_path: Path) -> None:
    manifest = read_manifest(tmp_path)
    for _ in range(KEPT_VERSIONS + 5):
        manifest = commit_manifest(tmp_path, manifest)
    assert len(list((tmp_path / "manifest").iterdir())) == KEPT_VERSIONS
    assert read_manifest(tmp_path) == manifest


@pytest.mark.parametrize("text", ['{"format": 99}', "{", '{"format": 1}', '{"format": 1, "files": [{}]}'])
def test_what_is_no_manifest_of_this_format_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest").mkdir()
    (tmp_path / "manifest" / "00000000000000000001.json").write_text(text)
    with pytest.raises(HistoryTablesError, match=r"format 99|not a manifest"):
        HistoryTables(tmp_path)


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    writer.close()
    (file,) = writer.manifest.files
    (tmp_path / file.path).unlink()
    with pytest.raises(HistoryTablesError, match="cannot be read"):
        list(HistoryTables(tmp_path).records("q"))
