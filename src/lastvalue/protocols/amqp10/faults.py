"""What a peer does wrong, by what has to end for it. They never leave the engine."""

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


@mypyc_attr(native_class=False)
class PeerFault(LastvalueError):  # noqa: N818 - ours is the fault's handling, theirs the error
    """The peer broke the protocol."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


@mypyc_attr(native_class=False)
class SessionFault(PeerFault):
    """The session must end."""


@mypyc_attr(native_class=False)
class LinkFault(PeerFault):
    """The link must be detached."""
