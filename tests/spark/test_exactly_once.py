"""Every row exactly once, through failing tasks and repeated micro-batches.

For a driver, workers and a broker that are killed see test_once_under_kills.py.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
from pyspark import TaskContext, cloudpickle
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import StructType

from lastvalue.client import blocking
from lastvalue.pipeline.sink.options import parse_sink_options
from lastvalue.pipeline.sink.publish import publish, publish_stream
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.writers import BatchWriter, LastvalueSink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

pytestmark = pytest.mark.spark

# Workers cannot import this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]  # untyped


class FailingWriter(BatchWriter):
    """Publishes a partition, and fails behind that the first time."""

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriteResult:
        published = super().write(iterator)
        task = TaskContext.get()
        assert task is not None
        if task.attemptNumber() == 0:
            raise RuntimeError("the task fails behind its commit")
        return published


class FailingSink(LastvalueSink):
    """The sink, whose tasks all fail once."""

    @classmethod
    def name(cls) -> str:
        return "failing"

    def writer(self, schema: StructType, overwrite: bool) -> BatchWriter:
        return FailingWriter(parse_sink_options(self.options))


def numbered(spark: "SparkSession", count: int) -> "DataFrame":
    """As many rows in two partitions."""
    return spark.range(0, count, 1, 2).select(F.col("id").cast("string").alias("body"))


def bodies(url: str, queue: str) -> list[int]:
    with blocking.connect(url) as connection:
        return sorted(int(str(message.body)) for message in connection.queue(queue).browse(prefetch=5000))


def test_a_task_that_fails_behind_its_commit_is_applied_once(broker_url: str, spark: "SparkSession") -> None:
    spark.dataSource.register(FailingSink)
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("failing")
        writer = numbered(spark, 1000).write.format("failing")
        writer.options(url=broker_url, queue="failing", transactionRows="300").mode("append").save()
        assert queue.info().depth == 1000
    assert bodies(broker_url, "failing") == list(range(1000))


def test_at_least_once_applies_such_a_task_twice(broker_url: str, spark: "SparkSession") -> None:
    spark.dataSource.register(FailingSink)
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("twice")
        writer = numbered(spark, 10).write.format("failing")
        writer.options(url=broker_url, queue="twice", delivery="at-least-once").mode("append").save()
        assert queue.info().depth == 20


def test_a_named_write_is_applied_once_however_often_it_is_made(
    broker_url: str, spark: "SparkSession"
) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("named")
    for _ in range(2):
        publish(numbered(spark, 10), "named", url=broker_url, write_id="monday")
    assert bodies(broker_url, "named") == list(range(10))


def by_the_format(rows: "DataFrame", url: str, checkpoint: Path) -> "StreamingQuery":
    writer = rows.writeStream.format("lastvalue").options(url=url, queue="by_the_format")
    return writer.option("checkpointLocation", str(checkpoint)).start()


def by_foreach_batch(rows: "DataFrame", url: str, checkpoint: Path) -> "StreamingQuery":
    return publish_stream(rows, "by_foreach_batch", checkpoint=checkpoint, url=url)


@pytest.mark.parametrize(
    "started",
    [pytest.param(by_the_format, marks=pytest.mark.pyspark(since="4.1")), by_foreach_batch],
)
def test_a_micro_batch_that_a_restarted_query_repeats_is_applied_once(
    broker_url: str,
    spark: "SparkSession",
    tmp_path: Path,
    started: "Callable[[DataFrame, str, Path], StreamingQuery]",
) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare(started.__name__)
    source = spark.readStream.schema("body string").json(str(files_of_rows(tmp_path)))
    checkpoint = tmp_path / "checkpoint"
    for _ in range(2):
        query = started(source, broker_url, checkpoint)
        query.processAllAvailable()
        query.stop()
        # What Spark would lack if it had been killed before it noted the end of the micro-batch.
        (checkpoint / "commits" / "0").unlink()
        (checkpoint / "commits" / ".0.crc").unlink(missing_ok=True)
    assert bodies(broker_url, started.__name__) == list(range(100))


def files_of_rows(directory: Path) -> Path:
    """A directory with a file of a hundred rows."""
    source = directory / "rows"
    source.mkdir()
    (source / "0.json").write_text("".join(f'{{"body": "{number}"}}\n' for number in range(100)))
    return source
