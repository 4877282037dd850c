"""Routes that exchanges gave before, so that further messages need no match."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.exchanges import Exchange

_NO_QUEUES: Final[list[HostedQueue]] = []


@final
class KnownRoute:
    """Where an exchange, or the addresses of a name, give every message with some keys until bindings change.

    Attributes:
        exchanges: the exchange or the addresses.
        queues: all the queues that get such messages; None if these depend on more than the key, and once
            bindings have changed; not to be changed.
    """

    __slots__ = ("exchanges", "queues")

    def __init__(self, exchanges: list[Exchange], queues: list[HostedQueue] | None) -> None:
        self.exchanges = exchanges
        self.queues = queues

    def takers(self) -> list[HostedQueue]:
        """The queues that take such messages together: one, or several that all take them; else none."""
        queues = self.queues
        if queues is None:
            return _NO_QUEUES
        if len(queues) == 1:
            return [queues[0].taker()]
        return queues if all(takes_all(each) for each in queues) else _NO_QUEUES

    def count(self, messages: i64) -> None:
        """Count messages that it leads."""
        for exchange in self.exchanges:
            exchange.received += int(messages)


@final
class KnownRoutes:
    """The routes of keys, by exchanges, as long as no binding changes.

    Args:
        most_keys: that are remembered.
        most_queues: the most places in the lists of their queues.
    """

    __slots__ = ("_by_key", "_by_place", "_changes", "_most_keys", "_most_queues", "_size")

    def __init__(self, most_keys: i64 = 1 << 12, most_queues: i64 = 1 << 16) -> None:
        self._most_keys = most_keys
        self._most_queues = most_queues
        self._by_key: dict[tuple[Exchange | None, str], KnownRoute] = {}
        self._by_place: dict[tuple[Exchange, tuple[int, ...]], KnownRoute] = {}
        self._changes: i64 = 0
        # The places in the lists of queues.
        self._size: i64 = 0

    def find(self, exchange: Exchange | None, key: str, changes: i64) -> KnownRoute | None:
        """The route of a key, if it is known since these changes; what was known before them is forgotten.

        Without an exchange the key is the name of addresses.
        """
        if changes != self._changes or self._size > self._most_queues:
            self._forget()
            self._changes = changes
        elif len(self._by_key) >= self._most_keys:
            # The routes of places stay, which few keys do not share.
            self._by_key = {}
        return self._by_key.get((exchange, key))

    def share(self, exchange: Exchange, key: str, place: tuple[int, ...] | None) -> KnownRoute | None:
        """The route of other keys with the same `Exchange.place`, which is that of this key from now on."""
        route = None if place is None else self._by_place.get((exchange, place))
        if route is not None:
            self._by_key[exchange, key] = route
        return route

    def add(
        self, exchange: Exchange | None, key: str, place: tuple[int, ...] | None, route: KnownRoute
    ) -> KnownRoute:
        """Remember the route of a key and of those with the same place; returns it."""
        queues = route.queues
        self._size += 0 if queues is None else len(queues)
        self._by_key[exchange, key] = route
        if exchange is not None and place is not None:
            self._by_place[exchange, place] = route
        return route

    def _forget(self) -> None:
        """Forget all: routes that somebody still has lead nowhere, as their queues may be gone."""
        for route in self._by_key.values():
            route.queues = None
        self._by_key = {}
        self._by_place = {}
        self._size = 0


def takes_all(hosted: HostedQueue) -> bool:
    """Whether a queue takes every message."""
    queue = hosted.queue
    refuses = hosted.may_refuse or hosted.drops_local or queue.duplicates.detects
    return not refuses and hosted.redirect is None
