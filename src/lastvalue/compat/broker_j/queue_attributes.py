"""A queue's attributes under Broker-J's names, and back."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from lastvalue.client import QueueInfo
from lastvalue.client.queue_info import statistic_of
from lastvalue.http.problems import FieldProblem
from lastvalue.model.jsonable import jsonable
from lastvalue.model.queue_statistics import QUEUE_STATISTICS, QueueStatistic, Unit
from lastvalue.queues.overflow_policies import POLICIES
from lastvalue.queues.spec import WhenFull

DEFAULT_KEY: Final = "qpid.LVQ_key"
"""The key of a last-value queue that is declared without one."""

_CREATION: Final = frozenset(
    {
        "id",
        "name",
        "state",
        "desiredState",
        "statistics",
        "createdBy",
        "createdTime",
        "lastUpdatedBy",
        "lastUpdatedTime",
        "durability",
    }
)
"""Attributes that an object has and nobody sets."""

_LIFETIMES: Final = {
    "permanent": "PERMANENT",
    "delete-on-connection-close": "DELETE_ON_CONNECTION_CLOSE",
    "delete-on-session-end": "DELETE_ON_SESSION_END",
    "delete-on-no-outbound-links": "DELETE_ON_NO_OUTBOUND_LINKS",
    "delete-on-no-links": "DELETE_ON_NO_LINKS",
    "delete-on-no-links-or-messages": "DELETE_ON_NO_LINKS",
    "delete-on-creating-link-close": "DELETE_ON_CREATING_LINK_CLOSE",
}
_OVERFLOWS: Final = {each.name: each.broker_j or "NONE" for each in POLICIES}
_GROUPS: Final = {"none": "NONE", "default": "STANDARD", "shared": "SHARED_GROUPS"}
_UNLIMITED: Final = -1

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class QueueAttribute:
    """An attribute of queues: its name, and its value from the options of one."""

    name: str
    read: Callable[[Options], Any]


def _option(name: str, default: object) -> Callable[[Options], Any]:
    return lambda options: options.get(name, default)


def _limit(name: str) -> Callable[[Options], int]:
    return lambda options: int(options.get(name) or _UNLIMITED)


def _overflow(options: Options) -> str:
    if not options.get("max_messages") and not options.get("max_bytes"):
        return "NONE"
    return _OVERFLOWS[str(options.get("when_full", WhenFull.REFUSE.value))]


def _alternate(options: Options) -> Any:
    name = options.get("alternate")
    return None if name is None else {"destination": name, "attributes": {}}


def _filters(options: Options) -> Any:
    text = options.get("default_filters")
    return None if not text else json.loads(str(text))


_DURABILITY: Final = "each message says itself whether it is durable"
_ALERTS: Final = "the broker looks every ten seconds at depth, size and age, and not at single messages"
FIXED: Final[dict[str, tuple[Any, str]]] = {
    "messageDurability": ("DEFAULT", _DURABILITY),
    "alertThresholdMessageSize": (0, _ALERTS),
    "alertRepeatGap": (30_000, _ALERTS),
    "context": ({}, "queues have options, and no context"),
}
"""Attributes with the only value that they can have, Broker-J's default, and why."""

_ACTIVE: Final = ("ACTIVE", "it is always ACTIVE; the option paused stops deliveries")
_STATES: Final[dict[str, tuple[Any, str]]] = {"state": _ACTIVE, "desiredState": _ACTIVE}

