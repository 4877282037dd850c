"""Every policy of `conflate` on a real Spark against a loop over the rows."""

import random
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from combinations import halves_together
from frames_together import collected_together
from pyspark.sql import DataFrame, Observation, SparkSession

from lastvalue.pipeline.conflation.conflate import conflate
from lastvalue.pipeline.conflation.errors import InvalidConflationError
from lastvalue.pipeline.conflation.tombstones import Tombstones
from lastvalue.queues.policy import Count, First, Last, List, Max, Merge, Min, Ohlc, Policy, Sum, Vwap

pytestmark = pytest.mark.spark

SCHEMA = (
    "key string, time timestamp, sequence int, price double, size int, tags map<string, int>, deleted boolean"
)
START = datetime(2026, 1, 1, tzinfo=UTC)
EVERY = timedelta(seconds=5)

POLICIES: dict[str, Policy] = {
    "max": Max("price"),
    "min": Min("price"),
    "sum": Sum("size"),
    "count": Count(),
    "ohlc": Ohlc("price", volume="size"),
    "vwap": Vwap("price", "size"),
    "merge": Merge("tags"),
    "list": List("price", 3),
}
ROW_POLICIES: dict[str, Policy] = {"last": Last(), "first": First()}
ALL_POLICIES = ROW_POLICIES | POLICIES
ORDERS = [["time", "sequence"], ["sequence"], ["sequence", "time"]]

Row = dict[str, Any]


def random_rows(seed: int, count: int = 1500, keys: int = 60) -> list[Row]:
    """Rows in no order, with ties, nulls, and few values of everything."""
    chance = random.Random(seed)

    def row() -> Row:
        seconds = chance.choice([None, *(chance.randrange(40) / 2 for _ in range(20))])
        return {
            "key": chance.choice([None, *(f"K{chance.randrange(keys)}" for _ in range(15))]),
            "time": None if seconds is None else START + timedelta(seconds=seconds),
            "sequence": chance.choice([None, *range(-3, 5)]),
            "price": chance.choice([None, -1.5, 0.0, 7.25, 8.0, 11.0]),
            "size": chance.choice([None, 0, 1, 3]),
            "tags": chance.choice([None, {}, {"a": 1}, {"a": 2, "b": None}, {"b": 5, "c": 6}]),
            "deleted": chance.choice([None, *[False] * 12, True]),
        }

    return [row() for _ in range(count)]


def nulls_first(value: Any) -> tuple[bool, Any]:
    return (value is not None, value)


def start_of(time: datetime | None) -> datetime | None:
    return None if time is None else START + (time - START) // EVERY * EVERY


def by_group(rows: list[Row], every: bool) -> list[list[Row]]:
    groups: dict[Any, list[Row]] = defaultdict(list)
    for number, row in enumerate(rows):
        lone = number if row["key"] is None else None
        groups[row["key"], lone, start_of(row["time"]) if every else None].append(row)
    return list(groups.values())


def alive(group: list[Row], order: list[str]) -> list[Row]:
    """What no tombstone deletes; a row without a key is alone with its own."""
    dead = [rank(row, order) for row in group if row["deleted"]]
    return [row for row in group if not row["deleted"] and (not dead or rank(row, order) > max(dead))]


def rank(row: Row, order: list[str]) -> list[Any]:
    return [nulls_first(row[name]) for name in order]


def summary(policy: Policy, group: list[Row], order: list[str]) -> Row:
    """What a policy makes of a group, in plain Python."""
    match policy:
        case Max(name) | Min(name) | Sum(name):
            values = [row[name] for row in group if row[name] is not None]
            chosen: Any = {Max: max, Min: min, Sum: sum}[type(policy)]
            return {name: chosen(values) if values else None}
        case Count():
            return {"count": len(group)}
        case Ohlc():
            valued = sorted(
                (row for row in group if row["price"] is not None),
                key=lambda row: [*rank(row, order), row["price"]],
            )
            prices = [row["price"] for row in valued] or [None]
            sizes = [row["size"] for row in valued if row["size"] is not None]
            return {
                "open": prices[0],
                "high": max(prices),
                "low": min(prices),
                "close": prices[-1],
                "volume": sum(sizes) if sizes else None,
            }
        case Vwap():
            sizes = [row["size"] for row in group if row["price"] is not None and row["size"] is not None]
            weighed = sum((row["price"] or 0) * (row["size"] or 0) for row in group)
            return {
                "vwap": weighed / sum(sizes) if sum(sizes) else None,
                "volume": sum(sizes) if sizes else None,
            }
        case Merge():
            entries = [
                (rank(row, order), nulls_first(value), name)
                for row in group
                for name, value in (row["tags"] or {}).items()
            ]
            newest = {name: value[1] for _, value, name in sorted(entries)}
            return {"tags": {name: value for name, value in newest.items() if value is not None}}
        case List():
            listed = sorted([*rank(row, order), row["price"]] for row in group if row["price"] is not None)
            return {"price": [each[-1] for each in listed][-policy.most :]}
        case _:
            raise AssertionError(policy)


