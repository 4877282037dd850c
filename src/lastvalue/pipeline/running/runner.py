"""Runs all parts of a pipeline, each in a thread, and restarts a part that fails."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.config.pipeline_settings import (
    FeedSettings,
    HistorySettings,
    PipelineSettings,
)
from lastvalue.history.locations import location_of
from lastvalue.history.times import print_time
from lastvalue.pipeline.failure_cause import failure_trace
from lastvalue.pipeline.running.board_listener import BoardListener
from lastvalue.pipeline.running.broker_watch import BrokerWatch
from lastvalue.pipeline.running.brokers import broker_url
from lastvalue.pipeline.running.feed_query import FeedFaultError, PlannedFeed, plan_feed
from lastvalue.pipeline.running.parts import FeedPart, HistoryPart, QueryFailedError, ReplayPart, RunningPart
from lastvalue.pipeline.running.pipeline_run import PipelineRun
from lastvalue.pipeline.running.state import (
    IdentityChangedError,
    feed_identity,
    replay_identity,
)
from lastvalue.pipeline.running.status import OVER, Backoff, PartStatus, RunStatus, State, StatusBoard
from lastvalue.pipeline.running.unread_files import unread_files
from lastvalue.pipeline.sink.options import FORMAT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WRITE_S: Final = 0.5


def plan_feeds(spark: "SparkSession", run: PipelineRun) -> list[PlannedFeed]:
    """Plan all feeds of a run, without reading rows.

    Raises:
        ConfigurationError: contains the faults of all feeds.
    """
    planned, faults = [], []
    paths = run.paths()
    for place, declared in enumerate(run.pipeline.feeds):
        if declared.name in run.names:
            feed = _with_broker(declared, run.pipeline.settings)
            try:
                planned.append(plan_feed(spark, feed, paths.get(feed.name), ("feed", place)))
            except FeedFaultError as error:
                faults.append(error.fault)
    if faults:
        raise run.invalid(faults)
    return planned


def claim_names(run: PipelineRun) -> None:
    """Check that each name belongs to the part that used it first.

    Raises:
        ConfigurationError: contains the faults of all changed parts.
    """
    faults = []
    for path, part in run.pipeline.parts():
        if part.name not in run.names or isinstance(part, HistorySettings):
            continue
        identity = feed_identity(part) if isinstance(part, FeedSettings) else replay_identity(part)
        try:
            run.state.claim(part.name, identity)
        except IdentityChangedError as error:
            faults.append(Fault(path, str(error), NO_VALUE))
    if faults:
        raise run.invalid(faults)


def _with_broker(feed: FeedSettings, settings: PipelineSettings) -> FeedSettings:
    """The feed; if it reads from a queue and names no broker, with the pipeline's broker."""
    if feed.format.lower() != FORMAT or any(name.lower() == "url" for name in feed.options):
        return feed
    return replace(feed, options={**feed.options, "url": broker_url(settings, None)})


class Runner:
    """Runs the parts of a pipeline, after all checks."""

    def __init__(
        self,
        run: PipelineRun,
        spark: "SparkSession",
        planned: Sequence[PlannedFeed],
        board: StatusBoard | None = None,
    ) -> None:
        self._settings = run.pipeline.settings
        self._state = run.state
        self._board = board or run.board(spark.sparkContext.master or "")
        self._spark = spark
        self._once = run.once
        self._stop = threading.Event()
        self._changed = threading.Event()
        self._threads = [_Supervisor(part, self) for part in _parts(run, planned, self._board)]
        self._watch = BrokerWatch((thread.part.url for thread in self._threads), self._note_broker)

    def run(self, on_status: Callable[[RunStatus], None]) -> RunStatus:
        """Run until all parts have ended or `stop` is called; returns the last status.

        Args:
            on_status: receives the status during the run and at its end.
        """
        listener = BoardListener(self._board, frozenset(thread.part.name for thread in self._threads))
        self._spark.streams.addListener(listener)
        self._watch.start()
        try:
            for thread in self._threads:
                self._board.update(thread.part.name, state=State.WAITING)
            first = [thread for thread in self._threads if not (self._once and thread.part.last)]
            self._run_all(first, on_status)
            self._run_all([thread for thread in self._threads if thread not in first], on_status)
        finally:
            self.stop()
            for thread in self._threads:
                if thread.ident is not None:
                    thread.join()
            self._watch.stop()
            self._spark.streams.removeListener(listener)
        status = self._board.write(self._outcome())
        on_status(status)
        return status

    def stop(self) -> None:
        """Request the end of all parts after their current work; safe in a signal handler."""
        self._stop.set()
        for thread in self._threads:
            thread.interrupt()

    def _run_all(self, threads: Sequence["_Supervisor"], on_status: Callable[[RunStatus], None]) -> None:
        # Requests of an earlier run are void.
        self._state.take_restarts()
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            for name in self._state.take_restarts():
                for thread in threads:
                    if thread.part.name == name:
                        thread.restart()
            on_status(self._board.write())
            self._changed.wait(_WRITE_S)
            self._changed.clear()

    def _outcome(self) -> State:
        states = {self._board.part(thread.part.name).state for thread in self._threads}
        if State.FAILED in states:
            return State.FAILED
        return State.FINISHED if states <= {State.FINISHED} else State.STOPPED

    def _note_broker(self, url: str, fault: str) -> None:
        for thread in self._threads:
            if thread.part.url == url:
                self._board.change(thread.part.name, lambda status: status.with_broker(fault))
        self.notice()

    # For the supervisors.

    @property
    def board(self) -> StatusBoard:
        """The status of the parts."""
        return self._board

    @property
    def stopping(self) -> threading.Event:
        """Set when all parts must end."""
        return self._stop

    def wait_for_broker(self, part: RunningPart) -> bool:
        """If the broker of a part does not answer, wait until it does, or the run stops; false otherwise."""
        fault = self._watch.fault(part.url)
        if not fault or self._once:
            return False
        self._board.update(part.name, state=State.WAITING_FOR_BROKER, error=fault)
        self.notice()
        self._watch.wait_for(part.url, self._stop)
        return True

    def write_trace(self, name: str, error: Exception) -> str:
        """Write the whole trace of a part's failure; returns the file's path."""
        path = self._state.failure(name)
        trace = error.trace if isinstance(error, QueryFailedError) else failure_trace(error)
        path.write_text(f"{print_time(time.time_ns() // 1_000_000)}\n{trace}\n", encoding="utf-8")
        return str(path)

    def backoff(self) -> Backoff:
        """The delays before restarts of a part."""
        return Backoff(self._settings.restarts, self._settings.restart_delay_ms / 1000)

    def notice(self) -> None:
        """Report a change of the status at once."""
        self._changed.set()


