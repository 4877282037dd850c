"""Subscriptions to exchanges and addresses: the queues that their readers read."""

from mypy_extensions import i64

from lastvalue.broker.bindings import Binding
from lastvalue.broker.broker import Broker
from lastvalue.broker.exchanges import Exchange
from lastvalue.broker.owner import Owner
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.verbs import Verb
from lastvalue.model.errors import BrokerError
from lastvalue.queues.spec import QueueSpec


def bind_subscription(
    broker: Broker, exchange: Exchange, spec: QueueSpec, binding: Binding, owner: Owner, now: i64
) -> bool:
    """Bind a subscription's queue to an exchange; true where the queue is new. A refusal leaves no queue.

    Raises:
        NotPermittedError: the caller may not bind or declare the queue.
        BrokerError: the queue cannot be declared or bound.
    """
    name = exchange.spec.name
    broker.authorize(owner, Verb.BIND, name, spec.name)
    new = not broker.has_queue(spec.name)
    if new:
        broker.declare(spec, owner)
    try:
        broker.bind(name, binding, owner, now)
    except BrokerError:
        if new:
            broker.delete(spec.name, now, owner)
        raise
    return new


def unbind_others(broker: Broker, exchange: Exchange, binding: Binding, owner: Owner) -> None:
    """Remove all bindings of a subscription's queue but one: its reader asks for others now."""
    for bound_to, other in broker.exchanges.bindings_of(binding.destination):
        if bound_to is not exchange or other.key != binding.key:
            broker.unbind(bound_to.spec.name, binding.destination, other.key, owner)


def anycast_queue(broker: Broker, address: str) -> HostedQueue | None:
    """The first anycast queue of an address, which all its readers share; None where it has none."""
    exchange = broker.exchanges.get(address)
    if exchange is not None:
        for binding in exchange.bindings.values():
            if binding.anycast and not binding.to_exchange:
                return broker.lookup(binding.destination)
    return None
