"""The errors of the codec, and those with which commands are refused."""

from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

NOT_FOUND: Final = 404
LOCKED: Final = 405
ILLEGAL_STATE: Final = 409
NOT_ALLOWED: Final = 530
ILLEGAL_ARGUMENT: Final = 531
NOT_IMPLEMENTED: Final = 540
INTERNAL_ERROR: Final = 541
INVALID_ARGUMENT: Final = 542
"""execution.error-code"""


@mypyc_attr(native_class=False)
class DecodeError(LastvalueError):
    """The bytes are not the AMQP 0-10 encoding of what was expected."""

    condition = Condition.DECODE_ERROR


@mypyc_attr(native_class=False)
class FrameError(LastvalueError):
    """The bytes cannot be split into frames any more: the connection must end."""

    condition = Condition.FRAMING_ERROR


@mypyc_attr(native_class=False)
class EncodeError(LastvalueError):
    """A value has no AMQP 0-10 encoding: its type is unknown, or it is out of its type's range."""

    condition = Condition.INVALID_FIELD


@mypyc_attr(native_class=False)
class CommandError(LastvalueError):
    """A command cannot be carried out, with a code of the protocol's own."""

    condition = Condition.ILLEGAL_STATE

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def code_of(fault: LastvalueError) -> int:
    """The error code of a fault."""
    return fault.code if isinstance(fault, CommandError) else fault.condition.amqp010
