"""The objects that consoles see: the broker's queues, exchanges and the rest, as maps of values."""

from collections.abc import Callable, Iterator

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.statistics.statistic import QMF_QUEUE
from lastvalue.codec.amqp010.qmf import broker_classes
from lastvalue.codec.amqp010.qmf.schema_class import PACKAGE
from lastvalue.codec.amqp10.values import UInt, UShort
from lastvalue.compat.qpid.qmf import connections, schema
from lastvalue.compat.qpid.qmf.managed_object import (
    BROKER_NAME,
    VHOST,
    ManagedObject,
    Values,
    reference,
)
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import Exclusive, Lifetime


class Objects:
    """Finds the objects of one broker, which started at a time of its queues."""

    def __init__(self, broker_state: BrokerState, version: str, started_ms: int) -> None:
        self._broker_state = broker_state
        self._broker = broker_state.broker
        self._version = version
        self._started_ms = started_ms
        broker = broker_state.broker
        self._of: dict[str, Callable[[Owner, int], Iterator[ManagedObject]]] = {
            "broker": lambda _, now: self._brokers(now),
            "vhost": lambda _owner, _now: self._hosts(),
            "memory": lambda _owner, _now: self._memories(),
            "queue": lambda _owner, _now: self._queues(),
            "exchange": lambda _owner, _now: self._exchanges(),
            "binding": lambda _owner, _now: self._bindings(),
            "subscription": lambda owner, _: connections.subscriptions(broker, owner),
            "connection": lambda owner, _: connections.connections(broker, owner),
            "session": lambda owner, _: connections.sessions(broker, owner),
        }

    def of_class(self, name: str, owner: Owner, now: int) -> Iterator[ManagedObject]:
        """All of a class that the caller may see; none of one that there is not. They are made one by one."""
        find = self._of.get(name.lower())
        if find is not None:
            authorization = self._broker.authorization
            for each in find(owner, now):
                if each.is_visible(authorization, owner):
                    yield each

    def named(self, object_name: str, owner: Owner, now: int) -> ManagedObject | None:
        """The object that a reference names, or None if there is none that the caller may see."""
        _, _, rest = object_name.partition(":")
        kind, _, name = rest.partition(":")
        found: Iterator[ManagedObject]
        if kind == "queue":
            found = iter([self._queue(self._broker.lookup(name))] if self._broker.has_queue(name) else [])
        elif kind == "exchange":
            exchange = self._broker.exchanges.get(name)
            found = iter([] if exchange is None else [self._exchange(exchange)])
        else:
            found = self.of_class(kind, owner, now)
        for each in found:
            if each.object_name == object_name and each.is_visible(self._broker.authorization, owner):
                return each
        return None

    def every(self, owner: Owner, now: int) -> Iterator[ManagedObject]:
        """All of all classes that the caller may see, class by class."""
        for name in self._of:
            yield from self.of_class(name, owner, now)

    # ------------------------------------------------------------------ the broker

    def _brokers(self, now: int) -> Iterator[ManagedObject]:
        statistics = self._broker.statistics
        exchanges = self._broker.exchanges.every()
        queues = self._broker.queues()
        values: Values = {
            "name": BROKER_NAME,
            "systemRef": reference("system", str(self._broker_state.instance)),
            "port": UShort(0),
            "workerThreads": UShort(1),
            "maxConns": UShort(65535),
            "connBacklog": UShort(1024),
            "stagingThreshold": UInt(0),
            "mgmtPublish": True,
            "mgmtPubInterval": UShort(10),
            "version": self._version,
            "uptime": 1_000_000 * (now - self._started_ms),
            "queueCount": len(queues),
            **schema.UNUSED,
            **statistics.totals(),
            "abandoned": statistics.abandoned,
            "abandonedViaAlt": statistics.abandoned_to_alternate,
            "discardsNoRoute": sum(exchange.unrouted for exchange in exchanges),
        }
        yield ManagedObject(schema.BROKER, BROKER_NAME, values)

    def _hosts(self) -> Iterator[ManagedObject]:
        values: Values = {
            "brokerRef": reference("broker", BROKER_NAME),
            "name": "/",
            "federationTag": str(self._broker_state.instance),
        }
        yield ManagedObject(broker_classes.VHOST, f"{PACKAGE}:broker:{BROKER_NAME},/", values)

    def _memories(self) -> Iterator[ManagedObject]:
        values: Values = {"name": BROKER_NAME, "held_bytes": int(self._broker.held_bytes)}
        yield ManagedObject(broker_classes.MEMORY, BROKER_NAME, values)

    # ------------------------------------------------------------------ queues

    def _queues(self) -> Iterator[ManagedObject]:
        for queue in self._broker.queues():
            if self._broker.has_queue(queue.spec.name):
                yield self._queue(self._broker.lookup(queue.spec.name))

    def _queue(self, hosted: HostedQueue) -> ManagedObject:
        queue = hosted.queue
        spec = queue.spec
        consumers = UInt(len(hosted.readers))
        bindings = UInt(1 + len(self._broker.exchanges.bindings_of(spec.name)))
        unacked = UInt(queue.depth - queue.available)
        values: Values = {
            "vhostRef": VHOST,
            "name": spec.name,
            "durable": spec.durable,
            "autoDelete": spec.lifetime is not Lifetime.PERMANENT,
            "exclusive": spec.exclusive is not Exclusive.NONE,
            "arguments": self._broker_state.arguments_of(spec),
            **schema.UNUSED,
            **_counts(hosted),
            "unackedMessages": unacked,
            "unackedMessagesHigh": unacked,
            "unackedMessagesLow": unacked,
            "messageLatencySamples": 0,
            "flowStopped": hosted.stopped,
            "flowStoppedCount": UInt(0),
            "redirectPeer": "" if hosted.redirect is None else hosted.redirect.queue.spec.name,
            "redirectSource": spec.redirect is not None,
            "creator": "",
        }
        for name, count in (("consumerCount", consumers), ("bindingCount", bindings)):
            values |= {name: count, f"{name}High": count, f"{name}Low": count}
        if spec.alternate is not None:
            values["altExchange"] = reference("exchange", spec.alternate)
        return ManagedObject(schema.QUEUE, spec.name, values, (spec.name,))

    # ------------------------------------------------------------------ exchanges

    def _exchanges(self) -> Iterator[ManagedObject]:
        for exchange in self._broker.exchanges.every():
            yield self._exchange(exchange)

    def _exchange(self, exchange: Exchange) -> ManagedObject:
        spec = exchange.spec
        default = exchange is self._broker.exchanges.default
        bindings = UInt(len(self._broker.queues()) if default else len(exchange.bindings))
        received_bytes, dropped_bytes = self._broker_state.exchange_bytes(exchange.name)
        zero = UInt(0)
        values: Values = {
            "vhostRef": VHOST,
            "name": exchange.name,
            "type": spec.type.value,
            "durable": spec.durable,
            "autoDelete": spec.auto_delete,
            "arguments": self._broker_state.exchange_arguments_of(spec),
            "producerCount": zero,
            "producerCountHigh": zero,
            "producerCountLow": zero,
            "bindingCount": bindings,
            "bindingCountHigh": bindings,
            "bindingCountLow": bindings,
            "msgReceives": exchange.received,
            "msgDrops": exchange.unrouted,
            "msgRoutes": exchange.received - exchange.unrouted,
            "byteReceives": received_bytes,
            "byteDrops": dropped_bytes,
            "byteRoutes": received_bytes - dropped_bytes,
            "creator": "",
        }
        if spec.alternate is not None:
            values["altExchange"] = reference("exchange", spec.alternate)
        return ManagedObject(broker_classes.EXCHANGE, exchange.name, values, (exchange.name,))

    def _bindings(self) -> Iterator[ManagedObject]:
        for queue in self._broker.queues():
            yield _binding("", queue.spec.name, queue.spec.name, {})
        for exchange in self._broker.exchanges.every():
            for binding in list(exchange.bindings.values()):
                if not binding.to_exchange:
                    yield _binding(exchange.name, binding.destination, binding.key, dict(binding.arguments))


def _binding(exchange: str, queue: str, key: str, arguments: Values) -> ManagedObject:
    values: Values = {
        "exchangeRef": reference("exchange", exchange),
        "queueRef": reference("queue", queue),
        "bindingKey": key,
        "arguments": arguments,
        "msgMatched": 0,
    }
    name = f"{PACKAGE}:exchange:{exchange},{PACKAGE}:queue:{queue},{key}"
    return ManagedObject(broker_classes.BINDING, name, values, (exchange, queue))


def _counts(hosted: HostedQueue) -> Values:
    return {name: int(read(hosted)) for name, read in QMF_QUEUE.items()}
