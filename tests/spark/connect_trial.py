"""Does over Spark Connect what docs/pipeline/versions.md says works there; what came of it, as JSON.

    python tests/spark/connect_trial.py DIRECTORY

A process has either a classic session or one of Connect, so this one is not that of the tests.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from lastvalue import pipeline
from lastvalue.client import Message, blocking
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.recorded_history import read_history
from lastvalue.history.times import print_time
from lastvalue.pipeline.feeds.ticks import TickSpec, ticks_recording
from lastvalue.testing.broker_thread import BrokerThread

TICKS = TickSpec(ticks=600, symbols=5, duration_s=1)
WITHIN_S = 120


class Trial:
    """A session of Connect and a broker with a queue of five keys, each of which was sent four times."""

    def __init__(self, spark: SparkSession, url: str, directory: Path) -> None:
        self._spark = spark
        self._url = url
        self._directory = directory
        pipeline.register(spark)
        with blocking.connect(url) as connection:
            queue = connection.declare("prices", lvq_key="k", history="prices.history")
            queue.send_many([Message(str(number), {"k": f"k{number % 5}"}) for number in range(20)])

    def results(self) -> Iterator[tuple[str, Any]]:
        """What each gave."""
        yield "read", self._read("prices").count()
        yield "select", pipeline.select(self._read("prices"), "k = 'k1'", key_property="k").count()
        yield "conflate", self._conflated()
        yield "write", self._written("written", "format")
        yield "publish", self._written("published", "publish")
        yield "streamed", self._streamed()
        yield "replayed", self._replayed()
        yield from self._looked_back()

    def _read(self, queue: str) -> DataFrame:
        return self._spark.read.format("lastvalue").options(queue=queue, url=self._url).load()

    def _conflated(self) -> list[tuple[str, str]]:
        rows = [(f"k{number % 5}", number, str(number)) for number in range(20)]
        frame = self._spark.createDataFrame(rows, "k string, version long, body string")
        newest = pipeline.conflate(frame, "k", "version").select("k", "body")
        return sorted(map(tuple, newest.collect()))

    def _written(self, queue: str, how: str) -> int:
        with blocking.connect(self._url) as connection:
            connection.declare(queue, lvq_key="k")
            rows = self._read("prices").select("body", "key")
            if how == "publish":
                pipeline.publish(rows, queue, url=self._url, key_property="k")
            else:
                options = {"url": self._url, "queue": queue, "keyProperty": "k"}
                rows.write.format("lastvalue").options(**options).mode("append").save()
            return connection.queue(queue).info().depth

    def _streamed(self) -> int:
        """From one queue into another one."""
        with blocking.connect(self._url) as connection:
            connection.declare("streamed", lvq_key="k")
            stream = self._spark.readStream.format("lastvalue").options(queue="prices", url=self._url).load()
            writer = stream.select("body", "key").writeStream.format("lastvalue")
            writer = writer.options(url=self._url, queue="streamed", keyProperty="k")
            query = writer.trigger(availableNow=True).start(checkpointLocation=self._place("streamed"))
            query.awaitTermination(WITHIN_S)
            return connection.queue("streamed").info().depth

    def _replayed(self) -> int:
        """The rows of a recording, with the format `memory`."""
        recording = ticks_recording(TICKS, self._directory)
        options = {"path": str(recording.path), "timeColumn": recording.time_column, "speed": "1000"}
        stream = self._spark.readStream.format("lastvalue_replay").options(**options).load()
        writer = stream.writeStream.format("memory").queryName("replayed")
        query = writer.trigger(processingTime="100 milliseconds").start(
            checkpointLocation=self._place("replayed")
        )
        while self._spark.table("replayed").count() < recording.rows:
            if (fault := query.exception()) is not None:
                raise fault
        query.stop()
        return self._spark.table("replayed").count() - recording.rows

    def _looked_back(self) -> Iterator[tuple[str, Any]]:
        tables = self._directory / "tables"
        first = self._land(tables)
        with blocking.connect(self._url) as connection:
            connection.queue("prices").send(Message("new", {"k": "k9"}))
        end = self._land(tables)
        yield "as_of", pipeline.as_of(self._spark, tables, "prices", end).count()
        changed = pipeline.diff(self._spark, tables, "prices", first, end).select("change", "key")
        yield "diff", list(map(tuple, changed.collect()))
        yield "timeline", pipeline.timeline(self._spark, tables, "prices", "k9").count()

    def _land(self, tables: Path) -> str:
        """Land the history; until when it is known."""
        asyncio.run(land_history(self._url, tables, ["prices"], LandingOptions(until_now=True)))
        return print_time(asyncio.run(read_history("prices", tables=tables)).known_to_ms)

    def _place(self, name: str) -> str:
        return str(self._directory / "checkpoints" / name)


def main(directory: Path) -> None:
    builder = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    with BrokerThread() as broker:
        told = dict(Trial(spark, broker.url, directory).results())
    print(json.dumps(told))
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
