"""Copies the progress of a pipeline's queries from Spark to the status board."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from pyspark import SparkContext
from pyspark.sql.streaming.listener import (
    JStreamingQueryListener,
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
    StreamingQueryProgress,
)

from lastvalue.history.times import read_time
from lastvalue.pipeline.running.feed_query import NEWEST_US, OBSERVED
from lastvalue.pipeline.running.status import PartStatus, StatusBoard


class BoardListener(StreamingQueryListener):
    """Copies the progress of each query to the board; a query has the name of its feed."""

    def __init__(self, board: StatusBoard, names: frozenset[str]) -> None:
        self._board = board
        self._names = names
        java: Any = SparkContext._jvm  # noqa: SLF001 - no other way to set a listener of our own
        self._jlistenerobj = java.org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper(
            _JsonListener(self)
        )

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802 - Spark's
        """Does nothing: the runner has started the query."""

    def onQueryIdle(self, event: QueryIdleEvent) -> None:  # noqa: N802 - Spark's
        """Does nothing: the progress has not changed."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802 - Spark's
        """Does nothing: the runner sees the end of the query and its reason."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802 - Spark's
        """Copy the progress after a micro-batch, or after a while without one."""
        if event.progress.name in self._names:
            copy_progress(self._board, event.progress)


class _JsonListener(JStreamingQueryListener):
    """Fetches a query's progress from Java as JSON, in one call.

    PySpark makes a call for each attribute, which takes a fifth of a processor at five micro-batches a
    second.
    """

    def onQueryProgress(self, jevent: Any) -> None:  # noqa: N802 - Spark's
        progress = StreamingQueryProgress.fromJson(json.loads(jevent.progress().json()))
        self.pylistener.onQueryProgress(QueryProgressEvent(progress))


def copy_progress(board: StatusBoard, progress: StreamingQueryProgress) -> None:
    """Copy the progress of a feed's query to the board, where each micro-batch counts once."""
    lag, unit = lag_of(source.metrics or {} for source in progress.sources)

    def new_status(status: PartStatus) -> PartStatus:
        if progress.numInputRows:
            status = status.after(
                progress.batchId,
                progress.numInputRows,
                progress.batchDuration,
                # Missing for a micro-batch that took no time.
                progress.processedRowsPerSecond or 0.0,
                end_to_end_ms(progress),
            )
        return status if lag is None else replace(status, lag=lag, lag_unit=unit)

    board.change(progress.name or "", new_status)


def end_to_end_ms(progress: StreamingQueryProgress) -> int | None:
    """How old the newest row of a micro-batch was at its end; None if its rows have no time."""
    observed = progress.observedMetrics.get(OBSERVED)
    newest_us = None if observed is None else observed.asDict().get(NEWEST_US)
    if newest_us is None:
        return None
    ended_ms = read_time(progress.timestamp, 0) + progress.batchDuration
    return max(0, int(ended_ms - newest_us // 1000))


def lag_of(sources: Iterable[Mapping[str, str]]) -> tuple[int | None, str]:
    """How much a query has not read, and in which unit, by the metrics of the first source that says so."""
    for metrics in sources:
        for name, unit in _BEHIND.items():
            if name in metrics:
                return round(float(metrics[name])), unit
    return None, ""


_BEHIND: Final = {
    "maxOffsetsBehindLatest": "rows",
    "rowsBehind": "rows",
    "numFilesOutstanding": "files",
    "numBytesOutstanding": "bytes",
}
