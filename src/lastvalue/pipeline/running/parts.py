"""The parts of a running pipeline: feeds, histories and replays."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from lastvalue.client import connect
from lastvalue.config.pipeline_settings import HistorySettings, ReplaySettings
from lastvalue.history.landing import LandingOptions, Progress, land_history
from lastvalue.history.recorded_history import read_history
from lastvalue.history.replay import Replayed, ReplayPlan, replay
from lastvalue.history.times import print_time, read_time
from lastvalue.history.unlanded import read_landed, unlanded
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.failure_cause import failure_cause, failure_trace
from lastvalue.pipeline.running.bad_record import find_bad_record
from lastvalue.pipeline.running.board_listener import copy_progress
from lastvalue.pipeline.running.feed_query import FeedQuery, PlannedFeed
from lastvalue.pipeline.running.state import StateDirectory
from lastvalue.pipeline.running.status import PartStatus, State, StatusBoard
from lastvalue.pipeline.running.unread_files import UnreadFiles
from lastvalue.pipeline.sink.result import WriteResult

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

_POLL_S: Final = 0.1
_GRACE_S: Final = 120.0
_ACTIVITY_S: Final = 0.5
_LAG_S: Final = 1.0
_WAITS: Final = "Waiting for"
"""The beginning of what Spark says of a query between two micro-batches."""


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
    def url(self) -> str:
        """The broker's URL."""

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
    unread: UnreadFiles | None = None
    last: bool = False

    @property
    def name(self) -> str:
        """The feed's."""
        return self.planned.feed.name

    def run(self, stop: threading.Event) -> State:
        """Run the query."""
        feed_query = FeedQuery(self.planned, self.url, self._add_published)
        query = feed_query.start(self.state.checkpoint(self.name), once=self.once)
        next_s = 0.0
        while query.isActive and not stop.is_set():
            stop.wait(_POLL_S)
            if time.monotonic() >= next_s:
                began_s = time.monotonic()
                self._show_activity(query.status)
                self._show_unread()
                # A directory of very many files is listed more seldom.
                next_s = time.monotonic() + max(_ACTIVITY_S, 20 * (time.monotonic() - began_s))
        if stop.is_set():
            feed_query.refuse_batches()
            _stop_between_batches(query, feed_query)
        self._show_unread()
        # Spark notifies listeners later than the end of a query.
        for progress in query.recentProgress:
            copy_progress(self.board, progress)
        if stop.is_set():
            return State.STOPPED
        failure = query.exception()
        if failure is not None:
            raise self._failed(failure_trace(failure))
        return State.FINISHED

    def _show_activity(self, query_status: Mapping[str, Any]) -> None:
        """Show whether Spark has found rows, from the status of the query."""
        if query_status["isDataAvailable"]:
            state = State.RUNNING
        elif query_status["message"].startswith(_WAITS):
            state = State.IDLE
        else:
            return
        self.board.change(self.name, lambda status: status.active(state))

    def _show_unread(self) -> None:
        if self.unread is not None:
            self.board.update(self.name, lag=self.unread.count(), lag_unit="files")

    def _failed(self, trace: str) -> QueryFailedError:
        """The failure of the query, with the record that it could not read."""
        cause, feed = failure_cause(trace), self.planned.feed
        text = cause.text
        if cause.file is not None and cause.malformed and feed.schema is not None:
            session = self.planned.rows.sparkSession
            session.sparkContext.setJobDescription(f"feed {feed.name}: find the record that does not fit")
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
    tables: str
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
        return _run_until(stop, self._land())

    async def _land(self) -> None:
        before = self.board.part(self.name).rows
        options = LandingOptions(
            every_s=self.history.every_ms / 1000,
            retention_days=self.history.retention_days,
            on_gap="record" if self.history.on_gap == "record" else "fail",
            until_now=self.once,
        )
        landed = read_landed(self.tables)
        measuring = asyncio.create_task(self._measure(landed))

        def on_progress(progress: Progress) -> None:
            # A lost broker is what the run's watch reports.
            if progress.records and not progress.fault:
                landed.update(progress.offsets)
                rows = before + sum(progress.records.values())
                self.board.change(self.name, lambda status: _landed(status, rows))

        try:
            await land_history(self.url, self.tables, self.history.queues, options, on_progress)
        finally:
            measuring.cancel()
            await asyncio.gather(measuring, return_exceptions=True)
        # The last measurement may be older than the last records that have landed.
        with contextlib.suppress(LastvalueError):
            async with connect(self.url, reconnect=False) as connection:
                self._show_lag(await unlanded(connection, self.history.queues, landed))

    async def _measure(self, landed: Mapping[str, int]) -> None:
        """Show again and again how many records the broker has that have not landed.

        Args:
            landed: the offset of the last record that has landed, by history.
        """
        while True:
            await asyncio.sleep(_LAG_S)
            # Without a broker, or a history, there is nothing to measure; the landing reports it.
            with contextlib.suppress(LastvalueError):
                async with connect(self.url, reconnect=False) as connection:
                    while True:
                        self._show_lag(await unlanded(connection, self.history.queues, landed))
                        await asyncio.sleep(_LAG_S)

    def _show_lag(self, records: int) -> None:
        self.board.change(self.name, lambda status: status.behind(records, "records"))


def _landed(status: PartStatus, rows: int) -> PartStatus:
    if rows == status.rows:
        return status
    now = print_time(time.time_ns() // 1_000_000)
    return status.progressed(rows=rows, published=rows, batch_time=now)


@dataclass
class ReplayPart:
    """A replay, which continues where an earlier run ended."""

    replay: ReplaySettings
    tables: str | None
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
        self.board.update(self.name, period=f"{print_time(start_ms)}/{print_time(end_ms)}")
        plan = ReplayPlan(start_ms, end_ms, self.replay.speed, self.replay.every_ms, self.name)
        return _run_until(stop, self._publish(plan))

    async def _publish(self, plan: ReplayPlan) -> None:
        recorded_history = await read_history(
            self.replay.queue,
            url=self.url,
            tables=self.tables,
            until_ms=plan.end_ms,
            since_ms=plan.start_ms - 1,
        )
        progress = self.state.progress(self.name)
        result = await replay(
            recorded_history, self.url, self.replay.into, plan, self._update_board, progress
        )
        self._update_board(result)

    def _update_board(self, result: Replayed) -> None:
        now = print_time(time.time_ns() // 1_000_000)
        self.board.change(
            self.name,
            lambda status: status.progressed(
                rows=result.messages,
                published=result.published,
                batch_time=now,
                lag=result.messages - result.published,
                lag_unit="messages",
            ),
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
