"""From an exchange to queues: which get a message, and what they made of it."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.exchange_spec import Unroutable
from lastvalue.broker.exchanges import Exchange, Exchanges
from lastvalue.broker.reading import HostedQueue
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message


@final
class Routed:
    """What became of a published message.

    Attributes:
        queues: how many queues were given it.
        full: the names of those that did not take it.
        fault: why one of them cannot take it, whatever room it has.
        refused: no queue was found, and the exchange rejects what it cannot route.
    """

    __slots__ = ("fault", "full", "queues", "refused")

    def __init__(self) -> None:
        self.queues = 0
        self.full: list[str] = []
        self.fault: LastvalueError | None = None
        self.refused = False


@final
class Router:
    """Routes over the exchanges and queues of a broker; it shares their tables."""

    __slots__ = ("_exchanges", "_queues")

    def __init__(self, queues: dict[str, HostedQueue], exchanges: Exchanges) -> None:
        self._queues = queues
        self._exchanges = exchanges

    def publish(self, exchange: Exchange, key: str, message: Message, now: i64) -> Routed:
        """Give the message to every queue that the exchange routes it to, to each once."""
        message = exchange.admitted(message)
        if exchange.spec.initial_value:
            exchange.last = (key, message)
        found = self.destinations(exchange, key, message)
        routed = self._give(found, message, now)
        if not found:
            exchange.unrouted += 1
            routed.refused = exchange.spec.unroutable is Unroutable.REJECT
        return routed

    def publish_to_address(self, address: str, message: Message, now: i64) -> Routed:
        """Give the message to the queues of every address that it matches, and to a queue of that name."""
        found: dict[str, HostedQueue] = {}
        plain = self._queues.get(address)
        if plain is not None:
            found[address] = plain
        for exchange in self._exchanges.addresses(address):
            exchange.received += 1
            for hosted in self.destinations(exchange, address, message):
                found[hosted.queue.spec.name] = hosted
        return self._give(list(found.values()), message, now)

    def _give(self, found: list[HostedQueue], message: Message, now: i64) -> Routed:
        routed = Routed()
        routed.queues = len(found)
        for hosted in found:
            hosted.touch()
            try:
                if not hosted.take(message, now):
                    routed.full.append(hosted.queue.spec.name)
            except LastvalueError as fault:
                routed.fault = fault
        return routed

    def destinations(self, exchange: Exchange, key: str, message: Message) -> list[HostedQueue]:
        """The queues of the exchange's bindings; where there are none, those of its alternate."""
        found: dict[str, HostedQueue] = {}
        seen: set[str] = set()
        self._collect(exchange, key, message, found, seen)
        while not found:
            name = exchange.spec.alternate
            if name is None or name in seen:
                break
            alternate = self._exchanges.get(name)
            if alternate is None:
                hosted = self._queues.get(name)
                if hosted is not None:
                    found[name] = hosted
                break
            exchange = alternate
            self._collect(exchange, key, message, found, seen)
        return list(found.values())

    def _collect(
        self, exchange: Exchange, key: str, message: Message, found: dict[str, HostedQueue], seen: set[str]
    ) -> None:
        seen.add(exchange.name)
        if exchange is self._exchanges.default:
            hosted = self._queues.get(key)
            if hosted is not None:
                found[key] = hosted
            return
        for binding in exchange.match(key, message):
            name = binding.destination
            if not binding.to_exchange:
                hosted = self._queues.get(name)
                if hosted is not None:
                    found[name] = hosted
            elif name not in seen:
                following = self._exchanges.get(name)
                if following is not None:
                    self._collect(following, key, message, found, seen)
