"""Publishing DataFrames without naming the sink: batches, and streams in any output mode."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from lastvalue.client.url import DEFAULT_URL
from lastvalue.pipeline.hidden_trace import hidden_trace
from lastvalue.pipeline.job_name import job_name
from lastvalue.pipeline.sink.options import InvalidSinkError, SinkOptions, parse_sink_options
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.target import check_target
from lastvalue.pipeline.sink.write_ids import task_write_id, this_task

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

DEFAULT_INTERVAL_MS: Final = 100

OBSERVED: Final = "lastvalue"
"""The name of what became of a micro-batch's rows, among the observed metrics of a query's progress."""

_ARGUMENTS: Final = {
    "queryName": "query_name",
    "outputMode": "output_mode",
    "checkpointLocation": "checkpoint",
}
"""What Spark's own writer calls them."""

_RESULT_SCHEMA: Final = "rows BIGINT, repeated BIGINT, rejected BIGINT"


def publish(
    rows: "DataFrame",
    queue: str,
    *,
    url: str = DEFAULT_URL,
    key_property: str | None = None,
    write_id: str | None = None,
    **options: str,
) -> WriteResult:
    """Publish a batch; returns what became of its rows when the broker has confirmed every one.

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
        return publish_checked(rows, checked)


def publish_checked(rows: "DataFrame", options: SinkOptions) -> WriteResult:
    """Publish a batch with options that `check_target` returned; returns what became of its rows.

    It does what `rows.write.format("lastvalue")` does. But Spark then starts one Python process to create a
    writer and another one to commit, and every write waits for both.
    """
    task = partial(_publish_partition, options, options.write_id or uuid4().hex)
    return _total(rows.mapInArrow(task, _RESULT_SCHEMA), options)


def _total(results: "DataFrame", options: SinkOptions) -> WriteResult:
    """Let the tasks run, and write the report of their results, if the options name one."""
    total = WriteResult.sum(WriteResult(*result) for result in results.collect())
    if options.report is not None:
        total.write(Path(options.report))
    return total


def _sink_options(queue: str, url: str, key_property: str | None, options: Mapping[str, str]) -> SinkOptions:
    for spelling, argument in _ARGUMENTS.items():
        if spelling in options:
            # Spark gives some of them to a sink, which therefore takes and ignores them.
            raise InvalidSinkError(f"{spelling} is an argument of publish_stream, by the name {argument}")
    named = {} if key_property is None else {"keyProperty": key_property}
    return parse_sink_options({**options, **named, "url": url, "queue": queue})


def _publish_partition(
    options: SinkOptions, write_id: str, batches: "Iterator[pa.RecordBatch]"
) -> "Iterator[pa.RecordBatch]":
    """What a task of a batch does."""
    return _written(options, f"{write_id}/{this_task().partitionId()}", batches)


def _publish_micro_batch(
    options: SinkOptions, batches: "Iterator[pa.RecordBatch]"
) -> "Iterator[pa.RecordBatch]":
    """What a task of a stream does."""
    return _written(options, task_write_id(options), batches)


def _written(
    options: SinkOptions, write_id: str, batches: "Iterator[pa.RecordBatch]"
) -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa  # noqa: PLC0415 - the driver does not need it

    from lastvalue.pipeline.sink.divided_writer import write_rows  # noqa: PLC0415 - it imports pyarrow, too

    with hidden_trace():
        yield pa.RecordBatch.from_pylist([asdict(write_rows(options, write_id, batches))])


def publish_stream(  # noqa: PLR0913 - all but two by name
    rows: "DataFrame",
    queue: str,
    *,
    checkpoint: str | Path,
    url: str = DEFAULT_URL,
    key_property: str | None = None,
    interval_ms: int | None = None,
    trigger: Mapping[str, Any] | None = None,
    output_mode: str = "append",
    query_name: str | None = None,
    **options: str,
) -> "StreamingQuery":
    """Start publishing a stream, in any output mode; `options` are the sink's.

    `writeStream.format("lastvalue")` does the same in append and complete mode. Spark refuses update mode for
    every sink written in Python; a stream of `conflate` needs it, so this function supports all three.

    Args:
        rows: what to publish.
        queue: where to.
        checkpoint: the directory from which the query continues after a restart.
        url: the broker.
        key_property: the application property that the column `key` becomes; None: the queue's key.
        interval_ms: how often a micro-batch begins; 100 ms if there is no trigger.
        trigger: what Spark's `DataStreamWriter.trigger` takes, as in `{"availableNow": True}`.
        output_mode: append, update or complete.
        query_name: the query's name, as Spark's `queryName` gives it.
        options: of the sink.

    Raises:
        InvalidSinkError: as `publish`; or both an interval and a trigger are given.
        UnusableColumnsError, QueueNotFoundError, ClientError: as `publish` does.
    """
    from pyspark.sql import functions as sf  # noqa: PLC0415 - the module is imported where there is no Spark

    chosen = _trigger(interval_ms, trigger)
    checked = check_target(_sink_options(queue, url, key_property, options), rows.schema)
    results = rows.mapInArrow(partial(_publish_micro_batch, checked), _RESULT_SCHEMA)
    sums = [sf.sum(each.name).alias(each.name) for each in fields(WriteResult)]

    def publish_batch(batch: "DataFrame", number: int) -> None:
        with job_name(batch, f"micro-batch {number} into {queue}"):
            _total(batch, checked)

    writer = (
        results.observe(OBSERVED, *sums)
        .writeStream.foreachBatch(publish_batch)
        .outputMode(output_mode)
        .option("checkpointLocation", str(checkpoint))
        .trigger(**chosen)
    )
    return writer.start() if query_name is None else writer.queryName(query_name).start()


def _trigger(interval_ms: int | None, trigger: Mapping[str, Any] | None) -> dict[str, Any]:
    if trigger is None:
        interval_ms = DEFAULT_INTERVAL_MS if interval_ms is None else interval_ms
        return {"processingTime": f"{interval_ms} milliseconds"}
    if interval_ms is not None:
        raise InvalidSinkError("interval_ms and trigger exclude each other; give one of them")
    return dict(trigger)
