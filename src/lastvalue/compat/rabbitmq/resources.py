"""Queues, exchanges, bindings and connections as RabbitMQ's management API shows them.

There is one virtual host, shown as `/`, and every name of one in a path stands for it. A queue keeps the name
under which it was declared for lists alone (docs/decisions/0025).
"""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from lastvalue.client import Connection, ExchangeInfo, QueueInfo, RefusedError
from lastvalue.client.queue_info import statistic_of
from lastvalue.http.problems import Problem
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.model.jsonable import jsonable
from lastvalue.model.peer_host import peer_host, peer_port
from lastvalue.model.queue_statistics import QUEUE_STATISTICS

HOST: Final = "/"
NODE: Final = "lastvalue@localhost"
DEFAULT_EXCHANGE: Final = "amq.default"
"""The name that the API has for the exchange without a name."""

_TYPES: Final = {"address": "fanout"}

Resource = dict[str, Any]


def queue_resource(queue: QueueInfo) -> Resource:
    """A queue; its arguments are its options, by our own names."""
    arguments = {name: value for name, value in queue.options.items() if name != "durable"}
    return {
        "name": queue.name,
        "vhost": HOST,
        "node": NODE,
        "type": "classic",
        "state": "running",
        "durable": bool(queue.options.get("durable", False)),
        "auto_delete": queue.options.get("lifetime", "permanent") != "permanent",
        "exclusive": queue.options.get("exclusive", "none") != "none",
        "arguments": jsonable(arguments),
        **_statistics(queue),
    }


def _statistics(queue: QueueInfo) -> Resource:
    """The statistics that the API has, some of them in an object within."""
    shown: Resource = {}
    for each in QUEUE_STATISTICS:
        if each.rabbitmq:
            within, _, name = each.rabbitmq.rpartition(".")
            holder = shown.setdefault(within, {}) if within else shown
            holder[name] = statistic_of(queue, each.name)
    return shown


def exchange_resource(exchange: ExchangeInfo) -> Resource:
    """An exchange."""
    options = exchange.options
    return {
        "name": exchange.name,
        "vhost": HOST,
        "type": _TYPES.get(exchange.type, exchange.type),
        "durable": bool(options.get("durable", False)),
        "auto_delete": bool(options.get("auto_delete", False)),
        "internal": bool(options.get("internal", False)),
        # RabbitMQ has no type for addresses; with ours the file can be sent back.
        "arguments": jsonable(
            {name: each for name, each in options.items() if name != "type" or exchange.type in _TYPES}
        ),
        "message_stats": {"publish_in": exchange.received, "drop_unroutable": exchange.unrouted},
    }


def default_exchange() -> Resource:
    """The exchange that has no name, to which every queue is bound by its own."""
    return exchange_resource(ExchangeInfo("", "direct", {"durable": True}))


def binding_resources(exchanges: list[ExchangeInfo], queues: set[str], names: set[str]) -> Iterator[Resource]:
    """The bindings of exchanges; `queues` and `names` are those of the queues and the exchanges."""
    for exchange in exchanges:
        for binding in exchange.bindings:
            to_queue = binding.destination in queues or binding.destination not in names
            yield {
                "source": exchange.name,
                "vhost": HOST,
                "destination": binding.destination,
                "destination_type": "queue" if to_queue else "exchange",
                "routing_key": binding.key,
                "arguments": jsonable(binding.arguments),
                "properties_key": binding.key or "~",
            }


def connection_resource(connection: Mapping[str, Any]) -> Resource:
    """A connection."""
    return {
        "name": connection["name"],
        "vhost": HOST,
        "node": NODE,
        "user": connection["user"],
        "protocol": connection["protocol"],
        "state": "running",
        "type": "network",
        "connected_at": connection["since_ms"],
        "channels": connection["sessions"],
        "recv_oct": connection["bytes_in"],
        "send_oct": connection["bytes_out"],
        "peer_host": peer_host(connection["peer"]),
        "peer_port": peer_port(connection["peer"]),
        "ssl": bool(connection["tls"]),
        "ssl_protocol": connection["tls"],
        "auth_mechanism": connection["mechanism"],
        "client_properties": {
            "product": connection["program"],
            "version": "",
            "platform": "",
            "connection_name": connection["program"],
            **connection["properties"],
        },
    }


