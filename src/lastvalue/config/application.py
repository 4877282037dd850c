"""A configuration put to work: what it declares is declared at a broker."""

from collections.abc import Iterator

from lastvalue.broker.broker import Broker
from lastvalue.config.configuration import Configuration
from lastvalue.config.errors import ConfigurationError, Fault
from lastvalue.model.errors import BrokerError
from lastvalue.queues.spec import QueueSpec


def apply(configuration: Configuration, broker: Broker, file: str = "configuration") -> None:
    """Declare everything; what is there already, and declared alike, stays.

    Raises:
        ConfigurationError: something is declared otherwise already, or this broker has no such thing. What
            stands before the first fault has been declared.
    """
    faults = list(_not_available(configuration))
    if faults:
        raise ConfigurationError(file, faults)
    for place, spec in _alternates_first(configuration):
        try:
            broker.declare(spec)
        except BrokerError as error:
            raise ConfigurationError(file, [Fault(("queue", place), str(error))]) from None


def _not_available(configuration: Configuration) -> Iterator[Fault]:
    tables = {
        "exchange": (len(configuration.exchanges), "exchanges"),
        "binding": (len(configuration.bindings), "exchanges"),
        "auto-create": (len(configuration.auto_creates), "creation of what is missing"),
    }
    for table, (count, what) in tables.items():
        for place in range(count):
            yield Fault((table, place), f"this broker has no {what}; leave it out")
    for place, setting in enumerate(configuration.address_settings):
        if setting.fields.get("auto-create-queues") is True:
            path = ("address-setting", place, "auto-create-queues")
            yield Fault(path, "this broker has no creation of what is missing; leave it out")


def _alternates_first(configuration: Configuration) -> Iterator[tuple[int, QueueSpec]]:
    """Every declaration, those that are an alternate before those that name them."""
    waiting = {queue.name: place for place, queue in enumerate(configuration.queues)}
    specs = [configuration.spec_of(queue) for queue in configuration.queues]
    for first in range(len(specs)):
        chain = [first] if specs[first].name in waiting else []
        while chain:
            place = chain[-1]
            spec = specs[place]
            waiting.pop(spec.name, None)
            following = [waiting[name] for name in (spec.alternate, spec.expiry_alternate) if name in waiting]
            if following:
                chain.append(following[0])
                continue
            chain.pop()
            yield place, spec
