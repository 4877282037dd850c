"""The source on a real Spark against a real broker."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from lastvalue.client import Message, blocking
from lastvalue.pipeline.sink.publish import publish
from lastvalue.pipeline.source.parsed_bodies import parsed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

pytestmark = pytest.mark.spark

WRITTEN = (
    "body binary, key string, properties map<string,string>, subject string, message_id string, "
    "group_id string, content_type string, priority int, ttl_ms bigint, durable boolean, updates bigint, "
    "annotations map<string,string>"
)


def read(spark: "SparkSession", url: str, queue: str, **options: str) -> "DataFrame":
    return spark.read.format("lastvalue").options(url=url, queue=queue, **options).load()


def follow(spark: "SparkSession", url: str, queue: str, **options: str) -> "DataFrame":
    return spark.readStream.format("lastvalue").options(url=url, queue=queue, **options).load()


class Landing:
    """A stream of bodies and sequences that lands in files, whose query may end and begin again."""

    def __init__(self, spark: "SparkSession", directory: Path) -> None:
        self._spark = spark
        self._checkpoint = str(directory / "checkpoint")
        self._table = str(directory / "table")

    def start(self, rows: "DataFrame", **trigger: Any) -> "StreamingQuery":
        selected = rows.select(F.col("body").cast("string").alias("body"), "sequence")
        writer = selected.writeStream.format("parquet").option("checkpointLocation", self._checkpoint)
        return writer.trigger(**(trigger or {"processingTime": "50 milliseconds"})).start(self._table)

    def run(self, rows: "DataFrame") -> "StreamingQuery":
        """Take what is there, and end."""
        query = self.start(rows, availableNow=True)
        assert query.awaitTermination(90)
        return query

    def bodies(self) -> list[str]:
        rows = self._spark.read.parquet(self._table).orderBy("sequence").collect()
        return [row.body for row in rows]


@pytest.fixture
def landing(spark: "SparkSession", tmp_path: Path) -> Landing:
    return Landing(spark, tmp_path)


def send(url: str, queue: str, numbers: range, **options: Any) -> None:
    with blocking.connect(url) as connection:
        connection.declare(queue, **options).send_many(
            Message(str(n), {"symbol": f"s{n % 10}", "n": n}) for n in numbers
        )


def texts(numbers: range) -> list[str]:
    return [str(number) for number in numbers]


def test_what_the_sink_wrote_comes_back_equal(broker_url: str, spark: "SparkSession") -> None:
    rows = spark.createDataFrame(
        [
            (b"\x00\xff", "a", {"n": "1"}, "s", "m", "g", "text/plain", 7, 60_000, True, 5, {"x-opt-a": "b"}),
            (b"", "b", {}, None, None, None, None, 4, None, False, 1, {}),
        ],
        WRITTEN,
    )
    with blocking.connect(broker_url) as connection:
        connection.declare("inverse", lvq_key="symbol")
    publish(rows.coalesce(1), "inverse", url=broker_url, key_property="symbol")
    back = read(spark, broker_url, "inverse")
    assert back.select(rows.columns).orderBy("key").collect() == rows.orderBy("key").collect()
    shown = (
        back.orderBy("key")
        .select("queue", "sequence", "delivery_count", "expiry_time", "arrival_time")
        .collect()
    )
    assert [(row.queue, row.sequence, row.delivery_count) for row in shown] == [
        ("inverse", 1, 0),
        ("inverse", 2, 0),
    ]
    assert (shown[0].expiry_time - shown[0].arrival_time).total_seconds() == 60
    # Nothing was consumed, and what was read can be written as it is.
    publish(back.select(rows.columns), "inverse", url=broker_url, key_property="symbol")
    assert read(spark, broker_url, "inverse").count() == 2


@pytest.mark.parametrize("partitions", ["1", "3"])
def test_a_batch_is_what_is_there_in_as_many_tasks_as_asked_for(
    broker_url: str, spark: "SparkSession", partitions: str
) -> None:
    queue = f"tasks-{partitions}"
    send(broker_url, queue, range(1000))
    rows = read(spark, broker_url, queue, numPartitions=partitions, selector="n >= 500")
    assert rows.rdd.getNumPartitions() == int(partitions)
    assert sorted(int(row.body) for row in rows.collect()) == list(range(500, 1000))


def test_bodies_are_parsed_by_a_schema(broker_url: str, spark: "SparkSession") -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("parsed").send_many([Message({"price": 1.5, "venue": "X"}), Message(b"none")])
    rows = (
        parsed(read(spark, broker_url, "parsed"), "price double, venue string").orderBy("sequence").collect()
    )
    assert [row.value.asDict() for row in rows] == [
        {"price": 1.5, "venue": "X"},
        {"price": None, "venue": None},
    ]


@pytest.mark.pyspark(since="4.2")
def test_a_stream_is_the_snapshot_and_then_what_comes(
    broker_url: str, spark: "SparkSession", landing: Landing
) -> None:
    send(broker_url, "stream", range(100))
    rows = follow(spark, broker_url, "stream", maxRecordsPerBatch="30", numPartitions="2")
    query = landing.start(rows)
    query.processAllAvailable()
    assert landing.bodies() == texts(range(100))
    send(broker_url, "stream", range(100, 150))
    query.processAllAvailable()
    assert landing.bodies() == texts(range(150))
    query.stop()
    # Restarted, it continues behind the last one that it read.
    send(broker_url, "stream", range(150, 200))
    query = landing.run(rows)
    assert landing.bodies() == texts(range(200))
    assert all(progress.numInputRows <= 30 for progress in query.recentProgress)


@pytest.mark.pyspark(since="4.2")
def test_a_stream_of_current_values_ends_with_the_newest(
    broker_url: str, spark: "SparkSession", landing: Landing
) -> None:
    send(broker_url, "current", range(1000), lvq_key="symbol")
    query = landing.run(follow(spark, broker_url, "current", maxRecordsPerBatch="4"))
    assert landing.bodies() == texts(range(990, 1000))
    assert len([progress for progress in query.recentProgress if progress.numInputRows]) == 3


@pytest.mark.pyspark(since="4.2")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"startingOffsets": "latest"}, range(10, 12)),
        ({"startingOffsets": "sequence:8"}, range(7, 12)),
        ({"replayPeriod": "3600"}, range(12)),
    ],
)
def test_a_stream_begins_where_it_is_told(
    broker_url: str, spark: "SparkSession", landing: Landing, options: dict[str, str], expected: range
) -> None:
    queue = "start-" + "-".join(options.values()).replace(":", "-")
    send(broker_url, queue, range(10))
    landing.run(follow(spark, broker_url, queue, **options))
    send(broker_url, queue, range(10, 12))
    landing.run(follow(spark, broker_url, queue, **options))
    assert landing.bodies() == texts(expected)


@pytest.mark.pyspark(since="4.2")
def test_messages_that_a_ring_dropped_before_they_were_read_end_the_query(
    broker_url: str, spark: "SparkSession", landing: Landing
) -> None:
    ring = {"max_messages": 50, "when_full": "drop-oldest"}
    send(broker_url, "ring", range(80), **ring)
    landing.run(follow(spark, broker_url, "ring"))
    assert landing.bodies() == texts(range(30, 80))
    send(broker_url, "ring", range(80, 140), **ring)
    query = landing.start(follow(spark, broker_url, "ring"), availableNow=True)
    with pytest.raises(
        Exception, match="left before the query read them: it has read up to sequence 80, and 90"
    ):
        query.awaitTermination(60)
    landing.run(follow(spark, broker_url, "ring", failOnDataLoss="false"))
    assert landing.bodies() == texts(range(30, 80)) + texts(range(90, 140))


QUERY = """
import sys
from pyspark.sql import SparkSession

