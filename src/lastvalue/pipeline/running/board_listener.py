"""What Spark tells of the queries of a pipeline, on its status board."""

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

from lastvalue.pipeline.running.status import PartStatus, StatusBoard


class BoardListener(StreamingQueryListener):
    """Takes the progress of each query, which is called as its feed, to the board."""

    def __init__(self, board: StatusBoard, names: frozenset[str]) -> None:
        self._board = board
        self._names = names
        java: Any = SparkContext._jvm  # noqa: SLF001 - no other way to be told in one piece
        self._jlistenerobj = java.org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper(
            _InOnePiece(self)
        )

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802 - Spark's
        """The runner knows it already."""

    def onQueryIdle(self, event: QueryIdleEvent) -> None:  # noqa: N802 - Spark's
        """Nothing has changed."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802 - Spark's
        """The runner learns it by itself, with the reason."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802 - Spark's
        """A micro-batch is done, or there was none for a while."""
        if event.progress.name in self._names:
            take_progress(self._board, event.progress)


class _InOnePiece(JStreamingQueryListener):
    """Fetches a query's progress from Java at once.

    PySpark asks for each part by itself, which takes a fifth of a processor at five micro-batches a second.
    """

    def onQueryProgress(self, jevent: Any) -> None:  # noqa: N802 - Spark's
        told = StreamingQueryProgress.fromJson(json.loads(jevent.progress().json()))
        self.pylistener.onQueryProgress(QueryProgressEvent(told))


def take_progress(board: StatusBoard, progress: StreamingQueryProgress) -> None:
    """Take the progress of a query, which is called as its feed, to the board; a micro-batch counts once."""
    lag = lag_of(source.metrics or {} for source in progress.sources)

    def changed(known: PartStatus) -> PartStatus:
        if progress.numInputRows:
            known = known.after(
                progress.batchId,
                progress.numInputRows,
                progress.batchDuration,
                # It is not told of a micro-batch that took no time.
                progress.processedRowsPerSecond or 0.0,
            )
        return replace(known, lag=lag)

    board.change(progress.name or "", changed)


def lag_of(sources: Iterable[Mapping[str, str]]) -> str:
    """How far a query's sources say, in their metrics, that it is behind; empty where they say nothing."""
    told = []
    for metrics in sources:
        for name, unit in _BEHIND.items():
            if name in metrics:
                told.append(f"{float(metrics[name]):.0f} {unit}")
                break
    return ", ".join(told)


_BEHIND: Final = {
    "maxOffsetsBehindLatest": "rows",
    "rowsBehind": "rows",
    "numFilesOutstanding": "files",
    "numBytesOutstanding": "bytes",
}
