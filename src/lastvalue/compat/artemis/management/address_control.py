"""What Artemis's `AddressControl` offers of one address."""

from collections.abc import Callable
from typing import Any, Final

from lastvalue.broker.rights.verbs import Verb
from lastvalue.compat.artemis.management.address_names import bound_queues, hosted_queues, routing_types
from lastvalue.compat.artemis.management.management_call import ManagementCall
from lastvalue.compat.artemis.management.message_rows import published
from lastvalue.compat.artemis.management.queue_attributes import queue_id
from lastvalue.compat.artemis.management.rows import CHANGED_AT_ONCE, ForEach

AddressAttribute = Callable[[ManagementCall, str], Any]


def _routed(call: ManagementCall, name: str) -> int:
    exchange = call.broker.exchanges.get(name)
    if exchange is None:
        return sum(int(hosted.queue.published) for hosted in hosted_queues(call, name))
    return int(exchange.received - exchange.unrouted)


def depth(call: ManagementCall, name: str) -> int:
    """How many messages the queues of an address hold."""
    return sum(int(each.queue.depth) for each in hosted_queues(call, name))


def _unrouted(call: ManagementCall, name: str) -> int:
    exchange = call.broker.exchanges.get(name)
    return 0 if exchange is None else int(exchange.unrouted)


ADDRESS_ATTRIBUTES: Final[dict[str, AddressAttribute]] = {
    "address": lambda _, name: name,
    "id": lambda _, name: queue_id(name),
    "routingTypes": routing_types,
    "queueNames": bound_queues,
    "allQueueNames": bound_queues,
    "bindingNames": bound_queues,
    "queueCount": lambda call, name: len(bound_queues(call, name)),
    "messageCount": depth,
    "numberOfMessages": depth,
    "addressSize": lambda call, name: sum(int(each.queue.depth_bytes) for each in hosted_queues(call, name)),
    "routedMessageCount": _routed,
    "unRoutedMessageCount": _unrouted,
    "paging": lambda _, __: False,
    "paused": lambda call, name: all(each.queue.spec.paused for each in hosted_queues(call, name)),
    "internal": lambda _, name: name.startswith("$"),
    "temporary": lambda _, __: False,
    "autoCreated": lambda _, __: False,
    "retroactiveResource": lambda _, __: False,
}
"""By the name that Artemis's interface has after `get` or `is`."""


def _purge(call: ManagementCall, name: str) -> Callable[[], int]:
    queues = bound_queues(call, name)
    for each in queues:
        call.broker.authorize(call.owner, Verb.PURGE_QUEUE, each)

    def purge(queue: str) -> int:
        return int(call.ask("PURGE", queue)["messages"])

    return ForEach(call, queues, purge, CHANGED_AT_ONCE).total


def _paused(paused: bool) -> Callable[..., Callable[[], None]]:
    def carry_out(call: ManagementCall, name: str, *persist: object) -> Callable[[], None]:
        del persist
        for hosted in hosted_queues(call, name):
            call.broker.authorization.check_spec(call.owner, Verb.UPDATE_QUEUE, hosted.queue.spec)

        def change(queue: str) -> int:
            call.ask("UPDATE", queue, {"paused": paused})
            return 1

        return ForEach(call, bound_queues(call, name), change, CHANGED_AT_ONCE).done

    return carry_out


ADDRESS_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "purge": _purge,
    "pause": _paused(True),
    "resume": _paused(False),
    "sendMessage": published,
}
"""By name; each takes the address and the parameters."""
