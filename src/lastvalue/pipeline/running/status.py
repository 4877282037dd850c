"""The status of the parts of a running pipeline, and the file that contains it."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from lastvalue.history.times import print_time
from lastvalue.model.errors import LastvalueError

VERSION: Final = 2


class State(StrEnum):
    """The state of a part, or of the whole run."""

    WAITING = "waiting"
    """It begins after the other parts have ended."""
    STARTING = "starting Spark"
    RUNNING = "running"
    IDLE = "idle"
    """It has processed everything that there is."""
    WAITING_FOR_BROKER = "waiting for the broker"
    """The broker does not answer; the part continues when it does."""
    RESTARTING = "restarting"
    """It has failed and will restart."""
    FINISHED = "finished"
    """It has ended by itself."""
    STOPPED = "stopped"
    """It has ended on request."""
    FAILED = "failed"
    """It has failed and will not restart."""
    DEAD = "dead"
    """The process of its runner has ended without a word."""


OVER: Final = (State.FINISHED, State.STOPPED, State.FAILED, State.DEAD)
_ACTIVE: Final = (State.RUNNING, State.IDLE)


class UnreadableStatusError(LastvalueError):
    """The status file does not exist, or cannot be read."""


@dataclass(frozen=True, slots=True)
class PartStatus:
    """The status of one feed, history or replay since the runner started.

    Attributes:
        kind: feed, history or replay.
        batch: the number of the last completed micro-batch.
        batch_time: when it was completed, ISO 8601; for a history, when records last landed.
        batch_ms: its duration.
        rows: rows read.
        rows_per_s: in the last micro-batch.
        published: messages that the broker has confirmed; for a history, records that have landed.
        repeated: those among them that the queue had already, from an interrupted run.
        rejected: rows that went to the dead-letter queue.
        lag: how much is there that the part has not processed; None if unknown.
        lag_unit: what `lag` counts.
        end_to_end_ms: how old the newest row of the last micro-batch was, by its time, when the broker had
            confirmed it; None if rows have no time.
        restarts: restarts since the last progress; `all_restarts` since the runner started.
        error: the reason of the last failure, on one line; empty after further progress.
        trace: the file with its whole trace.
        period: of a replay, as an interval of ISO 8601.
    """

    name: str
    kind: str
    state: State = State.STARTING
    batch: int | None = None
    batch_time: str | None = None
    batch_ms: int | None = None
    rows: int = 0
    rows_per_s: float = 0.0
    published: int = 0
    repeated: int = 0
    rejected: int = 0
    lag: int | None = None
    lag_unit: str = ""
    end_to_end_ms: int | None = None
    restarts: int = 0
    all_restarts: int = 0
    error: str = ""
    trace: str = ""
    period: str = ""

    @property
    def conflation(self) -> float | None:
        """Rows read per message published; None before the first message."""
        return round(self.rows / self.published, 2) if self.published else None

    def progressed(self, **changes: Any) -> "PartStatus":
        """The status after progress, which ends the last failure."""
        return replace(self, **{"restarts": 0, "error": "", "trace": "", "state": State.RUNNING, **changes})

    def failed(self, state: State, error: str, trace: str, restarts: int) -> "PartStatus":
        """The status after a failure, which is that many since the last progress, and what comes of it."""
        again = self.all_restarts + (state is State.RESTARTING)
        return replace(self, state=state, error=error, trace=trace, restarts=restarts, all_restarts=again)

    def after(
        self, batch: int, rows: int, batch_ms: int, rows_per_s: float, end_to_end_ms: int | None = None
    ) -> "PartStatus":
        """The status after a micro-batch; a micro-batch that was counted before changes nothing."""
        if self.batch is not None and batch <= self.batch:
            return self
        return self.progressed(
            batch=batch,
            batch_time=print_time(_now_ms()),
            batch_ms=batch_ms,
            rows=self.rows + rows,
            rows_per_s=round(rows_per_s, 1),
            end_to_end_ms=end_to_end_ms,
        )

    def behind(self, lag: int | None, unit: str) -> "PartStatus":
        """The status with this lag; a part that runs and lacks nothing is idle."""
        status = replace(self, lag=lag, lag_unit=unit)
        if lag is None or self.state not in _ACTIVE:
            return status
        return replace(status, state=State.RUNNING if lag else State.IDLE)

    def active(self, state: State) -> "PartStatus":
        """The status with this state, running or idle, unless the part waits or has ended."""
        return replace(self, state=state) if self.state in _ACTIVE else self

    def with_broker(self, fault: str) -> "PartStatus":
        """The status when the broker has stopped to answer, for that reason, or (empty) answers again."""
        if fault and self.state in _ACTIVE:
            return replace(self, state=State.WAITING_FOR_BROKER, error=fault)
        if not fault and self.state is State.WAITING_FOR_BROKER:
            return replace(self, state=State.RUNNING, error="")
        return self

    def record(self) -> dict[str, object]:
        """The status as a record, for the file and for output."""
        return {**asdict(self), "state": str(self.state), "conflation": self.conflation}


@dataclass(frozen=True, slots=True)
class RunStatus:
    """The status of a run of a pipeline.

    Attributes:
        pid: of the runner's process.
        started, updated: ISO 8601.
        state: starting Spark, running, finished, stopped, failed or dead.
        error: why the run failed before its parts began, on one line.
    """

    pid: int
    master: str
    started: str
    updated: str
    state: State = State.STARTING
    error: str = ""
    parts: tuple[PartStatus, ...] = ()

    @property
    def healthy(self) -> bool:
        """Whether nothing has failed or died."""
        states = {self.state, *(part.state for part in self.parts)}
        return not states & {State.FAILED, State.DEAD}

    def dead(self) -> "RunStatus":
        """The status after the death of the runner's process: what had not ended is dead, too."""
        if self.state in OVER:
            return self
        parts = (part if part.state in OVER else replace(part, state=State.DEAD) for part in self.parts)
        return replace(self, state=State.DEAD, parts=tuple(parts))

    def record(self) -> dict[str, object]:
        """The status as a record, for the file and for output."""
        return {**asdict(self), "state": str(self.state), "parts": [part.record() for part in self.parts]}


