"""Tables of histories: what their readers find."""

from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake
from history_records import BEGIN, added, removed

from lastvalue.history.columns import LATEST_MS, SCHEMA, records_of, table_of
from lastvalue.history.data_files import Gap, Landed
from lastvalue.history.errors import HistoryTablesError
from lastvalue.history.records import Record
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.tables import HistoryTables

ODD_NAMES = ["a/b", "a b%41=:#?*[x]{y}", "grüße €", "C:\\a'\"", "__HIVE_DEFAULT_PARTITION__", ".", "x\ny"]


def of(queue: str, offset: int) -> Record:
    return Record(offset, "deleted", queue, 1000 + offset)


def test_rows_are_records_and_say_what_can_be_read_of_the_message() -> None:
    far = added(2, 1001, 1, rank=b"\x01", place=9, expires_ms=2**53, durable=True, updates=3)
    table = table_of([BEGIN, far], "h", 4)
    assert records_of(table) == [BEGIN, far]
    row = table.slice(1).drop(["expires"]).to_pylist()[0]
    assert (row["history"], row["epoch"], row["body"], row["group_id"]) == ("h", 4, b'{"a": [1]}', "g")
    assert row["properties"] == [("k", "a"), ("n", "1.5"), ("yes", "true")]


def test_a_time_that_is_too_far_away_for_a_column_is_its_last_one() -> None:
    table = table_of([added(2, 1001, 1, expires_ms=2**63 - 1)], "h", 1)
    (record,) = records_of(table)
    assert record.expires_ms == LATEST_MS


def test_a_message_that_cannot_be_decoded_is_kept_as_it_came() -> None:
    broken = added(2, 1001, 1, message=b"\x00\x53\x77\xff")
    table = table_of([broken], "h", 1)
    assert records_of(table) == [broken]
    assert table.column("body").to_pylist() == [None]


def test_a_directory_without_a_table_has_nothing(tmp_path: Path) -> None:
    for directory in (tmp_path, tmp_path / "nosuch"):
        tables = HistoryTables(directory)
        assert (tables.files, tables.histories, tables.gaps) == ([], [], [])
        assert tables.landed("h") is None


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_may_have_any_characters(tmp_path: Path, name: str) -> None:
    writer = TableWriter(tmp_path)
    for offset in range(1, 12):
        writer.append(name, 1, [of(name, offset)])
    assert writer.compact() == 11
    writer.append(name, 1, [of(name, 12)], [Gap(name, 1, 12, 12)])
    tables = HistoryTables(tmp_path)
    assert tables.histories == [name]
    assert tables.landed(name) == Landed(1, 12, 1012)
    assert tables.gaps == [Gap(name, 1, 12, 12)]
    assert [record.offset for record in tables.records(name)] == list(range(1, 13))
    assert all(Path(tables.uri_of(file)).is_file() for file in tables.files)


def test_records_come_in_the_order_of_their_streams_and_offsets(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("z", 1, [Record(1, "declared", "q", 1000, declaration={}), of("q", 2)])
    writer.append("a", 1, [of("q", 3)])
    writer.append("z", 1, [of("q", 4)])
    assert [(record.offset, record.time_ms) for record in HistoryTables(tmp_path).records("q")] == [
        (1, 1000), (2, 1002), (4, 1004), (3, 1003),
    ]  # fmt: skip
    assert [record.offset for record in HistoryTables(tmp_path).records("q", 1002)] == [1, 2]


def test_columns_that_an_older_file_lacks_are_null(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN, added(2, 1001, 1)])
    tables = HistoryTables(tmp_path)
    (file,) = tables.files
    older = pq.read_table(tables.uri_of(file), partitioning=None).drop(["group_id", "priority"])
    newer = older.append_column("invented", pa.array(["later", "version"]))
    pq.write_table(newer, tables.uri_of(file))
    assert [record.offset for record in tables.records_in([file])] == [1, 2]


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    tables = HistoryTables(tmp_path)
    Path(tables.uri_of(tables.files[0])).unlink()
    with pytest.raises(HistoryTablesError, match=r"\.parquet in .* cannot be read"):
        list(tables.records("q"))


def test_a_damaged_log_is_refused(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    writer.append("h", 1, [removed(2, 1001, 1)])
    (tmp_path / "_delta_log" / f"{1:020d}.json").write_text("{")
    with pytest.raises(HistoryTablesError, match="cannot be used"):
        assert HistoryTables(tmp_path).files
    with pytest.raises(HistoryTablesError, match="cannot be used"):
        TableWriter(tmp_path)


def test_another_table_is_refused(tmp_path: Path) -> None:
    write_deltalake(tmp_path, pa.table({"x": [1], "y": [1]}), partition_by=["x"])
    for use in (HistoryTables, TableWriter):
        with pytest.raises(HistoryTablesError, match="not one of histories: it is partitioned by x instead"):
            use(tmp_path)


def test_a_directory_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest").mkdir()
    for use in (HistoryTables, TableWriter):
        with pytest.raises(HistoryTablesError, match="lastvalue pipeline migrate-history --tables"):
            use(tmp_path)


PROTOCOLS = {
    '{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["deletionVectors"],'
    '"writerFeatures":["deletionVectors"]}': "needs deletionVectors, which",
    '{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["invented"],'
    '"writerFeatures":["invented"]}': "invented",
    '{"minReaderVersion":2,"minWriterVersion":5}': "needs column mapping, which",
    '{"minReaderVersion":9,"minWriterVersion":9}': "cannot be used",
}


@pytest.mark.parametrize(("protocol", "fault"), PROTOCOLS.items())
def test_a_table_that_plain_parquet_does_not_tell_is_refused(
    tmp_path: Path, protocol: str, fault: str
) -> None:
    TableWriter(tmp_path)
    newer = tmp_path / "_delta_log" / f"{1:020d}.json"
    newer.write_text('{"protocol":' + protocol + "}\n")
    for use in (HistoryTables, TableWriter):
        with pytest.raises(HistoryTablesError, match=fault):
            use(tmp_path)


def test_other_programs_read_the_table(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    for offset in range(2, 12):
        writer.append("h", 1, [added(offset, 1000 + offset, offset)])
    writer.compact()
    writer.append("h", 1, [added(12, 2000, 12)])
    table = DeltaTable(tmp_path)
    assert table.schema().to_arrow().names == [*SCHEMA.names, "kind", "queue_name", "stream", "date"]
    found = [(11, "k9", 2000)]
    for rows in (
        duckdb.from_arrow(table.to_pyarrow_dataset()),
        duckdb.read_parquet(table.file_uris(), hive_partitioning=False),
    ):
        wanted = rows.filter("queue = 'q'").aggregate("count(*), max(key), epoch_ms(max(time))")
        assert wanted.fetchall() == found
    frame = pl.scan_delta(tmp_path).filter(pl.col("queue_name") == "q")
    assert frame.select(pl.len(), pl.max("key"), pl.max("time").dt.epoch("ms")).collect().rows() == found
