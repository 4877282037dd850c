"""`conflate` on a real Spark against what a loop over the rows finds."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from rows_to_conflate import PART, SCHEMA, TIME, UPDATES, collected, explained, newest_rows, random_rows

from lastvalue.pipeline.columns import wall_clock_micros
from lastvalue.pipeline.conflation.conflate import conflate, conflate_micro_batch
from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.queues.policy import First, Last, RowPolicy

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

PLANS: dict[str, Callable[[DataFrame], DataFrame]] = {
    "two phases": lambda rows: conflate(rows, "key", ["time", "part"], updates="updates"),
    "two phases, shuffled": lambda rows: conflate(
        rows, "key", ["time", "part"], updates="updates", broadcast=False
    ),
    "two phases, many keys": lambda rows: conflate(
        rows, "key", ["time", "part"], updates="updates", many_keys=True
    ),
    "one task": lambda rows: conflate_micro_batch(rows, "key", ["time", "part"], updates="updates"),
}


@pytest.mark.parametrize("seed", [1, 2])
def test_the_newest_rows_are_those_that_a_loop_finds(spark: SparkSession, seed: int) -> None:
    rows = random_rows(seed)
    frame = spark.createDataFrame(rows, SCHEMA).repartition(3).cache()
    marked = [plan(frame).withColumn("plan", sf.lit(name)) for name, plan in PLANS.items()]
    expected = newest_rows(rows)
    # All in one job, which takes a third of the time of four.
    assert collected(reduce(DataFrame.union, marked)) == Counter(
        {(*row, name): count for name in PLANS for row, count in expected.items()}
    )
    frame.unpersist()


VENUES = [
    ("X", "a", 1, 1.0),
    ("X", "a", 3, 3.0),
    ("X", "a", 2, 2.0),
    ("Y", "a", 1, 5.0),
    (None, "a", 1, 6.0),
    (None, "a", 2, 7.0),
]


def test_a_key_has_several_columns_and_rows_without_one_of_them_have_none(spark: SparkSession) -> None:
    rows = spark.createDataFrame(VENUES, "venue string, symbol string, n long, price double")
    newest = conflate(rows, ["venue", "symbol"], "n", updates="count")
    assert newest.columns == [*rows.columns, "count"]
    assert Counter(map(tuple, newest.collect())) == Counter(
        [("X", "a", 3, 3.0, 3), ("Y", "a", 1, 5.0, 1), (None, "a", 1, 6.0, 1), (None, "a", 2, 7.0, 1)]
    )
    highest = conflate(rows.where("venue is not null"), ["venue", sf.col("symbol")], "n", policy="max(price)")
    assert highest.columns[:2] == ["venue", "symbol"]
    assert {(row["venue"], row["price"], row["updates"]) for row in highest.collect()} == {
        ("X", 3.0, 3),
        ("Y", 5.0, 1),
    }


def test_keys_and_orders_are_expressions(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("a", 1, 2), ("A", 2, 1), ("b", 0, 0)], "k string, x long, y long")
    by_sum = conflate(rows, sf.upper("k"), [sf.col("x") + sf.col("y"), sf.col("x")])
    assert sorted(row["x"] for row in by_sum.collect()) == [0, 2]
    assert {"k", "x", "y", "updates"} < set(by_sum.columns)
    plain = conflate(rows, sf.col("k"), sf.col("x"))
    assert plain.columns == ["k", "x", "y", "updates"]
    with pytest.raises(InvalidConflationError, match="no column 'q'"):
        conflate(rows, ["k", "q"], "x")
    with pytest.raises(InvalidConflationError, match="key names no column"):
        conflate(rows, [], "x")


def test_counts_of_updates_beyond_the_most_are_the_most_in_every_plan(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = [("a", 1, 2**62), ("a", 2, 2**62), ("b", 1, 2**32 - 2), ("b", 2, 3), ("c", 1, 2)]
    frame = spark.createDataFrame(rows, "key string, time long, updates long")
    frame.coalesce(1).write.parquet(str(tmp_path / "rows"))
    files = spark.read.parquet(str(tmp_path / "rows"))
    plans = [
        conflate(frame, "key", "time"),
        conflate(frame, "key", "time", many_keys=True),
        conflate_micro_batch(frame, "key", "time", updates="updates"),
        conflate(files, "key", "time"),
        conflate(conflate(frame, "key", "time"), "key", "time"),
    ]
    for plan in plans:
        assert sorted(plan.collect()) == [("a", 2, 2**32 - 1), ("b", 2, 2**32 - 1), ("c", 1, 2)]


def test_the_random_rows_hold_every_case() -> None:
    rows = random_rows(1)
    by_key = Counter(row[0] for row in rows)
    newest = {row[0]: row for row in newest_rows(rows)}
    ties = Counter((row[0], row[TIME], row[PART]) for row in rows)
    assert by_key[None] > 10
    assert 1 in by_key.values()
    assert any(row[TIME] is None for key, row in newest.items() if key)
    assert any(
        count > 1 for (key, time, part), count in ties.items() if key and newest[key][1:3] == (time, part)
    )
    assert any(count > 1 for row, count in Counter(row[:UPDATES] for row in rows).items() if row[0])


@pytest.mark.parametrize(
    ("policy", "rows"), [(First(), [("a", None), ("b", 1)]), (Last(), [("a", 1), ("b", 2)])]
)
def test_a_row_without_an_order_value_is_older_than_the_others_of_its_key(
    spark: SparkSession, policy: RowPolicy, rows: list[tuple[str, int | None]]
) -> None:
    frame = spark.createDataFrame([("a", 1), ("b", 2), ("a", None), ("b", 1)], "key string, sequence int")
    found = conflate(frame, "key", "sequence", policy=policy, updates=None).orderBy("key")
    assert [tuple(row) for row in found.collect()] == rows


def test_a_stream_ends_with_the_rows_of_a_batch(spark: SparkSession, tmp_path: Path) -> None:
    rows = random_rows(3)
    spark.createDataFrame(rows, SCHEMA).repartition(3).write.parquet(str(tmp_path / "rows"))
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(tmp_path / "rows"))
    query = (
        PLANS["two phases"](stream)
        .writeStream.format("memory")
        .queryName("newest")
        .outputMode("complete")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert len(query.recentProgress) == 3
    assert collected(spark.table("newest")) == newest_rows(rows)


def test_a_unique_order_gives_the_same_rows_and_keeps_those_without_a_key(spark: SparkSession) -> None:
    frame = spark.range(5000).selectExpr(
        "if(id % 7 = 0, null, 'K' || hash(id) % 50) AS key",
        "cast(id AS string) AS text",
        "hash(id, 1) AS sequence",
    )
    found = conflate(frame, "key", "sequence", unique=True)
    assert collected(found) == collected(conflate(frame, "key", "sequence"))
    assert found.where("key IS NULL").count() == 715
    assert found.agg(sf.sum("updates")).collect()[0][0] == 5000


@pytest.mark.parametrize("policy", [Last(), First()])
def test_winners_that_are_marked_by_a_bit_are_the_same(spark: SparkSession, policy: RowPolicy) -> None:
    frame = (
        spark.range(5000)
        .selectExpr(
            "if(id % 7 = 0, null, 'K' || hash(id) % 900) AS key",
            "cast(id AS string) AS text",
            # Close together, apart, and less than 0.
            "if(id % 7 = 3, null, if(id % 2 = 0, id, if(id % 3 = 0, -id, id * id * id))) AS sequence",
        )
        .where("key IS NULL OR sequence IS NOT NULL")
    )
    options: dict[str, Any] = {"policy": policy, "updates": None, "unique": True}
    marked = conflate(frame, "key", "sequence", many_keys=True, **options)
    assert collected(marked) == collected(conflate(frame, "key", "sequence", **options))
    assert marked.where("key IS NULL").count() == 715


def test_of_many_keys_nothing_is_combined_before_the_shuffle_and_no_payload_is_shuffled(
    spark: SparkSession,
) -> None:
    frame = spark.range(10).selectExpr("cast(id % 3 AS string) AS key", "id AS sequence", "'x' AS payload")
    many = conflate(frame, "key", "sequence", updates=None, unique=True, many_keys=True)
    plan = explained(many)
    # One finds the winners, which is divided before PySpark 4.3, and two mark them.
    assert plan.count("HashAggregate") in (3, 4)
    assert "Sort" not in plan
    shuffled = next(line for line in plan.split("\n") if "hashpartitioning(key" in line)
    assert shuffled
    assert "payload" not in plan[plan.index(shuffled) :]


def test_with_a_unique_order_nothing_is_sorted(spark: SparkSession) -> None:
    frame = spark.range(10).selectExpr("cast(id % 3 AS string) AS key", "id AS sequence", "'x' AS payload")
    plan = explained(conflate(frame, "key", "sequence", unique=True))
    assert plan.count("HashAggregate") == 2
    assert "BroadcastHashJoin" in plan
    assert "Sort" not in plan


def test_a_unique_order_with_a_null_fails_rather_than_lose_a_row(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("a", 1), ("b", None)], "key string, sequence int")
    with pytest.raises(PySparkException, match="a row with a key has no order value"):
        conflate(frame, "key", "sequence", unique=True).collect()


ORDER_VALUES: list[tuple[str, object, object]] = [
    ("timestamp", datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=UTC)),
    ("timestamp_ntz", datetime(2026, 1, 1), datetime(2026, 1, 2)),  # noqa: DTZ001 - it has no zone
    ("date", date(2026, 1, 1), date(2026, 1, 2)),
    ("decimal(30, 10)", Decimal("1.5"), Decimal("1.50000001")),
    ("double", 1e300, float("nan")),
    ("tinyint", -128, 127),
]


def test_numbers_timestamps_and_dates_say_which_row_is_newer(spark: SparkSession) -> None:
    found = []
    for kind, older, newer in ORDER_VALUES:
        rows = [(1, older, "old"), (1, newer, "new"), (2, None, "none"), (2, older, "some")]
        frame = spark.createDataFrame(rows, f"key int, moment {kind}, text string")
        newest = conflate_micro_batch(frame, "key", "moment"), conflate(frame, "key", "moment")
        found += [each.select(sf.lit(kind), "text") for each in newest]
    assert collected(reduce(DataFrame.union, found)) == Counter(
        {(kind, text): 2 for kind, _, _ in ORDER_VALUES for text in ("new", "some")}
    )


def test_columns_that_cannot_be_compared_are_carried_along(spark: SparkSession) -> None:
    rows = [("a", 1, {"x": 1}), ("a", 2, {"x": 2}), ("a", 2, {"x": 3}), ("b", 1, None)]
    frame = spark.createDataFrame(rows, "key string, time int, `more.of it` map<string, int>")
    expected = [("a", 2, {"x": 3}), ("b", 1, None)]
    assert sorted(map(tuple, conflate(frame, "key", "time", updates=None).collect())) == expected
    assert sorted(map(tuple, conflate_micro_batch(frame, "key", "time").collect())) == expected


def test_a_null_is_less_than_any_value_also_of_a_column_that_cannot_be_compared(spark: SparkSession) -> None:
    rows = [("a", 1, None), ("a", 1, {"x": None}), ("b", 1, {}), ("b", 1, None)]
    frame = spark.createDataFrame(rows, "key string, time int, tags map<string, int>")
    found = conflate(frame, "key", "time", updates=None).collect()
    assert sorted(map(tuple, found)) == [("a", 1, {"x": None}), ("b", 1, {})]


def test_the_columns_stay_in_their_order_with_what_is_added_last(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 1.5 AS price, 'a' AS key, timestamp_seconds(1) AS time, 1 AS number")
    own = ["price", "key", "time", "number"]
    assert conflate(frame, "key", "number", updates=None).columns == own
    assert conflate(frame, "key", "number", updates="n").columns == [*own, "n"]
    assert conflate(frame, "key", "time").columns == [*own, "updates", "first_time", "last_time"]
    assert conflate(frame, "key", "number", time="time", every="1s").columns == [
        *own,
        "interval_start",
        "updates",
        "first_time",
        "last_time",
    ]
    assert conflate_micro_batch(frame, "key", "time", updates="n").columns == [*own, "n"]


def test_an_interval_of_a_time_without_a_zone_does_not_depend_on_the_sessions_zone(
    spark: SparkSession,
) -> None:
    """In Berlin the clocks of 2026-03-29 leave out the hour after 2, and before 1970 micros are negative."""
    times = ["2026-03-29 02:30:00.5", "2026-03-29 03:30:59.999999", "1969-12-31 23:59:59.999999"]
    rows = spark.sql(
        "SELECT key, time FROM VALUES "
        + ", ".join(f"({number}, TIMESTAMP_NTZ '{time}')" for number, time in enumerate(times))
        + " AS rows(key, time)"
    )
    zone = spark.conf.get("spark.sql.session.timeZone")
    try:
        spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
        found = conflate(rows, "key", "time", every="1m").select(
            sf.col("time").cast("string"), sf.col("interval_start").cast("string")
        )
        micros = rows.select(wall_clock_micros(sf.col("time"))).collect()
        assert sorted(value for (value,) in micros) == [-1, 1774751400500000, 1774755059999999]
        assert sorted(tuple(row) for row in found.collect()) == [
            ("1969-12-31 23:59:59.999999", "1969-12-31 23:59:00"),
            ("2026-03-29 02:30:00.5", "2026-03-29 02:30:00"),
            ("2026-03-29 03:30:59.999999", "2026-03-29 03:30:00"),
        ]
    finally:
        spark.conf.set("spark.sql.session.timeZone", str(zone))
