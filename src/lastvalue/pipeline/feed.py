"""A feed: a recording that is replayed as a stream, conflated on Spark, and published through the sink."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow.parquet as pq
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import StructType, TimestampType

from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.conflation.conflate import micro_batch_conflation
from lastvalue.pipeline.job_name import job_name
from lastvalue.pipeline.sink.options import SinkOptions
from lastvalue.pipeline.sink.publish import DEFAULT_INTERVAL_MS, publish_checked
from lastvalue.pipeline.sink.target import check_target
from lastvalue.pipeline.sink.write_ids import micro_batch_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

DUE_PROPERTY: Final = "due_us"
"""The application property with the time when a message's newest update was due, in us since the epoch."""

_TIME_FORMAT: Final = "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"

_UPDATES: Final = "_updates"

_POLL_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class FeedSpec:
    """The source and the target of a feed.

    Attributes:
        path: the recording, a Parquet file sorted by time_column.
        key: the column of the key; also the name of the application property with the key.
        order_by: the column that decides which update is newer, a number or a timestamp; also the name of the
            property with this value, a timestamp as microseconds since the epoch.
        time_column: the time when an update becomes known.
        queue: where to publish.
        url: the broker.
        speed: the factor by which the replay is faster than the recording.
        end_row: the number of rows to replay; None: all.
        interval_ms: the interval at which micro-batches start.
    """

    path: str
    key: str
    order_by: str
    time_column: str
    queue: str
    url: str
    speed: float = 1.0
    end_row: int | None = None
    interval_ms: int = DEFAULT_INTERVAL_MS


@dataclass(frozen=True, slots=True)
class FeedProgress:
    """The progress of a feed.

    Attributes:
        event: started, progress or finished.
        updates: rows that were read and conflated, and whose results the broker has confirmed.
        batches: completed micro-batches.
        batch_ms: the duration of the last one.
    """

    event: str
    updates: int = 0
    batches: int = 0
    batch_ms: int = 0


class FeedFailedError(LastvalueError):
    """The streaming query of a feed ended with an error."""


class Feed:
    """A running feed; `start_feed` creates it."""

    def __init__(self, query: "StreamingQuery", end_row: int, poll_s: float = _POLL_S) -> None:
        self._query = query
        self._poll_s = poll_s
        self._end_row = end_row
        self._stopping = threading.Event()

    def progress(self) -> Iterator[FeedProgress]:
        """Yield the progress whenever it changes, until every row is published or `stop` is called.

        Raises:
            FeedFailedError: the query failed.
        """
        reached = FeedProgress("progress")
        while not self._stopping.wait(self._poll_s):
            latest = self._latest()
            if latest.updates > reached.updates:
                reached = latest
                yield reached
            if reached.updates >= self._end_row:
                break
            if not self._query.isActive:
                raise FeedFailedError(str(self._query.exception() or "the query ended by itself"))
        self._query.stop()
        yield FeedProgress("finished", reached.updates, reached.batches, reached.batch_ms)

    def stop(self) -> None:
        """Request the end of the feed; `progress` then ends."""
        self._stopping.set()

    def _latest(self) -> FeedProgress:
        progress = self._query.lastProgress
        if progress is None or not progress.sources[0].endOffset:
            return FeedProgress("progress")
        row = json.loads(progress.sources[0].endOffset)["row"]
        return FeedProgress("progress", row, progress.batchId + 1, progress.batchDuration)


def start_feed(spark: "SparkSession", spec: FeedSpec, checkpoint: Path) -> Feed:
    """Start the streaming query of a feed; its state across restarts is in the checkpoint directory."""
    end_row = pq.read_metadata(spec.path).num_rows if spec.end_row is None else spec.end_row
    rows = (
        spark.readStream.format("lastvalue_replay")
        .option("path", spec.path)
        .option("timeColumn", spec.time_column)
        .option("speed", spec.speed)
        .option("endRow", end_row)
        .option("dueColumn", DUE_PROPERTY)
        .load()
    )
    to_messages = message_rows(rows.schema, spec)
    messages = to_messages(rows).schema
    options = check_target(SinkOptions(spec.queue, spec.url, key_property=spec.key), messages)

    def publish_batch(batch: "DataFrame", number: int) -> None:
        with job_name(batch, f"feed: micro-batch {number} into {spec.queue}"):
            publish_checked(to_messages(batch), replace(options, write_id=micro_batch_id(batch, number)))

    query = (
        rows.writeStream.foreachBatch(publish_batch)
        .option("checkpointLocation", str(checkpoint))
        .trigger(processingTime=f"{spec.interval_ms} milliseconds")
        .start()
    )
    return Feed(query, end_row)


def message_rows(schema: StructType, spec: FeedSpec) -> Callable[["DataFrame"], "DataFrame"]:
    """A function from rows of a schema to rows for the sink, one per key.

    These have a JSON body; key, order value and due time as properties; and the number of updates. The
    expressions are made once, because to make them for each micro-batch takes longer than its rows.
    """
    conflation = micro_batch_conflation(schema, spec.key, spec.order_by, updates=_UPDATES)
    recorded = [F.col(name) for name in schema.names if name != DUE_PROPERTY]
    order = F.col(spec.order_by)
    if schema[spec.order_by].dataType == TimestampType():
        order = F.unix_micros(order)
    columns = (
        F.to_json(F.struct(*recorded), {"timestampFormat": _TIME_FORMAT}).alias("body"),
        F.col(spec.key).alias("key"),
        F.struct(order.alias(spec.order_by), F.col(DUE_PROPERTY)).alias("properties"),
        F.lit("application/json").alias("content_type"),
        F.col(_UPDATES).alias("updates"),
    )
    return lambda rows: conflation(rows).select(*columns)
