"""Exchanges by name, and their bindings."""

from collections.abc import Callable
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.publisher import Publisher
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.binding_quotas import BindingQuotas, binding_weight, exchange_weight
from lastvalue.broker.routing.bindings import EXCLUSIVE_ARGUMENT, Binding
from lastvalue.broker.routing.exchange_spec import (
    RESERVED_PREFIXES,
    ExchangeSpec,
    ExchangeType,
    exchange_to_arguments,
)
from lastvalue.broker.routing.matchers import Matcher, matcher_of
from lastvalue.broker.routing.patterns import PatternTree, has_wildcard
from lastvalue.broker.routing.routing_work import RoutingWork
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import Message

DEFAULT: Final = ""
"""The default exchange, which routes by the queue's name."""

SEQUENCE: Final = "qpid.msg_sequence"
"""The annotation with a message's number, which an exchange declared as `numbered` sets."""

_COMPARED: Final = (
    *("type", "durable", "alternate", "unroutable", "auto_delete", "initial_value", "numbered", "internal"),
)

PREDECLARED: Final = (
    ExchangeSpec(DEFAULT, ExchangeType.DIRECT, durable=True),
    ExchangeSpec("amq.direct", ExchangeType.DIRECT, durable=True),
    ExchangeSpec("amq.topic", ExchangeType.TOPIC, durable=True),
    ExchangeSpec("amq.fanout", ExchangeType.FANOUT, durable=True),
    ExchangeSpec("amq.match", ExchangeType.HEADERS, durable=True),
    ExchangeSpec("amq.headers", ExchangeType.HEADERS, durable=True),
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
    """The exchange exists with other options, or its name is reserved for the broker."""

    condition = Condition.NOT_ALLOWED


@mypyc_attr(native_class=False)
class InternalExchangeError(BrokerError):
    """[RabbitMQ] No client publishes to an internal exchange, whatever rights it has."""

    condition = Condition.UNAUTHORIZED_ACCESS

    def __init__(self, name: str) -> None:
        super().__init__(
            f"exchange {name!r} is internal: publish to an exchange that is bound to it, not to itself"
        )


@mypyc_attr(native_class=False)
class DefaultExchangeError(BrokerError):
    """The request needs an exchange other than the default one."""

    condition = Condition.INVALID_FIELD

    def __init__(self) -> None:
        super().__init__("the default exchange routes by queue names; it cannot be bound, unbound or deleted")


@final
class Exchange:
    """One exchange and its bindings.

    Attributes:
        publishers: links that get `queue_deleted` when it is deleted.
        received, unrouted: how many messages it got, and how many of them no queue got.
        last: the last message and its key, which new bindings get if `initial_value` is set.
        creator: the user who declared it; None is the broker itself.
        holder: the number of the connection that alone subscribes to it, as it is temporary; else 0.
    """

    __slots__ = (
        "_matcher", "bindings", "creator", "holder", "last", "publishers", "received", "spec", "unrouted"
    )  # fmt: skip

    def __init__(self, spec: ExchangeSpec, creator: str | None = None) -> None:
        self.spec = spec
        self.creator = creator
        self.holder: i64 = 0
        self.bindings: dict[tuple[str, bool, str], Binding] = {}
        self.publishers: dict[Publisher, None] = {}
        self.last: tuple[str, Message] | None = None
        self.received = 0
        self.unrouted = 0
        self._matcher: Matcher = matcher_of(spec.type)

    @property
    def name(self) -> str:
        """Its name."""
        return self.spec.name

    @property
    def is_plain(self) -> bool:
        """Whether the key alone decides which bindings get a message, and they get it as it is."""
        spec = self.spec
        return not self._matcher.looks_at_messages and not spec.numbered and not spec.initial_value

    def bind(self, binding: Binding) -> bool:
        """Add a binding, or replace one of the same destination and key; false if an equal one exists.

        Raises:
            BindingError: the exchange's type needs other arguments.
        """
        place = (binding.destination, binding.to_exchange, binding.key)
        present = self.bindings.get(place)
        if present is not None and present.equals(binding):
            return False
        self._matcher.add(binding)
        if present is not None:
            self._matcher.remove(present)
        self.bindings[place] = binding
        return True

    def leave(self) -> None:
        """Call `queue_deleted` on the links that publish here."""
        publishers = self.publishers
        self.publishers = {}
        for publisher in publishers:
            publisher.queue_deleted()

    def rivals(self, binding: Binding) -> list[Binding]:
        """The bindings of the same key that a binding with `qpid.exclusive-binding` replaces."""
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
        """Count a message and number it where the exchange does so; returns it as the queues get it."""
        self.received += 1
        if not self.spec.numbered:
            return message
        numbered = message.forwarded({SEQUENCE: self.received}, True)
        numbered.duplicate_id = message.duplicate_id
        return numbered

    def place(self, key: str, work: RoutingWork) -> tuple[int, ...] | None:
        """See Matcher; counts the work."""
        place = self._matcher.place(key)
        work.spend(1 + self._matcher.work)
        return place

    def match(self, key: str, message: Message, work: RoutingWork | None = None) -> list[Binding]:
        """The bindings that get the message; counts the work that this is."""
        return [binding for binding in self.matched(key, message, work) if binding.admits(message)]

    def matched(self, key: str, message: Message, work: RoutingWork | None = None) -> list[Binding]:
        """The bindings that are for the message, whether they admit it or not; counts the work."""
        matched = self._matcher.match(key, message)
        if work is not None:
            spent: i64 = self._matcher.work
            for binding in matched:
                spent += binding.work
            work.spend(spent)
        return matched


EXCHANGE_BYTES: Final = 1024
"""The memory of an exchange, and that of a binding."""


ExchangeCheck: TypeAlias = Callable[[Exchange], None]
"""Refuses a declaration, by an error, if the exchange of that name that exists does not do for it."""


@final
class Exchanges:
    """Every exchange of a broker, including the predeclared ones.

    Attributes:
        default: the default exchange.
        quotas: how many exchanges and bindings a user may have.
        work: what routing has taken.
        changes: of bindings and addresses; while it stays, a key leads to the same bindings.
    """

    __slots__ = ("_bindings", "_bound", "_by_name", "_patterns", "changes", "default", "quotas", "work")

    def __init__(self) -> None:
        self._by_name: dict[str, Exchange] = {spec.name: Exchange(spec) for spec in PREDECLARED}
        self.default = self._by_name[DEFAULT]
        self._bound: dict[tuple[str, bool], dict[Binding, Exchange]] = {}
        self._patterns = PatternTree(False)
        self.quotas = BindingQuotas()
        self.work = RoutingWork()
        self.changes: i64 = 0
        self._bindings: i64 = 0

    @property
    def size_bytes(self) -> i64:
        """The memory of the exchanges that are not predeclared, and of the bindings."""
        return (len(self._by_name) - len(PREDECLARED) + self._bindings) * EXCHANGE_BYTES

    def get(self, name: str) -> Exchange | None:
        """The exchange of that name, or None."""
        return self._by_name.get(name)

    def find(self, name: str) -> Exchange:
        """The exchange of that name.

        Raises:
            ExchangeNotFoundError: no exchange has that name.
        """
        exchange = self._by_name.get(name)
        if exchange is None:
            raise ExchangeNotFoundError(name)
        return exchange

    def every(self) -> list[Exchange]:
        """All exchanges, in order of their names."""
        return [self._by_name[name] for name in sorted(self._by_name)]

    def addresses(self, name: str) -> list[Exchange]:
        """The addresses that get messages sent to this name: itself, and those whose pattern matches."""
        addresses = [self._by_name[binding.destination] for binding in self._patterns.match(name)]
        exact = self._by_name.get(name)
        if exact is not None and exact.spec.type is ExchangeType.ADDRESS and exact not in addresses:
            addresses.append(exact)
        return addresses

    def declare(self, spec: ExchangeSpec, creator: str | None = None) -> bool:
        """Declare an exchange; false if an equal one exists. It may leave out the exchange's alternate.

        Raises:
            ExchangeNotAllowedError: one of that name exists with other options, or the name is reserved.
            TooManyBindingsError: it would be one too many of its creator's.
        """
        if not self.check_declaration(spec, creator):
            return False
        self.quotas.add(creator, exchange_weight(spec))
        self._by_name[spec.name] = Exchange(spec, creator)
        if spec.type is ExchangeType.ADDRESS:
            self.changes += 1
            if has_wildcard(spec.name):
                self._patterns.add(spec.name, Binding(spec.name, spec.name))
        return True

    def note_queue(self, name: str) -> None:
        """There is a new queue of this name, which gets what comes to an address of its name, too."""
        if self.addresses(name):
            self.changes += 1

    def check_declaration(self, spec: ExchangeSpec, creator: str | None) -> bool:
        """Whether `declare` would make the exchange; raises as it does."""
        present = self._by_name.get(spec.name)
        if present is not None:
            _check_equal(spec, present.spec)
            return False
        if spec.name.startswith(RESERVED_PREFIXES):
            raise ExchangeNotAllowedError(
                f"exchange {spec.name!r}: names that begin with {' or '.join(RESERVED_PREFIXES)} are reserved"
            )
        self.quotas.check(creator, exchange_weight(spec))
        return True

    def restored(self, name: str, creator: str) -> None:
        """Count an exchange, which the broker has restored, for the user that had declared it."""
        exchange = self.find(name)
        exchange.creator = creator
        self.quotas.add(creator, exchange_weight(exchange.spec))

    def provide(self, spec: ExchangeSpec) -> None:
        """Declare an exchange of the broker's own unless it exists; reserved names are allowed."""
        if spec.name not in self._by_name:
            self._by_name[spec.name] = Exchange(spec)

    def check_deletable(self, name: str) -> Exchange:
        """The exchange of that name, if clients may delete it.

        Raises:
            ExchangeNotFoundError: no exchange has that name.
            DefaultExchangeError, ExchangeNotAllowedError: it is one of the broker's own.
        """
        exchange = self.find(name)
        if name == DEFAULT:
            raise DefaultExchangeError
        if name.startswith(RESERVED_PREFIXES):
            raise ExchangeNotAllowedError(f"exchange {name!r} is the broker's own and cannot be deleted")
        return exchange

    def remove(self, exchange: Exchange) -> list[Exchange]:
        """Delete an exchange with its bindings and those to it; returns what was bound to it."""
        name = exchange.name
        for binding in list(exchange.bindings.values()):
            self._forget(binding)
        bound = self.unbind_all(name, True)
        del self._by_name[name]
        self.quotas.remove(exchange.creator, exchange_weight(exchange.spec))
        if exchange.spec.type is ExchangeType.ADDRESS and has_wildcard(name):
            for binding in self._patterns.match(name):
                if binding.destination == name:
                    self._patterns.remove(name, binding)
        return bound

    def bind(self, exchange: Exchange, binding: Binding) -> bool:
        """Bind a destination that exists; false if the same binding exists.

        Raises:
            DefaultExchangeError: the exchange is the default exchange.
            BindingError: the exchange's type needs other arguments.
        """
        if exchange is self.default:
            raise DefaultExchangeError
        place = (binding.destination, binding.to_exchange, binding.key)
        present = exchange.bindings.get(place)
        if not exchange.bind(binding):
            return False
        self.changes += 1
        if present is not None:
            self._forget(present)
        self._bound.setdefault((binding.destination, binding.to_exchange), {})[binding] = exchange
        self._bindings += 1
        self.quotas.add(binding.creator, binding_weight(binding))
        for rival in exchange.rivals(binding):
            exchange.unbind(rival)
            self._forget(rival)
        return True

    def check_quota(self, exchange: Exchange, binding: Binding, owner: Owner) -> None:
        """Refuse a caller a binding that does not exist and would be one too many of its creator's.

        The broker restores all that there were, whatever the limit is now.

        Raises:
            TooManyBindingsError: it would.
        """
        if owner.trusted:
            return
        present = exchange.bindings.get((binding.destination, binding.to_exchange, binding.key))
        if present is None or not present.equals(binding):
            self.quotas.check(binding.creator, binding_weight(binding))

    def unbind(self, exchange: Exchange, destination: str, key: str) -> bool:
        """Remove a binding; false if it does not exist.

        Raises:
            DefaultExchangeError: the exchange is the default exchange.
        """
        if exchange is self.default:
            raise DefaultExchangeError
        for to_exchange in (False, True):
            binding = exchange.bindings.get((destination, to_exchange, key))
            if binding is not None:
                exchange.unbind(binding)
                self._forget(binding)
                self.changes += 1
                return True
        return False

    def unbind_all(self, destination: str, to_exchange: bool) -> list[Exchange]:
        """Remove every binding to a deleted destination; returns the exchanges to which it was bound."""
        bound = self._bound.pop((destination, to_exchange), {})
        self.changes += 1
        self._bindings -= len(bound)
        for binding, exchange in bound.items():
            exchange.unbind(binding)
            self.quotas.remove(binding.creator, binding_weight(binding))
        return list(dict.fromkeys(bound.values()))

    def bindings_of(
        self,
        name: str,
        is_exchange: bool = False,
    ) -> list[tuple[Exchange, Binding]]:
        """The bindings to a queue or an exchange, without those of the default exchange."""
        return [(exchange, binding) for binding, exchange in self._bound.get((name, is_exchange), {}).items()]

    def _forget(self, binding: Binding) -> None:
        place = (binding.destination, binding.to_exchange)
        bound = self._bound.get(place)
        if bound is None or binding not in bound:
            return
        del bound[binding]
        self._bindings -= 1
        self.quotas.remove(binding.creator, binding_weight(binding))
        if not bound:
            del self._bound[place]


def _check_equal(spec: ExchangeSpec, present: ExchangeSpec) -> None:
    first, second = exchange_to_arguments(spec), exchange_to_arguments(present)
    differing = [
        f"{name}: wanted {first.get(name)!r}, has {second.get(name)!r}"
        for name in _COMPARED
        if first.get(name) != second.get(name) and not (name == "alternate" and spec.alternate is None)
    ]
    if differing:
        raise ExchangeNotAllowedError(f"exchange {spec.name!r} exists and differs: {'; '.join(differing)}")
