"""Connections, sessions and subscriptions of every protocol, as consoles see them.

What a message costs over other protocols is not counted for them: their counts of messages and bytes are 0.
"""

from collections.abc import Iterator

from lastvalue.broker.guests import Reader, Stay, Visit
from lastvalue.codec.amqp10.values import UInt, UShort, Value
from lastvalue.frontends.amqp010.consumer import SessionConsumer
from lastvalue.frontends.amqp010.domain import Domain
from lastvalue.frontends.amqp010.frontend import Frontend
from lastvalue.frontends.amqp010.qmf import schema
from lastvalue.frontends.amqp010.qmf.managed import VHOST, Managed, Values, reference
from lastvalue.frontends.amqp010.qmf.schema import PACKAGE

_SIMPLE = (str, int, float)


def connections(domain: Domain) -> Iterator[Managed]:
    """All that are open."""
    for frontend in _frontends(domain):
        yield _connection(frontend)
    for visit in domain.broker.guests.visits():
        yield _visiting(visit)


def sessions(domain: Domain) -> Iterator[Managed]:
    """Sessions, and channels of AMQP 0-9-1."""
    for frontend in _frontends(domain):
        for state in frontend.states():
            name = _session_name(frontend, state.session.name)
            container, user = frontend.container, frontend.engine.identity
            yield _session(name, container, user, int(state.session.channel), state.unsettled.held)
    for visit in domain.broker.guests.visits():
        for stay in visit.stays:
            unsettled = sum(reader.held for reader in stay.readers)
            yield _session(_stay_name(visit, stay), visit.name, visit.identity, int(stay.channel), unsettled)


def subscriptions(domain: Domain) -> Iterator[Managed]:
    """Subscriptions, consumers, and links from queues."""
    for frontend in _frontends(domain):
        for state in frontend.states():
            session = _session_name(frontend, state.session.name)
            for each in state.consumers.values():
                yield _subscription(session, frontend.engine.identity, each)
    for visit in domain.broker.guests.visits():
        for stay in visit.stays:
            for reader in stay.readers:
                yield _reader(_stay_name(visit, stay), visit.identity, reader)


def _frontends(domain: Domain) -> list[Frontend]:
    return [each for each in domain.frontends if isinstance(each, Frontend)]


def _session_name(frontend: Frontend, name: bytes) -> str:
    return f"{frontend.container}.{name.decode(errors='replace')}"


def _stay_name(visit: Visit, stay: Stay) -> str:
    return f"{visit.name}.{stay.channel}"


# ---------------------------------------------------------------------- objects


def _connection(frontend: Frontend) -> Managed:
    handshake = frontend.engine.handshake
    told = handshake.client
    values = _connected(frontend.container, "AMQP 0-10", handshake.identity, handshake.mechanism, told)
    counts: Values = {
        "bytesFromClient": frontend.engine.bytes_in,
        "bytesToClient": frontend.engine.bytes_out,
        "msgsFromClient": frontend.messages_in,
        "msgsToClient": frontend.messages_out,
    }
    return Managed(schema.CONNECTION, frontend.container, {**values, **counts}, (), handshake.identity)


def _visiting(visit: Visit) -> Managed:
    told: Values = {name: value for name, value in visit.told.items() if isinstance(value, _SIMPLE)}
    values = _connected(visit.name, visit.protocol, visit.identity, visit.mechanism, told)
    values["remoteProcessName"] = visit.program
    return Managed(schema.CONNECTION, visit.name, values, (), visit.identity)


def _connected(name: str, protocol: str, identity: str, mechanism: str, told: dict[str, Value]) -> Values:
    return {
        "vhostRef": VHOST,
        "address": name,
        "incoming": True,
        "SystemConnection": False,
        "userProxyAuth": False,
        "federationLink": False,
        "authIdentity": identity,
        "remoteProcessName": str(told.get("qpid.client_process", "")),
        "remotePid": _count(told.get("qpid.client_pid")),
        "remoteParentPid": _count(told.get("qpid.client_ppid")),
        "shadow": False,
        "saslMechanism": mechanism,
        "saslSsf": UShort(0),
        "remoteProperties": told,
        "protocol": protocol,
        "closing": False,
        "framesFromClient": 0,
        "framesToClient": 0,
        "bytesFromClient": 0,
        "bytesToClient": 0,
        "msgsFromClient": 0,
        "msgsToClient": 0,
    }


def _session(name: str, connection: str, user: str, channel: int, unsettled: int) -> Managed:
    values: Values = {
        "vhostRef": VHOST,
        "name": name,
        "fullName": name,
        "channelId": UShort(channel),
        "connectionRef": reference("connection", connection),
        "detachedLifespan": UInt(0),
        "attached": True,
        "unackedMessages": unsettled,
        "TxnStarts": 0,
        "TxnCommits": 0,
        "TxnRejects": 0,
        "TxnCount": UInt(0),
        "clientCredit": UInt(0),
    }
    return Managed(schema.SESSION, name, values, (), user)


def _subscription(session: str, user: str, each: SessionConsumer) -> Managed:
    values: Values = {
        "browsing": not each.acquires,
        "acknowledged": not each.settles,
        "exclusive": each.exclusive,
        "creditMode": "WINDOW" if each.window.refills else "CREDIT",
        "arguments": each.arguments,
        "delivered": each.delivered,
    }
    return _read((session, user), each.queue_name, each.destination, values)


def _reader(session: str, user: str, reader: Reader) -> Managed:
    values: Values = {
        "browsing": reader.browses,
        "acknowledged": not reader.settles,
        "exclusive": False,
        "creditMode": "CREDIT",
        "arguments": {},
        "delivered": 0,
    }
    return _read((session, user), reader.queue, reader.name, values)


def _read(reads: tuple[str, str], queue: str, name: str, values: Values) -> Managed:
    session, user = reads
    references: Values = {"sessionRef": reference("session", session), "queueRef": reference("queue", queue)}
    place = f"{PACKAGE}:session:{session},{PACKAGE}:queue:{queue},{name}"
    return Managed(schema.SUBSCRIPTION, place, {**references, "name": name, **values}, (queue,), user)


def _count(value: Value) -> UInt:
    return UInt(value) if isinstance(value, int) and 0 <= value < 2**32 else UInt(0)
