"""The errors that a peer gets when it violates AMQP 0-9-1 [0-9-1 §1.2, constants]."""

from typing import Final, final

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

SUCCESS: Final = 200
CONTENT_TOO_LARGE: Final = 311
NO_ROUTE: Final = 312
NO_CONSUMERS: Final = 313
CONNECTION_FORCED: Final = 320
ACCESS_REFUSED: Final = 403
NOT_FOUND: Final = 404
RESOURCE_LOCKED: Final = 405
PRECONDITION_FAILED: Final = 406
FRAME_ERROR: Final = 501
SYNTAX_ERROR: Final = 502
COMMAND_INVALID: Final = 503
CHANNEL_ERROR: Final = 504
UNEXPECTED_FRAME: Final = 505
RESOURCE_ERROR: Final = 506
NOT_ALLOWED: Final = 530
NOT_IMPLEMENTED: Final = 540
INTERNAL_ERROR: Final = 541

NAMES: Final = {
    SUCCESS: "OK",
    CONTENT_TOO_LARGE: "CONTENT_TOO_LARGE",
    NO_ROUTE: "NO_ROUTE",
    NO_CONSUMERS: "NO_CONSUMERS",
    CONNECTION_FORCED: "CONNECTION_FORCED",
    402: "INVALID_PATH",
    ACCESS_REFUSED: "ACCESS_REFUSED",
    NOT_FOUND: "NOT_FOUND",
    RESOURCE_LOCKED: "RESOURCE_LOCKED",
    PRECONDITION_FAILED: "PRECONDITION_FAILED",
    FRAME_ERROR: "FRAME_ERROR",
    SYNTAX_ERROR: "SYNTAX_ERROR",
    COMMAND_INVALID: "COMMAND_INVALID",
    CHANNEL_ERROR: "CHANNEL_ERROR",
    UNEXPECTED_FRAME: "UNEXPECTED_FRAME",
    RESOURCE_ERROR: "RESOURCE_ERROR",
    NOT_ALLOWED: "NOT_ALLOWED",
    NOT_IMPLEMENTED: "NOT_IMPLEMENTED",
    INTERNAL_ERROR: "INTERNAL_ERROR",
    542: "INVALID_ARGUMENT",
}

HARD: Final = frozenset(
    (CONNECTION_FORCED, 402, 501, 502, 503, 504, 505, NOT_ALLOWED, NOT_IMPLEMENTED, INTERNAL_ERROR)
)
"""Codes that end the connection; all others end the channel."""

HARD_OR_OLD: Final = HARD | {542}
"""The codes that end an AMQP 0-9 or 0-8 connection [Broker-J]."""


@mypyc_attr(native_class=False)
class ReplyError(LastvalueError):
    """A peer's method is refused: its connection or channel ends with a reply code.

    Attributes:
        code: the reply code.
        method: class and method id of the refused method, or (0, 0).
    """

    condition = Condition.FRAMING_ERROR

    def __init__(self, code: int, text: str, method: tuple[int, int] = (0, 0)) -> None:
        super().__init__(text)
        self.code = code
        self.method = method


@final
@mypyc_attr(native_class=False)
class FatalFrameError(ReplyError):
    """[0-9-1 §4.2.3] A frame has an unknown type or no end: the connection ends, and nothing more is sent."""

    def __init__(self, text: str) -> None:
        super().__init__(FRAME_ERROR, text)


def reply_text(code: int, text: str) -> str:
    """The text of a close: the code's name and the fault, cut off to fit."""
    whole = f"{NAMES.get(code, 'ERROR')} - {text}"
    while len(whole.encode("utf-8", "replace")) > 255:
        whole = whole[: len(whole) - 8] + "…"
    return whole
