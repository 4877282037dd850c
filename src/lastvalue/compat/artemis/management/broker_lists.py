"""The lists of what the broker has: queues, addresses, connections, sessions, producers and consumers."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from lastvalue.broker.statistics.connections import LinkStatistics
from lastvalue.compat.artemis.management.address_control import depth
from lastvalue.compat.artemis.management.address_names import (
    address_names,
    bound_queues,
    queue_names,
    routing_types,
)
from lastvalue.compat.artemis.management.management_call import ManagementCall, Operation, shown_in_java
from lastvalue.compat.artemis.management.queue_attributes import QUEUE_ATTRIBUTES, queue_id
from lastvalue.compat.artemis.management.rows import Names, Row, Rows

_QUEUE_ROW: Final = [
    "address", "filter", "durable", "paused", "persistedPause", "temporary", "purgeOnNoConsumers",
    "consumerCount", "maxConsumers", "autoCreated", "user", "routingType", "messagesAdded",
    "messageCount", "messagesAcked", "messagesExpired", "deliveringCount", "messagesKilled",
    "exclusive", "lastValue", "lastValueKey", "scheduledCount", "groupRebalance",
    "groupRebalancePauseDispatch", "groupBuckets", "groupFirstKey", "enabled", "ringSize",
    "consumersBeforeDispatch", "delayBeforeDispatch", "autoDelete", "internalQueue",
]  # fmt: skip
"""The attributes of a queue that its row has, as texts."""
_RENAMED: Final = {"messagesAcked": "messagesAcknowledged"}


def _page(page: object, size: object) -> tuple[int, int]:
    return (page if isinstance(page, int) else -1), (size if isinstance(size, int) else -1)


def _list_queues(call: ManagementCall, options: object = "", page: object = -1, size: object = -1) -> Any:
    def row(name: str | None) -> Row | None:
        if name is None:
            return None
        hosted = call.broker.lookup(name)
        values = {name: QUEUE_ATTRIBUTES[_RENAMED.get(name, name)](call, hosted) for name in _QUEUE_ROW}
        shown = {name: "" if value is None else shown_in_java(value) for name, value in values.items()}
        return {"id": str(queue_id(name)), "name": name, **shown}

    return Rows(call, map(row, queue_names(call)), options, _page(page, size)).page


def _list_addresses(call: ManagementCall, options: object = "", *page: object) -> Any:
    """With one parameter, the names with that separator; with three, rows."""
    if not page:
        names = Names(call, address_names(call))
        return lambda: str(options if options is not None else "").join(names.names())

    def row(name: str | None) -> Row | None:
        if name is None:
            return None
        return {
            "id": str(queue_id(name)),
            "name": name,
            "routingTypes": str(routing_types(call, name)).replace("'", ""),
            "queueCount": str(len(bound_queues(call, name))),
            "messageCount": str(depth(call, name)),
        }

    return Rows(call, map(row, address_names(call)), options, _page(*page)).page


def _connection_rows(call: ManagementCall) -> Iterator[Row]:
    for each in call.broker.connections.visible(call.owner):
        yield {
            "connectionID": each.name,
            "clientAddress": each.peer,
            "remoteAddress": each.peer,
            "users": each.user,
            "creationTime": int(each.since_ms),
            "implementation": each.program,
            "protocol": each.protocol,
            "sessionCount": len(each.sessions),
        }


def _session_rows(call: ManagementCall) -> Iterator[Row]:
    for each in call.broker.connections.visible(call.owner):
        for session in each.sessions:
            roles = [link.role for link in session.links]
            yield {
                "id": session.name,
                "sessionID": session.name,
                "connectionID": each.name,
                "user": each.user,
                "validatedUser": each.user,
                "creationTime": int(each.since_ms),
                "consumerCount": roles.count("consumer"),
                "producerCount": roles.count("producer"),
            }


def _link_rows(call: ManagementCall, role: str) -> Iterator[tuple[Row, LinkStatistics]]:
    for each in call.broker.connections.visible(call.owner):
        for session in each.sessions:
            for link in session.links:
                if link.role == role:
                    row: Row = {
                        "id": link.name,
                        "session": session.name,
                        "sessionID": session.name,
                        "connectionID": each.name,
                        "user": each.user,
                        "validatedUser": each.user,
                        "protocol": each.protocol,
                        "remoteAddress": each.peer,
                        "creationTime": int(each.since_ms),
                    }
                    yield row, link


def _producer_rows(call: ManagementCall) -> Iterator[Row]:
    for row, link in _link_rows(call, "producer"):
        yield {**row, "name": link.name, "address": link.node, "msgSent": int(link.traffic.received)}


def _consumer_rows(call: ManagementCall) -> Iterator[Row]:
    for row, link in _link_rows(call, "consumer"):
        yield {
            **row,
            "consumerID": link.name,
            "queue": link.node,
            "queueName": link.node,
            "browseOnly": link.browses,
            "deliveringCount": int(link.unsettled),
            "messagesInTransit": int(link.unsettled),
            "messagesDelivered": int(link.traffic.delivered),
            "lastDeliveredTime": int(link.traffic.last_ms),
            "status": "OK",
        }


def _paged(rows: Callable[[ManagementCall], Iterator[Row]]) -> Operation:
    def listed(call: ManagementCall, options: object = "", page: object = -1, size: object = -1) -> Any:
        return Rows(call, rows(call), options, _page(page, size)).page

    return listed


def _connection_texts(field: str) -> Operation:
    return lambda call: Names(call, (row[field] for row in _connection_rows(call))).names


def _all(rows: Callable[[ManagementCall], Iterator[Row]], name: str = "") -> Operation:
    """All rows, or those whose field of that name is the parameter."""

    def listed(call: ManagementCall, *wanted: object) -> Any:
        fitting = (row for row in rows(call) if not wanted or row[name] == wanted[0])
        return Rows(call, fitting).array

    return listed


def _list_sessions(call: ManagementCall, options: object = "", *page: object) -> Any:
    """With one parameter, the names of a connection's sessions; with three, rows."""
    if not page:
        ids = (row["id"] for row in _session_rows(call) if row["connectionID"] == options)
        return Names(call, ids).names
    return Rows(call, _session_rows(call), options, _page(*page)).page


def consumers_of_queue(call: ManagementCall, name: str) -> Any:
    """The consumers of one queue that the caller may see."""
    return _all(_consumer_rows, "queueName")(call, name)


BROKER_LISTS: Final[dict[str, Operation]] = {
    "listAddresses": _list_addresses,
    "listQueues": _list_queues,
    "listConnections": _paged(_connection_rows),
    "listSessions": _list_sessions,
    "listProducers": _paged(_producer_rows),
    "listConsumers": _paged(_consumer_rows),
    "listConnectionsAsJSON": _all(_connection_rows),
    "listConnectionIDs": _connection_texts("connectionID"),
    "listRemoteAddresses": _connection_texts("remoteAddress"),
    "listSessionsAsJSON": _all(_session_rows, "connectionID"),
    "listAllSessionsAsJSON": _all(_session_rows),
    "listConsumersAsJSON": _all(_consumer_rows, "connectionID"),
    "listAllConsumersAsJSON": _all(_consumer_rows),
    "listProducersInfoAsJSON": _all(_producer_rows),
}
"""By name; each takes the parameters."""
