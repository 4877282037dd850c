"""The directory in which a pipeline remembers: its lock, status, identities, checkpoints and progress."""

import fcntl
import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastvalue.config.pipeline_settings import FeedSettings, PipelineSettings, ReplaySettings
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

_REPLAY_KEYS: Final = ("queue", "into", "start", "end", "speed", "every_ms")


class PipelineRunningError(LastvalueError):
    """Another process runs this pipeline."""

    condition = Condition.ILLEGAL_STATE


class IdentityChangedError(LastvalueError):
    """A part is another one than that whose progress is remembered under its name."""

    condition = Condition.PRECONDITION_FAILED


class StateUnusableError(LastvalueError):
    """The directory of what is remembered cannot be used."""


@dataclass(frozen=True, slots=True)
class StateDirectory:
    """What a pipeline remembers, by the names of its parts.

    Attributes:
        path: made when it is first needed.
        checkpoints: where Spark's checkpoints are: a directory, or a URL that Spark knows.
    """

    path: Path
    checkpoints: str

    @classmethod
    def of(cls, file: Path, settings: PipelineSettings) -> "StateDirectory":
        """The directory of the pipeline that a file declares."""
        home = file.resolve().parent
        path = home / (settings.state or f"{file.stem}.state")
        told = settings.checkpoints
        if told is None:
            return cls(path, str(path / "checkpoints"))
        return cls(path, located(told, home))

    @property
    def status(self) -> Path:
        """The file of the status."""
        return self.path / "status.json"

    def checkpoint(self, name: str) -> str:
        """The checkpoint of a feed."""
        return f"{self.checkpoints.rstrip('/')}/{name}"

    def progress(self, name: str) -> Path:
        """The file of how far a replay is."""
        return self._made("replays") / f"{name}.json"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """No other process runs this pipeline in the meantime.

        Raises:
            PipelineRunningError: one does.
            StateUnusableError: the directory cannot be made or written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / "lock").open("a")
        except OSError as error:
            raise StateUnusableError(f"{self.path} cannot be used: {error.strerror}") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise PipelineRunningError(
                    f"another process runs this pipeline, and remembers in {self.path}; "
                    "stop it, or give this one another `state`"
                ) from None
            yield

    def is_locked(self) -> bool:
        """Whether a process runs this pipeline."""
        try:
            file = (self.path / "lock").open("r")
        except OSError:
            return False
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def claim(self, name: str, identity: Mapping[str, str]) -> None:
        """Remember what a name stands for, or see that it stands for that.

        Raises:
            IdentityChangedError: it stands for something else.
        """
        path = self._made("identities") / f"{name}.json"
        if not path.exists():
            draft = path.with_name(path.name + ".part")
            draft.write_text(json.dumps(dict(identity), indent=1), encoding="utf-8")
            draft.replace(path)
            return
        known = json.loads(path.read_text(encoding="utf-8"))
        for what in sorted({*known, *identity}):
            if known.get(what) != identity.get(what):
                raise IdentityChangedError(
                    f"{what} is {_told(identity.get(what))} and was {_told(known.get(what))} when {name!r} "
                    f"began, so what is remembered of it is another's: give it another name, or, to begin "
                    f"anew, delete {path} and {self.checkpoint(name)}"
                )

    def period(self, name: str, start_ms: int, end_ms: int) -> tuple[int, int]:
        """The period of a replay, which is the same in each of its runs: that of the first one."""
        path = self._made("replays") / f"{name}.period.json"
        if not path.exists():
            draft = path.with_name(path.name + ".part")
            draft.write_text(json.dumps([start_ms, end_ms]), encoding="utf-8")
            draft.replace(path)
        first, last = json.loads(path.read_text(encoding="utf-8"))
        return int(first), int(last)

    def _made(self, name: str) -> Path:
        path = self.path / name
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StateUnusableError(f"{path} cannot be used: {error.strerror}") from None
        return path


def located(path: str, home: Path) -> str:
    """A path of the file as it is used: relative ones are so to the file's directory, URLs stay."""
    return path if "://" in path or path.startswith(("file:", "hdfs:")) else str(home / path)


def feed_identity(feed: FeedSettings) -> dict[str, str]:
    """What a checkpoint of a feed is of: the source, the queue, and what its state is made of."""
    identity = {
        "format": feed.format,
        "path": feed.path or "",
        "queue": feed.queue,
        "partitions": str(feed.partitions),
    }
    for name, value in feed.options.items():
        if not name.lower().startswith("max"):
            # It may be a secret.
            identity[f"options.{name}"] = "sha256 " + hashlib.sha256(value.encode()).hexdigest()[:16]
    if feed.every_ms is not None:
        identity |= {
            "key": feed.key or "",
            "order_by": ", ".join(feed.order_by),
            "every": f"{feed.every_ms}ms",
            "policy": feed.policy,
            "value": feed.value or "",
            "volume": feed.volume or "",
        }
    return identity


def replay_identity(replay: ReplaySettings) -> dict[str, str]:
    """What the progress of a replay is of."""
    return {key: str(getattr(replay, key)) for key in _REPLAY_KEYS}


def _told(value: str | None) -> str:
    return "not given" if value is None else repr(value)
