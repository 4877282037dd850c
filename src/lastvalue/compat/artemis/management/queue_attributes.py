"""The attributes of one queue, as Artemis's `QueueControl` has them."""

import zlib
from collections.abc import Callable
from typing import Any, Final

from lastvalue.broker.queue_counts import oldest_ms
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.statistics.statistic import QUEUE, Statistic
from lastvalue.codec.core.jms_names import ANYCAST, MULTICAST, ROUTING_TYPES
from lastvalue.compat.artemis.management.management_call import ManagementCall
from lastvalue.frontends.core.declarations import address_of, is_anycast, queried
from lastvalue.model.queue_statistics import OF_NAME, Unit
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import Lifetime

QueueAttribute = Callable[[ManagementCall, HostedQueue], Any]


def queue_id(name: str) -> int:
    """The number of a queue, which its name makes."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def routing_type(call: ManagementCall, hosted: HostedQueue) -> str:
    """By which routing type a queue gets the messages of its address."""
    return ROUTING_TYPES[ANYCAST if is_anycast(call.broker, hosted) else MULTICAST]


def _left(*reasons: Reason) -> QueueAttribute:
    return lambda _, hosted: sum(hosted.queue.removed(reason) for reason in reasons)


def _option(name: str) -> QueueAttribute:
    return lambda _, hosted: queried(hosted.queue.spec)[name]


def _statistic(statistic: "Statistic[HostedQueue]") -> QueueAttribute:
    if OF_NAME[statistic.name].unit is Unit.MOMENT:
        return lambda _, hosted: int(statistic.read(hosted)) or None
    return lambda _, hosted: int(statistic.read(hosted))


def _age(call: ManagementCall, hosted: HostedQueue) -> int | None:
    oldest = oldest_ms(hosted.queue)
    return call.moment - oldest if oldest else None


_READ: Final = {each.name: each.read for each in QUEUE}

QUEUE_ATTRIBUTES: Final[dict[str, QueueAttribute]] = {
    "name": lambda _, hosted: hosted.queue.spec.name,
    "address": lambda call, hosted: address_of(call.broker, hosted),
    "ID": lambda _, hosted: queue_id(hosted.queue.spec.name),
    "temporary": _option("temporary"),
    "durable": _option("durable"),
    "user": lambda _, hosted: hosted.creator.principal,
    "routingType": routing_type,
    "filter": _option("filter"),
    **{OF_NAME[each.name].artemis: _statistic(each) for each in QUEUE if OF_NAME[each.name].artemis},
    "durableMessageCount": lambda _, hosted: _READ["durable_in"](hosted) - _READ["durable_out"](hosted),
    "messagesAcknowledged": _left(Reason.ACCEPTED),
    "acknowledgeAttempts": _left(Reason.ACCEPTED),
    "messagesKilled": _left(Reason.REJECTED, Reason.DEAD_LETTERED),
    "firstMessageAge": _age,
    "expiryAddress": lambda _, hosted: hosted.queue.spec.expiry_alternate,
    "deadLetterAddress": lambda _, hosted: hosted.queue.spec.alternate,
    "maxConsumers": _option("max_consumers"),
    "purgeOnNoConsumers": _option("purge_on_no_consumers"),
    "enabled": _option("enabled"),
    "paused": lambda _, hosted: hosted.queue.spec.paused,
    "persistedPause": lambda _, hosted: hosted.queue.spec.paused and hosted.queue.spec.durable,
    "exclusive": _option("exclusive"),
    "lastValue": _option("last_value"),
    "lastValueKey": lambda _, hosted: getattr(hosted.queue.spec.ordering, "key", None),
    "consumersBeforeDispatch": _option("consumers_before_dispatch"),
    "delayBeforeDispatch": _option("delay_before_dispatch"),
    "ringSize": _option("ring_size"),
    "groupRebalance": _option("group_rebalance"),
    "groupRebalancePauseDispatch": _option("group_rebalance_pause_dispatch"),
    "groupBuckets": _option("group_buckets"),
    "groupFirstKey": _option("group_first_key"),
    "autoDelete": _option("auto_delete"),
    "autoCreated": lambda _, hosted: hosted.queue.spec.lifetime is not Lifetime.PERMANENT,
    "configurationManaged": lambda _, hosted: hosted.creator.trusted,
    "internalQueue": lambda _, hosted: hosted.queue.spec.name.startswith("$"),
    "retroactiveResource": lambda _, __: False,
}
"""By the name that Artemis's interface has after `get` or `is`."""
