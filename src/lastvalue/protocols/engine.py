"""The interface of every protocol engine to its driver."""

from typing import Final, Protocol

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

QPID_JAVA: Final = "qpid"
"""The product that Qpid's JMS client for AMQP 0-8 to 0-10 declares; what it expects is what Broker-J does."""


@mypyc_attr(native_class=False)
class UsageError(LastvalueError):
    """The protocol does not allow what the owner of an engine asks for now; nothing was sent."""

    condition = Condition.ILLEGAL_STATE


GONE: Final = "the peer went away without closing"
"""The end of a connection whose transport the peer has closed."""


class Engine(Protocol):
    """One peer's connection.

    After every call the driver takes `data_to_send` and writes all of it; when `finished` is true it closes
    the transport once that is written.

    Attributes:
        end_cause: why the connection ended, or ends; empty where the peer closed it in order.
        end_condition: of the error that ended it, as its protocol names it; empty where none did, or this
            side closed it on purpose.
    """

    end_cause: str
    end_condition: str

    @property
    def finished(self) -> bool:
        """Nothing more is read, or written after `data_to_send`."""
        ...

    def receive(self, data: bytes, now: int) -> None:
        """Process bytes from the peer. No bytes of a peer raise an error."""
        ...

    def receive_eof(self, now: int) -> None:
        """The peer has closed its side of the transport."""
        ...

    def data_to_send(self) -> bytes:
        """Take out the bytes to write."""
        ...

    def next_deadline(self) -> int:
        """When `advance` next has something to do, milliseconds since the epoch, or NEVER."""
        ...

    def advance(self, now: int) -> None:
        """Do what is due: heartbeats and timeouts."""
        ...
