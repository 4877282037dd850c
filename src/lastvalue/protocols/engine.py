"""The interface of every protocol engine to its driver."""

from abc import abstractmethod
from typing import Final

from mypy_extensions import i64, mypyc_attr

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


@mypyc_attr(allow_interpreted_subclasses=True)
class Engine:
    """One peer's connection.

    After every call the driver takes `data_to_send` and writes all of it; when `finished` is true it closes
    the transport once that is written.

    Attributes:
        finished: nothing more is read, or written after `data_to_send`.
        end_cause: why the connection ended, or ends; empty where the peer closed it in order.
        end_condition: of the error that ended it, as its protocol names it; empty where none did, or this
            side closed it on purpose.
    """

    __slots__ = ("end_cause", "end_condition", "finished")

    def __init__(self) -> None:
        self.finished = False
        self.end_cause = ""
        self.end_condition = ""

    @abstractmethod
    def receive(self, data: bytes, now: i64) -> None:
        """Process bytes from the peer. No bytes of a peer raise an error."""
        raise NotImplementedError

    @abstractmethod
    def receive_eof(self, now: i64) -> None:
        """The peer has closed its side of the transport."""
        raise NotImplementedError

    @abstractmethod
    def data_to_send(self) -> bytes:
        """Take out the bytes to write."""
        raise NotImplementedError

    @abstractmethod
    def next_deadline(self) -> i64:
        """When `advance` next has something to do, milliseconds since the epoch, or NEVER."""
        raise NotImplementedError

    @abstractmethod
    def advance(self, now: i64) -> None:
        """Do what is due: heartbeats and timeouts."""
        raise NotImplementedError
