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
from lastvalue.pipeline.conflation.candidates import Candidates
from lastvalue.pipeline.conflation.conflate import conflate
from lastvalue.pipeline.conflation.newest_in_files import NewestInFiles
from lastvalue.pipeline.conflation.table_files import SPARK_FAULTS
from lastvalue.pipeline.conflation.terms import Terms
from lastvalue.pipeline.conflation.tombstones import Tombstones
from lastvalue.queues.policy import First, Last, RowPolicy

# Before, `conflate` finds the same by its plan by rows: `test_conflation.py`.
pytestmark = [pytest.mark.spark, pytest.mark.pyspark(since="4.1"), pytest.mark.timeout(300)]

BY_COLUMNS = "MapInArrow find_"
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
    for name, size in {"_SPLIT_ROWS": (200, 400), "_BUCKET_ROWS": 100, "_CHOICE_ROWS": 1000}.items():
        monkeypatch.setattr(newest_in_files, name, size)


def written(spark: SparkSession, path: Path, files: int = 3) -> DataFrame:
    """Random rows in some files of some row groups each, with nulls, ties and repeated rows."""
    rows = spark.createDataFrame(random_rows(5), SCHEMA)
    rows.repartition(files).write.option("parquet.block.row.count.limit", 128).parquet(str(path))
    return spark.read.parquet(str(path))


