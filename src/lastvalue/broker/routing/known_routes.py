"""Routes that exchanges gave before, so that further messages need no match."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.queues.spec import LastValue

MOST_KEYS: Final = 4096
MOST_QUEUES: Final = 1 << 16
"""The most keys that are remembered, and the most places in the lists of their queues."""

_NO_QUEUES: Final[list[HostedQueue]] = []


@final
class KnownRoute:
    """Where an exchange gives every message with some keys, until bindings change.

    Attributes:
        queues: see `Router.queues_of`; None, too, once bindings have changed.
    """

    __slots__ = ("queues",)

    def __init__(self, queues: list[HostedQueue] | None) -> None:
        self.queues = queues

    def takers(self) -> list[HostedQueue]:
        """The queues that take such messages together: one, or several that all take them; else none."""
        queues = self.queues
        if queues is None:
            return _NO_QUEUES
        takers = [each.taker() for each in queues]
        return takers if len(takers) == 1 or all(takes_all(each) for each in takers) else _NO_QUEUES


@final
class KnownRoutes:
    """The routes of keys, by exchanges, as long as no binding changes."""

    __slots__ = ("_by_key", "_by_place", "_changes", "_size")

    def __init__(self) -> None:
        self._by_key: dict[tuple[Exchange, str], KnownRoute] = {}
        self._by_place: dict[tuple[Exchange, tuple[int, ...]], KnownRoute] = {}
        self._changes: i64 = 0
        # The places in the lists of queues.
        self._size: i64 = 0

    def find(self, exchange: Exchange, key: str, changes: i64) -> KnownRoute | None:
        """The route of a key, if it is known since these changes; what was known before them is forgotten."""
        if changes != self._changes or self._size > MOST_QUEUES:
            self._forget()
            self._changes = changes
        elif len(self._by_key) >= MOST_KEYS:
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
        self, exchange: Exchange, key: str, place: tuple[int, ...] | None, route: KnownRoute
    ) -> KnownRoute:
        """Remember the route of a key and of those with the same place; returns it."""
        queues = route.queues
        self._size += 0 if queues is None else len(queues)
        self._by_key[exchange, key] = route
        if place is not None:
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
    """Whether a queue takes every message, and looks at no key of it."""
    queue = hosted.queue
    refuses = hosted.may_refuse or hosted.drops_local or queue.duplicates.detects
    return not refuses and not isinstance(queue.spec.ordering, LastValue)
