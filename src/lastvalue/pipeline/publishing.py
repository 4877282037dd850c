"""Publishing DataFrames without spelling out the sink: batches, and streams that Spark's sinks refuse."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastvalue.client.url import DEFAULT_URL
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.registration import activate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

DEFAULT_INTERVAL_MS: Final = 100
QUERY_ID: Final = "sql.streaming.queryId"
"""The property by which Spark tells tasks their streaming query, whose id is in its checkpoint."""


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

    For its columns and further options see `lastvalue.pipeline.outgoing` and `lastvalue.pipeline.sink`.
    Also the way for one micro-batch, which may be run again:
    `writeStream.foreachBatch(lambda rows, n: publish(rows, "prices", write_id=micro_batch_id(rows, n)))`.

    Args:
        rows: what to publish.
        queue: where to.
        url: the broker.
        key_property: the application property that the column `key` becomes.
        write_id: the queue takes the rows of one write once; None: every call is another write.
        options: of the sink.
    """
    activate(rows.sparkSession)
    writer = rows.write.format("lastvalue").options(**options)
    if write_id is not None:
        writer = writer.option("writeId", write_id)
    writer.option("url", url).option("queue", queue).option("keyProperty", key_property).mode("append").save()


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
