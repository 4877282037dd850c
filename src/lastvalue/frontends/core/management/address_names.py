"""The queues and addresses that a caller reaches."""

from lastvalue.broker.exchange_spec import RESERVED_PREFIXES, ExchangeType
from lastvalue.broker.verbs import Verb
from lastvalue.frontends.core.declarations import NOTIFICATION_ADDRESS
from lastvalue.frontends.core.management.management_call import ManagementCall, ManagementError


def queue_names(call: ManagementCall) -> list[str]:
    """The queues that the caller reaches."""
    reaches = call.broker.authorization.reaches
    return sorted(queue.spec.name for queue in call.broker.queues() if reaches(call.owner, queue.spec.name))


def address_names(call: ManagementCall) -> list[str]:
    """The addresses that the caller reaches: exchanges, and queues that are bound to none."""
    broker, owner = call.broker, call.owner
    exchanges = [
        exchange.name
        for exchange in broker.exchanges.every()
        if exchange.name
        and (exchange.name == NOTIFICATION_ADDRESS or not exchange.name.startswith(RESERVED_PREFIXES))
        and broker.authorization.reaches(owner, exchange.name)
    ]
    alone = [name for name in queue_names(call) if not broker.exchanges.bindings_of(name)]
    return sorted({*exchanges, *alone}, key=lambda name: (name.lower(), name))


def routing_types(call: ManagementCall, name: str) -> list[str]:
    """How queues of an address may get its messages; one of a queue alone is that queue's."""
    exchange = call.broker.exchanges.get(name)
    if exchange is None:
        return ["ANYCAST"]
    return ["MULTICAST", "ANYCAST"] if exchange.spec.type is ExchangeType.ADDRESS else ["MULTICAST"]


def bound_queues(call: ManagementCall, name: str) -> list[str]:
    """The queues of an address that the caller may see."""
    exchange = call.broker.exchanges.get(name)
    if exchange is None:
        return [name] if name in queue_names(call) else []
    reaches = call.broker.authorization.reaches
    bindings = exchange.bindings.values()
    return [
        each.destination
        for each in bindings
        if not each.to_exchange and reaches(call.owner, each.destination)
    ]


def check_address(call: ManagementCall, name: str) -> None:
    """Refuse an address that does not exist, or that the caller may not see.

    Raises:
        NotPermittedError: the caller has no right on the name, whether such an address exists or not.
        ManagementError: no address has that name.
    """
    call.broker.authorize(call.owner, Verb.QUERY, name)
    if name not in address_names(call):
        raise ManagementError(f"there is no address named {name!r}")
