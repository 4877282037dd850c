"""The parts of a running pipeline: feeds, histories and replays."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from lastvalue.config.pipeline_settings import HistorySettings, ReplaySettings
from lastvalue.history.landing import LandingOptions, Progress, land_history
from lastvalue.history.recorded_history import read_history
from lastvalue.history.replay import Replayed, ReplayPlan, replay
from lastvalue.history.times import read_time
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.failure_cause import failure_cause, failure_trace
from lastvalue.pipeline.running.bad_record import find_bad_record
from lastvalue.pipeline.running.board_listener import copy_progress
from lastvalue.pipeline.running.feed_query import FeedQuery, PlannedFeed
from lastvalue.pipeline.running.state import StateDirectory
from lastvalue.pipeline.running.status import State, StatusBoard
from lastvalue.pipeline.sink.result import WriteResult

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

_POLL_S: Final = 0.1
_GRACE_S: Final = 120.0


class QueryFailedError(LastvalueError):
    """The streaming query of a feed ended with an error; `trace` contains all that Spark says about it."""

    def __init__(self, text: str, trace: str) -> None:
        super().__init__(text)
        self.trace = trace


class RunningPart(Protocol):
    """A running part; `run` may be called again after a failure."""

    @property
    def name(self) -> str:
        """The part's name in the file."""

    @property
    def last(self) -> bool:
        """Whether a run that ends by itself starts this part after the others have ended."""

    def run(self, stop: threading.Event) -> State:
        """Run to the end (FINISHED) or until `stop` is set (STOPPED); any exception is the part's failure."""


@dataclass
class FeedPart:
    """A feed, which runs as a streaming query."""

    planned: PlannedFeed
    url: str
    state: StateDirectory
    board: StatusBoard
    once: bool
    last: bool = False

    @property
    def name(self) -> str:
        """The feed's."""
        return self.planned.feed.name

    def run(self, stop: threading.Event) -> State:
        """Run the query."""
        feed_query = FeedQuery(self.planned, self.url, self._add_published)
        query = feed_query.start(self.state.checkpoint(self.name), once=self.once)
        while query.isActive and not stop.is_set():
            stop.wait(_POLL_S)
        if stop.is_set():
            feed_query.refuse_batches()
            _stop_between_batches(query, feed_query)
        # Spark notifies listeners later than the end of a query.
        for progress in query.recentProgress:
            copy_progress(self.board, progress)
        if stop.is_set():
            return State.STOPPED
        failure = query.exception()
        if failure is not None:
            raise self._failed(failure_trace(failure))
        return State.FINISHED

    def _failed(self, trace: str) -> QueryFailedError:
        """The failure of the query, with the record that it could not read."""
        cause, feed = failure_cause(trace), self.planned.feed
        text = cause.text
        if cause.file is not None and cause.malformed and feed.schema is not None:
            session = self.planned.rows.sparkSession
            try:
                bad = find_bad_record(session, cause.file, feed.format.lower(), feed.schema, feed.options)
            except (PySparkException, Py4JJavaError) as error:
                # The file is gone, for example: the cause without the line is what is left.
                trace += f"\n{failure_trace(error)}"
            else:
                text = text if bad is None else str(bad)
        return QueryFailedError(text, trace)

    def _add_published(self, result: WriteResult) -> None:
        self.board.change(
            self.name,
            lambda status: replace(
                status,
                published=status.published + result.rows,
                repeated=status.repeated + result.repeated,
                rejected=status.rejected + result.rejected,
            ),
        )


@dataclass
class HistoryPart:
    """A history part, which writes the histories of queues to tables."""

    history: HistorySettings
    directory: Path
    url: str
    board: StatusBoard
    once: bool
    last: bool = True

    @property
    def name(self) -> str:
        """The history's."""
        return self.history.name

    def run(self, stop: threading.Event) -> State:
        """Land records until `stop` is set; with `once` only the present ones."""
        before = self.board.part(self.name).rows
        options = LandingOptions(
            every_s=self.history.every_ms / 1000,
            retention_days=self.history.retention_days,
            on_gap="record" if self.history.on_gap == "record" else "fail",
            until_now=self.once,
        )

        def on_progress(progress: Progress) -> None:
            if progress.fault:
                self._report_lost_broker(progress.fault)
                return
            if not progress.records:
                self.board.update(self.name, state=State.RUNNING)
                return
            now_ms = time.time_ns() // 1_000_000
            rows = before + sum(progress.records.values())
            behind_s = (now_ms - min(progress.times_ms.values())) / 1000
            self.board.update(
                self.name,
                state=State.RUNNING,
                rows=rows,
                published=rows,
                batch_time_ms=now_ms,
                lag=f"{max(0.0, behind_s):.1f} s",
                restarts=0,
                error="",
            )

        landing = land_history(self.url, self.directory, self.history.queues, options, on_progress)
        return _run_until(stop, landing)

    def _report_lost_broker(self, fault: str) -> None:
        """Report a lost broker; the landing itself waits for it."""
        self.board.change(
            self.name,
            lambda status: replace(status, state=State.RESTARTING, error=fault, restarts=status.restarts + 1),
        )


@dataclass
class ReplayPart:
    """A replay, which continues where an earlier run ended."""

    replay: ReplaySettings
    tables: Path | None
    url: str
    state: StateDirectory
    board: StatusBoard
    last: bool = False

    @property
    def name(self) -> str:
        """The replay's."""
        return self.replay.name

    def run(self, stop: threading.Event) -> State:
        """Publish the period that the first run has fixed."""
        now_ms = time.time_ns() // 1_000_000
        start_ms, end_ms = self.state.period(
            self.name, read_time(self.replay.start, now_ms), read_time(self.replay.end, now_ms)
        )
        plan = ReplayPlan(start_ms, end_ms, self.replay.speed, self.replay.every_ms, self.name)
        return _run_until(stop, self._publish(plan))

    async def _publish(self, plan: ReplayPlan) -> None:
        recorded_history = await read_history(
            self.replay.queue, url=self.url, directory=self.tables, until_ms=plan.end_ms
        )
        progress = self.state.progress(self.name)
        result = await replay(
            recorded_history, self.url, self.replay.into, plan, self._update_board, progress
        )
        self._update_board(result)

    def _update_board(self, result: Replayed) -> None:
        self.board.update(
            self.name,
            rows=result.messages,
            published=result.published,
            batch_time_ms=time.time_ns() // 1_000_000,
            lag=f"{result.messages - result.published} messages",
            restarts=0,
            error="",
        )


def _stop_between_batches(query: "StreamingQuery", feed_query: FeedQuery) -> None:
    """Stop the query after the running micro-batch."""
    deadline = time.monotonic() + _GRACE_S
    while query.isActive and query.status["isTriggerActive"] and time.monotonic() < deadline:
        if feed_query.waits_for_stop.wait(_POLL_S):
            break
    query.stop()


def _run_until(stop: threading.Event, work: Coroutine[Any, Any, object]) -> State:
    """Run the coroutine in this thread until it ends or `stop` is set."""

    async def watched() -> State:
        task = asyncio.ensure_future(work)
        while not task.done() and not stop.is_set():
            await asyncio.wait({task}, timeout=_POLL_S)
        if task.done():
            task.result()
            return State.FINISHED
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return State.STOPPED

    return asyncio.run(watched())
