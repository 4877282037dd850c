"""Every row exactly once: through failing tasks, a killed driver and a killed broker."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
from pyspark import TaskContext, cloudpickle
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import StructType
from served_broker import ServedBroker

from lastvalue.client import blocking
from lastvalue.pipeline.publishing import publish, publish_stream
from lastvalue.pipeline.sink import BatchWriter, LastvalueSink, Published
from lastvalue.pipeline.sink_options import parse_sink_options

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

# Workers cannot import this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

SOON_S = 60
HERE = Path(__file__).parent


class FailingWriter(BatchWriter):
    """Publishes a partition, and fails behind that the first time."""

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Published:
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


def test_a_micro_batch_that_foreach_batch_repeats_is_applied_once(
    broker_url: str, spark: "SparkSession", tmp_path: Path
) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("repeated")
    source = spark.readStream.schema("body string").json(str(files_of_rows(tmp_path, 1)))
    checkpoint = tmp_path / "checkpoint"
    for _ in range(2):
        query = publish_stream(source, "repeated", checkpoint=checkpoint, url=broker_url)
        query.processAllAvailable()
        query.stop()
        # What Spark would lack if it had been killed before it noted the end of the micro-batch.
        (checkpoint / "commits" / "0").unlink()
        (checkpoint / "commits" / ".0.crc").unlink(missing_ok=True)
    assert bodies(broker_url, "repeated") == list(range(100))


def test_a_driver_that_is_killed_before_its_checkpoint_applies_the_batch_once(
    broker_url: str, tmp_path: Path
) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("killed")
    marker = tmp_path / "marker"
    command = [
        sys.executable, str(HERE / "killed_driver.py"), broker_url, "killed",
        str(files_of_rows(tmp_path, 3)), str(tmp_path / "checkpoint"),
    ]  # fmt: skip
    driver = subprocess.Popen([*command, str(marker)], start_new_session=True)
    try:
        wait_for(marker.exists)
    finally:
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
    assert bodies(broker_url, "killed") == list(range(100))
    subprocess.run(command, check=True, timeout=SOON_S)
    assert bodies(broker_url, "killed") == list(range(300))
    with blocking.connect(broker_url) as connection:
        assert connection.queue("killed").info().published == 300


def test_a_broker_that_is_killed_while_rows_come_has_each_once(spark: "SparkSession", tmp_path: Path) -> None:
    count = 60_000
    store = ("--store", str(tmp_path / "store"))
    rows = numbered(spark, count)
    with ExitStack() as stack, ThreadPoolExecutor(1) as thread:
        broker = stack.enter_context(ServedBroker(*store))
        again = ServedBroker(*store, "--port", str(broker.port))
        queue = stack.enter_context(blocking.connect(broker.url)).declare("survivor", durable=True)

        def kill_and_restart() -> int:
            """Kill it when some rows have come; how many it had."""
            wait_for(lambda: queue.info().depth >= 3000)
            depth = queue.info().depth
            broker.process.kill()
            broker.process.wait()
            stack.enter_context(again)
            return depth

        killing = thread.submit(kill_and_restart)
        publish(rows, "survivor", url=broker.url, transactionRows="1000")
        assert killing.result(SOON_S) < count
        assert bodies(broker.url, "survivor") == list(range(count))


def files_of_rows(directory: Path, count: int) -> Path:
    """A directory with so many files of a hundred rows, for a stream that takes one at a time."""
    source = directory / "rows"
    source.mkdir()
    for number in range(count):
        path = source / f"{number}.json"
        path.write_text("".join(f"{json.dumps({'body': str(number * 100 + row)})}\n" for row in range(100)))
        os.utime(path, (number + 1, number + 1))
    return source


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON_S
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)
