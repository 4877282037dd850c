"""The queues and addresses that a caller reaches."""

from collections.abc import Iterator

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.exchange_spec import RESERVED_PREFIXES, ExchangeType
from lastvalue.compat.artemis.management.management_call import ManagementCall, ManagementError
from lastvalue.frontends.core.declarations import NOTIFICATION_ADDRESS


def queue_names(call: ManagementCall) -> Iterator[str | None]:
    """The queues that the caller reaches, in order; None instead of the others."""
    for name in sorted(queue.spec.name for queue in call.broker.queues()):
        yield name if _is_queue(call, name) else None


def address_names(call: ManagementCall) -> Iterator[str | None]:
    """The addresses that the caller reaches, in order; None instead of others."""
    broker = call.broker
    names = {exchange.name for exchange in broker.exchanges.every()}
    names |= {queue.spec.name for queue in broker.queues()}
    for name in sorted(names, key=lambda name: (name.lower(), name)):
        yield name if is_address(call, name) else None


def is_address(call: ManagementCall, name: str) -> bool:
    """Whether there is an exchange of that name that the caller reaches, or such a queue bound to none."""
    broker = call.broker
    if not name or not broker.authorization.shows(call.owner, name):
        return False
    shown = name == NOTIFICATION_ADDRESS or not name.startswith(RESERVED_PREFIXES)
    if broker.exchanges.get(name) is not None and shown:
        return True
    return broker.has_queue(name) and not broker.exchanges.bindings_of(name)


def _is_queue(call: ManagementCall, name: str) -> bool:
    return call.broker.has_queue(name) and call.broker.authorization.shows(call.owner, name)


def routing_types(call: ManagementCall, name: str) -> list[str]:
    """How queues of an address may get its messages; one of a queue alone is that queue's."""
    exchange = call.broker.exchanges.get(name)
    if exchange is None:
        return ["ANYCAST"]
    return ["MULTICAST", "ANYCAST"] if exchange.spec.type is ExchangeType.ADDRESS else ["MULTICAST"]


def bound_queues(call: ManagementCall, name: str) -> list[str]:
    """The names of the queues of an address that the caller may see."""
    exchange = call.broker.exchanges.get(name)
    if exchange is None:
        return [name] if _is_queue(call, name) else []
    shows = call.broker.authorization.shows
    bindings = exchange.bindings.values()
    return [
        each.destination for each in bindings if not each.to_exchange and shows(call.owner, each.destination)
    ]


def hosted_queues(call: ManagementCall, name: str) -> list[HostedQueue]:
    """The queues of an address that the caller may see, as the broker hosts them."""
    return [call.broker.lookup(each) for each in bound_queues(call, name) if call.broker.has_queue(each)]


def check_address(call: ManagementCall, name: str) -> None:
    """Refuse an address that does not exist, or that the caller may not see.

    Raises:
        NotPermittedError: the caller has no right on the name, whether such an address exists or not.
        ManagementError: no address has that name.
    """
    call.broker.authorize(call.owner, Verb.QUERY, name)
    if not is_address(call, name):
        raise ManagementError(f"there is no address named {name!r}")
