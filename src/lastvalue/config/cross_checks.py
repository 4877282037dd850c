"""Checks of a configuration across its tables."""

from collections.abc import Container, Iterator
from contextlib import suppress
from typing import TypeAlias

from lastvalue.config.configuration import PREDECLARED, Configuration
from lastvalue.config.errors import Fault
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue
from lastvalue.model.errors import InvalidSpecError

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
    faults: list[Fault] = []
    for place, queue in enumerate(configuration.queues):
        if ("queue", place) in unsound or ("queue", place) in again:
            continue
        try:
            configuration.spec_of(queue)
        except InvalidSpecError as error:
            faults.append(Fault(("queue", place), f"queue {queue.name!r}: {error}"))
    return [
        *twice,
        *faults,
        *_alternates_of_exchanges(configuration),
        *_bindings(configuration, nodes),
        *_retained(configuration, unsound),
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


def _alternates_of_exchanges(configuration: Configuration) -> Iterator[Fault]:
    for place, exchange in enumerate(configuration.exchanges):
        if exchange.alternate == exchange.name:
            path = ("exchange", place, "alternate")
            yield Fault(path, "an exchange cannot be its own alternate", exchange.name)


def _retained(configuration: Configuration, unsound: Unsound) -> Iterator[Fault]:
    """The patterns of topics whose queue is declared without the key that they need, or used twice."""
    queues = {queue.name: (place, queue) for place, queue in enumerate(configuration.queues)}
    first: dict[str, int] = {}
    for place, topics in enumerate(configuration.mqtt_topics):
        path = ("mqtt", "topics", place, "queue")
        if topics.queue and first.setdefault(topics.queue, place) != place:
            yield Fault(path, f"mqtt.topics[{first[topics.queue] + 1}] has the same", topics.queue)
        declared = queues.get(topics.queue)
        if declared is None or ("mqtt", "topics") in unsound or ("queue", declared[0]) in unsound:
            continue
        with suppress(InvalidSpecError):
            retained, spec = (
                RetainedQueue(topics.queue, topics.pattern),
                configuration.spec_of(declared[1]),
            )
            if not retained.fits(spec):
                text = f"the queue is declared, and not as a last-value queue with the key {retained.key!r}"
                yield Fault(path, text, topics.queue)


def _bindings(configuration: Configuration, nodes: Container[str]) -> Iterator[Fault]:
    exchanges = {*PREDECLARED, *(exchange.name for exchange in configuration.exchanges)}
    for place, binding in enumerate(configuration.bindings):
        if binding.exchange and binding.exchange not in exchanges:
            yield Fault(
                ("binding", place, "exchange"), "no exchange of that name is declared", binding.exchange
            )
        if binding.queue and binding.queue not in nodes:
            yield Fault(("binding", place, "queue"), "no queue of that name is declared", binding.queue)
