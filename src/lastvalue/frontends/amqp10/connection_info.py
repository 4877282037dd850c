"""What there is of a connection, for those who look after the broker."""

from mypy_extensions import i64

from lastvalue.broker.connections import ConnectionInfo, ConsumerInfo, SessionInfo
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import Session

_PROCESS = "qpid.client_process"


def connection_info(engine: Connection, number: i64) -> ConnectionInfo | None:
    """The connection of that number; None while it is not open."""
    remote = engine.remote
    if remote is None or engine.finished:
        return None
    info = ConnectionInfo(f"amqp-1.0:{number}", "AMQP 1.0", engine.identity or "")
    info.mechanism = engine.mechanism
    told: dict[str, Value] = {str(name): value for name, value in (remote.properties or {}).items()}
    info.told = told
    info.program = str(told.get(_PROCESS, remote.container_id))
    info.sessions = [SessionInfo(channel, _readers(session)) for channel, session in engine.sessions.items()]
    return info


def _readers(session: Session) -> list[ConsumerInfo]:
    readers: list[ConsumerInfo] = []
    for link in session.links.values():
        consumer = link.context if isinstance(link, SenderLink) else None
        if isinstance(consumer, LinkConsumer) and consumer.reader is not None:
            readers.append(ConsumerInfo(link.name, consumer.reader, consumer.settles))
    return readers
