"""AMQP 1.0 for the driver of a socket."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.connections import ConnectionStatistics
from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.frontends.amqp10.connection_statistics import connection_statistics
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.frontends.protocol_connection import ConnectionContext, EngineConnection, ProtocolConnection
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role


@final
class Amqp10Connection(EngineConnection):
    """See ProtocolConnection.

    Args:
        context: of the connection.
        options: of the engine.
        refuse_unknown_filters: refuse a link that asks for an unknown filter.
        wire_now: when the connection was made.
    """

    __slots__ = ("_broker", "_engine", "_frontend")

    def __init__(
        self,
        context: ConnectionContext,
        options: ConnectionOptions,
        refuse_unknown_filters: bool,
        wire_now: i64,
    ) -> None:
        self._broker = context.broker
        self._engine = Connection(Role.SERVER, options, wire_now, context.memory)
        self._engine.authenticate_by(context.authenticator)
        self._frontend = Frontend(self._engine, context.broker, context.on_schedule, refuse_unknown_filters)
        self._frontend.open_policy.enter = context.enter
        super().__init__(
            context, self._frontend.output, self._frontend.confirmations, self._frontend.number, wire_now
        )

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        self.bytes_in += len(data)
        self._engine.receive(data, wire_now)
        self._frontend.handle(now)
        fault = self.count_open(self._engine.open_bytes)
        if fault is not None:
            self._engine.close(AmqpError(Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, fault))
            self._frontend.close(now)

    def advance(self, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        self._engine.advance(wire_now)
        self._frontend.handle(now)

    def next_deadline(self) -> i64:
        """See ProtocolConnection."""
        return self._engine.next_deadline()

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        data = self._engine.data_to_send()
        self.bytes_out += len(data)
        self.finished = self._engine.finished
        return data

    def set_writable(self, writable: bool) -> None:
        """See ProtocolConnection."""
        self._frontend.set_writable(writable)

    def resume(self) -> None:
        """See ProtocolConnection."""
        self._frontend.resume()

    def statistics(self) -> ConnectionStatistics | None:
        """See ConnectionHandle."""
        statistics = connection_statistics(self._engine, self._frontend.number, self._frontend.output.traffic)
        if statistics is not None:
            statistics.bytes_in, statistics.bytes_out = self.bytes_in, self.bytes_out
            statistics.since_ms = self.since_ms
        return statistics

    def shut_down(self, reason: str) -> None:
        """See ProtocolConnection."""
        self._engine.close(AmqpError(Condition.CONNECTION_FORCED.amqp10, reason))
        self._frontend.output.schedule_write()

    def lost(self, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        self._engine.receive_eof(wire_now)
        self._frontend.handle(now)
        self._frontend.close(now)
        self._broker.connections.leave(self)
        self._memory.close()


def opener(
    options: ConnectionOptions,
    *,
    refuse_unknown_filters: bool,
) -> Callable[[ConnectionContext, int], ProtocolConnection]:
    """The function that makes a connection in AMQP 1.0 from its context and the time."""
    return lambda context, wire_now: Amqp10Connection(context, options, refuse_unknown_filters, wire_now)
