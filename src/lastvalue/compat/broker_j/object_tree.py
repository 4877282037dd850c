"""The objects of a broker as Broker-J arranges them: queues and others below a virtual host.

There is one virtual host. It answers to every name of a node and of a host, so that scripts keep theirs.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from lastvalue.client import Connection, ExchangeInfo, Page, QueueInfo
from lastvalue.client.page import EVERY_NAME, QUEUES_AT_ONCE
from lastvalue.compat.broker_j.queue_attributes import object_id, queue_object
from lastvalue.http.user_rules import user_rules
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.model.jsonable import jsonable

HOST: Final = "default"

_TRANSPORTS: Final = {"amqp": ["TCP"], "amqps": ["SSL"], "tcp": ["TCP"], "ws": ["WS"], "wss": ["WSS"]}
"""By the names that listeners have; the port `tcp`, for the clients of Artemis, takes AMQP, too."""

Objects = list[dict[str, Any]]


async def queues(broker: Connection, page: Page = EVERY_NAME) -> Objects:
    """Every queue that the caller may see, with those of its bindings and consumers that the caller sees."""
    shown = await _shown_queues(broker)
    return [shown(each) for each in await broker.queues(page=page)]


async def queue_named(broker: Connection, name: str) -> Objects:
    """The queue of a name; nothing where there is none."""
    try:
        info = await broker.queue(name).info()
    except QueueNotFoundError:
        return []
    return [(await _shown_queues(broker))(info)]


async def queue_pages(broker: Connection) -> AsyncIterator[Objects]:
    """Every queue as in `queues`, some at a time."""
    shown = await _shown_queues(broker)
    page = Page(count=QUEUES_AT_ONCE)
    while found := await broker.queues(page=page):
        yield [shown(each) for each in found]
        page = Page(count=QUEUES_AT_ONCE, after=found[-1].name)


async def _shown_queues(broker: Connection) -> Callable[[QueueInfo], dict[str, Any]]:
    """How queues are shown at this time."""
    now_ms = await broker.clock_ms()
    bound = Counter(binding.destination for each in await broker.exchanges() for binding in each.bindings)
    ready = Counter(each["node"] for each in await broker.statistics("consumer") if each["credit"] != 0)
    return lambda each: queue_object(each, now_ms, bound[each.name], ready[each.name])


async def exchanges(broker: Connection) -> Objects:
    """Every exchange that the caller may see."""
    return [exchange_object(each) for each in await broker.exchanges()]


async def bindings(broker: Connection) -> Objects:
    """The bindings of these exchanges."""
    return [
        {
            "id": object_id("binding", f"{exchange.name}/{each.destination}/{each.key}"),
            "name": each.key,
            "exchange": exchange.name,
            "queue": each.destination,
            "arguments": jsonable(each.arguments),
        }
        for exchange in await broker.exchanges()
        for each in exchange.bindings
    ]


async def connections(broker: Connection) -> Objects:
    """The connections that the caller may see."""
    return [
        {
            "id": object_id("connection", str(each["name"])),
            "name": each["name"],
            "principal": each["user"],
            "protocol": each["protocol"],
            "clientProduct": each["program"],
            "createdTime": each["since_ms"],
            "statistics": {
                "messagesIn": each["received"],
                "messagesOut": each["delivered"],
                "bytesIn": each["bytes_in"],
                "bytesOut": each["bytes_out"],
                "sessionCount": each["sessions"],
                "lastIoTime": each["last_ms"],
            },
        }
        for each in await broker.statistics("connection")
    ]


async def sessions(broker: Connection) -> Objects:
    """The sessions of these connections."""
    return [
        {
            "id": object_id("session", f"{each['connection']}/{each['channel']}"),
            "name": each["name"],
            "connection": each["connection"],
            "channelId": each["channel"],
            "statistics": {"consumerCount": each["links"], "unacknowledgedMessages": each["unsettled"]},
        }
        for each in await broker.statistics("session")
    ]


async def consumers(broker: Connection) -> Objects:
    """The consumers on these connections."""
    return [
        {
            "id": object_id("consumer", f"{each['connection']}/{each['session']}/{each['name']}"),
            "name": each["name"],
            "connection": each["connection"],
            "session": each["session"],
            "queue": each["node"],
            "distributionMode": "COPY" if each["browses"] else "MOVE",
            "exclusive": each["exclusive"],
            "statistics": {
                "messagesOut": each["delivered"],
                "unacknowledgedMessages": each["unsettled"],
            },
        }
        for each in await broker.statistics("consumer")
    ]


async def users(broker: Connection) -> Objects:
    """The users of the users file, if the caller may administer permissions; passwords are not shown."""
    return [
        {"id": object_id("user", name), "name": name, "type": "managed", "state": "ACTIVE", "rules": rules}
        for name, rules in (await user_rules(broker)).items()
    ]


async def ports(broker: Connection) -> Objects:
    """Where the broker listens for AMQP, if the caller may see its statistics."""
    listeners = (await broker.broker_statistics()).get("listeners")
    return [
        {
            "id": object_id("port", name),
            "name": name,
            "type": "AMQP",
            "state": "ACTIVE",
            "port": port,
            "boundPort": port,
            "transports": _TRANSPORTS[name],
        }
        for name, port in (listeners if isinstance(listeners, dict) else {}).items()
    ]


async def brokers(broker: Connection) -> Objects:
    """The broker."""
    shown = await broker.broker_statistics()
    return [
        {
            "id": object_id("broker", HOST),
            "name": "lastvalue",
            "productVersion": shown["version"],
            "modelVersion": "9.0",
            "state": "ACTIVE",
            "statistics": {
                "usedHeapMemorySize": shown["held_bytes"],
                "numberOfConnections": shown["connections"],
                "queueCount": shown["queues"],
            },
        }
    ]


async def hosts(broker: Connection) -> Objects:
    """The virtual host, which is also its node."""
    sums, exchanges = await broker.queue_sums(("depth", "depth_bytes")), await broker.exchanges()
    return [
        {
            "id": object_id("virtualhost", HOST),
            "name": HOST,
            "type": "lastvalue",
            "state": "ACTIVE",
            "modelVersion": "9.0",
            "statistics": {
                "queueCount": sums["queues"],
                "exchangeCount": len(exchanges),
                "totalDepthOfQueuesMessages": sums["depth"],
                "totalDepthOfQueuesBytes": sums["depth_bytes"],
            },
        }
    ]


def exchange_object(exchange: ExchangeInfo) -> dict[str, Any]:
    """An exchange as Broker-J shows it."""
    return {
        "id": object_id("exchange", exchange.name),
        "name": exchange.name,
        "type": exchange.type,
        "state": "ACTIVE",
        "durable": bool(exchange.options.get("durable", False)),
        "statistics": {
            "bindingCount": len(exchange.bindings),
            "messagesIn": exchange.received,
            "messagesDropped": exchange.unrouted,
        },
    }


CATEGORIES: Final[dict[str, tuple[int, Callable[[Connection], Awaitable[Objects]]]]] = {
    "broker": (0, brokers),
    "virtualhostnode": (1, hosts),
    "virtualhost": (2, hosts),
    "queue": (3, queues),
    "exchange": (3, exchanges),
    "binding": (3, bindings),
    "connection": (3, connections),
    "session": (3, sessions),
    "consumer": (3, consumers),
    "user": (2, users),
    "port": (1, ports),
}
"""By category: the number of names in the path of an object, and all objects of it."""
