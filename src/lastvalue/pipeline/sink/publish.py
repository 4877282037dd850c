"""Publishing DataFrames without spelling out the sink: batches, and streams that Spark's sinks refuse."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from lastvalue.client.url import DEFAULT_URL
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.sink.options import SinkOptions, parse_sink_options

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

DEFAULT_INTERVAL_MS: Final = 100
QUERY_ID: Final = "sql.streaming.queryId"
"""The property by which Spark tells tasks their streaming query, whose id is in its checkpoint."""


_CONFIRMED: Final = "rows BIGINT, repeated BIGINT, rejected BIGINT"


@dataclass(frozen=True, slots=True)
class Published:
    """What became of a batch, or of a part of it.

    Attributes:
        rows: that the queue has.
        repeated: of them, those that it had before.
        rejected: that went to the queue for dead letters.
    """

    rows: int = 0
    repeated: int = 0
    rejected: int = 0

    @classmethod
    def sum(cls, parts: Iterable["Published"]) -> "Published":
        """What became of all parts."""
        told = [(part.rows, part.repeated, part.rejected) for part in parts]
        return cls(*map(sum, zip(*told, strict=True)))

    def write(self, path: Path) -> None:
        """Write it to a file, in one step."""
        draft = path.with_name(path.name + ".part")
        draft.write_text(json.dumps(asdict(self)), encoding="utf-8")
        draft.replace(path)


class NoQueryError(LastvalueError):
    """A micro-batch is asked for its query outside of one."""

    condition = Condition.ILLEGAL_STATE


def publish(
    rows: "DataFrame",
    queue: str,
    *,
    url: str = DEFAULT_URL,
    key_property: str = "key",
    write_id: str | None = None,
    **options: str,
) -> None:
    """Publish a batch; returns when the broker has confirmed every row.

    For its columns and further options see `lastvalue.pipeline.sink.sink_columns` and `lastvalue.pipeline.sink.writers`.
    Also the way for one micro-batch, which may be run again:
    `writeStream.foreachBatch(lambda rows, n: publish(rows, "prices", write_id=micro_batch_id(rows, n)))`.

    Args:
        rows: what to publish.
        queue: where to.
        url: the broker.
        key_property: the application property that the column `key` becomes.
        write_id: the queue takes the rows of one write once; None: every call is another write.
        options: of the sink.

    Raises:
        InvalidSinkError: an option is unknown or contradicts another.
        UnusableColumnsError: a column is unknown or of another type.
    """
    given = {**options, "url": url, "queue": queue, "keyProperty": key_property}
    publish_as_told(rows, given if write_id is None else {**given, "writeId": write_id})


def publish_as_told(rows: "DataFrame", options: Mapping[str, str]) -> Published:
    """Publish a batch with the sink's options, and tell what became of it.

    It does what `rows.write.format("lastvalue")` does, but Spark starts no Python process to make a writer
    and none to commit, which every write would wait for.

    Raises:
        InvalidSinkError, UnusableColumnsError: as `publish` does.
    """
    from lastvalue.pipeline.sink.sink_columns import check_columns  # noqa: PLC0415 - it imports Spark

    told = parse_sink_options(options)
    check_columns(rows.schema)
    task = partial(_publish_partition, told, told.write_id or uuid4().hex)
    confirmed = rows.mapInArrow(task, _CONFIRMED).collect()
    published = Published.sum(Published(*part) for part in confirmed)
    if told.report is not None:
        published.write(Path(told.report))
    return published


def _publish_partition(
    options: SinkOptions, write_id: str, batches: "Iterator[pa.RecordBatch]"
) -> "Iterator[pa.RecordBatch]":
    """What a task does."""
    # Here, because the driver needs none of it.
    import pyarrow as pa  # noqa: PLC0415 - see above
    from pyspark import TaskContext  # noqa: PLC0415 - see above

    from lastvalue.pipeline.sink.writers import publish_batches  # noqa: PLC0415 - see above

    task = TaskContext.get()
    assert task is not None  # noqa: S101 - Spark calls this in tasks
    confirmed = publish_batches(options, f"{write_id}/{task.partitionId()}", batches)
    yield pa.RecordBatch.from_pylist([asdict(confirmed)])


def micro_batch_id(rows: "DataFrame", number: int) -> str:
    """What a micro-batch is known by, in the function that `foreachBatch` calls with it and its number.

    The query's id is in its checkpoint, so it is the same after a restart.

    Raises:
        NoQueryError: it is called elsewhere.
    """
    query = rows.sparkSession.sparkContext.getLocalProperty(QUERY_ID)
    if not query:
        raise NoQueryError("there is no streaming query here: call it in the function given to foreachBatch")
    return f"{query}/{number}"


def publish_stream(  # noqa: PLR0913 - all but two by name
    rows: "DataFrame",
    queue: str,
    *,
    checkpoint: str | Path,
    url: str = DEFAULT_URL,
    key_property: str = "key",
    interval_ms: int = DEFAULT_INTERVAL_MS,
    output_mode: str = "append",
    **options: str,
) -> "StreamingQuery":
    """Start publishing a stream, in any output mode; `options` are the sink's.

    `writeStream.format("lastvalue")` does the same in append and complete mode.
    Spark refuses every sink written in Python in update mode, which a stream of `conflate` wants;
    this takes all three.
    """

    def publish_batch(batch: "DataFrame", number: int) -> None:
        write_id = micro_batch_id(batch, number)
        publish(batch, queue, url=url, key_property=key_property, write_id=write_id, **options)

    return (
        rows.writeStream.foreachBatch(publish_batch)
        .outputMode(output_mode)
        .option("checkpointLocation", str(checkpoint))
        .trigger(processingTime=f"{interval_ms} milliseconds")
        .start()
    )
