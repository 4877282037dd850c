"""What a command is refused with."""

from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

UNAUTHORIZED: Final = 403
NOT_FOUND: Final = 404
LOCKED: Final = 405
PRECONDITION_FAILED: Final = 406
ILLEGAL_STATE: Final = 409
NOT_ALLOWED: Final = 530
ILLEGAL_ARGUMENT: Final = 531
NOT_IMPLEMENTED: Final = 540
INTERNAL_ERROR: Final = 541
INVALID_ARGUMENT: Final = 542
"""execution.error-code"""


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
