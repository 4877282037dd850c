"""`conflate` of plain Parquet files, which are read by columns, against the plan by rows."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from combinations import half_of_combinations
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from rows_to_conflate import SCHEMA, collected, explained, newest_rows, random_rows

from lastvalue.pipeline.conflation import newest_in_files
from lastvalue.pipeline.conflation.conflate import conflate
from lastvalue.pipeline.conflation.row_marks import BLOCK, MARKS, marked_rows
from lastvalue.pipeline.conflation.table_files import SPARK_FAULTS
from lastvalue.pipeline.conflation.tombstones import Tombstones
from lastvalue.queues.policy import First, Last, RowPolicy

# Before, `conflate` finds the same by its plan by rows: `test_conflation.py`.
pytestmark = [pytest.mark.spark, pytest.mark.pyspark(since="4.1"), pytest.mark.timeout(300)]

BY_COLUMNS = "MapInArrow choose_newest"
MARKED = "MapInArrow mark_untied"
ORDER_VALUES = {
    "double": "double('NaN'), double('-0.0'), 0D, null, double('-Infinity'), 1e300",
    "float": "1.5F, -1.5F, float('NaN'), null",
    "bigint": "-9223372036854775808L, null, 9223372036854775807L",
    "tinyint": "-128Y, 127Y, null",
    "date": "date'1969-12-31', date'2026-01-01', null",
    "timestamp_ntz": "timestamp_ntz'1969-12-31 23:59:59.999999', timestamp_ntz'2026-01-01', null",
}


@pytest.fixture
def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Splits, buckets and tasks as of many rows."""
    sizes = {
        "_SPLIT_ROWS": (200, 400),
        "_BUCKET_ROWS": 100,
        "_CHOICE_ROWS": 1000,
        "_MARKED_ROWS": (1, 10_000),
    }
    for name, size in sizes.items():
        monkeypatch.setattr(newest_in_files, name, size)


def written(spark: SparkSession, path: Path, files: int = 3) -> DataFrame:
    """Random rows in some files of some row groups each, with nulls, ties and repeated rows."""
    rows = spark.createDataFrame(random_rows(5), SCHEMA)
    rows.repartition(files).write.option("parquet.block.row.count.limit", 128).parquet(str(path))
    return spark.read.parquet(str(path))


@pytest.mark.usefixtures("in_small_pieces")
def test_the_newest_rows_are_those_that_a_loop_finds(spark: SparkSession, tmp_path: Path) -> None:
    frame = written(spark, tmp_path / "some rows, 100%")
    newest = conflate(frame, "key", ["time", "part"], updates="updates")
    assert BY_COLUMNS in explained(newest)
    assert collected(newest) == newest_rows(random_rows(5))


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize(
    ("key", "policy"), half_of_combinations(["name", "number", "octets"], [Last(), First()])
)
def test_by_columns_and_by_rows_the_result_is_the_same(
    spark: SparkSession, tmp_path: Path, key: str, policy: RowPolicy
) -> None:
    frame = spark.range(3000).selectExpr(
        "if(id % 11 = 0, null, 'K' || hash(id) % 90) AS name",
        "cast(hash(id) % 90 AS smallint) AS number",
        "cast('K' || hash(id, 2) % 2000 AS binary) AS octets",
        "if(id % 7 = 0, null, timestamp_seconds(hash(id) % 50)) AS at",
        "if(id % 5 = 0, null, timestamp_seconds(hash(id) % 50 - 9)) AS first_time",
        "cast(hash(id) % 5 AS decimal(30, 2)) AS price",
        "date_from_unix_date(cast(id % 3 AS int)) AS day",
        "id % 2 = 0 AS flag",
        "timestamp_ntz '2026-01-01 00:00:00' AS local",
    )
    frame.coalesce(2).write.option("parquet.block.row.count.limit", 256).parquet(str(tmp_path / "rows"))
    rows = spark.read.parquet(str(tmp_path / "rows"))
    found = [conflate(rows, key, "at", policy=policy, arrow=each) for each in (True, False)]
    assert [BY_COLUMNS in explained(each) for each in found] == [True, False]
    assert found[0].dtypes == found[1].dtypes
    assert collected(found[0]) == collected(found[1])


@pytest.mark.parametrize(("kind", "policy"), half_of_combinations([*ORDER_VALUES], [Last(), First()]))
def test_order_values_of_every_kind_are_ordered_as_spark_orders_them(
    spark: SparkSession, tmp_path: Path, kind: str, policy: RowPolicy
) -> None:
    values = ORDER_VALUES[kind]
    rows = spark.range(400).selectExpr(
        "hash(id) % 40 AS key",
        f"element_at(array({values}), 1 + cast(pmod(hash(id, 1), size(array({values}))) AS int)) AS moment",
        "id",
    )
    rows.write.parquet(str(tmp_path / "rows"))
    rows = spark.read.parquet(str(tmp_path / "rows"))
    assert rows.schema["moment"].dataType.simpleString() == kind
    found = [conflate(rows, "key", "moment", time=None, policy=policy, arrow=each) for each in (True, False)]
    assert [BY_COLUMNS in explained(each) for each in found] == [True, False]
    assert collected(found[0].drop("moment")) == collected(found[1].drop("moment"))


