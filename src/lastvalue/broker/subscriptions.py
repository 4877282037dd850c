"""Subscriptions to exchanges and addresses: the queues that their readers read."""

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import created_address
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.queues.spec import QueueSpec


@mypyc_attr(native_class=False)
class SubscriptionInUseError(BrokerError):
    """A subscription has a reader, and another one asks for another exchange, key or selector."""

    condition = Condition.RESOURCE_LOCKED

    def __init__(self, name: str) -> None:
        super().__init__(
            f"subscription {name!r} has a reader with another topic, selector or no-local; "
            "read with the same ones, or close that reader first"
        )
        self.name = name


def subscribable(broker: Broker, address: str, owner: Owner) -> Exchange:
    """The exchange to which subscriptions of an address are bound; it is deleted with the last of them.

    Raises:
        NotPermittedError: the caller may not read the address.
    """
    broker.authorize(owner, Verb.CONSUME, address)
    if broker.exchanges.get(address) is None:
        broker.declare_exchange(created_address(address), BROKER)
    return broker.exchanges.find(address)


def bind_subscription(
    broker: Broker, exchange: Exchange, spec: QueueSpec, binding: Binding, owner: Owner, now: i64
) -> bool:
    """Bind a subscription's queue to an exchange; true where the queue is new. A refusal leaves no queue.

    [JMS 1.1 §6.11.1] A subscription that is bound otherwise, to another exchange, key or selector, is
    deleted with its messages and starts over; [JMS 2.0 §8.3.2] not while it has a reader.

    Raises:
        SubscriptionInUseError: the subscription has a reader, and is bound otherwise.
        NotPermittedError: the caller may not bind or declare the queue.
        BrokerError: the queue cannot be declared or bound.
    """
    name = exchange.spec.name
    broker.authorize(owner, Verb.BIND, name, spec.name)
    binding.made_by(owner)
    if _is_bound_otherwise(broker, exchange, binding):
        if broker.lookup(spec.name).readers:
            raise SubscriptionInUseError(spec.name)
        # A binding that the exchange refuses leaves the subscription as it is.
        broker.bind(name, binding, owner, now)
        broker.delete(spec.name, now, owner, even_alternate=True)
    new = not broker.has_queue(spec.name)
    if new:
        broker.declare(spec, owner)
    try:
        broker.bind(name, binding, owner, now)
    except BrokerError:
        if new:
            broker.delete(spec.name, now, owner, even_alternate=True)
        raise
    return new


def _is_bound_otherwise(broker: Broker, exchange: Exchange, binding: Binding) -> bool:
    """Whether a subscription's queue has bindings, and not this one among them."""
    bindings = broker.exchanges.bindings_of(binding.destination)
    return bool(bindings) and not any(
        bound_to is exchange and other.key == binding.key and other.equals(binding)
        for bound_to, other in bindings
    )


def anycast_queue(broker: Broker, address: str) -> HostedQueue | None:
    """The first anycast queue of an address, which all its readers share; None if it has none."""
    exchange = broker.exchanges.get(address)
    if exchange is not None:
        for binding in exchange.bindings.values():
            if binding.anycast and not binding.to_exchange:
                return broker.lookup(binding.destination)
    return None
