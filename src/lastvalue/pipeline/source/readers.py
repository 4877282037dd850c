"""The source `lastvalue`: a queue as a DataFrame, and as a stream: what is there, then what comes.

    spark.read.format("lastvalue").option("queue", "prices").load()
    spark.readStream.format("lastvalue").option("queue", "prices").load()

For the columns see `lastvalue.pipeline.source.source_columns`, for the options docs/pipeline/source.md.

Nothing is consumed. A stream's offset is the last sequence that it has read; a micro-batch is all that stands
on the queue between two sequences when it is read. So a query keeps no state beside Spark's checkpoint.
"""

import logging
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from lastvalue.client.queue_info import Sequences
from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.pipeline.source.broker_queries import BrokerQueries, DataLossError
from lastvalue.pipeline.source.options import SourceOptions, StartKind
from lastvalue.pipeline.source.range_reader import Range, read_range

_PACE_S: Final = 0.02
"""How long a queue that had nothing new is left alone; Spark would ask every 10 ms."""

_logger: Final = logging.getLogger(__name__)

Offset = dict[str, int]
"""Where a query is.

`sequence`: the last one read. `gone`: the last that had left when the query began.
`since_ms`: what came before is not read.
"""


class Planner:
    """Says on the driver where a query begins, how far a micro-batch goes, and who reads what of it."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._queries = BrokerQueries(options)

    def start(self) -> Offset:
        """Where a new query begins.

        Raises:
            LastvalueError: the broker or the queue is not there, or the start is not.
        """
        start = self._options.start
        told = self._queries.sequences(0, None)
        offset = {"sequence": 0, "gone": told.gone, "since_ms": 0}
        match start.kind:
            case StartKind.LATEST:
                offset["sequence"] = told.last
            case StartKind.TIMESTAMP:
                offset["since_ms"] = start.number
            case StartKind.SEQUENCE:
                if start.number > told.last + 1:
                    raise DataLossError(
                        f"startingOffsets is sequence:{start.number}, and queue {self._options.queue!r} "
                        f"has given sequences up to {told.last}"
                    )
                offset |= {"sequence": max(0, start.number - 1), "gone": 0}
            case StartKind.SNAPSHOT:
                if self._options.replay_period_s is not None:
                    period_ms = 1000 * self._options.replay_period_s
                    offset["since_ms"] = max(0, self._queries.now_ms() - period_ms)
        return offset

    def next(self, start: Offset, messages: int | None) -> Sequences:
        """What is there behind an offset.

        Raises:
            DataLossError: something that was to be read is not there any more.
        """
        told = self._queries.sequences(start["sequence"], messages)
        self._check(start, told)
        return told

    def last(self) -> int:
        """The last sequence that the queue gave."""
        return self._queries.sequences(0, None).last

    def ranges(self, start: Offset, end: int) -> list[InputPartition]:
        """Who reads what between an offset and a sequence.

        Raises:
            DataLossError: something of it is not there any more.
        """
        after = start["sequence"]
        if end <= after:
            return []
        told = self.next(start, None)
        place = self._queries.place()
        if told.first is None:
            return []
        # There is nothing before the first.
        after = max(after, told.first - 1)
        tasks = max(1, min(self._options.partitions, end - after))
        bounds = [after + (end - after) * number // tasks for number in range(tasks + 1)]
        return [
            Range(
                queue=place.queue,
                key_property=place.key_property,
                after=low,
                until=high,
                since_ms=start["since_ms"],
                in_order=place.in_order,
                gapless=self._expects_all and not start["since_ms"] and low >= start["gone"],
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
        place = self._queries.place()
        return (
            options.fail_on_data_loss and options.selector is None and place.in_order and not place.has_keys
        )

    def _check(self, start: Offset, told: Sequences) -> None:
        """Nothing that was to be read has left. What a newer value replaced is not lost."""
        place = self._queries.place()
        queue = place.queue
        reached = start["sequence"]
        if told.last < reached:
            self._lose(
                f"queue {queue!r} was made anew: it has given sequences up to {told.last}, "
                f"and the query has read up to {reached}"
            )
        elif not place.has_keys and told.gone > max(reached, start["gone"]):
            self._lose(
                f"messages of queue {queue!r} left before the query read them: it has read up to sequence "
                f"{reached}, and {told.gone} is gone"
            )

    def _lose(self, text: str) -> None:
        if self._options.fail_on_data_loss:
            raise DataLossError(f"{text}; begin with a new checkpoint, or set failOnDataLoss to false")
        _logger.warning("%s", text)


class BatchReader(DataSourceReader):
    """Reads what is on the queue when the query is planned."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options

    def partitions(self) -> list[InputPartition]:
        """The ranges of sequences that tasks read; asks the broker, on the driver."""
        planner = Planner(self._options)
        try:
            start = planner.start()
            return planner.ranges(start, planner.next(start, None).last)
        finally:
            planner.close()

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The messages of a range."""
        freeze_gc()
        # Where `partitions` made none, Spark makes one that is empty.
        if isinstance(partition, Range):
            yield from read_range(self._options, partition)


class StreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads what is on the queue, then what comes; all that it has to remember is in its offsets."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._planner: Planner | None = None
        self._target: int | None = None
        self._idle_until = 0.0
        self._last = 0

    def __getstate__(self) -> dict[str, Any]:
        """Executors read; only the driver plans."""
        return self.__dict__ | {"_planner": None}

    def initialOffset(self) -> Offset:  # noqa: N802 - Spark's name
        """Where a new query begins."""
        return self._plans().start()

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802 - Spark's name
        """What one micro-batch takes at most."""
        most = self._options.most_records
        return ReadAllAvailable() if most is None else ReadMaxRows(most)

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802 - Spark's name
        """The end of what is there, within the limit; the start itself where nothing is there."""
        time.sleep(max(0.0, self._idle_until - time.monotonic()))
        told = self._plans().next(start, limit.max_rows if isinstance(limit, ReadMaxRows) else None)
        self._last = told.last
        if told.last < start["sequence"]:
            # The queue was made anew, and that may be.
            return {**start, "sequence": 0, "gone": 0}
        end = told.end if self._target is None else min(told.end, self._target)
        if told.first is None or end <= start["sequence"]:
            self._idle_until = time.monotonic() + _PACE_S
            return start
        return {**start, "sequence": end}

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """Read no further than what is there now."""
        self._target = self._plans().last()

    def reportLatestOffset(self) -> Offset | None:  # noqa: N802 - Spark's name
        """The last sequence of the queue when it was asked last."""
        return {"sequence": self._last} if self._last else None

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """The ranges of sequences that tasks read."""
        return self._plans().ranges(start, end["sequence"])

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The messages of a range."""
        freeze_gc()
        assert isinstance(partition, Range)  # noqa: S101 - Spark hands back what `partitions` made
        yield from read_range(self._options, partition)

    def commit(self, end: Offset) -> None:
        """Nothing to forget: the queue keeps what it keeps."""

    def stop(self) -> None:
        """Close the driver's connection."""
        if self._planner is not None:
            self._planner.close()

    def _plans(self) -> Planner:
        if self._planner is None:
            self._planner = Planner(self._options)
        return self._planner
