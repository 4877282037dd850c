"""The stream of a queue: its present and all later messages.

PySpark before 4.2 lacks what this module imports, so only streams may import it.
"""

import time
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from lastvalue.pipeline.gc_freeze import freeze_gc
from lastvalue.pipeline.hidden_trace import hidden_trace
from lastvalue.pipeline.source.options import SourceOptions
from lastvalue.pipeline.source.range_reader import Range, read_range
from lastvalue.pipeline.source.readers import Offset, Planner

_PACE_S: Final = 0.02
"""The interval at which a queue without new messages is asked again; Spark alone would ask every 10 ms."""


class StreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads the messages on the queue, then all later ones; its only state is the offset."""

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._planner: Planner | None = None
        self._target: int | None = None
        self._idle_until = 0.0
        self._last = 0

    def __getstate__(self) -> dict[str, Any]:
        """The state without the planner, which only the driver needs."""
        return self.__dict__ | {"_planner": None}

    @hidden_trace()
    def initialOffset(self) -> Offset:
        """Where a new query begins."""
        return self._driver_planner().start()

    def getDefaultReadLimit(self) -> ReadLimit:
        """The limit of one micro-batch."""
        most = self._options.most_records
        return ReadAllAvailable() if most is None else ReadMaxRows(most)

    @hidden_trace()
    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """The end of the present messages, within the limit; the start if there are none after it."""
        time.sleep(max(0.0, self._idle_until - time.monotonic()))
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else None
        sequences = self._driver_planner().next(start, most)
        self._last = sequences.last
        if sequences.last < start["sequence"]:
            # The queue was created again, and the options accept data loss.
            return {**start, "sequence": 0, "gone": 0}
        end = sequences.end if self._target is None else min(sequences.end, self._target)
        if sequences.first is None or end <= start["sequence"]:
            self._idle_until = time.monotonic() + _PACE_S
            return start
        return {**start, "sequence": end}

    @hidden_trace()
    def prepareForTriggerAvailableNow(self) -> None:
        """Read no messages that arrive from now on."""
        self._target = self._driver_planner().last()

    def reportLatestOffset(self) -> Offset | None:
        """The last sequence of the queue, as of the last query."""
        return {"sequence": self._last} if self._last else None

    @hidden_trace()
    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """The ranges for tasks."""
        return self._driver_planner().ranges(start, end["sequence"])

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The messages of a range."""
        freeze_gc()
        assert isinstance(partition, Range)  # noqa: S101 - Spark hands back what `partitions` made
        with hidden_trace():
            yield from read_range(self._options, partition)

    def commit(self, end: Offset) -> None:
        """Does nothing: reading removes no messages from the queue."""

    def stop(self) -> None:
        """Close the driver's connection."""
        if self._planner is not None:
            self._planner.close()

    def _driver_planner(self) -> Planner:
        if self._planner is None:
            self._planner = Planner(self._options)
        return self._planner
