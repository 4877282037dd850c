"""The codes with which Artemis's clients make exceptions of failures."""

from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

INTERNAL_ERROR: Final = 0
UNSUPPORTED_PACKET: Final = 1
QUEUE_DOES_NOT_EXIST: Final = 100
QUEUE_EXISTS: Final = 101
INVALID_FILTER_EXPRESSION: Final = 103
ILLEGAL_STATE: Final = 104
SECURITY_EXCEPTION: Final = 105
ADDRESS_DOES_NOT_EXIST: Final = 106
ADDRESS_EXISTS: Final = 107
INCOMPATIBLE_VERSIONS: Final = 108
LARGE_MESSAGE_ERROR: Final = 110
TRANSACTION_ROLLED_BACK: Final = 111
SESSION_CREATION_REJECTED: Final = 112
DUPLICATE_ID_REJECTED: Final = 113
DUPLICATE_METADATA: Final = 114
INVALID_TRANSIENT_USE: Final = 118
REMOTE_DISCONNECT: Final = 119
ADDRESS_FULL: Final = 210
MAX_CONSUMERS: Final = 214
INVALID_QUEUE_CONFIGURATION: Final = 216


@mypyc_attr(native_class=False)
class CoreError(LastvalueError):
    """A packet is refused with one of Artemis's codes.

    Attributes:
        code: the code.
    """

    condition = Condition.NOT_ALLOWED

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