ATTRIBUTES: Final = (
    QueueAttribute("durable", _option("durable", default=False)),
    QueueAttribute("lifetimePolicy", lambda it: _LIFETIMES[it.get("lifetime", "permanent")]),
    QueueAttribute("exclusive", lambda it: str(it.get("exclusive", "none")).upper().replace("-", "_")),
    QueueAttribute("alternateBinding", _alternate),
    QueueAttribute("ensureNondestructiveConsumers", _option("non_destructive", default=False)),
    QueueAttribute("noLocal", _option("no_local", default=False)),
    QueueAttribute("messageGroupType", lambda it: _GROUPS[it.get("group_mode", "none")]),
    QueueAttribute("messageGroupKeyOverride", _option("group_key", None)),
    QueueAttribute("messageGroupDefaultGroup", _option("default_group", "qpid.no-group")),
    QueueAttribute("maximumDistinctGroups", _option("group_buckets", 255)),
    QueueAttribute("maximumDeliveryAttempts", _option("max_delivery_attempts", 0)),
    QueueAttribute("maximumLiveConsumers", _option("live_consumers", 0)),
    QueueAttribute("minimumMessageTtl", _option("minimum_ttl_ms", 0)),
    QueueAttribute("maximumMessageTtl", _option("maximum_ttl_ms", 0)),
    QueueAttribute("defaultFilters", _filters),
    QueueAttribute("holdOnPublishEnabled", _option("hold_on_publish", default=False)),
    QueueAttribute("overflowPolicy", _overflow),
    QueueAttribute("maximumQueueDepthMessages", _limit("max_messages")),
    QueueAttribute("maximumQueueDepthBytes", _limit("max_bytes")),
    QueueAttribute(
        "expiryPolicy", lambda it: "ROUTE_TO_ALTERNATE" if it.get("expiry_alternate") else "DELETE"
    ),
    QueueAttribute("alertThresholdMessageAge", _option("alert_age_ms", 0)),
    QueueAttribute("alertThresholdQueueDepthBytes", _option("alert_bytes", 0)),
    QueueAttribute("alertThresholdQueueDepthMessages", _option("alert_messages", 0)),
    QueueAttribute("description", _option("description", None)),
)
OF_TYPES: Final = {
    "lvq": (QueueAttribute("lvqKey", _option("lvq_key", DEFAULT_KEY)),),
    "priority": (QueueAttribute("priorities", _option("priorities", 10)),),
    "sorted": (QueueAttribute("sortKey", _option("sort_key", None)),),
}
"""Attributes that queues of a type have besides the others."""

SORTED_BY: Final = {
    "name": "name",
    "type": "type",
    **{
        each.broker_j: each.name
        for each in QUEUE_STATISTICS
        # An age is in the opposite order of its moment.
        if each.broker_j and each.unit not in (Unit.MOMENT, Unit.TRUTH)
    },
}
"""The broker's names of what it sorts queues by."""


def queue_object(
    queue: QueueInfo, now_ms: int, bindings: int | None = None, with_credit: int | None = None
) -> dict[str, Any]:
    """A queue as Broker-J shows it, with its numbers of bindings and of consumers with credit if known."""
    counts = {"bindingCount": bindings, "consumerCountWithCredit": with_credit}
    attributes = (*ATTRIBUTES, *OF_TYPES.get(queue.type, ()))
    values = {each.name: jsonable(each.read(queue.options)) for each in attributes}
    return {
        "id": object_id("queue", queue.name),
        "name": queue.name,
        "type": queue.type,
        "state": "ACTIVE",
        "desiredState": "ACTIVE",
        **{name: value for name, value in values.items() if value is not None},
        **{name: value for name, (value, _) in FIXED.items()},
        "statistics": {
            **queue_statistics(queue, now_ms),
            **{name: value for name, value in counts.items() if value is not None},
        },
    }


def queue_statistics(queue: QueueInfo, now_ms: int) -> dict[str, int]:
    """The statistics of a queue under Broker-J's names."""
    return {
        each.broker_j: _shown(each, statistic_of(queue, each.name), now_ms)
        for each in QUEUE_STATISTICS
        if each.broker_j
    }


def _shown(statistic: QueueStatistic, value: int, now_ms: int) -> int:
    if statistic.unit is Unit.MOMENT:
        return max(0, now_ms - value) if value else 0
    return value > 0 if statistic.unit is Unit.TRUTH else value


def options_of(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a declaration in Broker-J's words, which the broker reads, without what nobody sets.

    Raises:
        Problem: one of FIXED or a state has another value.
    """
    for name, (value, reason) in {**FIXED, **_STATES}.items():
        if attributes.get(name) not in (None, value, str(value)):
            raise FieldProblem(name, f"{name} is {attributes[name]!r:.80}: {reason}")
    return {name: value for name, value in attributes.items() if name not in _CREATION and name not in FIXED}


def object_id(category: str, name: str) -> str:
    """An id that is always the same for an object of that name."""
    return str(uuid5(NAMESPACE_URL, f"lastvalue:{category}:{name}"))
