"""The router: which queues get a message, and whether they take it."""

from collections.abc import Sequence
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.exchange_spec import Unroutable
from lastvalue.broker.routing.exchanges import Exchange, Exchanges
from lastvalue.broker.routing.known_routes import KnownRoute, KnownRoutes
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.routing.routing_work import RoutingWork
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message

_ANY: Final = Message(b"")
"""In place of a message that is not looked at."""


@final
class RoutingResult:
    """The result of publishing a message.

    Attributes:
        queues: how many queues it was routed to.
        full: the names of the queues without room for it; if there are any, no queue got it.
        fault: why one of the queues cannot take it, apart from room.
        refused: no queue matched, and the exchange rejects unroutable messages.
        blocked: queues that took it and whose flow control stops their producers.
        durable: one of the queues is durable.
        unordered: a queue that could not compare the order of the message with that of its key's value, or
            None.
    """

    __slots__ = ("blocked", "durable", "fault", "full", "queues", "refused", "unordered")

    def __init__(self) -> None:
        self.queues = 0
        self.full: list[str] = []
        self.fault: LastvalueError | None = None
        self.refused = False
        self.blocked: list[HostedQueue] = []
        self.durable = False
        self.unordered: HostedQueue | None = None


@final
class Plan:
    """A message, and the queues that it goes to.

    Attributes:
        exchange: the exchange that it is published to, or None.
        addresses: the addresses that it is published to, if that is not one exchange.
        key: the routing key.
        message: the message as the queues get it.
        queues: those that it reaches.
    """

    __slots__ = ("addresses", "exchange", "key", "message", "queues")

    def __init__(
        self,
        exchange: Exchange | None,
        addresses: list[Exchange],
        key: str,
        message: Message,
        queues: list[HostedQueue],
    ) -> None:
        self.exchange = exchange
        self.addresses = addresses
        self.key = key
        self.message = message
        self.queues = queues