url, directory = sys.argv[1:]
session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
options = {"url": url, "queue": "killed", "maxRecordsPerBatch": "100"}
rows = session.readStream.format("lastvalue").options(**options).load()
writer = rows.selectExpr("cast(body as string) body", "sequence").writeStream.format("parquet")
query = writer.option("checkpointLocation", directory + "/checkpoint").start(directory + "/table")
while not query.awaitTermination(0.1):
    print(len(query.recentProgress), flush=True)
"""


@pytest.mark.long
@pytest.mark.pyspark(since="4.2")
def test_a_plain_session_finds_the_format_and_its_killed_driver_neither_loses_nor_repeats(
    broker_url: str, spark: "SparkSession", landing: Landing, tmp_path: Path
) -> None:
    send(broker_url, "killed", range(20_000))
    command = [sys.executable, "-c", QUERY, broker_url, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as driver:
        assert driver.stdout is not None
        assert any(int(line) >= 3 for line in driver.stdout)
        os.killpg(driver.pid, signal.SIGKILL)
    landed = landing.bodies()
    assert 300 <= len(landed) < 20_000
    landing.run(follow(spark, broker_url, "killed"))
    assert landing.bodies() == texts(range(20_000))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"queue": "absent"}, "there is no queue named 'absent'"),
        ({"url": "amqp://127.0.0.1:1"}, "cannot connect to 127.0.0.1:1"),
        ({"topic": "t"}, "lastvalue has no option 'topic'; its options are queue, url"),
        ({"startingOffsets": "newest"}, "startingOffsets is 'newest'; expected snapshot, earliest, latest"),
    ],
)
def test_what_is_wrong_is_told_on_the_driver(
    broker_url: str, spark: "SparkSession", options: dict[str, str], text: str
) -> None:
    given = {"url": broker_url, "queue": "any", **options}
    with pytest.raises(Exception, match=text):
        spark.read.format("lastvalue").options(**given).load().collect()


def test_the_effects_on_a_queue_are_read_from_its_history(broker_url: str, spark: "SparkSession") -> None:
    send(broker_url, "told", range(12), lvq_key="symbol", history="told.history")
    rows = read(spark, broker_url, "told", read="effects").orderBy("sequence").collect()
    assert {row.queue for row in rows} == {"told"}
    added = [row for row in rows if row.effect == "added"]
    assert [(row.key, bytes(row.body).decode(), row.of_sequence) for row in added] == [
        (f"s{n % 10}", str(n), n + 1) for n in range(12)
    ]
    removed = [row for row in rows if row.effect == "removed"]
    assert [(row.key, row.reason, row.of_sequence) for row in removed] == [
        ("s0", "replaced", 1),
        ("s1", "replaced", 2),
    ]
    assert all(row.effect_time is not None for row in rows)
    assert json.loads(dict(rows[0].annotations)["x-opt-lastvalue-declaration"])["type"] == "lvq"
    with pytest.raises(Exception, match=r"queue 'told\.history' has no history to read effects from"):
        read(spark, broker_url, "told.history", read="effects").collect()
