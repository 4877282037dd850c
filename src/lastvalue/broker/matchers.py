"""How each type of exchange finds the bindings that a message goes to."""

from typing import final

from mypy_extensions import mypyc_attr

from lastvalue.broker.bindings import Binding, conditions_of
from lastvalue.broker.exchange_spec import ExchangeType
from lastvalue.broker.patterns import PatternTree
from lastvalue.model.message import Message


@mypyc_attr(allow_interpreted_subclasses=True)
class Matcher:
    """Bindings, arranged so that those which a message goes to are found."""

    __slots__ = ()

    def add(self, binding: Binding) -> None:
        """Arrange one more.

        Raises:
            BindingError: its arguments are not what this type of exchange needs.
        """
        raise NotImplementedError

    def remove(self, binding: Binding) -> None:
        """Forget one that is arranged."""
        raise NotImplementedError

    def match(self, key: str, message: Message) -> list[Binding]:
        """Where the message goes; their selectors have still to be asked."""
        raise NotImplementedError


@final
class DirectMatcher(Matcher):
    """By the key."""

    __slots__ = ("_by_key",)

    def __init__(self) -> None:
        self._by_key: dict[str, list[Binding]] = {}

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        self._by_key.setdefault(binding.key, []).append(binding)

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        left = [other for other in self._by_key.get(binding.key, []) if other is not binding]
        if left:
            self._by_key[binding.key] = left
        else:
            self._by_key.pop(binding.key, None)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del message
        found = self._by_key.get(key)
        return [] if found is None else found


@final
class TopicMatcher(Matcher):
    """By the words of the key."""

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


@final
class FanoutMatcher(Matcher):
    """All of them."""

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


@final
class HeadersMatcher(Matcher):
    """By the message's properties; each binding is asked."""

    __slots__ = ("_all",)

    def __init__(self) -> None:
        self._all: dict[int, Binding] = {}

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        binding.conditions = conditions_of(binding.arguments)
        self._all[id(binding)] = binding

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        self._all.pop(id(binding), None)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del key
        return [
            binding
            for binding in self._all.values()
            if binding.conditions is not None and binding.conditions.hold(message)
        ]


@final
class AddressMatcher(Matcher):
    """Every multicast queue, and one anycast queue after the other."""

    __slots__ = ("_anycast", "_multicast", "_turn")

    def __init__(self) -> None:
        self._anycast: list[Binding] = []
        self._multicast: dict[int, Binding] = {}
        self._turn = 0

    def add(self, binding: Binding) -> None:
        """See Matcher."""
        if binding.anycast:
            self._anycast.append(binding)
        else:
            self._multicast[id(binding)] = binding

    def remove(self, binding: Binding) -> None:
        """See Matcher."""
        self._anycast = [other for other in self._anycast if other is not binding]
        self._multicast.pop(id(binding), None)

    def match(self, key: str, message: Message) -> list[Binding]:
        """See Matcher."""
        del key
        found = list(self._multicast.values())
        count = len(self._anycast)
        for step in range(count):
            index = (self._turn + step) % count
            if self._anycast[index].admits(message):
                found.append(self._anycast[index])
                self._turn = (index + 1) % count
                break
        return found


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
