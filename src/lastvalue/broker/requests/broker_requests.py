"""Requests for the statistics of the whole broker."""

from typing import Final

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.statistics.statistic import Statistic, describe

TYPE: Final = "broker"


def ask_broker(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """READ returns the statistics of the broker, and those of its process."""
    if request.operation != "READ":
        return unknown_operation(request, "READ")
    broker.authorize(owner, Verb.SHOW_BROKER)
    process = {} if broker.process is None else broker.process.statistics()
    return Response(200, "OK", {"now_ms": now, **describe(broker, BROKER), **process})


BROKER: Final[tuple[Statistic[Broker], ...]] = (
    Statistic("queues", "how many there are", lambda it: len(it.queues())),
    Statistic("exchanges", "how many there are", lambda it: len(list(it.exchanges.every()))),
    Statistic("connections", "how many there are", lambda it: it.connections.count),
    Statistic("connections_by", "these by the protocol", lambda it: it.connections.by_protocol()),
    Statistic(
        "protocol_errors",
        "connections that ended by an error of the peer's or the broker's, by its condition or code",
        lambda it: dict(it.connections.errors),
    ),
    Statistic("connections_opened", "how many were made", lambda it: it.connections.opened),
    Statistic(
        "faults", "faults of the broker itself, each kept to what it concerned", lambda it: it.faults.count
    ),
    Statistic("producers", "links and channels that publish", lambda it: it.alarms.producers),
    Statistic(
        "producers_waiting",
        "how many of these are stopped, by what stops them, as in `waits_for` of links",
        lambda it: it.alarms.waiting(),
    ),
    Statistic("held_bytes", "memory of messages and of what peers have begun", lambda it: it.held_bytes),
    Statistic("unfinished_bytes", "of these, what peers have begun", lambda it: it.memory.used_bytes),
    Statistic(
        "denied",
        "commands that were refused for lack of a right",
        lambda it: sum(it.authorization.denied.values()),
    ),
    Statistic("denied_by", "these by the verb", lambda it: dict(it.authorization.denied)),
    Statistic(
        "memory_alarm_since_ms",
        "since when all producers wait because memory is short; 0 if they do not",
        lambda it: it.alarms.memory_since_ms,
    ),
    Statistic(
        "store_alarm_since_ms",
        "since when producers of durable queues wait for the disk; 0 if they do not",
        lambda it: it.alarms.store_since_ms,
    ),
    Statistic(
        "store_fault_since_ms",
        "since when the store cannot be written; 0 if it can",
        lambda it: it.alarms.fault_since_ms,
    ),
)
