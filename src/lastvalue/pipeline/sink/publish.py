"""Publishing DataFrames without naming the sink: batches, and streams in any output mode."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from lastvalue.client.url import DEFAULT_URL
from lastvalue.pipeline.job_name import job_name
from lastvalue.pipeline.sink.options import SinkOptions, parse_sink_options
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.target import check_target
from lastvalue.pipeline.sink.write_ids import micro_batch_id

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

DEFAULT_INTERVAL_MS: Final = 100

_RESULT_SCHEMA: Final = "rows BIGINT, repeated BIGINT, rejected BIGINT"


def publish(
    rows: "DataFrame",
    queue: str,
    *,
    url: str = DEFAULT_URL,
    key_property: str | None = None,
    write_id: str | None = None,
    **options: str,
) -> None:
    """Publish a batch; returns when the broker has confirmed every row.

    For its columns see `sink.sink_columns`, for further options `sink.writers`. A micro-batch, which Spark
    may run again, is published with its id:
    `writeStream.foreachBatch(lambda rows, n: publish(rows, "prices", write_id=micro_batch_id(rows, n)))`.

    Args:
        rows: what to publish.
        queue: where to.
        url: the broker.
        key_property: the application property that the column `key` becomes; None: the queue's key.
        write_id: the queue takes the rows of one write id once; None: each call has an id of its own.
        options: of the sink.

    Raises:
        InvalidSinkError: an option is unknown, or contradicts another or the queue.
        UnusableColumnsError: a column is unknown or of another type.
        QueueNotFoundError: there is no such queue.
        ClientError: the broker does not answer, or refuses the user.
    """
    if write_id is not None:
        options["writeId"] = write_id
    checked = check_target(_sink_options(queue, url, key_property, options), rows.schema)
    with job_name(rows, f"publish into {queue}"):
        publish_checked(rows, checked)


def publish_checked(rows: "DataFrame", options: SinkOptions) -> WriteResult:
    """Publish a batch with options that `check_target` returned; returns what became of its rows.

    It does what `rows.write.format("lastvalue")` does. But Spark then starts one Python process to create a
    writer and another one to commit, and every write waits for both.
    """
    task = partial(_publish_partition, options, options.write_id or uuid4().hex)
    results = rows.mapInArrow(task, _RESULT_SCHEMA).collect()
    total = WriteResult.sum(WriteResult(*result) for result in results)
    if options.report is not None:
        total.write(Path(options.report))
    return total


def _sink_options(queue: str, url: str, key_property: str | None, options: Mapping[str, str]) -> SinkOptions:
    named = {} if key_property is None else {"keyProperty": key_property}
    return parse_sink_options({**options, **named, "url": url, "queue": queue})


def _publish_partition(
    options: SinkOptions, write_id: str, batches: "Iterator[pa.RecordBatch]"
) -> "Iterator[pa.RecordBatch]":
    """What a task does."""
    # Imported here, because the driver needs none of these.
    import pyarrow as pa  # noqa: PLC0415 - see above
    from pyspark import TaskContext  # noqa: PLC0415 - see above

    from lastvalue.pipeline.sink.partition_writer import write_partition  # noqa: PLC0415 - see above

    task = TaskContext.get()
    assert task is not None  # noqa: S101 - Spark calls this in tasks
    result = write_partition(options, f"{write_id}/{task.partitionId()}", batches)
    yield pa.RecordBatch.from_pylist([asdict(result)])


def publish_stream(  # noqa: PLR0913 - all but two by name
    rows: "DataFrame",
    queue: str,
    *,
    checkpoint: str | Path,
    url: str = DEFAULT_URL,
    key_property: str | None = None,
    interval_ms: int = DEFAULT_INTERVAL_MS,
    output_mode: str = "append",
    **options: str,
) -> "StreamingQuery":
    """Start publishing a stream, in any output mode; `options` are the sink's.

    `writeStream.format("lastvalue")` does the same in append and complete mode. Spark refuses update mode for
    every sink written in Python; a stream of `conflate` needs it, so this function supports all three.

    Raises:
        InvalidSinkError, UnusableColumnsError, QueueNotFoundError, ClientError: as `publish` does.
    """
    checked = check_target(_sink_options(queue, url, key_property, options), rows.schema)

    def publish_batch(batch: "DataFrame", number: int) -> None:
        with job_name(batch, f"micro-batch {number} into {queue}"):
            publish_checked(batch, replace(checked, write_id=micro_batch_id(batch, number)))

    return (
        rows.writeStream.foreachBatch(publish_batch)
        .outputMode(output_mode)
        .option("checkpointLocation", str(checkpoint))
        .trigger(processingTime=f"{interval_ms} milliseconds")
        .start()
    )
