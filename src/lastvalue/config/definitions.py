"""Definitions: the nodes, bindings and policies of a broker, or those that a configuration asks for."""

import base64
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from lastvalue.broker.partitions import Partitions
from lastvalue.broker.routing.definitions import storable_value
from lastvalue.config.configuration import (
    AutoCreate,
    Configuration,
    ConfiguredBinding,
    ConfiguredExchange,
    ConfiguredPermission,
    ConfiguredQueue,
)

Arguments: TypeAlias = Mapping[str, Any]
Place: TypeAlias = tuple[str, str, str]
"""The exchange, the destination and the key of a binding."""

_OWN_EXCHANGES: Final = ("amq.", "qpid.", "qmf.", "activemq.notifications", "$")


@dataclass(frozen=True, slots=True)
class Definitions:
    """What is declared, by name and place; options are in our spelling, without defaults."""

    queues: Mapping[str, Arguments] = field(default_factory=dict)
    exchanges: Mapping[str, Arguments] = field(default_factory=dict)
    bindings: Mapping[Place, Arguments] = field(default_factory=dict)
    policies: tuple[Arguments, ...] = ()
    permissions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The rules of users, by name."""

    def without_own(self) -> "Definitions":
        """Those without the exchanges that every broker has."""
        exchanges = {name: each for name, each in self.exchanges.items() if not _is_own(name)}
        return replace(self, exchanges=exchanges)

    def lasting(self) -> "Definitions":
        """Those that an operator made: not the broker's own, nor what lives as long as its users.

        An address that was made with its queues lives as long as they do.
        """
        queues = {
            name: each
            for name, each in self.queues.items()
            if not name.startswith("$") and not each.get("lifetime")
        }
        with_queues = {place[0] for place in self.bindings if place[1] in queues}
        exchanges = {
            name: each
            for name, each in self.exchanges.items()
            if not _is_own(name)
            and (not each.get("auto_delete") or (each.get("type") == "address" and name in with_queues))
        }
        bindings = {
            place: each
            for place, each in self.bindings.items()
            if (_is_own(place[0]) or place[0] in exchanges) and (place[1] in queues or place[1] in exchanges)
        }
        return Definitions(queues, exchanges, bindings, self.policies, self.permissions)


def _is_own(exchange: str) -> bool:
    return not exchange or exchange.startswith(_OWN_EXCHANGES)


@dataclass(frozen=True, slots=True)
class WantedDefinitions:
    """The definitions that a configuration asks for.

    Attributes:
        definitions: all of them, also the alternates and histories that the broker makes by itself.
        named: the names of queues and exchanges that the configuration itself has.
        creatable: whether the broker creates a missing node of that name by itself.
    """

    definitions: Definitions
    named: frozenset[str]
    creatable: Callable[[str], bool]

    def at(self, partitions: Partitions | None) -> "WantedDefinitions":
        """Those that one of several brokers has: without the queues of others, and what is bound to them."""
        if partitions is None:
            return self
        return self.without({name for name in self.definitions.queues if not partitions.has(name)})

    def without(self, elsewhere: AbstractSet[str]) -> "WantedDefinitions":
        """Those without these queues, and what is bound to them."""
        asked = self.definitions
        here = replace(
            asked,
            queues={name: each for name, each in asked.queues.items() if name not in elsewhere},
            bindings={place: each for place, each in asked.bindings.items() if place[1] not in elsewhere},
        )
        return replace(self, definitions=here, named=self.named - elsewhere)


def places(exchange: str, described: Any) -> dict[Place, Arguments]:
    """The bindings of an exchange as the broker describes them."""
    return dict(_places(exchange, described))


def _places(exchange: str, described: Any) -> Iterator[tuple[Place, Arguments]]:
    for each in described:
        yield (exchange, each["destination"], each["key"]), each["arguments"]


def configuration_of(definitions: Definitions) -> Configuration:
    """The configuration that asks for these definitions."""
    exchanges = definitions.exchanges
    return Configuration(
        queues=tuple(ConfiguredQueue(name, name, options) for name, options in definitions.queues.items()),
        exchanges=tuple(ConfiguredExchange(name=name, **options) for name, options in exchanges.items()),
        bindings=tuple(
            ConfiguredBinding(
                exchange, destination, key, _writable(arguments), _octets(arguments), _nulls(arguments)
            )
            for (exchange, destination, key), arguments in definitions.bindings.items()
        ),
        auto_creates=tuple(AutoCreate(**policy) for policy in definitions.policies),
        permissions=tuple(
            ConfiguredPermission(user, rules) for user, rules in definitions.permissions.items()
        ),
    )


def _writable(arguments: Arguments) -> dict[str, Any]:
    return {
        name: storable_value(value)
        for name, value in arguments.items()
        if not (value is None or isinstance(value, bytes))
    }


def _nulls(arguments: Arguments) -> tuple[str, ...]:
    return tuple(name for name, value in arguments.items() if value is None)


def _octets(arguments: Arguments) -> dict[str, str]:
    return {
        name: base64.b64encode(value).decode()
        for name, value in arguments.items()
        if isinstance(value, bytes)
    }
