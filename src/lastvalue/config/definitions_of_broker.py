"""The definitions of a broker in this process; the definitions themselves need no broker."""

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.exchange_requests import describe_exchange
from lastvalue.broker.requests.policy_requests import describe_policy
from lastvalue.broker.routing.exchange_spec import exchange_to_arguments
from lastvalue.config.definitions import Arguments, Definitions, Place, places
from lastvalue.queues.spec_arguments import spec_to_arguments


def definitions_of_broker(broker: Broker) -> Definitions:
    """What the broker has of queues, exchanges, bindings, policies and permissions."""
    exchanges = broker.exchanges.every()
    bindings: dict[Place, Arguments] = {}
    for exchange in exchanges:
        bindings |= places(exchange.name, describe_exchange(exchange, exchange.bindings.values())["bindings"])
    return Definitions(
        {queue.spec.name: spec_to_arguments(queue.spec) for queue in broker.queues()},
        {exchange.name: exchange_to_arguments(exchange.spec) for exchange in exchanges},
        bindings,
        tuple(map(describe_policy, broker.missing.policies)),
        {} if broker.users is None else broker.users.rules(),
    )
