"""What there is of a connection, for those who look after the broker."""

from mypy_extensions import i64

from lastvalue.broker.guests import Reader, Stay, Visit
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import Session

_PROCESS = "qpid.client_process"


def visit_of(engine: Connection, number: i64) -> Visit | None:
    """The connection of that number; None while it is not open."""
    remote = engine.remote
    if remote is None or engine.finished:
        return None
    visit = Visit(f"amqp-1.0:{number}", "AMQP 1.0", engine.identity or "")
    visit.mechanism = engine.mechanism
    told: dict[str, Value] = {str(name): value for name, value in (remote.properties or {}).items()}
    visit.told = told
    visit.program = str(told.get(_PROCESS, remote.container_id))
    visit.stays = [Stay(channel, _readers(session)) for channel, session in engine.sessions.items()]
    return visit


def _readers(session: Session) -> list[Reader]:
    readers: list[Reader] = []
    for link in session.links.values():
        consumer = link.context if isinstance(link, SenderLink) else None
        if isinstance(consumer, LinkConsumer) and consumer.reading is not None:
            readers.append(Reader(link.name, consumer.reading, consumer.settles))
    return readers