class StatusBoard:
    """The status of all parts, which any thread may change; each write replaces the whole status file."""

    def __init__(self, path: Path, master: str, parts: Iterable[PartStatus]) -> None:
        now = print_time(_now_ms())
        self._path = path
        self._lock = threading.Lock()
        self._parts = {part.name: part for part in parts}
        self._run = RunStatus(os.getpid(), master, now, now)

    def update(self, name: str, **changes: Any) -> None:
        """Change attributes of a part's status."""
        self.change(name, lambda status: replace(status, **changes))

    def change(self, name: str, new_status: Callable[[PartStatus], PartStatus]) -> None:
        """Replace a part's status by a function of it."""
        with self._lock:
            self._parts[name] = new_status(self._parts[name])

    def part(self, name: str) -> PartStatus:
        """The status of a part."""
        with self._lock:
            return self._parts[name]

    def write(self, state: State = State.RUNNING, error: str = "") -> RunStatus:
        """Write the file, in one step; returns its content."""
        with self._lock:
            parts = tuple(self._parts.values())
        run = replace(self._run, updated=print_time(_now_ms()), state=state, error=error, parts=parts)
        if state in OVER:
            run = replace(run, parts=tuple(_ended(part, state) for part in parts))
        draft = self._path.with_name(self._path.name + ".part")
        draft.write_text(json.dumps({"version": VERSION, **run.record()}, indent=1), encoding="utf-8")
        draft.replace(self._path)
        return run


def _ended(part: PartStatus, state: State) -> PartStatus:
    """The status of a part at the end of the run, which may come before the part began."""
    return part if part.state in OVER else replace(part, state=state)


def read_status(path: Path) -> RunStatus:
    """Read the status that a runner has written.

    Raises:
        UnreadableStatusError: the file does not exist, is invalid, or is from another version.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.pop("version") != VERSION:
            raise UnreadableStatusError(f"{path} was written by another version of lastvalue")
        parts = tuple(_read_part(part) for part in record.pop("parts"))
        return RunStatus(**{**record, "state": State(record["state"]), "parts": parts})
    except FileNotFoundError:
        raise UnreadableStatusError(
            f"there is no {path}: the pipeline has not run; `lastvalue pipeline run` runs it"
        ) from None
    except OSError as error:
        raise UnreadableStatusError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableStatusError(f"{path} is not the status of a pipeline: {error}") from None


def _read_part(record: dict[str, Any]) -> PartStatus:
    del record["conflation"]
    return PartStatus(**{**record, "state": State(record["state"])})


@dataclass(slots=True)
class Backoff:
    """The delays before restarts of a failed part, which double, and the limit of restarts.

    Attributes:
        most: the largest number of restarts without progress.
        first_s: the delay before the first restart.
        longest_s: the longest delay.
    """

    most: int
    first_s: float
    longest_s: float = 60.0
    restarts: int = field(default=0, init=False)

    def failed(self, *, progressed: bool) -> float | None:
        """The seconds before the next restart; None: no restart."""
        if progressed:
            self.restarts = 0
        if self.restarts >= self.most:
            return None
        self.restarts += 1
        return float(min(self.first_s * 2 ** (self.restarts - 1), self.longest_s))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
