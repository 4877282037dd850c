"""Requests about the pipeline that the broker's configuration file declares."""

from abc import abstractmethod
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

TYPE: Final = "pipeline"
RESTART: Final = "RESTART"


@mypyc_attr(native_class=False)
class NoPipelineError(BrokerError):
    """The broker knows no pipeline."""

    condition = Condition.NOT_ALLOWED

    def __init__(self) -> None:
        super().__init__(
            "the broker knows no pipeline; start it with `lastvalue serve --config FILE`, "
            "of a file that declares feeds, histories or replays"
        )


@mypyc_attr(native_class=False)
class RestartRefusedError(BrokerError):
    """A part of the pipeline cannot be restarted."""

    condition = Condition.NOT_ALLOWED


@mypyc_attr(allow_interpreted_subclasses=True)
class Pipeline:
    """The pipeline of a configuration file; its runner is another process."""

    __slots__ = ()

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """The run and its `parts`: how each is declared, with its status of `lastvalue pipeline status`."""
        raise NotImplementedError

    @abstractmethod
    def restart(self, name: str) -> None:
        """Ask the runner to begin a part again.

        Raises:
            RestartRefusedError: there is no such part, or no runner.
        """
        raise NotImplementedError


def ask_pipeline(pipeline: Pipeline | None, request: Request) -> Response:
    """READ returns the state; RESTART begins the part of the request's name again."""
    if request.operation not in ("READ", RESTART):
        return unknown_operation(request, f"READ or {RESTART}")
    if pipeline is None:
        raise NoPipelineError
    if request.operation == RESTART:
        pipeline.restart(request.name)
        return Response(202, "asked for", {})
    return Response(200, "OK", pipeline.state())
