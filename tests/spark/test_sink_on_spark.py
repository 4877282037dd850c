"""The sink on a real Spark against a real broker."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

from pyspark.errors import PySparkException
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from lastvalue.client import blocking
from lastvalue.pipeline.conflation.conflate import conflate
from lastvalue.pipeline.history.history_queries import as_of
from lastvalue.pipeline.retention.retained import retained
from lastvalue.pipeline.sink.options import InvalidSinkError
from lastvalue.pipeline.sink.publish import publish, publish_stream
from lastvalue.pipeline.spark.register import register

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

pytestmark = pytest.mark.spark


@pytest.fixture
def updates(spark: "SparkSession") -> "DataFrame":
    """A thousand updates of ten keys in two partitions; update n of key n % 10 has the order value n."""
    return spark.range(0, 1000, 1, 2).select(
        F.concat(F.lit("v"), "id").alias("body"),
        (F.col("id") % 10).cast("string").alias("key"),
        F.struct(F.col("id").alias("version")).alias("properties"),
    )


def newest(queue: blocking.Queue) -> dict[object, object]:
    return {message.properties["symbol"]: message.body for message in queue.browse()}


NEWEST = {str(key): f"v{990 + key}" for key in range(10)}


def test_a_batch_is_confirmed_when_the_write_returns(broker_url: str, updates: "DataFrame") -> None:
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("batch", lvq_key="symbol", order_by="version")
        result = publish(updates, "batch", url=broker_url)
        assert (result.rows, result.repeated, result.rejected) == (updates.count(), 0, 0)
        assert queue.info().published == 1000
        assert newest(queue) == NEWEST


def test_threads_of_ones_own_publish_and_write(broker_url: str, updates: "DataFrame") -> None:
    def published() -> None:
        publish(updates, "threads", url=broker_url)

    def written() -> None:
        register(updates.sparkSession)
        writer = updates.write.format("lastvalue").options(url=broker_url, queue="threads")
        writer.mode("append").save()

    with blocking.connect(broker_url) as connection:
        queue = connection.declare("threads")
        for work in (published, written):
            with ThreadPoolExecutor(1) as thread:
                thread.submit(work).result()
        assert queue.info().published == 2000


def test_keys_of_several_properties_are_published_and_read(broker_url: str, spark: "SparkSession") -> None:
    """They are made of the properties, or their text is divided into these."""
    updates = [("a", "X", "A,1", 1), ("b", "X", "B", 2), ("c", "X", "A,1", 3), ("d", "Y", None, 4)]
    rows = spark.createDataFrame(updates, "body string, venue string, symbol string, n long")
    made = rows.select("body", F.struct("venue", "symbol", "n").alias("properties"))
    keyed = spark.createDataFrame([("e", "X,B")], "body string, key string")
    with blocking.connect(broker_url) as connection:
        connection.declare("pairs", lvq_key="venue,symbol", history="pairs.history")
        publish(made.coalesce(1), "pairs", url=broker_url)
        assert publish(keyed, "pairs", url=broker_url).rows == 1
        with pytest.raises(
            PySparkException, match="a row's key is 'X'; the key is the values of venue and sy"
        ):
            publish(spark.createDataFrame([("f", "X")], keyed.schema), "pairs", url=broker_url)
    register(spark)

    def bodies(frame: "DataFrame") -> list[tuple[str | None, str]]:
        found = frame.selectExpr("key", "string(body)").collect()
        return sorted(((row[0], row[1]) for row in found), key=str)

    read = spark.read.format("lastvalue").options(url=broker_url, queue="pairs").load()
    expected = [("X,A\\,1", "c"), ("X,B", "e"), (None, "d")]
    assert bodies(read) == sorted(expected, key=str)
    options = {"url": broker_url, "queue": "pairs", "read": "effects"}
    effects = spark.read.format("lastvalue").options(**options).load()
    arrivals = effects.where("effect = 'added'").drop("priority")
    held = retained(arrivals, {"lvq_key": "venue,symbol"}, datetime.now(UTC), key_property="venue,symbol")
    assert bodies(held) == bodies(read)
    past = as_of(spark, "/nowhere", "pairs", "now", url=broker_url)
    assert bodies(past) == bodies(read)


def test_writing_again_changes_nothing_on_an_ordered_queue(broker_url: str, updates: "DataFrame") -> None:
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("again", lvq_key="symbol", order_by="version")
        for _ in range(2):
            publish(updates, "again", url=broker_url, key_property="symbol")
        assert newest(queue) == NEWEST


def test_the_format_takes_bytes_maps_and_counts(broker_url: str, spark: "SparkSession") -> None:
    schema = "body binary, properties map<string,bigint>, subject string, updates int"
    rows = spark.createDataFrame([(b"\x00\xff", {"n": 7}, "s", 5)], schema)
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("kinds")
        rows.write.format("lastvalue").option("url", broker_url).option("queue", "kinds").mode(
            "append"
        ).save()
        (message,) = queue.browse()
    assert (message.body, message.properties["n"]) == (b"\x00\xff", 7)
    assert (message.subject, message.updates, message.durable) == ("s", 5, True)


@pytest.mark.pyspark(since="4.1")
def test_a_stream_is_published_in_append_mode(broker_url: str, spark: "SparkSession", tmp_path: Path) -> None:
    stream = files_of_updates(spark, tmp_path)
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("appended", lvq_key="symbol", order_by="version")
        report = tmp_path / "report.json"
        options = {"url": broker_url, "queue": "appended", "report": str(report)}
        writer = stream.writeStream.format("lastvalue").options(**options)
        finish(
            writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        assert newest(queue) == {"a": "a3", "b": "b2"}
        assert json.loads(report.read_text()) == {"rows": 3, "repeated": 0, "rejected": 0}


def test_a_conflated_stream_is_published_in_update_mode(
    broker_url: str, spark: "SparkSession", tmp_path: Path
) -> None:
    stream = files_of_updates(spark, tmp_path).select("*", F.col("properties.version").alias("version"))
    winners = conflate(stream, "key", "version", updates="updates").drop("version")
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("updated", lvq_key="symbol", order_by="version")
        query = publish_stream(
            winners,
            "updated",
            checkpoint=tmp_path / "checkpoint",
            url=broker_url,
            output_mode="update",
            trigger={"availableNow": True},
            query_name="prices",
        )
        finish(query)
        assert query.name == "prices"
        assert newest(queue) == {"a": "a3", "b": "b2"}
        assert {message.body: message.updates for message in queue.browse()} == {"a3": 2, "b2": 1}


def test_a_stream_has_an_interval_or_a_trigger(
    broker_url: str, spark: "SparkSession", tmp_path: Path
) -> None:
    rows = files_of_updates(spark, tmp_path)
    with pytest.raises(InvalidSinkError, match="exclude each other"):
        publish_stream(rows, "q", checkpoint=tmp_path, interval_ms=5, trigger={"once": True})
    # It would be taken for what Spark gives to every sink, and be ignored.
    with pytest.raises(InvalidSinkError, match="argument of publish_stream, by the name query_name"):
        publish_stream(rows, "q", checkpoint=tmp_path, queryName="prices")


def test_the_progress_of_a_query_has_what_became_of_its_rows(
    broker_url: str, spark: "SparkSession", tmp_path: Path
) -> None:
    rows = files_of_updates(spark, tmp_path)
    texts = rows.withColumn("body", F.expr("if(body = 'a1', null, body)"))
    counts = []
    with blocking.connect(broker_url) as connection:
        connection.declare("counted")
        connection.declare("counted.refused")
        for write in ("first", "second"):
            query = publish_stream(
                texts,
                "counted",
                checkpoint=tmp_path / write,
                url=broker_url,
                writeId="w",
                onRejected="counted.refused",
            )
            query.processAllAvailable()
            progress = query.recentProgress[0]
            query.stop()
            counts.append(progress.observedMetrics["lastvalue"].asDict())
    first = {"rows": 2, "repeated": 0, "rejected": 1}
    assert counts == [first, {"rows": 3, "repeated": 3, "rejected": 0}]


def test_an_error_on_the_driver_is_a_sentence_without_a_trace(
    broker_url: str, updates: "DataFrame", spark: "SparkSession"
) -> None:
    options = {"url": broker_url, "queue": "absent"}
    writing = updates.write.format("lastvalue").options(**options).mode("append")
    reading = spark.read.format("lastvalue").options(**options)
    for ask in (writing.save, lambda: reading.load().collect()):
        with pytest.raises(Exception, match="absent") as caught:
            ask()
        assert "Traceback" not in str(caught.value)
        assert len(str(caught.value).strip().splitlines()) == 2, "Spark adds a line with its SQLSTATE"


@pytest.mark.pyspark(since="4.1")
def test_spark_refuses_the_format_in_update_mode(spark: "SparkSession", tmp_path: Path) -> None:
    stream = files_of_updates(spark, tmp_path).groupBy("body").count().select("body")
    writer = stream.writeStream.format("lastvalue").option("queue", "q").outputMode("update")
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    with pytest.raises(Exception, match="does not support Update mode"):
        query.awaitTermination(60)


@pytest.mark.parametrize(
    ("queue", "text"),
    [("absent", "there is no queue or exchange named 'absent'"), ("full", "queue 'full' has no room")],
)
def test_a_write_fails_with_the_brokers_reason(
    broker_url: str, updates: "DataFrame", queue: str, text: str
) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("full", max_messages=3, when_full="refuse")
        with pytest.raises(Exception, match=text):
            publish(updates.limit(5), queue, url=broker_url)


def test_a_column_that_is_unknown_is_told_before_anything_is_sent(
    broker_url: str, updates: "DataFrame"
) -> None:
    with pytest.raises(Exception, match="column 'price' cannot be published"):
        publish(updates.withColumn("price", F.lit(1)), "any", url=broker_url)


def test_an_option_that_is_unknown_is_told(broker_url: str, updates: "DataFrame") -> None:
    with pytest.raises(Exception, match="lastvalue has no option 'keycolumn'"):
        publish(updates, "any", url=broker_url, keyColumn="symbol")


def files_of_updates(spark: "SparkSession", directory: Path) -> "DataFrame":
    """Three updates as a stream: two of a, one of b."""
    source = directory / "updates"
    source.mkdir()
    (source / "rows.json").write_text(
        '{"body": "a1", "key": "a", "properties": {"version": 1}}\n'
        '{"body": "a3", "key": "a", "properties": {"version": 3}}\n'
        '{"body": "b2", "key": "b", "properties": {"version": 2}}\n'
    )
    schema = "body string, key string, properties struct<version: bigint>"
    return spark.readStream.schema(schema).json(str(source))


def finish(query: "StreamingQuery") -> None:
    assert query.awaitTermination(60)
