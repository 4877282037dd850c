"""The source `lastvalue`: a queue as a DataFrame, and the plan of a stream (`stream_reader`).

    spark.read.format("lastvalue").option("queue", "prices").load()
    spark.readStream.format("lastvalue").option("queue", "prices").load()

For the columns see `lastvalue.client.arrow.record_batches`, for the options docs/pipeline/source.md.

The source consumes nothing. A stream's offset is the last sequence that it has read; a micro-batch is all
messages between two sequences that are on the queue when they are read. So a query has no state except
Spark's checkpoint.
"""

import logging
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from lastvalue.client.queue_info import Sequences
from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.pipeline.hidden_trace import hidden_trace
from lastvalue.pipeline.source.broker_queries import BrokerQueries, DataLossError, at_leaders
from lastvalue.pipeline.source.options import SourceOptions, StartKind
from lastvalue.pipeline.source.range_reader import Range, read_range

_logger: Final = logging.getLogger(__name__)

Offset = dict[str, int]
"""The position of a query.

`sequence`: the last one read. `gone`: the last one that had left the queue when the query began.
`since_ms`: messages that arrived earlier are not read.
"""


class Planner:
    """Plans on the driver: where a query begins, where a micro-batch ends, which task reads which range."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._queries = BrokerQueries(options)

    def start(self) -> Offset:
        """Where a new query begins.

        Raises:
            LastvalueError: the broker, the queue or the start does not exist.
        """
        start = self._options.start
        sequences = self._queries.sequences(0, None)
        offset = {"sequence": 0, "gone": sequences.gone, "since_ms": 0}
        match start.kind:
            case StartKind.LATEST:
                offset["sequence"] = sequences.last
            case StartKind.TIMESTAMP:
                offset["since_ms"] = start.number
            case StartKind.SEQUENCE:
                if start.number > sequences.last + 1:
                    raise DataLossError(
                        f"startingOffsets is sequence:{start.number}, and queue {self._options.queue!r} "
                        f"has assigned sequences up to {sequences.last}"
                    )
                offset |= {"sequence": max(0, start.number - 1), "gone": 0}
            case StartKind.SNAPSHOT:
                if self._options.replay_period_s is not None:
                    period_ms = 1000 * self._options.replay_period_s
                    offset["since_ms"] = max(0, self._queries.now_ms() - period_ms)
        return offset

    def next(self, start: Offset, messages: int | None) -> Sequences:
        """The sequences on the queue after an offset.

        Raises:
            DataLossError: a message that the query has not read has left the queue.
        """
        sequences = self._queries.sequences(start["sequence"], messages)
        self._check(start, sequences)
        return sequences

    def last(self) -> int:
        """The last sequence that the queue has assigned."""
        return self._queries.sequences(0, None).last

    def ranges(self, start: Offset, end: int) -> list[InputPartition]:
        """The ranges between an offset and a sequence, one for each task.

        Raises:
            DataLossError: a message of the range has left the queue.
        """
        after = start["sequence"]
        if end <= after:
            return []
        first = self.next(start, None).first
        queue = self._queries.source_queue()
        if first is None:
            return []
        # No message is on the queue before the first one.
        after = max(after, first - 1)
        tasks = max(1, min(self._options.partitions, end - after))
        bounds = [after + (end - after) * number // tasks for number in range(tasks + 1)]
        return [
            Range(
                queue=queue.name,
                key_property=queue.key_property,
                after=low,
                until=high,
                since_ms=start["since_ms"],
                in_order=queue.in_order,
                gapless=self._expects_all and not start["since_ms"] and low >= start["gone"],
                url=self._options.url,
            )
            for low, high in pairwise(bounds)
            if low < high
        ]

    def close(self) -> None:
        """Close the connection."""
        self._queries.close()

    @property
    def _expects_all(self) -> bool:
        """Whether no message may be missing between two sequences."""
        options = self._options
        queue = self._queries.source_queue()
        return (
            options.fail_on_data_loss and options.selector is None and queue.in_order and not queue.has_keys
        )

    def _check(self, start: Offset, sequences: Sequences) -> None:
        """Report unread messages that have left the queue; replacement by a newer value is not a loss."""
        queue = self._queries.source_queue()
        reached = start["sequence"]
        if sequences.last < reached:
            self._report_loss(
                f"queue {queue.name!r} was created again: it has assigned sequences up to {sequences.last}, "
                f"and the query has read up to {reached}"
            )
        elif not queue.has_keys and sequences.gone > max(reached, start["gone"]):
            self._report_loss(
                f"messages of queue {queue.name!r} left before the query read them: it has read up to "
                f"sequence {reached}, and {sequences.gone} is gone"
            )

    def _report_loss(self, text: str) -> None:
        if self._options.fail_on_data_loss:
            raise DataLossError(f"{text}; begin with a new checkpoint, or set failOnDataLoss to false")
        _logger.warning("%s", text)


class BatchReader(DataSourceReader):
    """Reads the messages that are on the queue when the query is planned."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options

    @hidden_trace()
    def partitions(self) -> list[InputPartition]:
        """The ranges for tasks, at each broker that has the queue; the driver asks the brokers."""
        return [part for options in at_leaders(self._options) for part in _present_ranges(options)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The messages of a range."""
        freeze_gc()
        # If `partitions` returns none, Spark makes one that is empty.
        if isinstance(partition, Range):
            with hidden_trace():
                yield from read_range(self._options, partition)


def _present_ranges(options: SourceOptions) -> list[InputPartition]:
    planner = Planner(options)
    try:
        start = planner.start()
        return planner.ranges(start, planner.next(start, None).last)
    finally:
        planner.close()
