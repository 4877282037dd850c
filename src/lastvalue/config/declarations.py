"""Declares the nodes of a configuration at an empty broker, which shows what it asks for and its faults."""

import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType, Unroutable
from lastvalue.config.configuration import Configuration, ConfiguredBinding, ConfiguredExchange
from lastvalue.config.definitions import WantedDefinitions
from lastvalue.config.definitions_of_broker import definitions_of_broker
from lastvalue.config.errors import Fault
from lastvalue.model.errors import BrokerError, InvalidSpecError
from lastvalue.queues.spec import QueueSpec

Path: TypeAlias = tuple[str | int, ...]

_HEADERS = "amq.match"


def rehearsed_declarations(configuration: Configuration) -> tuple[WantedDefinitions, list[Fault]]:
    """What a configuration asks for, and the faults that an empty broker finds in it."""
    broker = Broker()
    broker.authorization.partitions = configuration.partitions_for("")
    faults = list(_declare(configuration, broker))
    queues = (queue.name for queue in configuration.queues)
    exchanges = (exchange.name for exchange in configuration.exchanges)
    named = frozenset((*queues, *exchanges))
    permissions = {each.user: each.rules for each in configuration.permissions}
    definitions = replace(definitions_of_broker(broker).without_own(), permissions=permissions)
    return WantedDefinitions(definitions, named, configuration.creatable), faults


def created_by(configuration: Configuration) -> Callable[[str], Mapping[str, Any] | None]:
    """The arguments of a missing queue by the settings of its address, or None."""

    def arguments(name: str) -> Mapping[str, Any] | None:
        if configuration.settings.match(name).get("auto-create-queues") is not True:
            return None
        return configuration.settings_for(name)

    return arguments


@dataclass(frozen=True, slots=True)
class _Declaration:
    """A node to declare, and the names that must exist before."""

    path: Path
    needs: tuple[str, ...]
    carry_out: Callable[[], object]


def _declare(configuration: Configuration, broker: Broker) -> Iterator[Fault]:
    for policy in configuration.auto_creates:
        broker.missing.add(
            NodePolicy(policy.pattern, policy.node, policy.options, policy.on_publish, policy.on_consume),
            BROKER,
        )
    refused: set[Path] = set()
    for declaration in _in_order(_declarations(configuration, broker)):
        try:
            declaration.carry_out()
        except BrokerError as error:
            refused.add(declaration.path)
            yield Fault(declaration.path, str(error))
    if not refused:
        yield from _bind(configuration, broker)


def _declarations(configuration: Configuration, broker: Broker) -> dict[str, _Declaration]:
    """The declarations by name, including alternates that the settings create."""
    declarations: dict[str, _Declaration] = {}
    exchanges = {exchange.name for exchange in configuration.exchanges}
    for place, exchange in enumerate(configuration.exchanges):
        declarations[exchange.name] = _of_exchange(exchange, place, broker)
    for place, queue in enumerate(configuration.queues):
        spec = configuration.spec_of(queue)
        # A queue and an exchange may have the same name; the queue is declared with it.
        key = f"\0{spec.name}" if spec.name in exchanges else spec.name
        declarations[key] = _of_queue(spec, ("queue", place), broker)
    for declaration in list(declarations.values()):
        for name in declaration.needs:
            if (
                name not in declarations
                and broker.exchanges.get(name) is None
                and _is_created(configuration, name)
            ):
                try:
                    spec = configuration.created_spec(name)
                except InvalidSpecError:
                    continue  # No queue can have this name: the declaration that needs it is refused.
                declarations[name] = _of_queue(spec, declaration.path, broker)
    return declarations


def _is_created(configuration: Configuration, name: str) -> bool:
    return configuration.auto_create(name, publishing=True) is None and configuration.creatable(name)


def _of_exchange(exchange: ConfiguredExchange, place: int, broker: Broker) -> _Declaration:
    needs = () if exchange.alternate is None else (exchange.alternate,)

    def declare() -> object:
        return broker.declare_exchange(
            ExchangeSpec(
                exchange.name,
                ExchangeType(exchange.type),
                durable=exchange.durable,
                alternate=exchange.alternate,
                unroutable=Unroutable(exchange.unroutable),
                auto_delete=exchange.auto_delete,
                initial_value=exchange.initial_value,
                numbered=exchange.numbered,
                internal=exchange.internal,
                description=exchange.description,
            ),
            BROKER,
        )

    return _Declaration(("exchange", place), needs, declare)


def _of_queue(spec: QueueSpec, path: Path, broker: Broker) -> _Declaration:
    needs = tuple(
        name
        for name in (spec.alternate, spec.expiry_alternate, spec.history, spec.redirect)
        if name is not None
    )

    def declare() -> bool:
        partitions = broker.authorization.partitions
        if partitions is not None:
            partitions.check_spec(spec)
        return broker.declare(spec, BROKER)

    return _Declaration(path, needs, declare)


def _in_order(declarations: Mapping[str, _Declaration]) -> Iterator[_Declaration]:
    """All declarations, each after those that it needs."""
    waiting = dict(declarations)
    for name in declarations:
        chain = [name] if name in waiting else []
        while chain:
            declaration = declarations[chain[-1]]
            waiting.pop(chain[-1], None)
            following = [needed for needed in declaration.needs if needed in waiting]
            if following:
                chain.append(following[0])
                continue
            chain.pop()
            yield declaration


def _bind(configuration: Configuration, broker: Broker) -> Iterator[Fault]:
    queues = {queue.name for queue in configuration.queues}
    headers = {_HEADERS, *(each.name for each in configuration.exchanges if each.type == "headers")}
    for place, binding in enumerate(configuration.bindings):
        arguments = _conditions(binding) if binding.exchange in headers else dict(binding.arguments)
        arguments |= {name: base64.b64decode(text) for name, text in binding.octets.items()}
        arguments |= dict.fromkeys(binding.nulls)
        try:
            made = Binding(binding.queue, binding.key, arguments, binding.queue not in queues)
            broker.bind(binding.exchange, made, BROKER, 0)
        except BrokerError as error:
            yield Fault(("binding", place), str(error))


def _conditions(binding: ConfiguredBinding) -> dict[str, Any]:
    # TOML has no null, which here means that the property must be present.
    return {name: None if value == "" else value for name, value in binding.arguments.items()}
