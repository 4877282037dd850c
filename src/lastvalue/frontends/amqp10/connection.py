"""AMQP 1.0 for the driver of a socket."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.statistics.connections import (
    ConnectionStatistics,
    LinkStatistics,
    SessionStatistics,
    Traffic,
)
from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.delivery.protocol_connection import ConnectionContext, EngineConnection, ProtocolConnection
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.frontends.amqp10.open_policy import PROTOCOL, connection_name
from lastvalue.frontends.amqp10.producer import LinkProducer
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.session import Session

_PROCESS: Final = "qpid.client_process"


@final
class Amqp10Connection(EngineConnection[Connection]):
    """See ProtocolConnection.

    Args:
        context: of the connection.
        options: of the engine.
        refuse_unknown_filters: refuse a link that asks for an unknown filter.
        wire_now: when the connection was made.
    """

    __slots__ = ("_frontend",)

    def __init__(
        self,
        context: ConnectionContext,
        options: ConnectionOptions,
        refuse_unknown_filters: bool,
        wire_now: i64,
    ) -> None:
        engine = Connection(Role.SERVER, options, wire_now, context.memory)
        engine.authenticate_by(context.authenticator)
        engine.holds_endings = True
        self._frontend = Frontend(
            engine, context.broker, context.on_schedule, refuse_unknown_filters, context.peer
        )
        self._frontend.open_policy.enter = context.enter
        super().__init__(context, engine, self._frontend.output, self._frontend.confirmations, wire_now)
        self.number = self._frontend.number

    def _handle(self, now: i64) -> None:
        """See EngineConnection: a close, end or detach comes after the answers to what was before it."""
        self._frontend.handle(now)
        while self._engine.ending_waits and not self._puts_end_off():
            self._engine.go_on()
            self._frontend.handle(now)

    def _open_bytes(self) -> i64:
        """See EngineConnection."""
        return self._engine.open_bytes

    def _close(self, condition: Condition, reason: str) -> None:
        """See EngineConnection."""
        self._engine.close(AmqpError(condition.amqp10, reason))

    def _release(self, now: i64) -> None:
        """See EngineConnection."""
        self._frontend.close(now)

    @property
    def family(self) -> str:
        """See ConnectionHandle."""
        return "AMQP 1.0"

    def _statistics(self) -> ConnectionStatistics | None:
        """See EngineConnection."""
        statistics = connection_statistics(self._engine, self._frontend.number, self._output.traffic)
        if statistics is not None:
            statistics.transactions = self._frontend.transactions
        return statistics

    def resume(self) -> None:
        """See ProtocolConnection."""
        self._frontend.resume()


def opener(
    options: ConnectionOptions,
    *,
    refuse_unknown_filters: bool,
) -> Callable[[ConnectionContext, int], ProtocolConnection]:
    """The function that makes a connection in AMQP 1.0 from its context and the time."""
    return lambda context, wire_now: Amqp10Connection(context, options, refuse_unknown_filters, wire_now)


def connection_statistics(engine: Connection, number: i64, traffic: Traffic) -> ConnectionStatistics | None:
    """The statistics of the connection of that number; None while it is not open."""
    remote = engine.remote
    if remote is None or engine.finished:
        return None
    statistics = ConnectionStatistics(connection_name(number), PROTOCOL, engine.identity or "", traffic)
    statistics.mechanism = engine.mechanism
    statistics.properties = {str(name): value for name, value in (remote.properties or {}).items()}
    statistics.program = str(statistics.properties.get(_PROCESS, remote.container_id))
    for channel, session in engine.sessions.items():
        links = _links(session)
        unsettled = sum(int(link.unsettled) for link in links)
        statistics.sessions.append(SessionStatistics(str(channel), channel, links, unsettled))
    return statistics


def _links(session: Session) -> list[LinkStatistics]:
    links: list[LinkStatistics] = []
    for link in session.links.values():
        context = link.context
        if isinstance(context, LinkConsumer):
            consumer = context.statistics(link.name)
            if consumer is not None:
                links.append(consumer)
        elif isinstance(context, LinkProducer):
            links.append(context.statistics(link.name, context.address))
    return links
