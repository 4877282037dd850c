"""The interface between the driver of a socket and each protocol."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, TypeVar, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import Steps
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.broker.statistics.connections import ConnectionHandle, ConnectionStatistics
from lastvalue.delivery.authentication import Authentication
from lastvalue.delivery.confirmations import Confirmations
from lastvalue.delivery.consumer import FAULT
from lastvalue.delivery.output import Output
from lastvalue.model.admission import FIRST_CORE_BYTES
from lastvalue.model.conditions import Condition
from lastvalue.model.memory_budget import MemoryAccount, MemoryLimitError
from lastvalue.protocols.engine import Engine
from lastvalue.protocols.sasl import Authenticator

_Engine = TypeVar("_Engine", bound=Engine)

CONNECTION_BYTES: Final = 10240
"""The memory of a connection without what its peer has open."""
SHUTTING_DOWN: Final = "the broker is shutting down"
"""The reason of `shut_down` where all connections end; a protocol may have a code of its own for it."""
_QUICKLY_COUNTED_BYTES: Final = 1 << 19
"""So much is counted in some microseconds, as 64 sessions are."""
_COUNTED_PER_BYTE: Final = 2048
"""If more is open, this many bytes are counted again for each byte of input, so a byte costs the same."""


@final
class ConnectionContext:
    """What a new connection needs.

    Attributes:
        broker: that the peer uses.
        peer: what is known of it; the connection says more when it opens.
        authenticator: decides who may connect.
        memory: the connection's, of the broker's budget.
        on_schedule: called when there is something to write at the end of the turn; repeated calls in one
            turn are harmless.
        authentication: how the peer becomes its user; None if nothing can end that later.
    """

    __slots__ = ("_enter", "authentication", "authenticator", "broker", "memory", "on_schedule", "peer")

    def __init__(
        self,
        broker: Broker,
        authenticator: Authenticator,
        on_schedule: Callable[[], None],
        enter: Callable[[str], str | None],
        peer: PeerIdentity | None = None,
        authentication: Authentication | None = None,
    ) -> None:
        self.broker = broker
        self.authentication = authentication
        self.peer = PeerIdentity() if peer is None else peer
        self.authenticator = authenticator
        self.memory = MemoryAccount(broker.memory, CONNECTION_BYTES + FIRST_CORE_BYTES.most)
        self.on_schedule = on_schedule
        self._enter = enter

    def enter(self, user: str) -> str | None:
        """Open the connection for a user: the reason why the user may not have another one, or None.

        It is called with the authenticated user before the connection opens, and again where a token makes
        the peer another user.
        """
        refusal = self._enter(user)
        if refusal is None:
            self.memory.belong(user)
            self.broker.connections.entered(self.peer, user)
        return refusal


@mypyc_attr(allow_interpreted_subclasses=True)
class ProtocolConnection(ConnectionHandle):
    """One peer's connection in one protocol: the engine, and what its events do to the broker.

    The driver passes in what it reads. Once per turn, after the broker's pump, it calls `seal`, `confirm` and
    `data_to_send`, in this order, and then reads the attributes. Times are milliseconds: `wire_now` is the
    time of connections, `now` that of queues. Nothing that a peer does raises an error here.

    Attributes:
        finished: the driver closes the socket once it has written what `data_to_send` returns.
        reading_paused: the driver reads nothing from the peer for now.
        input_waiting: the driver calls `receive` again, with no bytes: a part of the last ones waits.
        provisional: what `data_to_send` returned last shows changes that a reader takes for lasting.
        stored_first: it leaves only once the journal has what it is of.
        bytes_in, bytes_out: bytes that `receive` was passed, and that `data_to_send` returned.
        since_ms: when the connection was made, as `wire_now`.
    """

    __slots__ = (
        "bytes_in", "bytes_out", "finished", "input_waiting", "provisional", "reading_paused", "since_ms",
        "stored_first",
    )  # fmt: skip

    def __init__(self) -> None:
        self.input_waiting = False
        self.reading_paused = False
        self.finished = False
        self.provisional = False
        self.stored_first = False
        self.bytes_in: i64 = 0
        self.bytes_out: i64 = 0
        self.since_ms: i64 = 0

    @property
    def busy(self) -> bool:
        """Not all of what the peer asked for is done: the driver passes in no bytes until it is."""
        return False

    @abstractmethod
    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """Process bytes from the peer, the first ones of the connection included."""
        raise NotImplementedError

    def password_checked(self, wire_now: i64, now: i64) -> None:
        """The password that the peer showed has been checked: the authenticator has the result."""
        self.receive(b"", wire_now, now)

    @abstractmethod
    def advance(self, wire_now: i64, now: i64) -> None:
        """Do what is due on the connection: heartbeats and timeouts."""
        raise NotImplementedError

    @abstractmethod
    def next_deadline(self) -> i64:
        """When `advance` next has something to do, as `wire_now`, or NEVER."""
        raise NotImplementedError

    @abstractmethod
    def seal(self, position: int, now: i64) -> None:
        """This turn's publishes are in the journal up to this position."""
        raise NotImplementedError

    @abstractmethod
    def confirm(self, flushed: int, now: i64) -> bool:
        """Confirm what has been flushed; true while more waits."""
        raise NotImplementedError

    @abstractmethod
    def data_to_send(self) -> bytes:
        """Take out of the engine what the driver writes."""
        raise NotImplementedError

    @abstractmethod
    def set_writable(self, writable: bool) -> None:
        """Say whether the transport takes bytes; while it does not, no message is chosen."""
        raise NotImplementedError

    @abstractmethod
    def resume(self) -> None:
        """The output has been written: serve the readers that waited for room."""
        raise NotImplementedError

    @property
    def end_cause(self) -> str:
        """Why the connection ended, or ends; empty where the peer closed it in order."""
        raise NotImplementedError

    def statistics(self) -> ConnectionStatistics | None:
        """See ConnectionHandle."""
        return None

    @abstractmethod
    def shut_down(self, reason: str) -> None:
        """Close the connection from this side; the peer's answer is still read."""
        raise NotImplementedError

    @abstractmethod
    def lost(self, wire_now: i64, now: i64) -> None:
        """The socket is gone: release everything that the peer held. Called last, perhaps more than once."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class EngineConnection(ProtocolConnection, Generic[_Engine]):
    """A connection with an engine of its own, and the part of it that all protocols share.

    A protocol says what its engine's events do, how it is closed, and what it holds.

    Args:
        context: of the connection.
        engine: of the connection.
        output: of the engine.
        confirmations: that the connection owes its peer.
        wire_now: the time.

    Attributes:
        number: of the connection, from `Broker.identify`.
    """

    __slots__ = (
        "_broker",
        "_confirmations",
        "_counted_bytes",
        "_ending_waits",
        "_engine",
        "_identity",
        "_memory",
        "_output",
        "_peer_gone",
        "_uncounted_input",
        "number",
    )

    def __init__(
        self,
        context: ConnectionContext,
        engine: _Engine,
        output: Output,
        confirmations: Confirmations[Any, Any],
        wire_now: i64,
    ) -> None:
        super().__init__()
        self.since_ms = wire_now
        self._broker = context.broker
        self._engine = engine
        self._memory = context.memory
        self._identity = context.peer
        self._output = output
        self._confirmations = confirmations
        self._counted_bytes: i64 = 0
        self._uncounted_input: i64 = 0
        self._ending_waits = False
        self._peer_gone = False
        self.number: i64 = 0
        context.broker.connections.join(self)

    # ------------------------------------------------------------------ what each protocol says

    @abstractmethod
    def _handle(self, now: i64) -> None:
        """Process the engine's events, until the routing that they cause is over; the rest the next time."""
        raise NotImplementedError

    @abstractmethod
    def _open_bytes(self) -> i64:
        """The memory of what the peer has open."""
        raise NotImplementedError

    @abstractmethod
    def _close(self, condition: Condition, reason: str) -> None:
        """Close the engine from this side."""
        raise NotImplementedError

    @abstractmethod
    def _release(self, now: i64) -> None:
        """Release everything that the peer held; a second call does nothing."""
        raise NotImplementedError

    @abstractmethod
    def _statistics(self) -> ConnectionStatistics | None:
        """The statistics that depend on the protocol; None while it is not open."""
        raise NotImplementedError

    # ------------------------------------------------------------------ ProtocolConnection

    @property
    def busy(self) -> bool:
        """See ProtocolConnection."""
        return (
            self._broker.long_commands.runs_for(self.number)
            or self._output.holds_answers
            or (self._ending_waits and self._confirmations.unconfirmed)
            or self._waits_for_memory()
        )

    def _waits_for_memory(self) -> bool:
        """Whether a message of the peer, and all behind it, waits until there is memory for it."""
        return False

    def _puts_end_off(self) -> bool:
        """Whether the peer's end of something waits, because what came before it is still to be answered."""
        self._ending_waits = not self._peer_gone and (
            self._confirmations.unconfirmed or self._broker.long_commands.runs_for(self.number)
        )
        return self._ending_waits

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        self.bytes_in += len(data)
        self._ending_waits = False
        work = self._broker.exchanges.work
        work.begin()
        self._engine.receive(data, wire_now)
        self._handle(now)
        # Who has put events off continues with them after the next look at the clock.
        self.input_waiting = work.is_over or self._ending_waits or self._waits_for_memory()
        self._uncounted_input += len(data)
        if self._uncounted_input * _COUNTED_PER_BYTE >= self._counted_bytes - _QUICKLY_COUNTED_BYTES:
            self._count_open(now)

    def _count_open(self, now: i64) -> None:
        """Count what the peer has open, in a time proportional to it; end a connection beyond a limit."""
        self._uncounted_input = 0
        self._counted_bytes = CONNECTION_BYTES + self._open_bytes()
        try:
            self._memory.count_open(self._counted_bytes)
        except MemoryLimitError as fault:
            self._close(Condition.RESOURCE_LIMIT_EXCEEDED, str(fault))
            self._handle(now)
            self._release(now)

    def advance(self, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        if self._broker.long_commands.runs_for(self.number):
            # Its peer is not heard meanwhile.
            self._engine.receive(b"", wire_now)
        self._engine.advance(wire_now)
        self._broker.exchanges.work.begin()
        self._handle(now)

    def next_deadline(self) -> i64:
        """See ProtocolConnection."""
        return self._engine.next_deadline()

    @property
    def end_cause(self) -> str:
        """See ProtocolConnection."""
        return self._engine.end_cause

    def seal(self, position: int, now: i64) -> None:
        """See ProtocolConnection."""
        del now
        self._output.write_scheduled = False
        if self._broker.long_commands.runs_for(self.number):
            self._output.schedule_write()
        else:
            self._confirmations.seal(position)

    def confirm(self, flushed: int, now: i64) -> bool:
        """See ProtocolConnection."""
        return self._confirmations.confirm(flushed, now)

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        data = self._engine.data_to_send()
        self.finished = self._engine.finished
        if self.finished and self._output.buffer.has_large_body:
            data += self._output.buffer.take_all()
        self.bytes_out += len(data)
        self.provisional = self._output.provisional
        self._output.provisional = False
        self.stored_first = self._output.stored_first
        self._output.stored_first = False
        return data

    def set_writable(self, writable: bool) -> None:
        """See ProtocolConnection."""
        self._output.set_writable(writable)

    def resume(self) -> None:
        """See ProtocolConnection."""
        self._output.resume()

    def statistics(self) -> ConnectionStatistics | None:
        """See ConnectionHandle."""
        statistics = self._statistics()
        if statistics is not None:
            statistics.bytes_in, statistics.bytes_out = self.bytes_in, self.bytes_out
            statistics.memory_bytes = self._memory.used_bytes
            statistics.since_ms = self.since_ms
            statistics.peer = self._identity.address
            statistics.tls = self._identity.tls
        return statistics

    def shut_down(self, reason: str) -> None:
        """See ProtocolConnection."""
        self._close(Condition.CONNECTION_FORCED, reason)
        self._output.schedule_write()

    def end_by_fault(self, number: i64) -> None:
        """See ConnectionHandle."""
        if number == self.number:
            self._close(Condition.INTERNAL_ERROR, FAULT)
            self._output.schedule_write()

    def lost(self, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection: what the peer held is released whatever its last events do."""
        try:
            if self._ending_waits:
                # Nobody hears the answers that it waits for, and messages may follow it.
                self._peer_gone = True
                self.receive(b"", wire_now, now)
            self._engine.receive_eof(wire_now)
            self._broker.exchanges.work.begin()
            self._handle(now)
        finally:
            try:
                self._release(now)
            finally:
                self._left(now)

    def _left(self, now: i64) -> None:
        self._broker.connections.leave(self)
        condition = self._engine.end_condition
        if condition:
            self._engine.end_condition = ""
            self._broker.connections.failed(condition)
        self._broker.connections.ended(self._identity)
        self._broker.long_commands.begin(Steps(self._forget(), self.number), now)

    def _forget(self) -> Iterator[None]:
        """Give the memory back; begun last, it follows what releases the rest."""
        self._memory.close()
        yield from ()
