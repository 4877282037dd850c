"""Management requests and their responses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import InvalidSpecError


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Request:
    """A management request; `name` and `type` may be empty if the operation does not need them."""

    operation: str
    type: str = ""
    name: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Response:
    """The response: an HTTP status code, a description and a result.

    Attributes:
        awaits_flush: durable messages were added or removed; the client gets it after the journal's flush.
    """

    status: int
    description: str
    body: Any = None
    condition: str = ""
    awaits_flush: bool = False


def unknown_operation(request: Request, expected: str) -> Response:
    """The refusal of a request whose operation its type does not have."""
    text = f"unknown operation {request.operation!r}; expected {expected}"
    return Response(501, text, None, Condition.NOT_IMPLEMENTED.amqp10)


def whole_number_in(
    body: Mapping[str, Any], name: str, default: int, least: int = 0, most: int | None = None
) -> int:
    """The whole number of that name in a request's body.

    Raises:
        InvalidSpecError: it is no whole number, or none from `least` to `most`.
    """
    value = body.get(name, default)
    too_large = isinstance(value, int) and most is not None and value > most
    if not isinstance(value, int) or isinstance(value, bool) or value < least or too_large:
        expected = f"a whole number from {least}" if most is None else f"{least} to {most}"
        raise InvalidSpecError(f"{name} is {value!r:.80}; expected {expected}")
    return int(value)


def text_in(body: Mapping[str, Any], name: str) -> str:
    """The text of that name in a request's body; empty where it has none.

    Raises:
        InvalidSpecError: it is no text.
    """
    value = body.get(name, "")
    if not isinstance(value, str):
        raise InvalidSpecError(f"{name} is {value!r:.80}; expected text")
    return str(value)