@dataclass
class _Supervisor:
    """The thread of a part, which restarts the part when it fails."""

    part: RunningPart
    runner: Runner
    _thread: threading.Thread = field(init=False)
    _interrupt: threading.Event = field(default_factory=threading.Event, init=False)
    """Set when the part must end, for ever or to begin again."""

    def __post_init__(self) -> None:
        self._thread = self._new_thread()

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._supervise, name=self.part.name, daemon=True)

    def interrupt(self) -> None:
        """End what the part does; it begins again unless the run stops."""
        self._interrupt.set()

    def restart(self) -> None:
        """Begin the part again after its current work, also if it has failed for good."""
        if self._thread.is_alive():
            self.interrupt()
        elif self.runner.board.part(self.part.name).state is State.FAILED:
            self._thread = self._new_thread()
            self._thread.start()

    @property
    def ident(self) -> int | None:
        return self._thread.ident

    def start(self) -> None:
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def join(self) -> None:
        self._thread.join()

    def _supervise(self) -> None:
        board, stopping = self.runner.board, self.runner.stopping
        backoff = self.runner.backoff()
        name = self.part.name
        while not stopping.is_set():
            self._interrupt.clear()
            if stopping.is_set():
                break
            board.update(name, state=State.RUNNING)
            before = board.part(name).published
            try:
                state = self.part.run(self._interrupt)
            except Exception as error:  # noqa: BLE001 - any error is a failure of the part, which is reported
                if self.runner.wait_for_broker(self.part):
                    continue
                wait_s = backoff.failed(progressed=board.part(name).published > before)
                state = State.FAILED if wait_s is None else State.RESTARTING
                trace = self.runner.write_trace(name, error)
                text = " ".join(str(error).split()) or type(error).__name__
                failed = partial(
                    PartStatus.failed, state=state, error=text, trace=trace, restarts=backoff.restarts
                )
                board.change(name, failed)
                self.runner.notice()
                if wait_s is None:
                    return
                self._interrupt.wait(wait_s)
                continue
            if state is State.STOPPED and not stopping.is_set():
                backoff = self.runner.backoff()
                continue
            board.update(name, state=state)
            self.runner.notice()
            return
        if board.part(name).state not in OVER:
            board.update(name, state=State.STOPPED)


def _parts(run: PipelineRun, planned: Sequence[PlannedFeed], board: StatusBoard) -> list[RunningPart]:
    pipeline, settings, home = run.pipeline, run.pipeline.settings, run.file.resolve().parent
    paths = run.paths()
    parts: list[RunningPart] = [
        FeedPart(
            each,
            broker_url(settings, each.feed.url),
            run.state,
            board,
            run.once,
            unread_files(each.feed, paths.get(each.feed.name), run.state.checkpoint(each.feed.name)),
        )
        for each in planned
    ]
    directories = {history.name: location_of(history.tables, home) for history in pipeline.histories}
    parts += [
        HistoryPart(history, directories[history.name], broker_url(settings, history.url), board, run.once)
        for history in pipeline.histories
        if history.name in run.names
    ]
    parts += [
        ReplayPart(
            replay,
            None if replay.history is None else directories[replay.history],
            broker_url(settings, replay.url),
            run.state,
            board,
        )
        for replay in pipeline.replays
        if replay.name in run.names
    ]
    return parts
