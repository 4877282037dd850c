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
    """It has not started."""
    RUNNING = "running"
    RESTARTING = "restarting"
    """It has failed and will restart."""
    FINISHED = "finished"
    """It has ended by itself."""
    STOPPED = "stopped"
    """It has ended on request."""
    FAILED = "failed"
    """It has failed and will not restart."""


OVER: Final = (State.FINISHED, State.STOPPED, State.FAILED)


class UnreadableStatusError(LastvalueError):
    """The status file does not exist, or cannot be read."""


@dataclass(frozen=True, slots=True)
class PartStatus:
    """The status of one feed, history or replay since the runner started.

    Attributes:
        kind: feed, history or replay.
        batch: the number of the last completed micro-batch.
        batch_time_ms: when it was completed; for a history, when records last landed.
        batch_ms: its duration.
        rows: rows read.
        rows_per_s: in the last micro-batch.
        published: messages that the broker has confirmed; for a history, records that have landed.
        repeated: those among them that the queue had already, from an interrupted run.
        rejected: rows that went to the dead-letter queue.
        lag: how far the part is behind, as text; empty if unknown.
        restarts: restarts since the last progress.
        error: the reason of the last failure, on one line; empty after further progress.
        trace: the file with its whole trace.
    """

    name: str
    kind: str
    state: State = State.WAITING
    batch: int | None = None
    batch_time_ms: int | None = None
    batch_ms: int | None = None
    rows: int = 0
    rows_per_s: float = 0.0
    published: int = 0
    repeated: int = 0
    rejected: int = 0
    lag: str = ""
    restarts: int = 0
    error: str = ""
    trace: str = ""

    @property
    def conflation(self) -> float | None:
        """Rows read per message published; None before the first message."""
        return round(self.rows / self.published, 2) if self.published else None

    def after(self, batch: int, rows: int, batch_ms: int, rows_per_s: float) -> "PartStatus":
        """The status after a micro-batch; a micro-batch that was counted before changes nothing."""
        if self.batch is not None and batch <= self.batch:
            return self
        return replace(
            self,
            batch=batch,
            batch_time_ms=_now_ms(),
            batch_ms=batch_ms,
            rows=self.rows + rows,
            rows_per_s=round(rows_per_s, 1),
            restarts=0,
            error="",
            trace="",
        )

    def record(self) -> dict[str, object]:
        """The status as a record for output, with times in ISO 8601."""
        record: dict[str, object] = asdict(self)
        record["state"] = str(self.state)
        record["conflation"] = self.conflation
        last = record.pop("batch_time_ms")
        record["batch_time"] = None if last is None else print_time(self.batch_time_ms or 0)
        return record


@dataclass(frozen=True, slots=True)
class RunStatus:
    """The status of a run of a pipeline.

    Attributes:
        pid: of the runner's process.
        state: running, finished, stopped or failed.
    """

    pid: int
    master: str
    started_ms: int
    updated_ms: int
    state: State = State.RUNNING
    parts: tuple[PartStatus, ...] = ()

    @property
    def healthy(self) -> bool:
        """Whether nothing has failed."""
        return self.state is not State.FAILED and all(part.state is not State.FAILED for part in self.parts)


class StatusBoard:
    """The status of all parts, which any thread may change; each write replaces the whole status file."""

    def __init__(self, path: Path, master: str, parts: Iterable[PartStatus]) -> None:
        now_ms = _now_ms()
        self._path = path
        self._lock = threading.Lock()
        self._parts = {part.name: part for part in parts}
        self._run = RunStatus(os.getpid(), master, now_ms, now_ms)

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

    def write(self, state: State = State.RUNNING) -> RunStatus:
        """Write the file, in one step; returns its content."""
        with self._lock:
            run = replace(self._run, updated_ms=_now_ms(), state=state, parts=tuple(self._parts.values()))
        draft = self._path.with_name(self._path.name + ".part")
        draft.write_text(json.dumps({"version": VERSION, **asdict(run)}, indent=1), encoding="utf-8")
        draft.replace(self._path)
        return run


def read_status(path: Path) -> RunStatus:
    """Read the status that a runner has written.

    Raises:
        UnreadableStatusError: the file does not exist, is invalid, or is from another version.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.pop("version") != VERSION:
            raise UnreadableStatusError(f"{path} was written by another version of lastvalue")
        parts = tuple(PartStatus(**{**part, "state": State(part["state"])}) for part in record.pop("parts"))
        return RunStatus(**{**record, "state": State(record["state"]), "parts": parts})
    except FileNotFoundError:
        raise UnreadableStatusError(
            f"there is no {path}: the pipeline has not run; `lastvalue pipeline run` runs it"
        ) from None
    except OSError as error:
        raise UnreadableStatusError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableStatusError(f"{path} is not the status of a pipeline: {error}") from None


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
