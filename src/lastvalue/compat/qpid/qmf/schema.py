"""The schema of this broker: its classes with the counts that it has."""

from typing import Final

from lastvalue.broker.statistics.statistic import QMF_QUEUE
from lastvalue.codec.amqp010.qmf.broker_classes import (
    AGENT,
    BINDING,
    CONNECTION,
    EVENTS,
    EXCHANGE,
    MEMORY,
    SESSION,
    SUBSCRIPTION,
    SYSTEM,
    VHOST,
    broker_class,
    queue_class,
)
from lastvalue.codec.amqp10.values import Value

UNUSED: Final[dict[str, Value]] = dict.fromkeys(
    [f"{unit}{name}" for name in ("FtdEnqueues", "FtdDequeues", "FtdDepth") for unit in ("msg", "byte")], 0
)
"""Counts that brokers of Qpid have and that are always 0 here: nothing flows to the disk."""
_COUNTS: Final = " ".join(f"{name}:u64" for name in (*QMF_QUEUE, *UNUSED))

BROKER: Final = broker_class(_COUNTS)
QUEUE: Final = queue_class(_COUNTS)
CLASSES: Final = (
    BROKER, SYSTEM, VHOST, AGENT, MEMORY, QUEUE, EXCHANGE, BINDING, SUBSCRIPTION, CONNECTION, SESSION,
)  # fmt: skip
SCHEMA: Final = {each.name: each for each in (*CLASSES, *EVENTS.values())}
"""By name, every class and event that there is."""
