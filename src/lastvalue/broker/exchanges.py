"""Exchanges by name, and what is bound to them."""

from typing import Final, final

from mypy_extensions import mypyc_attr

from lastvalue.broker.bindings import EXCLUSIVE_ARGUMENT, Binding
from lastvalue.broker.exchange_spec import (
    RESERVED_PREFIXES,
    ExchangeSpec,
    ExchangeType,
    exchange_to_arguments,
)
from lastvalue.broker.matchers import Matcher, matcher_of
from lastvalue.broker.patterns import PatternTree, has_wildcard
from lastvalue.broker.queue_host import Publisher
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import Message

DEFAULT: Final = ""
"""The exchange that knows every queue by its name."""

SEQUENCE: Final = "qpid.msg_sequence"
"""The annotation with a message's number on an exchange that counts."""

PREDECLARED: Final = (
    ExchangeSpec(DEFAULT, ExchangeType.DIRECT, durable=True),
    ExchangeSpec("amq.direct", ExchangeType.DIRECT, durable=True),
    ExchangeSpec("amq.topic", ExchangeType.TOPIC, durable=True),
    ExchangeSpec("amq.fanout", ExchangeType.FANOUT, durable=True),
    ExchangeSpec("amq.match", ExchangeType.HEADERS, durable=True),
)


@mypyc_attr(native_class=False)
class ExchangeNotFoundError(BrokerError):
    """No exchange has that name."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is no exchange named {name!r}; `lastvalue exchange list` shows those that exist"
        )
        self.name = name


@mypyc_attr(native_class=False)
class ExchangeNotAllowedError(BrokerError):
    """The exchange exists differently, is the broker's own, or is in use."""

    condition = Condition.NOT_ALLOWED


@mypyc_attr(native_class=False)
class DefaultExchangeError(BrokerError):
    """The default exchange is asked for what only others can."""

    condition = Condition.INVALID_FIELD

    def __init__(self) -> None:
        super().__init__(
            "the default exchange knows every queue by its name; it cannot be bound, unbound or deleted"
        )


@final
class Exchange:
    """One exchange and its bindings.

    Attributes:
        publishers: links that are to be told when it is deleted.
        received, unrouted: how many messages came, and how many of them no queue got.
        last: the message that new bindings are given, with its key, where the exchange keeps one.
    """

    __slots__ = ("_matcher", "bindings", "last", "publishers", "received", "spec", "unrouted")

    def __init__(self, spec: ExchangeSpec) -> None:
        self.spec = spec
        self.bindings: dict[tuple[str, bool, str], Binding] = {}
        self.publishers: list[Publisher] = []
        self.last: tuple[str, Message] | None = None
        self.received = 0
        self.unrouted = 0
        self._matcher: Matcher = matcher_of(spec.type)

    @property
    def name(self) -> str:
        """Its name."""
        return self.spec.name

    def bind(self, binding: Binding) -> bool:
        """Add a binding; one of the same destination and key is replaced. False where it is there already.

        Raises:
            BindingError: the exchange's type needs other arguments.
        """
        place = (binding.destination, binding.to_exchange, binding.key)
        present = self.bindings.get(place)
        if present is not None and present.arguments == binding.arguments:
            return False
        self._matcher.add(binding)
        if present is not None:
            self._matcher.remove(present)
        self.bindings[place] = binding
        return True

    def leave(self) -> None:
        """Tell those who publish that the exchange goes."""
        publishers = self.publishers
        self.publishers = []
        for publisher in publishers:
            publisher.queue_deleted()

    def rivals(self, binding: Binding) -> list[Binding]:
        """The bindings of its key that one with `qpid.exclusive-binding` takes the place of."""
        if not binding.arguments.get(EXCLUSIVE_ARGUMENT):
            return []
        return [
            other for other in self.bindings.values() if other.key == binding.key and other is not binding
        ]

    def unbind(self, binding: Binding) -> None:
        """Take a binding away."""
        if self.bindings.pop((binding.destination, binding.to_exchange, binding.key), None) is not None:
            self._matcher.remove(binding)

    def admitted(self, message: Message) -> Message:
        """A message that comes, as the queues get it."""
        self.received += 1
        if not self.spec.numbered:
            return message
        numbered = message.forwarded({SEQUENCE: self.received}, True)
        numbered.duplicate_id = message.duplicate_id
        return numbered

    def match(self, key: str, message: Message) -> list[Binding]:
        """The bindings that the message goes to."""
        return [binding for binding in self._matcher.match(key, message) if binding.admits(message)]