def test_a_unique_order_spares_the_search_for_ties_and_may_not_have_a_null(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = written(spark, tmp_path / "rows").where("time IS NOT NULL")
    rows.withColumn("number", sf.monotonically_increasing_id()).write.parquet(str(tmp_path / "numbered"))
    rows = spark.read.parquet(str(tmp_path / "numbered"))
    found = conflate(rows, "key", "number", unique=True)
    assert "Window" not in explained(found)
    assert collected(found) == collected(conflate(rows, "key", "number", arrow=False))
    with pytest.raises(PySparkException, match="a row with a key has no order value"):
        conflate(spark.read.parquet(str(tmp_path / "rows")), "key", "time", unique=True).collect()


def test_the_places_are_found_once_for_rows_and_ties(spark: SparkSession, tmp_path: Path) -> None:
    newest = conflate(written(spark, tmp_path / "rows"), "key", "time")
    newest.collect()
    frame: Any = newest._jdf
    ran = frame.queryExecution().executedPlan().toString()
    assert "ReusedExchange" in ran


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize(("unique", "policy"), half_of_combinations([True, False], [Last(), First()]))
def test_of_many_keys_spark_reads_the_rows_that_have_a_mark(
    spark: SparkSession, tmp_path: Path, unique: bool, policy: RowPolicy
) -> None:
    path = tmp_path / "100% of ü#?"
    order = "id" if unique else "if(id % 9 = 0, null, hash(id) % 3)"
    frame = spark.range(3000).selectExpr(
        "if(id % 11 = 0, null, 'K' || hash(id) % 900) AS key",
        f"{order} AS moment",
        "id % 2 AS `_metadata`",
        "id",
    )
    frame.coalesce(2).write.option("parquet.block.row.count.limit", 150).parquet(str(path))
    frame.where("id = 1").coalesce(1).write.mode("append").parquet(str(path))
    rows = spark.read.parquet(str(path)).select("id", "key", "moment", "_metadata")
    found, by_rows = (
        conflate(rows, "key", "moment", policy=policy, updates=None, unique=unique, arrow=each)
        for each in (True, False)
    )
    assert MARKED in explained(found)
    assert found.dtypes == by_rows.dtypes
    assert collected(found) == collected(by_rows)


def test_a_row_of_a_file_without_marks_is_an_error_and_not_left_out(
    spark: SparkSession, tmp_path: Path
) -> None:
    spark.range(100).write.parquet(str(tmp_path / "rows"))
    marks = spark.createDataFrame([(0, -1), (1, -1)], f"{BLOCK} long, {MARKS} long")
    found = marked_rows(spark.read.parquet(str(tmp_path / "rows")), marks, ["id"])
    with pytest.raises(PySparkException, match="was not in the Parquet files when they were looked at"):
        found.collect()


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize(
    "reading",
    [
        pytest.param(lambda rows: (rows.alias("other"), {}), id="rows without their files"),
        pytest.param(lambda rows: (rows, {"broadcast": False}), id="no broadcast"),
        pytest.param(lambda rows: (rows, {"updates": "updates"}), id="totals"),
        pytest.param(lambda rows: (rows, {"key": "few"}), id="few keys"),
    ],
)
def test_where_marks_do_not_fit_python_reads_the_rows(
    spark: SparkSession, tmp_path: Path, reading: Callable[[DataFrame], tuple[DataFrame, dict[str, Any]]]
) -> None:
    frame = spark.range(1000).selectExpr("hash(id) % 700 AS key", "id AS moment", "id % 9 AS few")
    frame.write.parquet(str(tmp_path / "rows"))
    rows, options = reading(spark.read.parquet(str(tmp_path / "rows")))
    options = {"key": "key", "updates": None, **options}
    found, by_rows = (conflate(rows, order_by="moment", arrow=each, **options) for each in (True, False))
    assert BY_COLUMNS in explained(found)
    assert MARKED not in explained(found)
    assert collected(found) == collected(by_rows)


def test_tombstones_delete_their_key(spark: SparkSession, tmp_path: Path) -> None:
    rows = written(spark, tmp_path / "rows")
    kept, all_rows = (
        conflate(rows, "key", ["time", "part"], tombstones=Tombstones("text"), arrow=each)
        for each in (True, False)
    )
    assert BY_COLUMNS in explained(kept)
    assert collected(kept) == collected(all_rows)


@pytest.mark.parametrize(
    "reading",
    [
        lambda rows, _: rows.where("part = 1"),
        lambda rows, _: rows.withColumn("time", sf.col("part")),
        lambda rows, _: rows.select("*", sf.col("_metadata.file_name")),
        lambda rows, path: rows.sparkSession.read.option("ignoreCorruptFiles", "true").parquet(str(path)),
        lambda rows, path: rows.sparkSession.read.schema("key string, time bigint").parquet(str(path)),
        lambda rows, _: rows.union(rows),
        lambda rows, _: rows.limit(2000),
        lambda rows, _: rows.sample(0.5, 7),
        lambda rows, _: rows.withColumn("key", sf.struct("key")),
    ],
    ids=["filter", "expression", "metadata", "option", "schema", "union", "limit", "sample", "key"],
)
def test_what_is_more_than_plain_files_is_read_by_rows(
    spark: SparkSession, tmp_path: Path, reading: Callable[[DataFrame, Path], DataFrame]
) -> None:
    rows = reading(written(spark, tmp_path / "rows"), tmp_path / "rows")
    assert BY_COLUMNS not in explained(conflate(rows, "key", "time"))


def test_some_columns_in_another_order_and_an_alias_are_plain_files(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = written(spark, tmp_path / "rows").select("time", "key", "text").alias("some")
    newest = conflate(rows, "key", "time")
    assert BY_COLUMNS in explained(newest)
    assert newest.columns == ["time", "key", "text", "updates"]
    assert collected(newest) == collected(conflate(rows, "key", "time", arrow=False))


def test_partitions_in_the_names_of_directories_are_read_by_rows(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(9).selectExpr("id % 3 AS key", "id AS n").write.partitionBy("key").parquet(
        str(tmp_path / "rows")
    )
    rows = spark.read.parquet(str(tmp_path / "rows"))
    newest = conflate(rows, "key", "n")
    assert BY_COLUMNS not in explained(newest)
    assert sorted(row["n"] for row in newest.collect()) == [6, 7, 8]


@pytest.mark.parametrize("coerced", ["us", "ms", "int96"])
def test_timestamps_of_other_writers(spark: SparkSession, tmp_path: Path, coerced: str) -> None:
    chance = random.Random(1)
    moments = [chance.randrange(10**9, 10**12) * 1000 for _ in range(500)]
    table = pa.table(
        {
            "key": pa.array([f"k{chance.randrange(50)}" for _ in moments]).dictionary_encode(),
            "at": pa.array(moments, pa.timestamp("us", "UTC")),
        }
    )
    options: dict[str, Any] = (
        {"use_deprecated_int96_timestamps": True} if coerced == "int96" else {"coerce_timestamps": coerced}
    )
    (tmp_path / "rows").mkdir()
    pq.write_table(table, tmp_path / "rows" / "0.parquet", row_group_size=100, **options)
    rows = spark.read.parquet(str(tmp_path / "rows"))
    newest = conflate(rows, "key", "at")
    assert (BY_COLUMNS in explained(newest)) == (coerced != "ms")
    assert collected(newest) == collected(conflate(rows, "key", "at", arrow=False))


def test_a_broken_file_is_named(spark: SparkSession, tmp_path: Path) -> None:
    rows = written(spark, tmp_path / "rows", files=1)
    (file,) = (tmp_path / "rows").glob("*.parquet")
    newest = conflate(rows, "key", "time")
    octets = file.read_bytes()
    file.write_bytes(octets[:4] + bytes(len(octets) // 2) + octets[4 + len(octets) // 2 :])
    with pytest.raises(SPARK_FAULTS, match=file.name):
        newest.collect()


def test_empty_row_groups_and_names_with_dots(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"a": ["x", "y", "x"], "a.b": [1, 2, 3], "c": [1.0, 2.0, 3.0]})
    (tmp_path / "rows").mkdir()
    with pq.ParquetWriter(tmp_path / "rows" / "0.parquet", table.schema) as writer:
        for part in (table[:0], table[:2], table[:0], table[2:], table[:0]):
            writer.write_table(part)
    assert pq.read_metadata(tmp_path / "rows" / "0.parquet").num_row_groups > 2
    newest = conflate(spark.read.parquet(str(tmp_path / "rows")), "a", "a.b", updates=None)
    assert BY_COLUMNS in explained(newest)
    assert collected(newest) == {("x", 3, 3.0): 1, ("y", 2, 2.0): 1}


def test_no_rows_are_no_rows(spark: SparkSession, tmp_path: Path) -> None:
    spark.createDataFrame([], SCHEMA).write.parquet(str(tmp_path / "rows"))
    assert conflate(spark.read.parquet(str(tmp_path / "rows")), "key", "time").count() == 0
