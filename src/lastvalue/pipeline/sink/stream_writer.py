"""The writer of streams of the format `lastvalue`, which needs PySpark 4.1 or newer."""

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamArrowWriter, WriterCommitMessage

from lastvalue.pipeline.hidden_trace import hidden_trace
from lastvalue.pipeline.sink.divided_writer import write_rows
from lastvalue.pipeline.sink.options import SinkOptions
from lastvalue.pipeline.sink.result import WriteResult, report_results
from lastvalue.pipeline.sink.write_ids import task_write_id


class StreamWriter(DataSourceStreamArrowWriter):
    """Publishes the partitions of a micro-batch."""

    def __init__(self, options: SinkOptions) -> None:
        self._options = options

    @hidden_trace()
    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriteResult:
        """Publish a partition."""
        return write_rows(self._options, task_write_id(self._options), iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803 - Spark's
        """Write the report, if the options name one: the broker has confirmed every row."""
        del batchId
        report_results(self._options.report, messages)

    def abort(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803 - Spark's
        """Does nothing: Spark runs the micro-batch again, and the queue recognises the confirmed ids."""
