"""The errors of the codec for invalid bytes and values."""

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


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
