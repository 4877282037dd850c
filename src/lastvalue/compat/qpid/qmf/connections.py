"""Connections, sessions and subscriptions of every protocol, as consoles see them."""

from collections.abc import Iterator
from typing import Any

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.statistics.connections import ConnectionStatistics, LinkStatistics, SessionStatistics
from lastvalue.codec.amqp010.qmf import broker_classes
from lastvalue.codec.amqp010.qmf.schema_class import PACKAGE
from lastvalue.codec.amqp10.values import UInt, UShort
from lastvalue.compat.qpid.qmf.managed_object import VHOST, ManagedObject, Values, reference

_SIMPLE = (str, int, float)


def connections(broker: Broker, owner: Owner) -> Iterator[ManagedObject]:
    """Those that the caller may see."""
    for each in broker.connections.visible(owner):
        yield _connection(each)


def sessions(broker: Broker, owner: Owner) -> Iterator[ManagedObject]:
    """Sessions, and channels of AMQP 0-9-1."""
    for connection in broker.connections.visible(owner):
        for session in connection.sessions:
            yield _session(connection, session)


def subscriptions(broker: Broker, owner: Owner) -> Iterator[ManagedObject]:
    """Subscriptions, consumers, and links from queues."""
    for connection in broker.connections.visible(owner):
        for session in connection.sessions:
            for link in session.links:
                if link.role == "consumer":
                    yield _subscription(_session_name(connection, session), connection.user, link)


def _session_name(connection: ConnectionStatistics, session: SessionStatistics) -> str:
    return f"{connection.name}.{session.name}"


# ---------------------------------------------------------------------- objects


def _connection(connection: ConnectionStatistics) -> ManagedObject:
    plain: Values = {
        name: value for name, value in connection.properties.items() if isinstance(value, _SIMPLE)
    }
    values: Values = {
        "vhostRef": VHOST,
        "address": connection.name,
        "incoming": True,
        "SystemConnection": False,
        "userProxyAuth": False,
        "federationLink": False,
        "authIdentity": connection.user,
        "remoteProcessName": connection.program,
        "remotePid": _count(plain.get("qpid.client_pid")),
        "remoteParentPid": _count(plain.get("qpid.client_ppid")),
        "shadow": False,
        "saslMechanism": connection.mechanism,
        "saslSsf": UShort(0),
        "remoteProperties": plain,
        "protocol": connection.protocol,
        "closing": False,
        "framesFromClient": 0,
        "framesToClient": 0,
        "bytesFromClient": int(connection.bytes_in),
        "bytesToClient": int(connection.bytes_out),
        "msgsFromClient": int(connection.traffic.received),
        "msgsToClient": int(connection.traffic.delivered),
    }
    return ManagedObject(broker_classes.CONNECTION, connection.name, values, (), connection.user)


def _session(connection: ConnectionStatistics, session: SessionStatistics) -> ManagedObject:
    name = _session_name(connection, session)
    values: Values = {
        "vhostRef": VHOST,
        "name": name,
        "fullName": name,
        "channelId": UShort(int(session.channel)),
        "connectionRef": reference("connection", connection.name),
        "detachedLifespan": UInt(0),
        "attached": True,
        "unackedMessages": int(session.unsettled),
        "TxnStarts": 0,
        "TxnCommits": 0,
        "TxnRejects": 0,
        "TxnCount": UInt(0),
        "clientCredit": UInt(0),
    }
    return ManagedObject(broker_classes.SESSION, name, values, (), connection.user)


def _subscription(session: str, user: str, link: LinkStatistics) -> ManagedObject:
    values: Values = {
        "sessionRef": reference("session", session),
        "queueRef": reference("queue", link.node),
        "name": link.name,
        "browsing": link.browses,
        "acknowledged": not link.settles,
        "exclusive": link.exclusive,
        "creditMode": "WINDOW" if link.window else "CREDIT",
        "arguments": link.arguments,
        "delivered": int(link.traffic.delivered),
    }
    place = f"{PACKAGE}:session:{session},{PACKAGE}:queue:{link.node},{link.name}"
    return ManagedObject(broker_classes.SUBSCRIPTION, place, values, (link.node,), user)


def _count(value: Any) -> UInt:
    return UInt(value) if isinstance(value, int) and 0 <= value < 2**32 else UInt(0)
