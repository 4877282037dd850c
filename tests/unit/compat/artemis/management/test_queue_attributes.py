"""The attributes of a queue."""

from typing import Any

import pytest
from core_management import NOW, ManagedBroker

from lastvalue.compat.artemis.management.queue_attributes import QUEUE_ATTRIBUTES, queue_id

EXPECTED: list[tuple[dict[str, Any], str, Any]] = [
    ({}, "Name", "q"),
    ({}, "Address", "q"),
    ({}, "RoutingType", "ANYCAST"),
    ({}, "MessageCount", 2),
    ({}, "MessagesAdded", 2),
    ({}, "DeliveringCount", 0),
    ({}, "ConsumerCount", 0),
    ({}, "MaxConsumers", -1),
    ({}, "Paused", False),
    ({}, "LastValue", False),
    ({}, "LastValueKey", None),
    ({}, "RingSize", -1),
    ({}, "FirstMessageTimestamp", NOW),
    ({}, "FirstMessageAge", 0),
    ({"last-value-key": "k", "non-destructive": True}, "LastValueKey", "k"),
    ({"last-value": True}, "LastValueKey", "_AMQ_LVQ_NAME"),
    ({"ring-size": 7}, "RingSize", 7),
    ({"max_consumers": 3}, "MaxConsumers", 3),
    ({"durable": True}, "Durable", True),
    ({"filter": "color = 'red' OR color IS NULL"}, "Filter", "color = 'red' OR color IS NULL"),
    ({"dead-letter-address": "answers"}, "DeadLetterAddress", "answers"),
    ({"paused": True}, "Paused", True),
]


@pytest.mark.parametrize(("options", "name", "expected"), EXPECTED)
def test_an_attribute_says_what_the_queue_is(
    managed: ManagedBroker, options: dict[str, Any], name: str, expected: Any
) -> None:
    managed.declare("q", **options)
    managed.publish("q", "1", "2")
    assert managed.attribute("queue.q", name) == expected


def test_every_attribute_can_be_read_of_an_empty_queue(managed: ManagedBroker) -> None:
    managed.declare("q")
    for name in QUEUE_ATTRIBUTES:
        managed.attribute("queue.q", name)
    assert managed.attribute("queue.q", "FirstMessageAge") is None


def test_the_number_of_a_queue_stays() -> None:
    assert queue_id("q") == queue_id("q") != queue_id("r")
