"""What every protocol engine offers its driver."""

from typing import Protocol

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


@mypyc_attr(native_class=False)
class UsageError(LastvalueError):
    """This side asked an engine for what its protocol does not allow now; nothing was sent."""

    condition = Condition.ILLEGAL_STATE


class Engine(Protocol):
    """One peer's connection.

    After every call the driver takes `data_to_send` and writes all of it; when `finished` is true it closes
    the transport once that is written.
    """

    @property
    def finished(self) -> bool:
        """Nothing more will be read or written but what `data_to_send` holds."""
        ...

    def receive(self, data: bytes, now: int) -> None:
        """Take bytes from the peer. Never raises for what a peer did."""
        ...

    def receive_eof(self, now: int) -> None:
        """The peer will send no more."""
        ...

    def data_to_send(self) -> bytes:
        """What is to be written, taken out of the engine."""
        ...

    def next_deadline(self) -> int:
        """When `advance` next has something to do, milliseconds since the epoch, or NEVER."""
        ...

    def advance(self, now: int) -> None:
        """Let time pass: heartbeats and timeouts."""
        ...
