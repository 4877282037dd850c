"""lastvalue.pipeline.running.feed_query: declared feeds as Spark plans them."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from lastvalue.client import QueueNotFoundError, blocking
from lastvalue.config.pipeline_settings import FeedSettings
from lastvalue.pipeline.running.feed_query import FeedFaultError, FeedQuery, plan_feed
from lastvalue.pipeline.sink.result import WriteResult

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SCHEMA = "symbol STRING, sequence BIGINT, price DOUBLE, at TIMESTAMP"
TICKS = FeedSettings(
    "ticks",
    "json",
    "q",
    schema=SCHEMA,
    key=("symbol",),
    order_by=("sequence",),
    options={"multiLine": "false"},
)
ROWS = (
    ("a", 1, 10.0, "2026-03-01T12:00:01Z"),
    ("b", 2, 20.0, "2026-03-01T12:00:02Z"),
    ("a", 4, 11.0, "2026-03-01T12:00:03Z"),
    ("a", 3, 15.0, "2026-03-01T12:00:04Z"),
    ("b", 5, 5.0, "2026-03-01T12:01:30Z"),
)


def source(directory: Path) -> str:
    path = directory / "ticks"
    path.mkdir()
    names = [part.split()[0] for part in SCHEMA.split(", ")]
    (path / "0.json").write_text(
        "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in ROWS)
    )
    return str(path)


def published(
    spark: "SparkSession", url: str, feed: FeedSettings, path: Path, **options: Any
) -> list[tuple[Mapping[str, object], Any]]:
    """What a run of the feed until its end leaves on a queue: properties and bodies."""
    queue_name = f"feed-{time.monotonic_ns()}"
    planned = plan_feed(spark, replace(feed, queue=queue_name), source(path), ("feed", 0))
    counts: list[WriteResult] = []
    with blocking.connect(url) as connection:
        queue = connection.declare(queue_name, **options)
        query = FeedQuery(planned, url, counts.append)
        query.start(str(path / "checkpoint"), once=True).awaitTermination()
        messages = list(queue.browse())
        assert sum(count.rows for count in counts) == queue.info().published
    return sorted(
        (
            ({name: value for name, value in each.properties.items() if name != "_AMQ_DUPL_ID"}, each.body)
            for each in messages
        ),
        key=str,
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"format": "pigeon"}, "feed[1].format is 'pigeon': "),
        ({"schema": "symbol STRING STRING"}, "feed[1].format is 'json': "),
        ({"where": "prise > 0"}, "feed[1].where is 'prise > 0': "),
        ({"select": ("symbol", "sequence + 'a' +")}, "feed[1].select is ['symbol', "),
        ({"key": ("symbl",)}, "feed[1].key is 'symbl': there is no column 'symbl'"),
        (
            {"key": ("price",)},
            "feed[1].key is 'price': the column is double, and a key is a string or a whole",
        ),
        ({"order_by": ("seqence",)}, "feed[1].order_by is 'seqence': there is no column 'seqence'"),
        ({"order_by": ("symbol",)}, "feed[1].key is 'symbol': column 'symbol' cannot order rows"),
        ({"policy": "sum", "value": "at"}, "feed[1].key is 'symbol': column 'at' is not a "),
        ({"message": {"priority": "prise"}}, "feed[1].message.priority is 'prise': "),
        ({"message": {"priority": "'high'"}}, "feed[1].message: column 'priority' is string; it has to be"),
        ({"every_ms": 5000, "watermark_ms": 0}, "feed[1].every: "),
    ],
)
def test_a_feed_that_does_not_fit_its_source_is_told_before_it_starts(
    spark: "SparkSession",
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    changes: dict[str, Any],
    fault: str,
) -> None:
    with pytest.raises(FeedFaultError) as raised:
        plan_feed(spark, replace(TICKS, **changes), source(tmp_path), ("feed", 0))
    assert str(raised.value).startswith(fault)
    assert "\n" not in str(raised.value)
    assert capfd.readouterr().err == ""


def test_rows_with_an_unfit_value_fail_the_feed(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    path = Path(source(tmp_path))
    (path / "1.json").write_text('{"symbol": "a", "sequence": "many"}\n')
    planned = plan_feed(spark, replace(TICKS, queue="unfit"), str(path), ("feed", 0))
    with blocking.connect(broker_url) as connection:
        connection.declare("unfit")
    query = FeedQuery(planned, broker_url, lambda _: None)
    running = query.start(str(tmp_path / "checkpoint"), once=True)
    with pytest.raises(Exception, match="MALFORMED_RECORD"):
        running.awaitTermination()


def test_a_feed_that_cannot_publish_is_told_before_its_query_starts(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    planned = plan_feed(spark, replace(TICKS, queue="nowhere"), source(tmp_path), ("feed", 0))
    with pytest.raises(QueueNotFoundError, match="nowhere"):
        FeedQuery(planned, broker_url, lambda _: None).start(str(tmp_path / "checkpoint"), once=True)


def test_a_feed_gives_its_key_the_name_that_the_queue_reads(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    found = published(spark, broker_url, TICKS, tmp_path, lvq_key="name")
    assert [told for told, _ in found] == [{"name": "a", "sequence": 4}, {"name": "b", "sequence": 5}]


PAIRED = replace(
    TICKS, select=("symbol", "sequence % 2 AS side", "sequence", "price", "at"), key=("side", "symbol")
)


@pytest.mark.parametrize(("partitions", "key_property"), [(1, None), (3, "way,name")])
def test_a_feed_may_have_a_key_of_several_columns(
    spark: "SparkSession", broker_url: str, tmp_path: Path, partitions: int, key_property: str | None
) -> None:
    text = {"body": "string(price)"}
    feed = replace(PAIRED, partitions=partitions, key_property=key_property, message=text)
    declared = {"lvq_key": key_property or "side,symbol", "order_by": "sequence"}
    side, symbol = declared["lvq_key"].split(",")
    found = published(spark, broker_url, feed, tmp_path, **declared)
    assert found == [
        ({side: 0, symbol: "a", "sequence": 4}, "11.0"),
        ({side: 0, symbol: "b", "sequence": 2}, "20.0"),
        ({side: 1, symbol: "a", "sequence": 3}, "15.0"),
        ({side: 1, symbol: "b", "sequence": 5}, "5.0"),
    ]


def test_a_policy_makes_one_message_of_the_values_of_a_key_of_several_columns(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    feed = replace(PAIRED, policy="max", value="price", message={"body": "string(price)"})
    found = published(spark, broker_url, feed, tmp_path, lvq_key="side,symbol")
    assert [(told["side"], told["symbol"], body) for told, body in found] == [
        (0, "a", "11.0"),
        (0, "b", "20.0"),
        (1, "a", "15.0"),
        (1, "b", "5.0"),
    ]


def test_properties_of_a_feeds_own_have_all_of_its_key(spark: "SparkSession", tmp_path: Path) -> None:
    feed = replace(PAIRED, message={"properties": "struct(symbol)"})
    with pytest.raises(FeedFaultError, match=r"they lack .side., which is part of the key; add it, as in"):
        plan_feed(spark, feed, source(tmp_path), ("feed", 0))


def test_a_micro_batch_that_is_refused_is_no_failure_and_is_published_after_a_restart(
    spark: "SparkSession", broker_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("refused", lvq_key="symbol")
        planned = plan_feed(spark, replace(TICKS, queue="refused"), source(tmp_path), ("feed", 0))
        query = FeedQuery(planned, broker_url, lambda _: None)
        query.refuse_batches()
        running = query.start(str(tmp_path / "checkpoint"), once=False)
        assert query.waits_for_stop.wait(60)
        running.stop()
        assert running.exception() is None
        assert not caplog.records
        assert queue.info().published == 0
        again = FeedQuery(planned, broker_url, lambda _: None)
        again.start(str(tmp_path / "checkpoint"), once=True).awaitTermination()
        assert [message.properties["sequence"] for message in queue.browse()] == [4, 5]


@pytest.mark.parametrize("partitions", [1, 3])
def test_a_feed_publishes_the_newest_row_of_each_key(
    spark: "SparkSession", broker_url: str, tmp_path: Path, partitions: int
) -> None:
    feed = replace(TICKS, partitions=partitions, select=("symbol", "sequence", "price * 100 AS cents"))
    assert [(told, json.loads(body)) for told, body in published(spark, broker_url, feed, tmp_path)] == [
        ({"symbol": "a", "sequence": 4}, {"symbol": "a", "sequence": 4, "cents": 1100.0}),
        ({"symbol": "b", "sequence": 5}, {"symbol": "b", "sequence": 5, "cents": 500.0}),
    ]


@pytest.mark.parametrize("partitions", [1, 3])
def test_the_progress_of_a_query_has_metrics_and_its_jobs_have_names(
    spark: "SparkSession", broker_url: str, tmp_path: Path, partitions: int
) -> None:
    path = Path(source(tmp_path))
    (path / "1.json").write_text('{"sequence": 9}\n')
    name = f"observed-{partitions}"
    feed = replace(TICKS, queue=name, partitions=partitions)
    planned = plan_feed(spark, feed, str(path), ("feed", 0))
    with blocking.connect(broker_url) as connection:
        connection.declare(name)
        query = FeedQuery(planned, broker_url, lambda _: None).start(str(tmp_path / "checkpoint"), once=True)
        query.awaitTermination()
    (progress,) = [each for each in query.recentProgress if each.numInputRows]
    assert progress.observedMetrics["feed"].asDict() == {"rows": 6, "rows_without_key": 1, "newest": 9}
    java: Any = spark.sparkContext._jsc
    jobs = java.sc().statusStore().jobsList(None)
    # Other jobs of this Spark may have no description.
    names = {jobs.apply(number).description().toString() for number in range(jobs.size())}
    assert f"Some(feed ticks: micro-batch 0 into {name})" in names


def test_a_policy_makes_one_message_of_the_values_of_a_key(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    feed = replace(
        TICKS,
        policy="ohlc",
        value="price",
        key_property="name",
        message={"body": "concat_ws(' ', open, high, low, close, updates)", "properties": "struct(high)"},
    )
    assert published(spark, broker_url, feed, tmp_path) == [
        ({"name": "a", "high": 15.0}, "10.0 15.0 10.0 11.0 3"),
        ({"name": "b", "high": 20.0}, "20.0 20.0 5.0 5.0 2"),
    ]


def test_a_list_has_the_newest_values_of_a_key(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    message = {"body": "array_join(price, ' ')"}
    feed = replace(TICKS, policy="list", value="price", most=2, key_property="name", message=message)
    assert published(spark, broker_url, feed, tmp_path) == [
        ({"name": "a"}, "15.0 11.0"),
        ({"name": "b"}, "20.0 5.0"),
    ]


def test_an_interval_is_published_when_the_watermark_has_passed_it(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    feed = replace(
        TICKS,
        order_by=("at", "sequence"),
        every_ms=60_000,
        watermark_ms=1000,
        message={"body": "concat_ws(' ', sequence, date_format(interval_start, 'HH:mm'), updates)"},
    )
    found = published(spark, broker_url, feed, tmp_path)
    # The interval of 12:01 is not over: nothing came after it.
    assert {body for _, body in found} == {"2 12:00 1", "3 12:00 3"}


def test_rows_that_are_messages_are_published_as_they_are(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    feed = FeedSettings(
        "raw",
        "json",
        "q",
        schema=SCHEMA,
        where="sequence < 3",
        select=("symbol AS body", "symbol AS subject"),
    )
    assert published(spark, broker_url, feed, tmp_path) == [({}, "a"), ({}, "b")]
