"""Matchers: for each type of exchange, which bindings get a message."""

from abc import abstractmethod
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.routing.bindings import Binding, conditions_of
from lastvalue.broker.routing.exchange_spec import ExchangeType
from lastvalue.broker.routing.header_index import HeaderIndex
from lastvalue.broker.routing.patterns import PatternTree
from lastvalue.model.message import Message

_STEPS_OF_WORK: Final = 8
"""This many steps of a match take about as long as a queue that gets a message."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Matcher:
    """An index of bindings, by which an exchange of one type finds those that get a message."""

    __slots__ = ()

    @property
    def work(self) -> i64:
        """What the last match took besides the bindings that it found, as RoutingWork counts it."""
        return 0

    @abstractmethod
    def add(self, binding: Binding) -> None:
        """Add a binding.

        Raises:
            BindingError: this type of exchange needs other arguments.
        """
        raise NotImplementedError

    @abstractmethod
    def remove(self, binding: Binding) -> None:
        """Remove a binding that was added."""
        raise NotImplementedError

    @abstractmethod
    def match(self, key: str, message: Message) -> list[Binding]:
        """The bindings that get the message; the caller still applies their selectors."""
        raise NotImplementedError

    def place(self, key: str) -> tuple[int, ...] | None:
        """What keys have in common that match the same bindings now; None if only `match` tells."""
        del key
        return None

    @property
    def looks_at_messages(self) -> bool:
        """Whether messages with the same key may get different bindings."""
        return False


@final
class DirectMatcher(Matcher):
    """Matches bindings whose key is the routing key."""

    __slots__ = ("_by_key",)

    def __init__(self) -> None:
        self._by_key: dict[str, dict[Binding, None]] = {}

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        self._by_key.setdefault(binding.key, {})[binding] = None

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        bindings = self._by_key.get(binding.key, {})
        bindings.pop(binding, None)
        if not bindings:
            self._by_key.pop(binding.key, None)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del message
        bindings = self._by_key.get(key)
        return [] if bindings is None else list(bindings)


@final
class TopicMatcher(Matcher):
    """Matches bindings whose pattern fits the words of the routing key."""

    __slots__ = ("_tree",)

    def __init__(self) -> None:
        self._tree = PatternTree(True)

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        self._tree.add(binding.key, binding)

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        self._tree.remove(binding.key, binding)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del message
        return self._tree.match(key)

    def place(self, key: str) -> tuple[int, ...] | None:
        """See Matcher."""
        return self._tree.place(key)

    @property
    def work(self) -> i64:
        """See Matcher."""
        return self._tree.steps // _STEPS_OF_WORK


@final
class FanoutMatcher(Matcher):
    """Matches all bindings."""

    __slots__ = ("_all",)

    def __init__(self) -> None:
        self._all: dict[int, Binding] = {}

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        self._all[id(binding)] = binding

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        self._all.pop(id(binding), None)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del key, message
        return list(self._all.values())

    def place(self, key: str) -> tuple[int, ...] | None:
        """See Matcher."""
        del key
        return ()


@final
class HeadersMatcher(Matcher):
    """Matches bindings whose conditions the message's properties meet."""

    __slots__ = ("_index",)

    def __init__(self) -> None:
        self._index = HeaderIndex()

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        conditions = conditions_of(binding.arguments)
        binding.conditions = conditions
        self._index.add(binding, conditions)

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        if binding.conditions is not None:
            self._index.remove(binding, binding.conditions)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del key
        return self._index.match(message)

    @property
    def looks_at_messages(self) -> bool:
        """See Matcher."""
        return True

    @property
    def work(self) -> i64:
        """See Matcher."""
        return self._index.steps // _STEPS_OF_WORK


@final
class AddressMatcher(Matcher):
    """Matches every multicast queue and one of the anycast queues in turn."""

    __slots__ = ("_anycast", "_multicast", "_sharing", "_turn")

    def __init__(self) -> None:
        self._anycast: dict[Binding, None] = {}
        self._sharing: list[Binding] = []
        self._multicast: dict[int, Binding] = {}
        self._turn = 0

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        if binding.anycast:
            self._anycast[binding] = None
            self._sharing = []
        else:
            self._multicast[id(binding)] = binding

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        if binding in self._anycast:
            del self._anycast[binding]
            self._sharing = []
        self._multicast.pop(id(binding), None)

    @property
    def looks_at_messages(self) -> bool:
        """See Matcher: the anycast queues take turns, and so do those with a filter."""
        return len(self._anycast) > 1 or any(binding.asks for binding in self._anycast)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del key
        bindings = list(self._multicast.values())
        count = len(self._anycast)
        if len(self._sharing) != count:
            self._sharing = list(self._anycast)
        for step in range(count):
            index = (self._turn + step) % count
            if self._sharing[index].admits(message):
                bindings.append(self._sharing[index])
                self._turn = (index + 1) % count
                break
        return bindings


def matcher_of(kind: ExchangeType) -> Matcher:
    """An empty matcher of that type."""
    if kind is ExchangeType.DIRECT:
        return DirectMatcher()
    if kind is ExchangeType.TOPIC:
        return TopicMatcher()
    if kind is ExchangeType.HEADERS:
        return HeadersMatcher()
    if kind is ExchangeType.ADDRESS:
        return AddressMatcher()
    return FanoutMatcher()
