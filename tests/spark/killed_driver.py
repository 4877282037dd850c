"""A streaming query that stops between the sink's commit and Spark's checkpoint, for tests that kill it.

    python killed_driver.py URL QUEUE SOURCE CHECKPOINT [MARKER]

With a marker the first micro-batch that is committed makes that file and goes no further.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql.datasource import WriterCommitMessage
from pyspark.sql.types import StructType

from lastvalue.pipeline.session import SessionOptions, create_session
from lastvalue.pipeline.sink import LastvalueSink, StreamWriter
from lastvalue.pipeline.sink_options import parse_sink_options

FOR_EVER_S = 600


class StoppingWriter(StreamWriter):
    """Publishes, and stops where Spark would note that it has."""

    marker = ""

    def commit(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803 - Spark's
        super().commit(messages, batchId)
        if self.marker:
            Path(self.marker).touch()
            time.sleep(FOR_EVER_S)


class StoppingSink(LastvalueSink):
    """The sink, whose option `marker` makes it stop."""

    @classmethod
    def name(cls) -> str:
        return "stopping"

    def streamWriter(self, schema: StructType, overwrite: bool) -> StreamWriter:  # noqa: N802 - Spark's
        given = dict(self.options)
        marker = given.pop("marker")
        writer = StoppingWriter(parse_sink_options(given))
        writer.marker = marker
        return writer


def main(url: str, queue: str, source: str, checkpoint: str, marker: str = "") -> None:
    spark = create_session(SessionOptions(name="killed", master="local[2]", quick_start=True))
    spark.dataSource.register(StoppingSink)
    rows = spark.readStream.schema("body string").option("maxFilesPerTrigger", 1).json(source)
    query = (
        rows.writeStream.format("stopping")
        .options(url=url, queue=queue, marker=marker, checkpointLocation=checkpoint)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