def whole_row(policy: Policy, group: list[Row], order: list[str]) -> Row:
    others = [name for name in group[0] if name not in (*order, "key")]

    def whole_rank(row: Row) -> list[Any]:
        return [*rank(row, order), *(nulls_first(as_text(row[name])) for name in others)]

    chosen: Row = (max if isinstance(policy, Last) else min)(group, key=whole_rank)
    return dict(chosen)


def as_text(value: Any) -> Any:
    """Maps are compared as Spark writes them in JSON."""
    if not isinstance(value, dict):
        return value
    entries = ",".join(f'"{name}":{"null" if part is None else part}' for name, part in value.items())
    return '{"tags":{' + entries + "}}"


def expected(rows: list[Row], policy: Policy, order: list[str], every: bool, tombstones: Any) -> list[Row]:
    results = []
    for group in by_group(rows, every):
        living = group if tombstones is None else alive(group, order)
        if isinstance(policy, Last | First):
            result = whole_row(policy, group, order)
            deleted = bool(tombstones and result["deleted"])
        else:
            result = {"key": group[0]["key"], **summary(policy, living, order)}
            deleted = not living
            if tombstones is not None and tombstones.keep:
                result["deleted"] = deleted
        times = [row["time"] for row in group if row["time"] is not None]
        if every:
            result["interval_start"] = start_of(group[0]["time"])
        result |= {"updates": len(group), "first_time": min(times, default=None)}
        result["last_time"] = max(times, default=None)
        if tombstones is None or tombstones.keep or not deleted:
            results.append(result)
    return results


def comparable(rows: list[Row]) -> list[str]:
    return sorted(repr(sorted((name, plain(value)) for name, value in row.items())) for row in rows)


def plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 9) + 0.0
    return sorted(value.items()) if isinstance(value, dict) else value


def collected(frame: DataFrame) -> list[Row]:
    rows = [row.asDict() for row in frame.collect()]
    return [
        {
            name: value.replace(tzinfo=UTC) if isinstance(value, datetime) else value
            for name, value in row.items()
        }
        for row in rows
    ]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return random_rows(1)


@pytest.fixture(scope="module")
def frame(spark: SparkSession, rows: list[Row]) -> DataFrame:
    kept = spark.createDataFrame([tuple(row.values()) for row in rows], SCHEMA).repartition(3).cache()
    kept.count()
    return kept


@pytest.mark.parametrize(
    ("policies", "order", "every"), halves_together([*ROW_POLICIES, *POLICIES], ORDERS, [None, "5s"])
)
def test_policies_find_what_a_loop_finds(
    frame: DataFrame, rows: list[Row], policies: list[str], order: list[str], every: str | None
) -> None:
    found = collected_together(
        {
            name: conflate(frame, "key", order, every=every, policy=ALL_POLICIES[name], time="time")
            for name in policies
        }
    )
    for name, found_rows in found.items():
        loop = expected(rows, ALL_POLICIES[name], order, every is not None, tombstones=None)
        assert comparable(found_rows) == comparable(loop), name


@pytest.mark.parametrize(
    ("policies", "every", "keep"), halves_together(["last", *POLICIES], [None, "5s"], [True, False])
)
def test_tombstones_delete_what_came_before(
    frame: DataFrame, rows: list[Row], policies: list[str], every: str | None, keep: bool
) -> None:
    order, tombstones = ["sequence", "time"], Tombstones("deleted", keep)
    options: dict[str, Any] = {"every": every, "time": "time", "tombstones": tombstones}
    found = collected_together(
        {name: conflate(frame, "key", order, policy=ALL_POLICIES[name], **options) for name in policies}
    )
    for name, found_rows in found.items():
        loop = expected(rows, ALL_POLICIES[name], order, every is not None, tombstones)
        assert comparable(found_rows) == comparable(loop), name


