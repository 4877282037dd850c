"""Connections, sessions and subscriptions of every protocol, as consoles see them.

What a message costs over other protocols is not counted for them: their counts of messages and bytes are 0.
"""

from collections.abc import Iterator

from lastvalue.broker.connections import ConnectionInfo, ConsumerInfo, SessionInfo
from lastvalue.codec.amqp10.values import UInt, UShort, Value
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.consumer import SessionConsumer
from lastvalue.frontends.amqp010.frontend import Frontend
from lastvalue.frontends.amqp010.qmf import schema
from lastvalue.frontends.amqp010.qmf.managed_object import VHOST, ManagedObject, Values, reference
from lastvalue.frontends.amqp010.qmf.schema import PACKAGE

_SIMPLE = (str, int, float)


def connections(broker_state: BrokerState) -> Iterator[ManagedObject]:
    """All that are open."""
    for frontend in _frontends(broker_state):
        yield _connection(frontend)
    for info in broker_state.broker.connections.infos():
        yield _connection_of_info(info)


def sessions(broker_state: BrokerState) -> Iterator[ManagedObject]:
    """Sessions, and channels of AMQP 0-9-1."""
    for frontend in _frontends(broker_state):
        for state in frontend.states():
            name = _session_name(frontend, state.session.name)
            container, user = frontend.container, frontend.engine.identity
            yield _session(name, container, user, int(state.session.channel), state.unsettled.held)
    for info in broker_state.broker.connections.infos():
        for session_info in info.sessions:
            unsettled = sum(reader.held for reader in session_info.readers)
            yield _session(
                _session_info_name(info, session_info),
                info.name,
                info.identity,
                int(session_info.channel),
                unsettled,
            )


def subscriptions(broker_state: BrokerState) -> Iterator[ManagedObject]:
    """Subscriptions, consumers, and links from queues."""
    for frontend in _frontends(broker_state):
        for state in frontend.states():
            session = _session_name(frontend, state.session.name)
            for each in state.consumers.values():
                yield _subscription(session, frontend.engine.identity, each)
    for info in broker_state.broker.connections.infos():
        for session_info in info.sessions:
            for reader in session_info.readers:
                yield _reader(_session_info_name(info, session_info), info.identity, reader)


def _frontends(broker_state: BrokerState) -> list[Frontend]:
    return [each for each in broker_state.frontends if isinstance(each, Frontend)]


def _session_name(frontend: Frontend, name: bytes) -> str:
    return f"{frontend.container}.{name.decode(errors='replace')}"


def _session_info_name(info: ConnectionInfo, session_info: SessionInfo) -> str:
    return f"{info.name}.{session_info.channel}"


# ---------------------------------------------------------------------- objects


def _connection(frontend: Frontend) -> ManagedObject:
    handshake = frontend.engine.handshake
    told = handshake.client
    values = _connected(frontend.container, "AMQP 0-10", handshake.identity, handshake.mechanism, told)
    counts: Values = {
        "bytesFromClient": frontend.engine.bytes_in,
        "bytesToClient": frontend.engine.bytes_out,
        "msgsFromClient": frontend.messages_in,
        "msgsToClient": frontend.messages_out,
    }
    return ManagedObject(schema.CONNECTION, frontend.container, {**values, **counts}, (), handshake.identity)


def _connection_of_info(info: ConnectionInfo) -> ManagedObject:
    told: Values = {name: value for name, value in info.told.items() if isinstance(value, _SIMPLE)}
    values = _connected(info.name, info.protocol, info.identity, info.mechanism, told)
    values["remoteProcessName"] = info.program
    return ManagedObject(schema.CONNECTION, info.name, values, (), info.identity)


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


def _session(name: str, connection: str, user: str, channel: int, unsettled: int) -> ManagedObject:
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
    return ManagedObject(schema.SESSION, name, values, (), user)


def _subscription(session: str, user: str, each: SessionConsumer) -> ManagedObject:
    values: Values = {
        "browsing": not each.acquires,
        "acknowledged": not each.settles,
        "exclusive": each.exclusive,
        "creditMode": "WINDOW" if each.window.refills else "CREDIT",
        "arguments": each.arguments,
        "delivered": each.delivered,
    }
    return _read((session, user), each.queue_name, each.destination, values)


def _reader(session: str, user: str, reader: ConsumerInfo) -> ManagedObject:
    values: Values = {
        "browsing": reader.browses,
        "acknowledged": not reader.settles,
        "exclusive": False,
        "creditMode": "CREDIT",
        "arguments": {},
        "delivered": 0,
    }
    return _read((session, user), reader.queue, reader.name, values)


def _read(reads: tuple[str, str], queue: str, name: str, values: Values) -> ManagedObject:
    session, user = reads
    references: Values = {"sessionRef": reference("session", session), "queueRef": reference("queue", queue)}
    place = f"{PACKAGE}:session:{session},{PACKAGE}:queue:{queue},{name}"
    return ManagedObject(schema.SUBSCRIPTION, place, {**references, "name": name, **values}, (queue,), user)


def _count(value: Value) -> UInt:
    return UInt(value) if isinstance(value, int) and 0 <= value < 2**32 else UInt(0)
