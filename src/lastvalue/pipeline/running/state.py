"""The state directory of a pipeline: its lock, status, identities, checkpoints and progress."""

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

_DIGEST: Final = "sha256 "
_REPLAY_KEYS: Final = ("queue", "into", "start", "end", "speed", "every_ms")


class PipelineRunningError(LastvalueError):
    """Another process runs this pipeline."""

    condition = Condition.ILLEGAL_STATE


class IdentityChangedError(LastvalueError):
    """The state directory contains the progress of another part of the same name."""

    condition = Condition.PRECONDITION_FAILED


class StateUnusableError(LastvalueError):
    """The state directory cannot be used."""


@dataclass(frozen=True, slots=True)
class StateDirectory:
    """The state of a pipeline, by the names of its parts.

    Attributes:
        path: the directory, which is created when needed.
        checkpoints: the location of Spark's checkpoints: a directory, or a URL that Spark supports.
    """

    path: Path
    checkpoints: str

    @classmethod
    def of(cls, file: Path, settings: PipelineSettings) -> "StateDirectory":
        """The directory of the pipeline that a file declares."""
        home = file.resolve().parent
        path = home / (settings.state or f"{file.stem}.state")
        if settings.checkpoints is None:
            return cls(path, str(path / "checkpoints"))
        return cls(path, located(settings.checkpoints, home))

    @property
    def status(self) -> Path:
        """The status file."""
        return self.path / "status.json"

    def checkpoint(self, name: str) -> str:
        """The checkpoint of a feed."""
        return f"{self.checkpoints.rstrip('/')}/{name}"

    def progress(self, name: str) -> Path:
        """The file with the progress of a replay."""
        return self._made("replays") / f"{name}.json"

    @property
    def logs(self) -> Path:
        """The directory of what Spark logs and prints."""
        return self._made("logs")

    def failure(self, name: str) -> Path:
        """The file with the whole trace of a part's last failure."""
        return self._made("failures") / f"{name}.txt"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock, so that no other process runs this pipeline.

        Raises:
            PipelineRunningError: another process holds the lock.
            StateUnusableError: the directory cannot be created or written.
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
                    f"another process runs this pipeline with the state in {self.path}; "
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

    def ask_restart(self, name: str) -> None:
        """Leave the request to begin a part again, which `take_restarts` takes.

        Raises:
            StateUnusableError: the directory cannot be written.
        """
        try:
            (self._made("restarts") / name).touch()
        except OSError as error:
            raise StateUnusableError(f"{self.path} cannot be used: {error.strerror}") from None

    def take_restarts(self) -> list[str]:
        """The parts that were asked to begin again since the last call."""
        asked = sorted((self.path / "restarts").glob("*"))
        for request in asked:
            request.unlink()
        return [request.name for request in asked]

    def claim(self, name: str, identity: Mapping[str, str]) -> None:
        """Store the identity of a name, or check that it is the stored one.

        Raises:
            IdentityChangedError: another identity is stored under the name.
        """
        path = self._made("identities") / f"{name}.json"
        if not path.exists():
            draft = path.with_name(path.name + ".part")
            draft.write_text(json.dumps(dict(identity), indent=1), encoding="utf-8")
            draft.replace(path)
            return
        stored = json.loads(path.read_text(encoding="utf-8"))
        for what in sorted({*stored, *identity}):
            if stored.get(what) != identity.get(what):
                raise IdentityChangedError(
                    f"{what} {_change(identity.get(what), stored.get(what))} when {name!r} began, "
                    f"so its state belongs to another part: give it another name, or, to start from "
                    f"the beginning, delete {path} and {self.checkpoint(name)}"
                )

    def period(self, name: str, start_ms: int, end_ms: int) -> tuple[int, int]:
        """The period of a replay; the first run fixes it for all later ones."""
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
    """A path of the file, made absolute if it is relative to the file's directory; a URL stays."""
    return path if "://" in path or path.startswith(("file:", "hdfs:")) else str(home / path)


def feed_identity(feed: FeedSettings) -> dict[str, str]:
    """The settings that a feed's checkpoint depends on: the source, the queue and the terms of its state."""
    identity = {
        "format": feed.format,
        "path": feed.path or "",
        "queue": feed.queue,
        "partitions": str(feed.partitions),
    }
    for name, value in feed.options.items():
        if not name.lower().startswith("max"):
            # The value may be a secret.
            identity[f"options.{name}"] = _DIGEST + hashlib.sha256(value.encode()).hexdigest()[:16]
    if feed.every_ms is not None:
        identity |= {
            "key": ",".join(feed.key),
            "order_by": ", ".join(feed.order_by),
            "every": f"{feed.every_ms}ms",
            "policy": feed.policy,
            "value": feed.value or "",
            "volume": feed.volume or "",
        }
    return identity


def replay_identity(replay: ReplaySettings) -> dict[str, str]:
    """The settings that the progress of a replay depends on."""
    return {key: str(getattr(replay, key)) for key in _REPLAY_KEYS}


def _change(value: str | None, before: str | None) -> str:
    """What is different about a setting, but for a value that may be a secret."""
    if value is not None and before is not None and value.startswith(_DIGEST):
        return "has another value than it had"
    return f"is {_text(value)} and was {_text(before)}"


def _text(value: str | None) -> str:
    if value is None:
        return "not set"
    return "set" if value.startswith(_DIGEST) else repr(value)
