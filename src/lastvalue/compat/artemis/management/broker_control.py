"""What Artemis's `ActiveMQServerControl` offers: the attributes and operations of the broker."""

import json
from collections.abc import Callable
from typing import Any, Final

from lastvalue.broker.rights.verbs import Verb
from lastvalue.codec.core.jms_names import ANYCAST
from lastvalue.codec.core.packets import CREATE_ADDRESS, Packet
from lastvalue.compat.artemis.management.address_names import (
    address_names,
    bound_queues,
    check_address,
    queue_names,
    routing_types,
)
from lastvalue.compat.artemis.management.broker_lists import BROKER_LISTS
from lastvalue.compat.artemis.management.management_call import (
    ManagementCall,
    ManagementError,
    Operation,
    text,
)
from lastvalue.compat.artemis.management.queue_changes import QUEUE_CHANGES, routing_number
from lastvalue.compat.artemis.management.rows import CHANGED_AT_ONCE, ForEach, Names
from lastvalue.frontends.core.declarations import (
    MANAGEMENT_ADDRESS,
    NOTIFICATION_ADDRESS,
    Declarations,
    is_anycast,
)
from lastvalue.queues.effects import Reason

BrokerAttribute = Callable[[ManagementCall], Any]

_NAMED: Final = 10
"""How many queues a refusal names."""

# ---------------------------------------------------------------------- attributes


def _sum(count: Callable[[Any], int]) -> BrokerAttribute:
    def total(call: ManagementCall) -> int:
        call.broker.authorize(call.owner, Verb.SHOW_BROKER)
        return sum(int(count(queue)) for queue in call.broker.queues())

    return total


def _process(call: ManagementCall) -> dict[str, Any]:
    call.broker.authorize(call.owner, Verb.SHOW_BROKER)
    process = call.broker.process
    return {} if process is None else process.statistics()


def _uptime_ms(call: ManagementCall) -> int:
    return call.moment - int(_process(call).get("started_ms", call.moment))


def _connections(count: Callable[[Any], int]) -> BrokerAttribute:
    return lambda call: ForEach(call, call.broker.connections.visible(call.owner), count).total


