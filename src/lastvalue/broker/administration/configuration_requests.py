"""Requests that compare the broker with its configuration file, and apply that."""

from abc import abstractmethod
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

TYPE: Final = "configuration"


@mypyc_attr(allow_interpreted_subclasses=True)
class ConfigurationFile:
    """The configuration file of a broker."""

    __slots__ = ()

    @abstractmethod
    def shown(self) -> dict[str, Any]:
        """Where it is (`file`, or empty), the settings in force and its tables, with secrets masked."""
        raise NotImplementedError

    @abstractmethod
    def reload(self, prune: bool, dry_run: bool) -> list[dict[str, Any]]:
        """Read the file and apply what differs; returns the changes, and the faults of the file.

        Args:
            prune: remove what only the broker has.
            dry_run: change nothing.

        Raises:
            NoConfigurationError: there is no file.
        """
        raise NotImplementedError


@mypyc_attr(native_class=False)
class NoConfigurationError(BrokerError):
    """The broker has no configuration file."""

    condition = Condition.NOT_ALLOWED

    def __init__(self) -> None:
        super().__init__(
            "the broker has no configuration file; start it with `lastvalue serve --config FILE`"
        )


def ask_configuration(file: ConfigurationFile | None, request: Request) -> Response:
    """READ shows the file, RELOAD applies it; `prune` and `dry_run` are flags of the body."""
    if request.operation not in ("READ", "RELOAD"):
        return unknown_operation(request, "READ or RELOAD")
    if file is None:
        raise NoConfigurationError
    if request.operation == "READ":
        return Response(200, "OK", file.shown())
    changes = file.reload(request.body.get("prune") is True, request.body.get("dry_run") is True)
    return Response(200, "OK", changes)