def test_columns_may_have_the_names_of_the_result(spark: SparkSession) -> None:
    rows = [("a", 1, 5.0, 2, 9.0), ("a", 2, 7.0, 3, 9.0), (None, 1, 1.0, 1, 9.0)]
    frame = spark.createDataFrame(rows, "key string, sequence int, close double, volume int, high double")
    candles = conflate(frame, "key", "sequence", policy=Ohlc("close", volume="volume"))
    found = {row.key: tuple(row)[1:] for row in candles.collect()}
    assert found == {"a": (5.0, 7.0, 5.0, 7.0, 5, 2), None: (1.0, 1.0, 1.0, 1.0, 1, 1)}
    mean = conflate(frame, "key", "sequence", policy=Vwap("close", "volume")).where("key = 'a'").collect()
    assert [tuple(row) for row in mean] == [("a", 6.2, 5, 2)]


def test_rows_without_a_key_are_all_there_whichever_way_they_are_read(spark: SparkSession) -> None:
    frame = spark.range(3000).selectExpr(
        "if(id % 3 = 0, null, 'K' || id % 5) AS key", "id AS sequence", "double(id) AS price"
    )
    candles = conflate(frame.repartition(4), "key", "sequence", policy="ohlc(price)")
    assert candles.where("key IS NULL AND open = close AND updates = 1").count() == 1000
    assert candles.where("key IS NOT NULL").count() == 5


def test_a_null_body_is_a_tombstone(spark: SparkSession) -> None:
    rows = [("a", 1, "x"), ("a", 2, None), ("b", 1, None), ("b", 2, "y")]
    frame = spark.createDataFrame(rows, "key string, sequence int, body string")
    left = conflate(frame, "key", "sequence", tombstones=Tombstones("body"), updates=None)
    assert [tuple(row) for row in left.collect()] == [("b", 2, "y")]


@pytest.mark.parametrize("policy", ["first", "ohlc"])
def test_a_unique_order_gives_the_same_rows(spark: SparkSession, policy: str) -> None:
    frame = spark.range(4000).selectExpr(
        "if(id % 7 = 0, null, 'K' || hash(id) % 50) AS key",
        "timestamp_seconds(id % 20) AS time",
        "hash(id, 1) AS sequence",
        "if(id % 5 = 0, null, id % 11 / 2) AS price",
        "id % 3 AS size",
    )
    chosen = ALL_POLICIES[policy]
    unique = conflate(frame, "key", "sequence", every="5s", time="time", policy=chosen, unique=True)
    plain_plan = conflate(frame, "key", "sequence", every="5s", time="time", policy=chosen)
    assert comparable(collected(unique)) == comparable(collected(plain_plan))


@pytest.mark.parametrize("kind", ["timestamp", "timestamp_ntz"])
def test_intervals_are_counted_from_1970_also_before_it(spark: SparkSession, kind: str) -> None:
    frame = spark.sql(
        "SELECT 'a' AS key, cast(time AS "
        + kind
        + ") AS time FROM VALUES ('1969-12-31 23:59:59.999999'), ('1970-01-01 00:00:04'), "
        "('2026-03-29 02:30:07') AS t(time)"
    )
    starts = conflate(frame, "key", "time", every="5s").selectExpr("cast(interval_start AS string) AS start")
    assert sorted(row.start for row in starts.collect()) == [
        "1969-12-31 23:59:55",
        "1970-01-01 00:00:00",
        "2026-03-29 02:30:05",
    ]


