"""The errors of the codec for invalid bytes and values.

A decoder raises no other errors, whatever its input.
"""

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


@mypyc_attr(native_class=False)
class DecodeError(LastvalueError):
    """The bytes are not the AMQP 1.0 encoding of what was expected."""

    condition = Condition.DECODE_ERROR


@mypyc_attr(native_class=False)
class FieldError(DecodeError):
    """A field of a performative is missing, of the wrong type, or out of its range."""

    condition = Condition.INVALID_FIELD

    def __init__(self, composite: str, field: str, fault: str) -> None:
        super().__init__(f"{composite}.{field}: {fault}")
        self.composite = composite
        self.field = field


@mypyc_attr(native_class=False)
class LargeStructureError(DecodeError):
    """A message has more values than are searched or decoded for one message."""

    condition = Condition.MESSAGE_SIZE_EXCEEDED


@mypyc_attr(native_class=False)
class FrameError(LastvalueError):
    """The bytes cannot be split into frames any more: the connection must end."""

    condition = Condition.FRAMING_ERROR


@mypyc_attr(native_class=False)
class LongFrameError(FrameError):
    """A frame is larger than allowed."""


@mypyc_attr(native_class=False)
class EncodeError(LastvalueError):
    """A value has no AMQP 1.0 encoding: its type is unknown, or it is out of its type's range."""

    condition = Condition.INVALID_FIELD