@pytest.fixture(scope="module")
def files(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random rows in three files, which no test changes."""
    path = tmp_path_factory.mktemp("files") / "some rows, 100%"
    written(spark, path)
    return path


@pytest.mark.usefixtures("in_small_pieces")
def test_the_newest_rows_are_those_that_a_loop_finds(spark: SparkSession, files: Path) -> None:
    newest = conflate(spark.read.parquet(str(files)), "key", ["time", "part"], updates="updates")
    assert BY_COLUMNS in explained(newest)
    assert collected(newest) == newest_rows(random_rows(5))


@pytest.fixture(scope="module")
def rows_of_all_types(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Rows in two files, with three keys of different types."""
    path = str(tmp_path_factory.mktemp("types") / "rows")
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
    frame.coalesce(2).write.option("parquet.block.row.count.limit", 256).parquet(path)
    return spark.read.parquet(path)


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize(
    ("key", "policy"), half_of_combinations(["name", "number", "octets"], [Last(), First()])
)
def test_by_columns_and_by_rows_the_result_is_the_same(
    rows_of_all_types: DataFrame, key: str, policy: RowPolicy
) -> None:
    found = [conflate(rows_of_all_types, key, "at", policy=policy, arrow=each) for each in (True, False)]
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


def test_a_unique_order_may_not_have_a_null(spark: SparkSession, tmp_path: Path) -> None:
    rows = written(spark, tmp_path / "rows").where("time IS NOT NULL")
    rows.withColumn("number", sf.monotonically_increasing_id()).write.parquet(str(tmp_path / "numbered"))
    rows = spark.read.parquet(str(tmp_path / "numbered"))
    found = conflate(rows, "key", "number", unique=True)
    assert collected(found) == collected(conflate(rows, "key", "number", arrow=False))
    with pytest.raises(PySparkException, match="a row with a key has no order value"):
        conflate(spark.read.parquet(str(tmp_path / "rows")), "key", "time", unique=True).collect()


def test_few_keys_are_chosen_where_their_rows_are_read(spark: SparkSession, files: Path) -> None:
    few = explained(conflate(spark.read.parquet(str(files)), "key", "time"))
    assert few.count("Exchange") == 1
    assert "MapInArrow choose_and_read" in few
    assert "Window" not in few


def test_tasks_pass_on_one_candidate_a_key_where_all_rows_are_tied(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_in_files, "freeze_gc", lambda: None)
    spark.range(1000).selectExpr("id % 5 AS key", "1 AS day", "id").write.parquet(str(tmp_path / "rows"))
    rows = spark.read.parquet(str(tmp_path / "rows"))
    terms = Terms.of(rows.schema, "key", ("day",), updates="updates")
    plan = NewestInFiles.of(rows, terms, Last(), unique=False)
    assert plan is not None
    for record in plan.find_candidates([pa.record_batch({"id": [0]})]):
        found = Candidates.unpack(record["rows"][0].as_py())
        assert sorted(found.keys.to_pylist()) == [0, 1, 2, 3, 4]
        assert sum(found.totals[0].tolist()) == plan.splits[0].starts[-1]


def test_what_one_task_reads_is_conflated_without_a_shuffle(spark: SparkSession, tmp_path: Path) -> None:
    rows = written(spark, tmp_path / "rows", files=1)
    newest = conflate(rows, "key", ["time", "part"])
    assert "Exchange" not in explained(newest)
    assert collected(newest) == collected(conflate(rows, "key", ["time", "part"], arrow=False))


def test_many_keys_are_chosen_by_tasks_of_their_own(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_in_files, "_BUCKET_ROWS", 100)
    rows = spark.range(2000).selectExpr("id AS key", "id % 3 AS number")
    rows.write.parquet(str(tmp_path / "rows"))
    newest = conflate(spark.read.parquet(str(tmp_path / "rows")), "key", "number")
    assert explained(newest).count("Exchange") == 2
    assert newest.count() == 2000


@pytest.fixture(scope="module")
def ties(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Rows in three files, of which many have the same order value, and columns of every type."""
    path = str(tmp_path_factory.mktemp("ties") / "rows")
    columns = {
        "moment": "pmod(hash(id, 5), 2)",
        "key": "'k' || pmod(hash(id), 25)",
        "flag": "id % 2 = 0",
        "half": "element_at(array(float('NaN'), 0F, -0F, null, -1.5F), 1 + cast(id % 5 AS int))",
        "day": "date_from_unix_date(cast(id % 3 AS int))",
        "price": "cast(hash(id, 1) % 3 AS decimal(30, 2))",
        "text": "if(id % 3 = 0, null, 'ü' || hash(id, 2) % 3)",
        "octets": "cast('x' || hash(id, 3) % 3 AS binary)",
        "number": "hash(id, 4) % 200",
    }
    frame = spark.range(3000).selectExpr(*(f"{each} AS {name}" for name, each in columns.items()))
    frame.repartition(3).write.option("parquet.block.row.count.limit", 256).parquet(path)
    return spark.read.parquet(path)


@pytest.mark.parametrize("policy", [Last(), First()])
def test_ties_are_broken_by_columns_of_every_type_from_left_to_right(
    ties: DataFrame, policy: RowPolicy, request: pytest.FixtureRequest
) -> None:
    by_rows = conflate(ties, "key", "moment", policy=policy, arrow=False)
    assert BY_COLUMNS not in explained(by_rows)
    # Either of two zeros, and any NaN, may stand for the others.
    expected = collected(by_rows.drop("half"))
    whole = conflate(ties, "key", "moment", policy=policy)
    assert BY_COLUMNS in explained(whole)
    assert collected(whole.drop("half")) == expected
    request.getfixturevalue("in_small_pieces")
    in_pieces = conflate(ties, "key", "moment", policy=policy)
    assert BY_COLUMNS in explained(in_pieces)
    assert collected(in_pieces.drop("half")) == expected


def test_tombstones_delete_their_key(spark: SparkSession, files: Path) -> None:
    rows = spark.read.parquet(str(files))
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
    spark: SparkSession, files: Path, reading: Callable[[DataFrame, Path], DataFrame]
) -> None:
    rows = reading(spark.read.parquet(str(files)), files)
    assert BY_COLUMNS not in explained(conflate(rows, "key", "time"))


def test_some_columns_in_another_order_and_an_alias_are_plain_files(spark: SparkSession, files: Path) -> None:
    rows = spark.read.parquet(str(files)).select("time", "key", "text").alias("some")
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
