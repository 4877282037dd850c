"""What a client asks of the broker's management, and the answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mypy_extensions import mypyc_attr


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Request:
    """What a client asks: `name` and `type` may be empty where the operation does not need them."""

    operation: str
    type: str = ""
    name: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Response:
    """The answer: a status code in HTTP's numbers, what it means here, and a result.

    Attributes:
        kept: messages that are kept over a restart came or went; the client is told when that is safe.
    """

    status: int
    description: str
    body: Any = None
    condition: str = ""
    kept: bool = False
