"""AMQP 0-10 as the driver of a socket sees it."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.connections import ConnectionStatistics
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.frontend import Frontend
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.frontends.protocol_connection import ConnectionContext, EngineConnection, ProtocolConnection
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp010.connection import Connection, Options


@final
class Amqp010Connection(EngineConnection):
    """See ProtocolConnection."""

    __slots__ = ("_broker_state", "_engine", "_frontend")

    def __init__(
        self, context: ConnectionContext, options: Options, broker_state: BrokerState, wire_now: i64
    ) -> None:
        self._broker_state = broker_state
        self._engine = Connection(options, context.authenticator, context.enter, context.memory, wire_now)
        self._frontend = Frontend(self._engine, broker_state, context.on_schedule)
        super().__init__(
            context, self._frontend.output, self._frontend.confirmations, self._frontend.number, wire_now
        )

    def states(self) -> list[SessionState]:
        """The sessions that are attached."""
        return self._frontend.states()

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        self.bytes_in += len(data)
        self._engine.receive(data, wire_now)
        self._frontend.handle(now)
        while self._engine.go_on():
            self._frontend.handle(now)
        self._frontend.handle(now)
        fault = self.count_open(self._frontend.open_bytes)
        if fault is not None:
            self._engine.close(Condition.RESOURCE_LIMIT_EXCEEDED.amqp010, fault)
            self._frontend.handle(now)

    def advance(self, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        if self._broker_state.advance(wire_now, now):
            self._frontend.output.schedule_write()
        self._engine.advance(wire_now)
        self._frontend.handle(now)

    def next_deadline(self) -> i64:
        """See ProtocolConnection."""
        return min(self._engine.next_deadline(), self._broker_state.next_deadline())

    def seal(self, position: int, now: i64) -> None:
        """See ProtocolConnection."""
        super().seal(position, now)
        self._frontend.answer_management(now)

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        data = self._engine.data_to_send()
        self.bytes_out += len(data)
        self.finished = self._engine.finished
        return data

    def statistics(self) -> ConnectionStatistics | None:
        """See ConnectionHandle."""
        statistics = self._frontend.statistics()
        if statistics is not None:
            statistics.bytes_in, statistics.bytes_out = self.bytes_in, self.bytes_out
            statistics.since_ms = self.since_ms
        return statistics

    def shut_down(self, reason: str) -> None:
        """See ProtocolConnection."""
        self._engine.close(Condition.CONNECTION_FORCED.amqp010, reason)
        self._frontend.output.schedule_write()

    def lost(self, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        self._engine.receive_eof(wire_now)
        self._frontend.handle(now)
        self._frontend.close(now)
        self._broker_state.broker.connections.leave(self)
        self._memory.close()


def opener(
    options: Options, broker_state: BrokerState
) -> Callable[[ConnectionContext, int], ProtocolConnection]:
    """What opens a connection in AMQP 0-10 from its context and the time."""
    return lambda context, wire_now: Amqp010Connection(context, options, broker_state, wire_now)
