"""Requests about the broker's clock; only a manual clock can be moved."""

from abc import abstractmethod
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

TYPE: Final = "clock"
READ: Final = "READ"
MOST_MS: Final = 2**53


@mypyc_attr(allow_interpreted_subclasses=True)
class Time:
    """A manual clock, which gives the queues their time."""

    __slots__ = ()

    @abstractmethod
    def now_ms(self) -> int:
        """The time, milliseconds since the epoch."""
        raise NotImplementedError

    @abstractmethod
    def move_to(self, now_ms: int) -> None:
        """Advance the clock; each deadline on the way is due at its own time."""
        raise NotImplementedError


@mypyc_attr(native_class=False)
class ClockError(BrokerError):
    """The clock cannot be moved as requested."""

    condition = Condition.NOT_ALLOWED


def ask_clock(time: Time | None, request: Request, now: int) -> Response:
    """READ returns the time in milliseconds; ADVANCE moves it `by_ms` or `to_ms`."""
    if request.operation == READ:
        return Response(200, "OK", {"now_ms": now, "manual": time is not None})
    if request.operation != "ADVANCE":
        return unknown_operation(request, "READ or ADVANCE")
    if time is None:
        raise ClockError(
            "the broker uses the system's clock; to move it, start `lastvalue serve --clock manual`"
        )
    time.move_to(_target(request.body, time.now_ms()))
    return Response(200, "OK", {"now_ms": time.now_ms(), "manual": True}, awaits_flush=True)


def _target(body: Any, now: int) -> int:
    given = {name: body.get(name) for name in ("by_ms", "to_ms") if body.get(name) is not None}
    if len(given) != 1 or len(body) != 1:
        raise ClockError("ADVANCE needs either by_ms or to_ms")
    ((name, value),) = given.items()
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_MS:
        raise ClockError(f"{name} is {value!r}; expected a number of milliseconds")
    target = now + int(value) if name == "by_ms" else int(value)
    if target < now:
        raise ClockError(f"the clock cannot go back; it is {now}")
    return target
