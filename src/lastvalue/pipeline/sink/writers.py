"""The sink `lastvalue`: rows of a DataFrame, batch or stream, into a queue.

    df.write.format("lastvalue").options(queue="prices", keyProperty="symbol").mode("append").save()

Options:
    queue: the queue, which must exist (required).
    url: the broker (default amqp://127.0.0.1:5672); amqps:// for TLS.
    user, password: credentials, where the URL has none.
    caFile: the file of trusted authorities for TLS (default: those that the machine trusts).
    keyProperty: the application property that the column `key` becomes (default: the queue's key).
    delivery: exactly-once (default) or at-least-once.
    transactionRows: rows of one transaction (default 100000); 0: a whole partition.
    writeId: names a write, of which each partition is applied once.
    onRejected: fail (default), or the dead-letter queue for rows that cannot be sent.
    durable: whether a row without the column `durable` survives a restart of the broker (default true).
    report: a file on the driver's machine; each batch writes to it, as JSON, how many rows were published,
        repeated and rejected.
    timeoutSeconds: how long a task waits for room, confirmations, or a lost broker (default 60).

Columns: see `lastvalue.pipeline.sink.sink_columns`.

A task sends its rows in transactions. The first message of each transaction has an id made of the query, its
batch and the partition. The queue remembers these ids, so a task that Spark runs again changes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import uuid4

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.pipeline.hidden_trace import hidden_trace
from lastvalue.pipeline.sink.divided_writer import write_rows
from lastvalue.pipeline.sink.options import FORMAT, InvalidSinkError, SinkOptions, parse_sink_options
from lastvalue.pipeline.sink.result import WriteResult, report_results
from lastvalue.pipeline.sink.target import check_target
from lastvalue.pipeline.sink.write_ids import this_task
from lastvalue.pipeline.stream_support import check_stream_write_support

if TYPE_CHECKING:
    from lastvalue.pipeline.sink.stream_writer import StreamWriter


class BatchWriter(DataSourceArrowWriter):
    """Publishes the partitions of a batch; the driver creates one for each write."""

    def __init__(self, options: SinkOptions) -> None:
        self._options = options
        self._write_id = options.write_id or uuid4().hex

    @hidden_trace()
    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriteResult:
        """Publish a partition."""
        return write_rows(self._options, f"{self._write_id}/{this_task().partitionId()}", iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Write the report, if the options name one."""
        report_results(self._options.report, messages)
        freeze_gc()


class LastvalueSink(DataSource):
    """The sink side of the format `lastvalue`."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(dict(options))
        freeze_gc()

    @classmethod
    def name(cls) -> str:
        """The name in `format(…)`."""
        return FORMAT

    def writer(self, schema: StructType, overwrite: bool) -> BatchWriter:  # noqa: FBT001 - Spark's signature
        """The writer of a batch; refuses `overwrite`, and what `check_target` refuses."""
        if overwrite:
            raise InvalidSinkError(
                "a queue cannot be overwritten: use mode('append'), or `lastvalue queue purge` first"
            )
        return BatchWriter(check_target(parse_sink_options(self.options), schema))

    def streamWriter(self, schema: StructType, overwrite: bool) -> "StreamWriter":  # noqa: FBT001 - Spark's
        """The writer of a stream, in append mode, or in complete mode, which sends all rows each time."""
        del overwrite
        check_stream_write_support()
        from lastvalue.pipeline.sink.stream_writer import StreamWriter  # noqa: PLC0415 - needs PySpark 4.1

        options = parse_sink_options(self.options)
        # Spark calls this for each micro-batch, and the broker may be lost between two.
        return StreamWriter(check_target(options, schema, wait_s=options.timeout_s))