def _memory_percentage(call: ManagementCall) -> int:
    limit = int(_process(call).get("memory_limit_bytes", 0))
    return int(100 * call.broker.held_bytes // limit) if limit else 0


def _disk_usage(call: ManagementCall) -> float:
    """The part of what the disk has for the store that the store uses."""
    process = _process(call)
    used, free = process.get("store_bytes", 0), process.get("store_free_bytes", 0)
    return used / (used + free) if used + free else 0.0


BROKER_ATTRIBUTES: Final[dict[str, BrokerAttribute]] = {
    "name": lambda _: "lastvalue",
    "version": lambda call: _process(call).get("version", ""),
    "nodeID": lambda call: call.node_id,
    "started": lambda _: True,
    "active": lambda _: True,
    "backup": lambda _: False,
    "clustered": lambda _: False,
    "sharedStore": lambda _: False,
    "replicaSync": lambda _: False,
    "HAPolicy": lambda _: "Primary Only",
    "securityEnabled": lambda _: True,
    "persistenceEnabled": lambda call: call.broker.stores,
    "wildcardRoutingEnabled": lambda _: True,
    "managementAddress": lambda _: MANAGEMENT_ADDRESS,
    "managementNotificationAddress": lambda _: NOTIFICATION_ADDRESS,
    "currentTimeMillis": lambda call: call.moment,
    "uptimeMillis": _uptime_ms,
    "uptime": lambda call: f"{_uptime_ms(call) // 1000} seconds",
    "connectionCount": _connections(lambda _: 1),
    "sessionCount": _connections(lambda connection: len(connection.sessions)),
    "totalConnectionCount": lambda call: call.broker.connections.opened,
    "totalConsumerCount": _sum(lambda queue: len(queue.subscriptions)),
    "totalMessageCount": _sum(lambda queue: queue.depth),
    "totalMessagesAdded": _sum(lambda queue: queue.published),
    "totalMessagesAcknowledged": _sum(lambda queue: queue.removed(Reason.ACCEPTED)),
    "addressMemoryUsage": lambda call: _process(call) and int(call.broker.held_bytes),
    "addressMemoryUsagePercentage": _memory_percentage,
    "globalMaxSize": lambda call: _process(call).get("memory_limit_bytes", -1),
    "diskStoreUsage": _disk_usage,
    "maxDiskUsage": lambda _: 100,
    "addressCount": lambda call: Names(call, address_names(call)).count,
    "addressNames": lambda call: Names(call, address_names(call)).names,
    "queueCount": lambda call: Names(call, queue_names(call)).count,
    "queueNames": lambda call: Names(call, queue_names(call)).names,
    "divertNames": lambda _: [],
    "bridgeNames": lambda _: [],
    "clusterConnectionNames": lambda _: [],
    "acceptorsAsJSON": lambda _: "[]",
    "connectorsAsJSON": lambda _: "[]",
    "status": lambda call: json.dumps({"server": {"state": "STARTED", "nodeId": call.node_id}}),
}
"""By the name that Artemis's interface has after `get` or `is`."""


# ---------------------------------------------------------------------- addresses


def described_address(call: ManagementCall, name: object) -> str:
    """An address as Artemis's tool prints it."""
    named = _address(call, name)
    return (
        f"Address [name={named}, routingTypes={{{','.join(routing_types(call, named))}}}, autoCreated=false]"
    )


def _address(call: ManagementCall, name: object) -> str:
    named = text(name, "name")
    check_address(call, named)
    return named


def _create_address(call: ManagementCall, name: object, routing_types: object) -> str:
    named = text(name, "name")
    _check_routing_types(routing_types)
    values = {"address": named, "auto_created": False, "routing_types": []}
    Declarations(call.broker, call.owner).create_address(Packet(CREATE_ADDRESS, values))
    return described_address(call, named)


def _update_address(call: ManagementCall, name: object, routing_types: object) -> str:
    """An address takes both routing types, so there is nothing to change."""
    _check_routing_types(routing_types)
    return described_address(call, name)


def _check_routing_types(routing_types: object) -> None:
    for each in str(routing_types).split(","):
        routing_number(each)


def _delete_address(call: ManagementCall, name: object, force: object = False) -> Callable[[], None]:
    named = text(name, "name")
    broker = call.broker
    _address(call, named)
    exchange = broker.exchanges.get(named)
    if exchange is not None:
        broker.authorize(call.owner, Verb.DELETE_EXCHANGE, named)
    bound = [named] if exchange is None else [each.destination for each in exchange.bindings.values()]
    if bound and force is not True:
        shown = bound_queues(call, named)[:_NAMED]
        more = f" and {len(bound) - len(shown)} others" if len(bound) > len(shown) else ""
        some = ", ".join(shown)
        raise ManagementError(f"address {named!r} has the queues {some}{more}; delete it with force")
    for each in bound:
        broker.authorize(call.owner, Verb.DELETE_QUEUE, each)

    def delete(queue: str | None) -> int:
        if queue is not None:
            broker.delete(queue, call.moment, call.owner, even_alternate=True)
        elif exchange is not None and broker.exchanges.get(named) is exchange:
            broker.delete_exchange(named, call.owner, even_alternate=True)
        return 1

    return ForEach(call, [*bound, None], delete, CHANGED_AT_ONCE).done


def _bindings(call: ManagementCall, name: object) -> str:
    named = _address(call, name)
    return ",".join(
        f"LocalQueueBinding [address={named}, queue={queue}]" for queue in bound_queues(call, named)
    )


def _close_connection(call: ManagementCall, name: object) -> bool:
    call.ask("close", text(name, "ID"), kind="connection")
    return True


def _close_all(which: Callable[[Any, str], bool]) -> Operation:
    def close(call: ManagementCall, wanted: object) -> Callable[[], bool]:
        value = text(wanted, "parameter")

        def close_one(connection: Any) -> int:
            return int(which(connection, value) and _close_connection(call, connection.name))

        closed = ForEach(call, call.broker.connections.visible(call.owner), close_one)
        return lambda: closed.total() > 0

    return close


def _queue_names_of(call: ManagementCall, wanted: object = None) -> Callable[[], list[str]]:
    names = queue_names(call)
    if not wanted:
        return Names(call, names).names
    anycast = routing_number(wanted) == ANYCAST

    def fits(name: str | None) -> bool:
        return name is not None and is_anycast(call.broker, call.broker.lookup(name)) is anycast

    return Names(call, (name if fits(name) else None for name in names)).names


BROKER_OPERATIONS: Final[dict[str, Operation]] = {
    **QUEUE_CHANGES,
    **BROKER_LISTS,
    "createAddress": _create_address,
    "updateAddress": _update_address,
    "deleteAddress": _delete_address,
    "getAddressInfo": described_address,
    "listBindingsForAddress": _bindings,
    "listNetworkTopology": lambda _: "[]",
    "getQueueNames": _queue_names_of,
    "closeConnectionWithID": _close_connection,
    "closeConnectionsForUser": _close_all(lambda connection, user: connection.user == user),
    "closeConnectionsForAddress": _close_all(lambda connection, host: connection.peer.startswith(host)),
}
"""By name; each takes the parameters."""