@pytest.fixture(scope="module")
def files(frame: DataFrame, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The rows with a time, in files."""
    path = str(tmp_path_factory.mktemp("rows") / "rows")
    frame.where("time IS NOT NULL").write.parquet(path)
    return path


@pytest.mark.parametrize("policy", ALL_POLICIES)
def test_a_stream_in_intervals_finds_what_a_loop_finds(
    spark: SparkSession, rows: list[Row], files: str, policy: str, tmp_path: Path
) -> None:
    chosen, order = ALL_POLICIES[policy], ["sequence", "time"]
    stream = spark.readStream.schema(SCHEMA).parquet(files)
    query = (
        conflate(stream, "key", order, every="5s", policy=chosen, time="time")
        .writeStream.format("memory")
        .queryName(f"of_{policy}")
        .outputMode("complete")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    timed = [row for row in rows if row["time"] is not None]
    found = collected(spark.table(f"of_{policy}"))
    assert comparable(found) == comparable(expected(timed, chosen, order, every=True, tombstones=None))


def test_with_a_watermark_an_interval_is_given_once_it_is_over_and_late_rows_are_counted(
    spark: SparkSession, tmp_path: Path
) -> None:
    schema = "key string, time timestamp, price double"

    def arrive(number: int, seconds: list[int]) -> None:
        rows = [("a", START + timedelta(seconds=second), float(second)) for second in seconds]
        spark.createDataFrame(rows, schema).coalesce(1).write.parquet(str(tmp_path / "rows" / str(number)))

    arrive(1, [1, 2, 12])
    stream = spark.readStream.schema(schema).parquet(str(tmp_path / "rows" / "*"))
    candles = conflate(
        stream.withWatermark("time", "2 seconds"), "key", "time", every="5s", policy=Ohlc("price")
    )
    query = (
        candles.writeStream.format("memory")
        .queryName("candles")
        .outputMode("append")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    query.processAllAvailable()
    arrive(2, [3, 13])
    query.processAllAvailable()
    late = sum(
        operator.numRowsDroppedByWatermark
        for progress in query.recentProgress
        for operator in progress.stateOperators
    )
    query.stop()
    found = [(row.open, row.close, row.updates) for row in spark.table("candles").collect()]
    assert (found, late) == ([(1.0, 2.0, 2)], 1)


def test_in_a_stream_values_and_tombstones_are_refused(spark: SparkSession) -> None:
    stream = spark.readStream.format("rate").load().selectExpr("'a' AS key", "timestamp AS time", "value")
    with pytest.raises(InvalidConflationError, match="tombstones need policy Last, not Count"):
        conflate(stream, "key", "time", policy=Count(), tombstones=Tombstones("value"))


@pytest.mark.parametrize(
    ("policy", "mark", "complaint"),
    [
        (First(), "deleted", "policy First does not support tombstones"),
        (Last(), "delated", "there is no column 'delated'; .* is it 'deleted'"),
        (Count(), "delated", "there is no column 'delated'; .* is it 'deleted'"),
    ],
)
def test_tombstones_that_cannot_be_are_refused(
    frame: DataFrame, policy: Policy, mark: str, complaint: str
) -> None:
    with pytest.raises(InvalidConflationError, match=complaint):
        conflate(frame, "key", "sequence", policy=policy, tombstones=Tombstones(mark))


def test_a_stream_is_counted_as_it_is_read(frame: DataFrame, tmp_path: Path) -> None:
    frame.write.parquet(str(tmp_path / "rows"))
    stream = frame.sparkSession.readStream.schema(SCHEMA).parquet(str(tmp_path / "rows"))
    query = (
        conflate(stream, "key", ["sequence", "time"], observe="met")
        .writeStream.format("memory")
        .queryName("counted")
        .outputMode("complete")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    met = [progress.observedMetrics["met"] for progress in query.recentProgress]
    assert sum(counts.rows for counts in met) == frame.count()
    assert sum(counts.keyless for counts in met) == frame.where("key IS NULL").count()


def test_a_conflated_result_conflated_again_goes_on_counting(frame: DataFrame) -> None:
    seconds = conflate(frame, "key", ["sequence", "time"], every="1s", time="time")
    again = conflate(seconds, "key", ["sequence", "time"], every="5s", time="time")
    once = conflate(frame, "key", ["sequence", "time"], every="5s", time="time")
    assert comparable(collected(again)) == comparable(collected(once))


def test_what_a_conflation_meets_is_observed(spark: SparkSession) -> None:
    rows = [("a", 1, "x"), ("a", 3, "y"), ("a", 3, "y"), ("a", 2, "late"), ("a", 3, "z"), ("b", 1, "x")]
    rows += [("b", 1, "x"), (None, 1, "x"), (None, 1, "x")]  # type: ignore[list-item] # without a key
    frame = spark.createDataFrame(rows, "key string, sequence int, body string").coalesce(1)
    seen = Observation("conflation")
    assert conflate(frame, "key", "sequence", observe=seen).count() == 4
    assert seen.get == {
        "rows": 9,
        "keyless": 2,
        "keys": 2,
        "late": 1,
        "equal": 1,
        "duplicates": 2,
        "results": 4,
        "ratio": 2.25,
    }


def test_nothing_conflated_is_observed_too(spark: SparkSession) -> None:
    seen = Observation("nothing")
    frame = spark.createDataFrame([], "key string, sequence int")
    assert conflate(frame, "key", "sequence", observe=seen).count() == 0
    assert seen.get["rows"] == seen.get["keys"] == seen.get["results"] == 0


def test_the_random_rows_hold_every_case(rows: list[Row]) -> None:
    groups = [group for group in by_group(rows, every=True) if group[0]["key"]]
    order = ["sequence", "time"]
    assert any(not alive(group, order) for group in groups)
    assert any(0 < len(alive(group, order)) < len(group) for group in groups)
    assert any(row["key"] is None and row["deleted"] for row in rows)
    assert any(len(group) == 1 for group in groups)
    assert any(group[0]["time"] is None and len(group) > 1 for group in groups)
