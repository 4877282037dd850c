"""The statistics of a connection of AMQP 1.0."""

from mypy_extensions import i64

from lastvalue.broker.connections import ConnectionStatistics, LinkStatistics, SessionStatistics, Traffic
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.frontends.amqp10.producer import LinkProducer
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.session import Session

_PROCESS = "qpid.client_process"


def connection_statistics(engine: Connection, number: i64, traffic: Traffic) -> ConnectionStatistics | None:
    """The connection of that number; None while it is not open."""
    remote = engine.remote
    if remote is None or engine.finished:
        return None
    statistics = ConnectionStatistics(f"amqp-1.0:{number}", "AMQP 1.0", engine.identity or "", traffic)
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