def channel_resource(session: Mapping[str, Any]) -> Resource:
    """A session, which is a channel there."""
    return {
        "name": f"{session['connection']} ({session['channel']})",
        "number": session["channel"],
        "vhost": HOST,
        "node": NODE,
        "user": session["user"],
        "connection_details": {"name": session["connection"]},
        "consumer_count": session["links"],
        "messages_unacknowledged": session["unsettled"],
        "state": "running",
    }


def consumer_resource(consumer: Mapping[str, Any]) -> Resource:
    """A consumer."""
    return {
        "consumer_tag": consumer["name"],
        "queue": {"name": consumer["node"], "vhost": HOST},
        "channel_details": {"connection_name": consumer["connection"], "user": consumer["user"]},
        "exclusive": consumer["exclusive"],
        "ack_required": True,
        "active": True,
    }


def node_resource(statistics: Mapping[str, Any]) -> Resource:
    """The node; `statistics` are empty for a caller who may not see them."""
    node: Resource = {"name": NODE, "type": "disc", "running": True}
    if statistics:
        node |= {
            "uptime": statistics["now_ms"] - statistics["started_ms"],
            "mem_used": statistics["held_bytes"],
            "mem_limit": statistics["memory_limit_bytes"],
            "mem_alarm": statistics["memory_alarm_since_ms"] > 0,
            "disk_free": statistics.get("store_free_bytes", 0),
            "disk_free_alarm": statistics["store_alarm_since_ms"] > 0,
            "fd_used": statistics["descriptors"],
            "sockets_used": statistics["connections"],
        }
    return node


async def broker_statistics(broker: Connection) -> Mapping[str, Any]:
    """The broker's statistics; nothing for a caller who may not see them."""
    try:
        return await broker.broker_statistics()
    except RefusedError:
        return {}


async def bindings(broker: Connection) -> list[Resource]:
    """The bindings of the exchanges that the caller may see."""
    exchanges = await broker.exchanges()
    names = {each.name for each in exchanges}
    bound = {binding.destination for each in exchanges for binding in each.bindings}
    queues = {name for name in names & bound if await is_queue(broker, name)}
    return list(binding_resources(exchanges, queues, names))


async def is_queue(broker: Connection, name: str) -> bool:
    """Whether the caller sees a queue of that name."""
    try:
        await broker.queue(name).info()
    except (QueueNotFoundError, RefusedError):
        return False
    return True


def one_named(shown: list[Resource], name: str, kind: str) -> Resource:
    """The one of a list with a name.

    Raises:
        Problem: there is none.
    """
    for each in shown:
        if each["name"] == name:
            return each
    raise Problem(HTTPStatus.NOT_FOUND, f"there is no {kind} named {name!r}")


async def overview(broker: Connection, version: str) -> Resource:
    """The whole broker."""
    sums = await broker.queue_sums(("depth", "available", "unsettled", "published"))
    exchanges = await broker.exchanges()
    listeners = (await broker_statistics(broker)).get("listeners", {})
    peers = {kind: len(await broker.statistics(kind)) for kind in ("connection", "session", "consumer")}
    return {
        "management_version": version,
        "product_name": "lastvalue",
        "product_version": version,
        "rabbitmq_version": version,
        "cluster_name": NODE,
        "node": NODE,
        "contexts": [{"node": NODE, "description": "RabbitMQ Management"}],
        "listeners": [
            {"node": NODE, "protocol": name, "ip_address": "", "port": port}
            for name, port in listeners.items()
        ],
        "exchange_types": [{"name": name} for name in ("direct", "fanout", "headers", "topic")],
        "object_totals": {
            "queues": sums["queues"],
            "exchanges": len(exchanges),
            "connections": peers["connection"],
            "channels": peers["session"],
            "consumers": peers["consumer"],
        },
        "queue_totals": {
            "messages": sums["depth"],
            "messages_ready": sums["available"],
            "messages_unacknowledged": sums["unsettled"],
        },
        "message_stats": {"publish": sums["published"]},
    }
