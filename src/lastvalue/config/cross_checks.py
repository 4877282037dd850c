"""Checks of a configuration across its tables."""

from collections.abc import Container, Iterator
from typing import TypeAlias

from lastvalue.config.arguments import decided
from lastvalue.config.configuration import PREDECLARED, Configuration
from lastvalue.config.errors import Fault
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec import QueueSpec

Unsound: TypeAlias = Container[tuple[str | int, ...]]
"""Tables with faults of their own: only references from other tables are checked."""


def cross_check(configuration: Configuration, unsound: Unsound = ()) -> list[Fault]:
    """Find duplicate names, names without a node, and declarations that contradict the settings."""
    nodes = {
        *PREDECLARED,
        *(queue.name for queue in configuration.queues),
        *(exchange.name for exchange in configuration.exchanges),
    }
    twice = list(_twice(configuration))
    again = {fault.path[:2] for fault in twice}
    faults: dict[tuple[str | int, ...], Fault] = {}
    for place, queue in enumerate(configuration.queues):
        if ("queue", place) in unsound or ("queue", place) in again:
            continue
        try:
            spec = configuration.spec_of(queue)
        except InvalidSpecError as error:
            faults["queue", place] = Fault(("queue", place), f"queue {queue.name!r}: {error}")
        else:
            for fault in _alternates_of_queue(configuration, place, spec, nodes):
                # One setting may give many queues the same missing alternate.
                faults.setdefault(fault.path, fault)
    return [
        *twice,
        *faults.values(),
        *_alternates_of_exchanges(configuration, nodes),
        *_bindings(configuration, nodes),
    ]


def _twice(configuration: Configuration) -> Iterator[Fault]:
    names = {
        "queue": ("name", [queue.name for queue in configuration.queues]),
        "exchange": ("name", [exchange.name for exchange in configuration.exchanges]),
        "address-setting": ("match", [setting.match for setting in configuration.address_settings]),
    }
    for table, (key, values) in names.items():
        first: dict[str, int] = {}
        for place, value in enumerate(values):
            if value and first.setdefault(value, place) != place:
                yield Fault((table, place, key), f"{table}[{first[value] + 1}] has the same", value)


def _alternates_of_queue(
    configuration: Configuration, place: int, spec: QueueSpec, nodes: Container[str]
) -> Iterator[Fault]:
    for option, name in (("alternate", spec.alternate), ("expiry_alternate", spec.expiry_alternate)):
        if name is not None and name not in nodes and not configuration.creatable(name):
            yield Fault(
                source_of(configuration, place, option),
                f"{option} {name!r} of queue {spec.name!r} is neither declared nor created",
            )


def source_of(configuration: Configuration, place: int, option: str) -> tuple[str | int, ...]:
    """The path of the key from which a queue has an option: its own, or a setting's."""
    queue = configuration.queues[place]
    for spelling, value in queue.arguments.items():
        if option in decided(spelling, value):
            return ("queue", place, spelling)
    matches = [setting.match for setting in configuration.address_settings]
    for match, fields in configuration.settings.ranked(queue.address):
        if option in fields:
            return ("address-setting", matches.index(match), option)
    return ("queue", place)


def _alternates_of_exchanges(configuration: Configuration, nodes: Container[str]) -> Iterator[Fault]:
    for place, exchange in enumerate(configuration.exchanges):
        alternate = exchange.alternate
        path = ("exchange", place, "alternate")
        if alternate is None:
            continue
        if alternate == exchange.name:
            yield Fault(path, "an exchange cannot be its own alternate", alternate)
        elif alternate not in nodes and not configuration.creatable(alternate):
            yield Fault(path, "no queue or exchange of that name is declared or created", alternate)


def _bindings(configuration: Configuration, nodes: Container[str]) -> Iterator[Fault]:
    exchanges = {*PREDECLARED, *(exchange.name for exchange in configuration.exchanges)}
    for place, binding in enumerate(configuration.bindings):
        if binding.exchange and binding.exchange not in exchanges:
            yield Fault(
                ("binding", place, "exchange"), "no exchange of that name is declared", binding.exchange
            )
        if binding.queue and binding.queue not in nodes:
            yield Fault(("binding", place, "queue"), "no queue of that name is declared", binding.queue)