@final
class Exchanges:
    """Every exchange of a broker, those that it starts with included."""

    __slots__ = ("_bound", "_by_name", "_patterns", "default")

    def __init__(self) -> None:
        self._by_name: dict[str, Exchange] = {spec.name: Exchange(spec) for spec in PREDECLARED}
        self.default = self._by_name[DEFAULT]
        self._bound: dict[tuple[str, bool], list[tuple[Exchange, Binding]]] = {}
        self._patterns = PatternTree(False)

    def get(self, name: str) -> Exchange | None:
        """The exchange of that name, or None."""
        return self._by_name.get(name)

    def find(self, name: str) -> Exchange:
        """The exchange of that name.

        Raises:
            ExchangeNotFoundError: there is none.
        """
        exchange = self._by_name.get(name)
        if exchange is None:
            raise ExchangeNotFoundError(name)
        return exchange

    def every(self) -> list[Exchange]:
        """All, by name."""
        return [self._by_name[name] for name in sorted(self._by_name)]

    def addresses(self, name: str) -> list[Exchange]:
        """The addresses that receive what is sent to this one: those whose pattern it matches, itself too."""
        found = [self._by_name[binding.destination] for binding in self._patterns.match(name)]
        exact = self._by_name.get(name)
        if exact is not None and exact.spec.type is ExchangeType.ADDRESS and exact not in found:
            found.append(exact)
        return found

    def declare(self, spec: ExchangeSpec) -> bool:
        """Make an exchange; false where an equal one exists. Leaving out an alternate that it has is equal.

        Raises:
            ExchangeNotAllowedError: it exists and differs, or the name is reserved.
        """
        present = self._by_name.get(spec.name)
        if present is not None:
            _check_equal(spec, present.spec)
            return False
        if spec.name.startswith(RESERVED_PREFIXES):
            raise ExchangeNotAllowedError(
                f"exchange {spec.name!r}: names that begin with {' or '.join(RESERVED_PREFIXES)} are reserved"
            )
        self._by_name[spec.name] = Exchange(spec)
        if spec.type is ExchangeType.ADDRESS and has_wildcard(spec.name):
            self._patterns.add(spec.name, Binding(spec.name, spec.name))
        return True

    def provide(self, spec: ExchangeSpec) -> None:
        """Have an exchange of the broker's own, whatever its name, unless there is one."""
        if spec.name not in self._by_name:
            self._by_name[spec.name] = Exchange(spec)

    def check_deletable(self, name: str) -> Exchange:
        """The exchange, which is nobody's own.

        Raises:
            ExchangeNotFoundError: there is none.
            DefaultExchangeError, ExchangeNotAllowedError: the broker starts with it.
        """
        exchange = self.find(name)
        if name == DEFAULT:
            raise DefaultExchangeError
        if name.startswith(RESERVED_PREFIXES):
            raise ExchangeNotAllowedError(f"exchange {name!r} is the broker's own and cannot be deleted")
        return exchange

    def remove(self, exchange: Exchange) -> None:
        """Take an exchange away, with its bindings and those that lead to it."""
        name = exchange.name
        for binding in list(exchange.bindings.values()):
            self._forget(binding)
        self.unbind_all(name, True)
        del self._by_name[name]
        if exchange.spec.type is ExchangeType.ADDRESS and has_wildcard(name):
            for binding in self._patterns.match(name):
                if binding.destination == name:
                    self._patterns.remove(name, binding)

    def bind(self, exchange: Exchange, binding: Binding) -> bool:
        """Bind a destination that exists; false where that changes nothing.

        Raises:
            DefaultExchangeError: to the default exchange.
            BindingError: the exchange's type needs other arguments.
        """
        if exchange is self.default:
            raise DefaultExchangeError
        place = (binding.destination, binding.to_exchange, binding.key)
        present = exchange.bindings.get(place)
        if not exchange.bind(binding):
            return False
        if present is not None:
            self._forget(present)
        self._bound.setdefault((binding.destination, binding.to_exchange), []).append((exchange, binding))
        for rival in exchange.rivals(binding):
            exchange.unbind(rival)
            self._forget(rival)
        return True

    def unbind(self, exchange: Exchange, destination: str, key: str) -> bool:
        """Take a binding away; false where there is none.

        Raises:
            DefaultExchangeError: from the default exchange.
        """
        if exchange is self.default:
            raise DefaultExchangeError
        for to_exchange in (False, True):
            binding = exchange.bindings.get((destination, to_exchange, key))
            if binding is not None:
                exchange.unbind(binding)
                self._forget(binding)
                return True
        return False

    def unbind_all(self, destination: str, to_exchange: bool) -> list[Exchange]:
        """Take away every binding to a destination that goes; the exchanges that it was bound to."""
        bound = self._bound.pop((destination, to_exchange), [])
        for exchange, binding in bound:
            exchange.unbind(binding)
        return [exchange for exchange, _ in bound]

    def bindings_of(
        self,
        name: str,
        is_exchange: bool = False,
    ) -> list[tuple[Exchange, Binding]]:
        """What a queue, or an exchange, is bound to, but for the default exchange."""
        return list(self._bound.get((name, is_exchange), []))

    def _forget(self, binding: Binding) -> None:
        place = (binding.destination, binding.to_exchange)
        left = [each for each in self._bound.get(place, []) if each[1] is not binding]
        if left:
            self._bound[place] = left
        else:
            self._bound.pop(place, None)


def _check_equal(wanted: ExchangeSpec, present: ExchangeSpec) -> None:
    first, second = exchange_to_arguments(wanted), exchange_to_arguments(present)
    differing = [
        f"{name}: wanted {first.get(name)!r}, has {second.get(name)!r}"
        for name in ("type", "durable", "alternate", "unroutable", "auto_delete", "initial_value", "numbered")
        if first.get(name) != second.get(name) and not (name == "alternate" and wanted.alternate is None)
    ]
    if differing:
        raise ExchangeNotAllowedError(f"exchange {wanted.name!r} exists and differs: {'; '.join(differing)}")