@final
class Router:
    """Routes over the exchanges and queues of a broker; it shares their tables."""

    __slots__ = ("_exchanges", "_known", "_queues")

    @property
    def work(self) -> RoutingWork:
        """What routing has taken."""
        return self._exchanges.work

    def __init__(self, queues: dict[str, HostedQueue], exchanges: Exchanges) -> None:
        self._queues = queues
        self._exchanges = exchanges
        self._known = KnownRoutes()

    def plan(self, node: Node, key: str, message: Message) -> Plan:
        """The queues for a message published to a node now; nothing is enqueued or counted yet."""
        hosted = node.hosted
        if hosted is not None:
            return Plan(None, [], key, message, [hosted.taker()])
        exchange = node.exchange
        if exchange is None:
            addresses = self._exchanges.addresses(node.name)
            return Plan(None, addresses, key, message, self._at_addresses(addresses, node.name, message))
        message = exchange.admitted(message)
        return Plan(exchange, [], key, message, self.destinations(exchange, key, message, node.more_keys))

    def reached(self, node: Node, key: str, message: Message) -> list[HostedQueue]:
        """The queues that a message published to a node now would go to."""
        if node.hosted is not None:
            return [node.hosted.taker()]
        if node.exchange is not None:
            return self.destinations(node.exchange, key, message, node.more_keys)
        return self._at_addresses(self._exchanges.addresses(node.name), node.name, message)

    def route_of(self, exchange: Exchange, key: str) -> KnownRoute:
        """Where an exchange gives messages with a key, as its bindings are now."""
        known = self._known
        route = known.find(exchange, key, self._exchanges.changes)
        if route is None:
            place = exchange.place(key, self._exchanges.work)
            route = known.share(exchange, key, place)
            if route is None:
                queues: dict[str, HostedQueue] = {}
                is_known = exchange is not self._exchanges.default and self._leads(exchange, key, queues)
                route = KnownRoute([exchange], list(queues.values()) if is_known else None)
                known.add(exchange, key, place, route)
        return route

    def route_at(self, name: str) -> KnownRoute:
        """Where the addresses that a name matches give messages, as their bindings are now."""
        route = self._known.find(None, name, self._exchanges.changes)
        if route is None:
            addresses = self._exchanges.addresses(name)
            plain = self._queues.get(name)
            queues: dict[str, HostedQueue] = {} if plain is None else {name: plain}
            is_known = all(self._leads(address, name, queues) for address in addresses)
            route = KnownRoute(addresses, list(queues.values()) if is_known else None)
            self._known.add(None, name, None, route)
        return route

    def _leads(self, exchange: Exchange, key: str, queues: dict[str, HostedQueue]) -> bool:
        """Add the queues that get every message with a key at an exchange; false if they depend on more."""
        if not exchange.is_plain:
            return False
        bindings = exchange.matched(key, _ANY, self._exchanges.work)
        for binding in bindings:
            hosted = None if binding.to_exchange or binding.asks else self._queues.get(binding.destination)
            if hosted is None:
                return False
            queues[binding.destination] = hosted
        return len(bindings) > 0 or exchange.spec.alternate is None

    def publish(self, node: Node, key: str, message: Message, now: i64) -> RoutingResult:
        """Publish a message once to each queue that a node leads to."""
        return self.carry_out(self.plan(node, key, message), now)

    def carry_out(self, plan: Plan, now: i64) -> RoutingResult:
        """Enqueue a message on the queues of its plan."""
        exchange = plan.exchange
        queues = plan.queues
        if exchange is not None and exchange.spec.initial_value:
            exchange.last = (plan.key, plan.message)
        routed = self._give(queues, plan.message, now)
        for address in plan.addresses:
            address.received += 1
        if exchange is not None and not queues:
            exchange.unrouted += 1
            routed.refused = exchange.spec.unroutable is Unroutable.REFUSE
        return routed

    def _at_addresses(self, addresses: list[Exchange], name: str, message: Message) -> list[HostedQueue]:
        """The queues of every address that a name matches, and the queue of that name."""
        queues: dict[str, HostedQueue] = {}
        plain = self._queues.get(name)
        if plain is not None:
            taker = plain.taker()
            queues[taker.queue.spec.name] = taker
        for exchange in addresses:
            for hosted in self.destinations(exchange, name, message):
                queues[hosted.queue.spec.name] = hosted
        return list(queues.values())

    def _give(self, queues: list[HostedQueue], message: Message, now: i64) -> RoutingResult:
        """Enqueue the message on all queues or, if one has no room or cannot take it, on none."""
        routed = RoutingResult()
        routed.queues = len(queues)
        if len(queues) > 1 and not self._all_take(queues, message, now, routed):
            return routed
        for hosted in queues:
            hosted.mark_changed()
            queue = hosted.queue
            incomparable = queue.contents.counts.incomparable
            try:
                if not hosted.take(message, now):
                    routed.full.append(queue.spec.name)
            except LastvalueError as fault:
                routed.fault = fault
            if queue.spec.durable:
                routed.durable = True
            if queue.contents.counts.incomparable != incomparable:
                routed.unordered = hosted
            if hosted.watched and queue.blocked:
                routed.blocked.append(hosted)
        return routed

    def _all_take(self, queues: list[HostedQueue], message: Message, now: i64, routed: RoutingResult) -> bool:
        """Whether every queue takes the message; full queues count it as refused."""
        for hosted in queues:
            try:
                if hosted.may_refuse and not hosted.has_room(message, now):
                    hosted.mark_changed()
                    hosted.queue.refuse(message)
                    routed.full.append(hosted.queue.spec.name)
            except LastvalueError as fault:
                routed.fault = fault
        return not routed.full and routed.fault is None

    def destinations(
        self, exchange: Exchange, key: str, message: Message, more_keys: Sequence[str] = ()
    ) -> list[HostedQueue]:
        """The queues of the exchange's matching bindings; if there are none, those of its alternate."""
        queues: dict[str, HostedQueue] = {}
        seen: set[str] = set()
        while True:
            self._collect(exchange, key, more_keys, message, queues, seen)
            if queues:
                break
            name = exchange.spec.alternate
            if name is None or name in seen:
                break
            alternate = self._exchanges.get(name)
            if alternate is None:
                hosted = self._queues.get(name)
                if hosted is not None:
                    queues[name] = hosted
                break
            exchange = alternate
        return [each if each.redirect is None else each.redirect for each in queues.values()]

    def _collect(
        self,
        exchange: Exchange,
        key: str,
        more_keys: Sequence[str],
        message: Message,
        queues: dict[str, HostedQueue],
        seen: set[str],
    ) -> None:
        """[RabbitMQ] Every exchange on the way is asked for every key, whichever of them led there."""
        seen.add(exchange.name)
        reached = self._match(exchange, key, message, queues, seen, [])
        for other in more_keys:
            reached = self._match(exchange, other, message, queues, seen, reached)
        for following in reached:
            if following.name not in seen:
                self._collect(following, key, more_keys, message, queues, seen)

    def _match(
        self,
        exchange: Exchange,
        key: str,
        message: Message,
        queues: dict[str, HostedQueue],
        seen: set[str],
        reached: list[Exchange],
    ) -> list[Exchange]:
        """Add the queues that a key reaches here, and to `reached` the exchanges, which it returns."""
        if exchange is self._exchanges.default:
            hosted = self._queues.get(key)
            if hosted is not None:
                queues[key] = hosted
            return reached
        for binding in exchange.match(key, message, self._exchanges.work):
            name = binding.destination
            if not binding.to_exchange:
                hosted = self._queues.get(name)
                if hosted is not None:
                    queues[name] = hosted
            elif name not in seen:
                following = self._exchanges.get(name)
                if following is not None:
                    reached.append(following)
        return reached
