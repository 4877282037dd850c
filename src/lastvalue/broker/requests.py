"""Management requests and their responses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mypy_extensions import mypyc_attr


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
