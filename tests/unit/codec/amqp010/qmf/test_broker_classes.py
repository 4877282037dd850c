"""The classes that Qpid's brokers have."""

from lastvalue.codec.amqp010.qmf.broker_classes import (
    AGENT,
    BINDING,
    CONNECTION,
    EVENTS,
    EXCHANGE,
    MEMORY,
    SESSION,
    SEVERITIES,
    SUBSCRIPTION,
    SYSTEM,
    VHOST,
    broker_class,
    queue_class,
)
from lastvalue.codec.amqp010.qmf.schema_class import EVENT, TABLE

COUNTS = "msgDepth:u64 byteDepth:u64"
CLASSES = (AGENT, BINDING, CONNECTION, EXCHANGE, MEMORY, SESSION, SUBSCRIPTION, SYSTEM, VHOST)


def test_brokers_and_queues_have_the_counts_that_are_named() -> None:
    for kind in (broker_class(COUNTS), queue_class(COUNTS)):
        assert {"msgDepth", "byteDepth"} <= {each.name for each in kind.statistics}
        assert kind.hash not in {broker_class("").hash, queue_class("").hash}


def test_no_two_classes_have_a_name_or_a_hash_in_common() -> None:
    known = [*CLASSES, *EVENTS.values(), broker_class(COUNTS), queue_class(COUNTS)]
    assert len({each.name for each in known}) == len({each.hash for each in known}) == len(known)
    assert {each.kind for each in CLASSES} == {TABLE}
    assert {each.kind for each in EVENTS.values()} == {EVENT}


def test_only_events_have_severities() -> None:
    assert SEVERITIES.keys() <= EVENTS.keys()
