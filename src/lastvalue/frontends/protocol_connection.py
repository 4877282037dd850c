"""What the driver of a socket asks of a protocol: the same of each, whatever its engine is like."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.connections import ConnectionHandle, ConnectionStatistics
from lastvalue.protocols.sasl import Authenticator


@final
class ConnectionContext:
    """What a connection with one peer begins with.

    Attributes:
        broker: what the peer talks to.
        authenticator: who may connect.
        on_schedule: called when there is something to write at the end of the turn; more often than once in
            a turn does no harm.
        enter: to be called once, when it is known who the peer is and before it is let in; why it may not
            have another connection, or None where it may.
    """

    __slots__ = ("authenticator", "broker", "enter", "on_schedule")

    def __init__(
        self,
        broker: Broker,
        authenticator: Authenticator,
        on_schedule: Callable[[], None],
        enter: Callable[[str], str | None],
    ) -> None:
        self.broker = broker
        self.authenticator = authenticator
        self.on_schedule = on_schedule
        self.enter = enter


@mypyc_attr(allow_interpreted_subclasses=True)
class ProtocolConnection(ConnectionHandle):
    """One peer's connection in one protocol: the engine, and what its events do to the broker.

    The driver hands in what it reads; and once per turn, after the broker's pump, calls `seal`, `confirm`,
    and `data_to_send`, in this order; then it looks at the attributes. Times are milliseconds: `wire_now` is
    the time of connections, `now` that of queues. What a peer does raises nothing.

    Attributes:
        finished: the socket is to be closed once what `data_to_send` still holds is written.
        reading_paused: nothing is to be read from the peer for now.
        bytes_in, bytes_out: what was taken from the peer, and what `data_to_send` gave out.
        since_ms: when the connection was made, as `wire_now`.
    """

    __slots__ = ("bytes_in", "bytes_out", "finished", "reading_paused", "since_ms")

    def __init__(self) -> None:
        self.reading_paused = False
        self.finished = False
        self.bytes_in: i64 = 0
        self.bytes_out: i64 = 0
        self.since_ms: i64 = 0

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """Take bytes from the peer, the first ones of the connection included, and act on them."""
        raise NotImplementedError

    def advance(self, wire_now: i64, now: i64) -> None:
        """Do what is due on the connection."""
        raise NotImplementedError

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, as `wire_now`, or NEVER."""
        raise NotImplementedError

    def seal(self, position: int) -> None:
        """This turn's publishes are in the journal up to this position."""
        raise NotImplementedError

    def confirm(self, flushed: int) -> bool:
        """Confirm what has been flushed; true while more waits."""
        raise NotImplementedError

    def data_to_send(self) -> bytes:
        """What is to be written, taken out of the engine."""
        raise NotImplementedError

    def set_writable(self, writable: bool) -> None:
        """Whether the transport takes bytes: no message is chosen while it does not."""
        raise NotImplementedError

    def resume(self) -> None:
        """The output was written: readers that waited for room may go on."""
        raise NotImplementedError

    def statistics(self) -> ConnectionStatistics | None:
        """See ConnectionHandle."""
        return None

    def shut_down(self, reason: str) -> None:
        """Close from this side; the peer's answer is still read."""
        raise NotImplementedError

    def lost(self, wire_now: i64, now: i64) -> None:
        """The socket is gone: nothing that the peer held stays held. Called last, and more than once."""
        raise NotImplementedError
