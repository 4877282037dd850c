"""Publishing DataFrames without spelling out the sink: batches, and streams that Spark's sinks refuse."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastvalue.client.url import DEFAULT_URL

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

DEFAULT_INTERVAL_MS: Final = 100


def publish(
    rows: "DataFrame", queue: str, *, url: str = DEFAULT_URL, key_property: str = "key", **options: str
) -> None:
    """Publish a batch; returns when the broker has confirmed every row.

    For its columns and further options see `lastvalue.pipeline.outgoing` and `lastvalue.pipeline.sink`.
    Also the way for one micro-batch: `writeStream.foreachBatch(lambda rows, _: publish(rows, "prices"))`.
    """
    writer = rows.write.format("lastvalue").options(**options)
    writer.option("url", url).option("queue", queue).option("keyProperty", key_property).mode("append").save()


def publish_stream(  # noqa: PLR0913 - all but two by name
    rows: "DataFrame",
    queue: str,
    *,
    checkpoint: str | Path,
    url: str = DEFAULT_URL,
    key_property: str = "key",
    interval_ms: int = DEFAULT_INTERVAL_MS,
    output_mode: str = "append",
) -> "StreamingQuery":
    """Start publishing a stream, in any output mode.

    `writeStream.format("lastvalue")` does the same in append and complete mode.
    Spark refuses every sink written in Python in update mode, which a stream of `conflate` wants;
    this takes all three.
    """

    def publish_batch(batch: "DataFrame", _number: int) -> None:
        publish(batch, queue, url=url, key_property=key_property)

    return (
        rows.writeStream.foreachBatch(publish_batch)
        .outputMode(output_mode)
        .option("checkpointLocation", str(checkpoint))
        .trigger(processingTime=f"{interval_ms} milliseconds")
        .start()
    )
