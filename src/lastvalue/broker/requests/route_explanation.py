"""Where a message would go, and why not elsewhere: routing explained, without a message being published."""

from collections.abc import Iterator
from typing import Any, Final, final

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.bindings import SELECTOR_ARGUMENT, Binding
from lastvalue.broker.routing.exchange_spec import ExchangeType, Unroutable
from lastvalue.broker.routing.exchanges import Exchange, ExchangeNotFoundError
from lastvalue.broker.routing.matchers import matcher_of
from lastvalue.broker.routing.nodes import Node
from lastvalue.model.message import Message

_ITSELF: Final = "it is published to the queue itself"
_ALTERNATE: Final = "no binding leads to a queue: the alternate gets it"


@final
class RouteExplanation:
    """Explains what `Router` would do with a message.

    Args:
        key: the routing key.
        owner: who asks; what this caller may not see is neither named nor followed.
    """

    __slots__ = ("_broker", "_key", "_message", "_owner", "_queues", "_seen")

    def __init__(self, broker: Broker, key: str, message: Message, owner: Owner) -> None:
        self._broker = broker
        self._key = key
        self._message = message
        self._owner = owner
        # Of the exchange that is being explained: where the message was, and which queues get it.
        self._seen: set[str] = set()
        self._queues: set[str] = set()

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """A row for each binding that the message meets when it is published to a name.

        A row has `exchange`, `destination`, `to` (queue, exchange or nothing), `key`, `arguments`, `gets` and
        `reason`.

        Raises:
            ExchangeNotFoundError: nothing has that name.
        """
        node = self._broker.resolve(name, True)
        if node is None or not self._shows(node.name):
            raise ExchangeNotFoundError(name)
        return self._at(node)

    def _at(self, node: Node) -> Iterator[dict[str, Any]]:
        if node.hosted is not None:
            yield self._to_queue("", node.name, _ITSELF)
            return
        if node.exchange is not None:
            yield from self._from(node.exchange)
            return
        if self._broker.has_queue(node.name):
            yield self._to_queue("", node.name, _ITSELF)
        for address in self._broker.exchanges.addresses(node.name):
            yield from self._from(address)

    def _from(self, exchange: Exchange) -> Iterator[dict[str, Any]]:
        """The bindings of an exchange, and those of its alternates while no queue gets the message."""
        self._seen = set()
        self._queues = set()
        while True:
            yield from self._bindings(exchange)
            if self._queues:
                return
            name = exchange.spec.alternate
            if name is None or name in self._seen:
                yield _row(exchange.name, "", "nothing", _lost(exchange))
                return
            if not self._shows(name):
                yield _hidden(exchange.name, _ALTERNATE)
                return
            following = self._broker.exchanges.get(name)
            if following is None:
                yield self._to_queue(exchange.name, name, _ALTERNATE)
                return
            yield _row(exchange.name, name, "exchange", _ALTERNATE) | {"gets": True}
            exchange = following

    def _bindings(self, exchange: Exchange) -> Iterator[dict[str, Any]]:
        self._seen.add(exchange.name)
        if exchange is self._broker.exchanges.default:
            if self._broker.has_queue(self._key) or not self._shows(self._key):
                self._queues.add(self._key)
                yield self._to_queue("", self._key, "its name is the routing key")
            return
        for binding in list(exchange.bindings.values()):
            gets, reason = self._decision(exchange, binding)
            name = binding.destination
            if gets and not binding.to_exchange:
                self._queues.add(name)
            if not self._shows(name):
                if gets:
                    yield _hidden(exchange.name, reason)
                continue
            described = {"key": binding.key, "arguments": dict(binding.arguments), "gets": gets}
            if not binding.to_exchange:
                row = self._to_queue(exchange.name, name, reason) if gets else None
                yield (row or _row(exchange.name, name, "queue", reason)) | described
                continue
            if gets and name in self._seen:
                reason += "; the message was there before"
            yield _row(exchange.name, name, "exchange", reason) | described
            following = self._broker.exchanges.get(name)
            if gets and following is not None and name not in self._seen:
                yield from self._bindings(following)

    def _shows(self, name: str) -> bool:
        return self._broker.authorization.shows(self._owner, name)

    def _decision(self, exchange: Exchange, binding: Binding) -> tuple[bool, str]:
        """Whether a binding passes the message, and why; a matcher of this binding alone decides."""
        if not binding.admits(self._message):
            return False, f"its selector does not select it: {binding.arguments.get(SELECTOR_ARGUMENT)}"
        kind = exchange.spec.type
        matcher = matcher_of(kind)
        matcher.add(binding)
        fits = bool(matcher.match(self._key, self._message))
        if kind is ExchangeType.DIRECT:
            return fits, f"its key {'is' if fits else 'is not'} the routing key"
        if kind is ExchangeType.TOPIC:
            return fits, f"its pattern {'fits' if fits else 'does not fit'} the routing key"
        if kind is ExchangeType.HEADERS:
            return fits, f"the properties {'meet' if fits else 'do not meet'} its arguments"
        return (
            fits,
            "one of the anycast queues gets it, in turn" if binding.anycast else "it gets every one",
        )

    def _to_queue(self, exchange: str, name: str, reason: str) -> dict[str, Any]:
        """A row of a queue that gets the message, or of the one that it is redirected to."""
        if not self._shows(name):
            return _hidden(exchange, reason)
        row = _row(exchange, name, "queue", reason) | {"gets": True}
        if self._broker.has_queue(name):
            taker = self._broker.lookup(name).taker().queue.spec.name
            if taker != name and self._shows(taker):
                row |= {"destination": taker, "reason": f"{reason}; {name!r} is redirected to this queue"}
        return row


def _row(exchange: str, destination: str, to: str, reason: str) -> dict[str, Any]:
    row: dict[str, Any] = {"exchange": exchange, "destination": destination, "to": to}
    return row | {"key": "", "arguments": {}, "gets": False, "reason": reason}


def _hidden(exchange: str, reason: str) -> dict[str, Any]:
    """The row of a destination that the caller may not see."""
    return _row(exchange, "", "nothing", f"{reason}; where that leads is not shown to you") | {"gets": True}


def _lost(exchange: Exchange) -> str:
    refused = exchange.spec.unroutable is Unroutable.REFUSE
    return f"no queue gets it: it is {'rejected' if refused else 'discarded'}"
