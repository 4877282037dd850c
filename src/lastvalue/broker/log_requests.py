"""Requests for the newest lines of the broker's log."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.requests import Request, Response
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
        text = f"unknown operation {request.operation!r}; expected QUERY"
        return Response(501, text, None, Condition.NOT_IMPLEMENTED.amqp10)
    if log is None:
        raise NoLogError
    body = request.body
    level = body.get("level", "debug")
    if level not in LEVELS:
        raise InvalidSpecError(f"level is {level!r:.60}; expected one of {', '.join(LEVELS)}")
    event = body.get("event", "")
    if not isinstance(event, str):
        raise InvalidSpecError(f"event is {event!r:.60}; expected text")
    count = min(_whole(body, "count", 100), MOST_LINES)
    lines = log.lines(_whole(body, "after", 0), str(level), event)
    return Response(200, "OK", {"last": log.newest(), "lines": lines[-count:]})


def _whole(body: Mapping[str, Any], name: str, default: int) -> int:
    value = body.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidSpecError(f"{name} is {value!r:.60}; expected a whole number from 0")
    return int(value)
