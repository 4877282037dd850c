"""The pipeline of a broker's configuration file, as its runner on this machine tells it."""

from pathlib import Path
from typing import Any, Final

from lastvalue.broker.administration.pipeline_requests import Pipeline, RestartRefusedError
from lastvalue.config.pipeline_settings import (
    FeedSettings,
    HistorySettings,
    Part,
    PipelineDeclaration,
    ReplaySettings,
)
from lastvalue.pipeline.running.state import StateDirectory
from lastvalue.pipeline.running.status import State, UnreadableStatusError, read_status

_LEFT: Final = (State.FINISHED, State.STOPPED)


class ServedPipeline(Pipeline):
    """Tells what `lastvalue pipeline status` tells; leaves requests for the runner in its state directory."""

    def __init__(self, file: Path, declared: PipelineDeclaration) -> None:
        self._declared = declared
        self._directory = StateDirectory.of(file, declared.settings)

    def state(self) -> dict[str, Any]:
        """See Pipeline."""
        parts = {part.name: _declaration(part) for _, part in self._declared.parts()}
        try:
            status = read_status(self._directory.status)
        except UnreadableStatusError as error:
            return {"state": "not running", "error": str(error), "parts": list(parts.values())}
        if not self._directory.is_locked():
            status = status.dead()
        record = status.record()
        for part in status.parts:
            parts[part.name] = parts.get(part.name, {}) | part.record()
        return record | {"parts": list(parts.values())}

    def restart(self, name: str) -> None:
        """See Pipeline."""
        names = [part.name for _, part in self._declared.parts()]
        if name not in names:
            raise RestartRefusedError(f"the pipeline has no part {name!r}; it has {', '.join(names)}")
        if not self._directory.is_locked():
            raise RestartRefusedError("the pipeline does not run here; `lastvalue pipeline run` runs it")
        status = next((part for part in read_status(self._directory.status).parts if part.name == name), None)
        if status is None or status.state in _LEFT:
            raise RestartRefusedError(f"{name!r} has ended; only parts that run or have failed begin again")
        self._directory.ask_restart(name)


def _declaration(part: Part) -> dict[str, Any]:
    """From where to where a part goes, without its options, which may have secrets."""
    match part:
        case FeedSettings():
            source = f"{part.format} {part.path or ''}".rstrip()
            rejected = {name.lower(): value for name, value in part.sink.items()}.get("onrejected", "fail")
            record = {"from": [source], "to": [part.queue], "policy": part.policy, "key": part.key or ""}
            return {
                "name": part.name,
                "kind": "feed",
                "dead_letter_queue": "" if rejected == "fail" else rejected,
                **record,
            }
        case HistorySettings():
            return {"name": part.name, "kind": "history", "from": list(part.queues), "to": [part.tables]}
        case ReplaySettings():
            return {"name": part.name, "kind": "replay", "from": [part.queue], "to": [part.into]}
