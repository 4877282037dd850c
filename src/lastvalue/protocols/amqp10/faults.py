"""Faults of a peer, by what they end. They never leave the engine."""

from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

MAX_DESCRIPTION_SIZE: Final = 256
"""Bytes of an error's text, so that its frame fits the smallest frame size that every peer takes."""


@mypyc_attr(native_class=False)
class PeerFault(LastvalueError):  # noqa: N818 - ours is the fault's handling, theirs the error
    """The peer broke the protocol: the connection must close."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


@mypyc_attr(native_class=False)
class SessionFault(PeerFault):
    """The session must end."""


@mypyc_attr(native_class=False)
class LinkFault(PeerFault):
    """The link must be detached."""


def peer_error(condition: Condition, text: str) -> AmqpError:
    """The error as the peer gets it."""
    return AmqpError(condition.amqp10, text.encode()[:MAX_DESCRIPTION_SIZE].decode(errors="ignore"))
