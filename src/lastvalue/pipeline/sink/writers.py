"""The sink `lastvalue`: rows of a DataFrame, batch or stream, into a queue.

    df.write.format("lastvalue").options(queue="prices", keyProperty="symbol").mode("append").save()

Options:
    queue: the queue, which has to exist (required).
    url: the broker (default amqp://127.0.0.1:5672); amqps:// for TLS.
    user, password: credentials, where the URL has none.
    caFile: the file with the authorities to believe over TLS (default: whom the machine believes).
    keyProperty: the application property that the column `key` becomes (default key).
    delivery: exactly-once (default) or at-least-once.
    transactionRows: rows that take effect together (default 100000); 0 is a whole partition.
    writeId: names a write, of which each partition is applied once.
    onRejected: fail (default), or the queue for rows that cannot be sent.
    durable: whether rows survive a restart of the broker that do not say themselves (default true).
    report: a file on the driver's machine that is told, as JSON, how many rows of a batch were published,
        repeated and rejected.
    timeoutSeconds: how long a task waits for room, confirmations, a broker that went away (default 60).

Columns: see `lastvalue.pipeline.sink.sink_columns`.

A task sends its rows in transactions, whose first message has an id made of the query, its batch and the
partition. The queue knows such an id again, so a task that Spark runs again changes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)
from pyspark.sql.types import StructType

from lastvalue.pipeline.gc_freeze import spare_collector
from lastvalue.pipeline.sink.options import (
    FORMAT,
    Delivery,
    InvalidSinkError,
    SinkOptions,
    parse_sink_options,
)
from lastvalue.pipeline.sink.partition_writer import Courier
from lastvalue.pipeline.sink.publish import QUERY_ID, Published
from lastvalue.pipeline.sink.sink_columns import check_columns

BATCH_ID: Final = "streaming.sql.batchId"
"""The property by which Spark tells tasks their micro-batch."""


@dataclass
class Confirmed(WriterCommitMessage):
    """What a task tells when the broker has confirmed its rows.

    Attributes:
        rows: that the queue has.
        repeated: of them, those that it had before.
        rejected: that went to the queue for dead letters.
    """

    rows: int
    repeated: int = 0
    rejected: int = 0


def publish_batches(options: SinkOptions, identity: str, batches: Iterator[pa.RecordBatch]) -> Confirmed:
    """Send the rows of a task, and wait until the broker has confirmed them.

    Raises:
        RejectedRowError: a row cannot be sent, and there is no queue for dead letters.
        ClientError: the broker cannot be reached or did not take a row.
    """
    spare_collector()
    delivered = Courier(options, identity).deliver(batches)
    return Confirmed(delivered.rows, delivered.repeated, delivered.rejected)


def streaming_identity(options: SinkOptions, told: Mapping[str, str | None], partition: int) -> str:
    """What a partition of a micro-batch is known by: the query, the batch, the partition.

    Args:
        options: the sink's.
        told: the task's local properties.
        partition: the task's.

    Raises:
        InvalidSinkError: Spark does not tell the task its query or batch.
    """
    query = options.write_id or told.get(QUERY_ID)
    batch = told.get(BATCH_ID)
    if options.delivery is Delivery.AT_LEAST_ONCE:
        return ""
    if query is None or batch is None:
        raise InvalidSinkError(
            f"Spark tells this task no {QUERY_ID if batch is not None else BATCH_ID}, by which the sink "
            "knows a micro-batch again; use the option delivery = 'at-least-once'"
        )
    return f"{query}/{batch}/{partition}"


class BatchWriter(DataSourceArrowWriter):
    """Publishes the partitions of a batch; made once for a write, on the driver."""

    def __init__(self, options: SinkOptions) -> None:
        self._options = options
        self._write_id = options.write_id or uuid4().hex

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Confirmed:
        """Publish a partition."""
        return publish_batches(self._options, f"{self._write_id}/{_task().partitionId()}", iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Tell what the broker has confirmed, where that is asked for."""
        if self._options.report is not None:
            confirmed = (message for message in messages if isinstance(message, Confirmed))
            parts = (Published(each.rows, each.repeated, each.rejected) for each in confirmed)
            Published.sum(parts).write(Path(self._options.report))
        spare_collector()


class StreamWriter(DataSourceStreamArrowWriter):
    """Publishes the partitions of a micro-batch."""

    def __init__(self, options: SinkOptions) -> None:
        self._options = options

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Confirmed:
        """Publish a partition."""
        task = _task()
        told = {name: task.getLocalProperty(name) for name in (QUERY_ID, BATCH_ID)}
        identity = streaming_identity(self._options, told, task.partitionId())
        return publish_batches(self._options, identity, iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803 - Spark's
        """Nothing is left to do: the broker has confirmed every row."""

    def abort(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803 - Spark's
        """What was confirmed stays; the micro-batch is run again, and its ids are known."""


def _task() -> TaskContext:
    task = TaskContext.get()
    assert task is not None  # noqa: S101 - Spark writes in tasks
    return task


class LastvalueSink(DataSource):
    """The format that Spark knows as lastvalue."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(dict(options))
        spare_collector()

    @classmethod
    def name(cls) -> str:
        """What stands in `format(…)`."""
        return FORMAT

    def writer(self, schema: StructType, overwrite: bool) -> BatchWriter:  # noqa: FBT001 - Spark's signature
        """The writer of a batch; refuses columns and options that it does not know, and `overwrite`."""
        if overwrite:
            raise InvalidSinkError(
                "a queue cannot be overwritten: use mode('append'), or `lastvalue queue purge` first"
            )
        check_columns(schema)
        return BatchWriter(parse_sink_options(self.options))

    def streamWriter(self, schema: StructType, overwrite: bool) -> StreamWriter:  # noqa: ARG002, FBT001, N802 - Spark's
        """The writer of a stream, in append mode, or in complete mode, which sends all rows each time."""
        check_columns(schema)
        return StreamWriter(parse_sink_options(self.options))
