"""How the parts of a running pipeline are, and the file that tells it to others."""

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

VERSION: Final = 1


class State(StrEnum):
    """How a part, or the whole, is."""

    WAITING = "waiting"
    """It has not begun."""
    RUNNING = "running"
    RESTARTING = "restarting"
    """It has failed and begins again soon."""
    FINISHED = "finished"
    """It has come to its end."""
    STOPPED = "stopped"
    """It was told to end."""
    FAILED = "failed"
    """It has failed and does not begin again."""


OVER: Final = (State.FINISHED, State.STOPPED, State.FAILED)


class UnreadableStatusError(LastvalueError):
    """There is no status of a pipeline, or none that can be read."""


@dataclass(frozen=True, slots=True)
class PartStatus:
    """One feed, history or replay, since the runner started.

    Attributes:
        kind: feed, history or replay.
        batch: the number of the last micro-batch that is done.
        batch_time_ms: when it was done; of a history, when it last landed something.
        batch_ms: how long it took.
        rows: read.
        rows_per_s: in the last micro-batch.
        published: messages that the broker has confirmed; of a history, records that have landed.
        repeated: of them, those that the queue had before, from a run that was cut short.
        rejected: that went to the queue for dead letters.
        lag: how far it is behind, in words; empty where that is not known.
        restarts: since it last got further.
        error: why it failed last; empty once it has got further.
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

    @property
    def conflation(self) -> float | None:
        """Rows read for each message published; None before there is one."""
        return round(self.rows / self.published, 2) if self.published else None

    def after(self, batch: int, rows: int, batch_ms: int, rows_per_s: float) -> "PartStatus":
        """How it is when a micro-batch is done; one that is known already changes nothing."""
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
        )

    def record(self) -> dict[str, object]:
        """For people and programs; times in ISO 8601."""
        record: dict[str, object] = asdict(self)
        record["state"] = str(self.state)
        record["conflation"] = self.conflation
        last = record.pop("batch_time_ms")
        record["batch_time"] = None if last is None else print_time(self.batch_time_ms or 0)
        return record


@dataclass(frozen=True, slots=True)
class RunStatus:
    """A run of a pipeline.

    Attributes:
        pid: of the runner's process.
        state: running; or how it ended: finished, stopped or failed.
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
    """Where the parts tell how they are, from any thread, and a file that is written whole each time."""

    def __init__(self, path: Path, master: str, parts: Iterable[PartStatus]) -> None:
        now_ms = _now_ms()
        self._path = path
        self._lock = threading.Lock()
        self._parts = {part.name: part for part in parts}
        self._run = RunStatus(os.getpid(), master, now_ms, now_ms)

    def tell(self, name: str, **changes: Any) -> None:
        """Change what is known of a part."""
        self.change(name, lambda known: replace(known, **changes))

    def change(self, name: str, changed: Callable[[PartStatus], PartStatus]) -> None:
        """Make of how a part is how it is now."""
        with self._lock:
            self._parts[name] = changed(self._parts[name])

    def part(self, name: str) -> PartStatus:
        """How a part is."""
        with self._lock:
            return self._parts[name]

    def write(self, state: State = State.RUNNING) -> RunStatus:
        """Write the file, in one step; what is in it."""
        with self._lock:
            run = replace(self._run, updated_ms=_now_ms(), state=state, parts=tuple(self._parts.values()))
        draft = self._path.with_name(self._path.name + ".part")
        draft.write_text(json.dumps({"version": VERSION, **asdict(run)}, indent=1), encoding="utf-8")
        draft.replace(self._path)
        return run


def read_status(path: Path) -> RunStatus:
    """What a runner has written.

    Raises:
        UnreadableStatusError: there is no such file, or it is none of this version's.
    """
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told.pop("version") != VERSION:
            raise UnreadableStatusError(f"{path} was written by another version of lastvalue")
        parts = tuple(PartStatus(**{**part, "state": State(part["state"])}) for part in told.pop("parts"))
        return RunStatus(**{**told, "state": State(told["state"]), "parts": parts})
    except FileNotFoundError:
        raise UnreadableStatusError(
            f"there is no {path}: the pipeline has not run; `lastvalue pipeline run` runs it"
        ) from None
    except OSError as error:
        raise UnreadableStatusError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableStatusError(f"{path} is no status of a pipeline: {error}") from None


@dataclass(slots=True)
class Backoff:
    """When what has failed begins again: each time later, and not for ever.

    Attributes:
        most: restarts without getting any further.
        first_s: how long the first one waits.
        longest_s: how long one waits at most.
    """

    most: int
    first_s: float
    longest_s: float = 60.0
    restarts: int = field(default=0, init=False)

    def failed(self, *, progressed: bool) -> float | None:
        """Seconds to wait before it begins again; None: it does not."""
        if progressed:
            self.restarts = 0
        if self.restarts >= self.most:
            return None
        self.restarts += 1
        return float(min(self.first_s * 2 ** (self.restarts - 1), self.longest_s))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
