"""Requests for the newest lines of the broker's log."""

from abc import abstractmethod
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.administration.request import (
    Request,
    Response,
    text_in,
    unknown_operation,
    whole_number_in,
)
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, InvalidSpecError

TYPE: Final = "log"
LEVELS: Final = ("debug", "info", "warning", "error", "critical")
MOST_LINES: Final = 1000
"""Of one answer."""


@mypyc_attr(native_class=False)
class NoLogError(BrokerError):
    """Nobody keeps the lines of this broker's log."""

    condition = Condition.NOT_ALLOWED

    def __init__(self) -> None:
        super().__init__("the broker keeps no lines of its log; `lastvalue serve` does")


@mypyc_attr(allow_interpreted_subclasses=True)
class LogTail:
    """The newest lines of a log; each has a number, from 1."""

    __slots__ = ()

    @abstractmethod
    def newest(self) -> int:
        """The number of the newest line; 0 is none."""
        raise NotImplementedError

    @abstractmethod
    def lines(self, after: int, level: str, event: str) -> list[dict[str, Any]]:
        """The lines after a number of at least a level, with a text in their event or component."""
        raise NotImplementedError


def ask_log(log: LogTail | None, request: Request) -> Response:
    """QUERY returns `last`, the number of the newest line, and `lines`.

    These are the newest, at most `count`, of those that `after`, `level` and `event` of the body choose.
    """
    if request.operation != "QUERY":
        return unknown_operation(request, "QUERY")
    if log is None:
        raise NoLogError
    body = request.body
    level = body.get("level", "debug")
    if level not in LEVELS:
        raise InvalidSpecError(f"level is {level!r:.60}; expected one of {', '.join(LEVELS)}")
    count = min(whole_number_in(body, "count", 100), MOST_LINES)
    lines = log.lines(whole_number_in(body, "after", 0), str(level), text_in(body, "event"))
    return Response(200, "OK", {"last": log.newest(), "lines": lines[-count:]})
