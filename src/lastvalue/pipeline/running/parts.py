"""The parts of a running pipeline: what each does until it ends, fails or is told to stop."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from lastvalue.config.pipeline_settings import HistorySettings, ReplaySettings
from lastvalue.history.landing import LandingOptions, Progress, land_history
from lastvalue.history.lookback import look_back
from lastvalue.history.replaying import Replayed, ReplayPlan, replay
from lastvalue.history.times import read_time
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.running.board_listener import take_progress
from lastvalue.pipeline.running.feed_query import FeedQuery, PlannedFeed, cause_of
from lastvalue.pipeline.running.state import StateDirectory
from lastvalue.pipeline.running.status import State, StatusBoard
from lastvalue.pipeline.sink.result import WriteResult

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

_POLL_S: Final = 0.1
_GRACE_S: Final = 120.0


class QueryFailedError(LastvalueError):
    """The streaming query of a feed ended with an error."""


class RunningPart(Protocol):
    """A part at work; `run` may be called again after it has failed."""

    @property
    def name(self) -> str:
        """What the file calls it."""

    @property
    def last(self) -> bool:
        """Whether a run that ends by itself begins this part when the others have ended."""

    def run(self, stop: threading.Event) -> State:
        """Work until it ends (FINISHED) or is told to (STOPPED); whatever it raises is its failure."""


@dataclass
class FeedPart:
    """A feed, as a streaming query."""

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
        running = FeedQuery(self.planned, self.url, self._published)
        query = running.start(self.state.checkpoint(self.name), once=self.once)
        while query.isActive and not stop.is_set():
            stop.wait(_POLL_S)
        if stop.is_set():
            running.refuse_batches()
            _stop_between_batches(query, running)
        # What Spark tells a listener comes later than the end of a query.
        for progress in query.recentProgress:
            take_progress(self.board, progress)
        if stop.is_set():
            return State.STOPPED
        failure = query.exception()
        if failure is not None:
            raise QueryFailedError(cause_of(str(failure)))
        return State.FINISHED

    def _published(self, published: WriteResult) -> None:
        self.board.change(
            self.name,
            lambda known: replace(
                known,
                published=known.published + published.rows,
                repeated=known.repeated + published.repeated,
                rejected=known.rejected + published.rejected,
            ),
        )


@dataclass
class HistoryPart:
    """Histories that land in tables."""

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
        """Land until told to stop, or what is there."""
        before = self.board.part(self.name).rows
        options = LandingOptions(
            every_s=self.history.every_ms / 1000,
            retention_days=self.history.retention_days,
            on_gap="record" if self.history.on_gap == "record" else "fail",
            until_now=self.once,
        )

        def told(progress: Progress) -> None:
            if progress.fault:
                self._tell_gone(progress.fault)
                return
            if not progress.records:
                self.board.tell(self.name, state=State.RUNNING)
                return
            now_ms = time.time_ns() // 1_000_000
            rows = before + sum(progress.records.values())
            behind_s = (now_ms - min(progress.times_ms.values())) / 1000
            self.board.tell(
                self.name,
                state=State.RUNNING,
                rows=rows,
                published=rows,
                batch_time_ms=now_ms,
                lag=f"{max(0.0, behind_s):.1f} s",
                restarts=0,
                error="",
            )

        return _run_until(stop, land_history(self.url, self.directory, self.history.queues, options, told))

    def _tell_gone(self, fault: str) -> None:
        """The broker went away; the landing waits for it by itself."""
        self.board.change(
            self.name,
            lambda known: replace(known, state=State.RESTARTING, error=fault, restarts=known.restarts + 1),
        )


@dataclass
class ReplayPart:
    """A replay, which goes on where an earlier run ended."""

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
        """Publish the period that the first run found."""
        now_ms = time.time_ns() // 1_000_000
        start_ms, end_ms = self.state.period(
            self.name, read_time(self.replay.start, now_ms), read_time(self.replay.end, now_ms)
        )
        plan = ReplayPlan(start_ms, end_ms, self.replay.speed, self.replay.every_ms, self.name)
        return _run_until(stop, self._publish(plan))

    async def _publish(self, plan: ReplayPlan) -> None:
        lookback = await look_back(
            self.replay.queue, url=self.url, directory=self.tables, until_ms=plan.end_ms
        )
        progress = self.state.progress(self.name)
        done = await replay(lookback, self.url, self.replay.into, plan, self._told, progress)
        self._told(done)

    def _told(self, done: Replayed) -> None:
        self.board.tell(
            self.name,
            rows=done.messages,
            published=done.published,
            batch_time_ms=time.time_ns() // 1_000_000,
            lag=f"{done.messages - done.published} messages",
            restarts=0,
            error="",
        )


def _stop_between_batches(query: "StreamingQuery", running: FeedQuery) -> None:
    """Stop it when the micro-batch that is under way has ended."""
    deadline = time.monotonic() + _GRACE_S
    while query.isActive and query.status["isTriggerActive"] and time.monotonic() < deadline:
        if running.waits_for_stop.wait(_POLL_S):
            break
    query.stop()


def _run_until(stop: threading.Event, work: Coroutine[Any, Any, object]) -> State:
    """Run it in this thread until it ends, or is told to."""

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
