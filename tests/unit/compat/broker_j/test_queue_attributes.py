"""lastvalue.compat.broker_j.queue_attributes."""

import httpx
import pytest

from lastvalue.client import Connection, Message, QueueInfo
from lastvalue.compat.broker_j.queue_attributes import (
    ATTRIBUTES,
    FIXED,
    OF_TYPES,
    object_id,
    options_of,
    queue_object,
)
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments


@pytest.mark.parametrize("kind", ["standard", "lvq", "priority", "sorted"])
def test_what_is_shown_of_a_queue_makes_the_same_queue(kind: str) -> None:
    given = {"type": kind, "lvqKey": "k", "sortKey": "k", "priorities": 7}
    chosen = {name: given[name] for name in ("type", *(each.name for each in OF_TYPES.get(kind, ())))}
    options = spec_to_arguments(spec_from_arguments("q", chosen))
    shown = queue_object(QueueInfo("q", kind, options), 0)
    again = spec_from_arguments("q", options_of(shown))
    assert spec_to_arguments(again) == options


def test_an_id_is_always_that_of_the_name() -> None:
    assert object_id("queue", "a") == object_id("queue", "a") != object_id("exchange", "a")


def test_names_are_unique() -> None:
    names = [each.name for each in ATTRIBUTES]
    assert len(names) == len(set(names))


NAMED = [
    # Each attribute that queues of Broker-J have, with another value than its default where it can have one.
    ("durable", False, {}),
    ("lifetimePolicy", "DELETE_ON_NO_OUTBOUND_LINKS", {}),
    ("exclusive", "CONTAINER", {}),
    ("alternateBinding", {"destination": "other", "attributes": {}}, {}),
    ("ensureNondestructiveConsumers", True, {}),
    ("noLocal", True, {}),
    ("messageGroupType", "SHARED_GROUPS", {}),
    ("messageGroupKeyOverride", "grp", {"messageGroupType": "STANDARD"}),
    ("messageGroupDefaultGroup", "none", {"messageGroupType": "SHARED_GROUPS"}),
    ("maximumDistinctGroups", 64, {"messageGroupType": "STANDARD"}),
    ("maximumDeliveryAttempts", 3, {}),
    ("maximumLiveConsumers", 1, {}),
    ("minimumMessageTtl", 60_000, {}),
    ("maximumMessageTtl", 60_000, {}),
    ("defaultFilters", {"x-qpid-replay-period": {"x-qpid-replay-period": ["0"]}}, {}),
    ("holdOnPublishEnabled", True, {}),
    ("overflowPolicy", "RING", {"maximumQueueDepthMessages": 5}),
    ("overflowPolicy", "REJECT", {"maximumQueueDepthMessages": 5}),
    ("overflowPolicy", "PRODUCER_FLOW_CONTROL", {"maximumQueueDepthMessages": 5}),
    ("maximumQueueDepthMessages", 7, {"overflowPolicy": "RING"}),
    ("maximumQueueDepthBytes", 7000, {"overflowPolicy": "RING"}),
    ("expiryPolicy", "ROUTE_TO_ALTERNATE", {"alternateBinding": {"destination": "other"}}),
    ("description", "of prices", {}),
    ("lvqKey", "ticker", {"type": "lvq"}),
    ("priorities", 5, {"type": "priority"}),
    ("sortKey", "k", {"type": "sorted"}),
    ("type", "sorted", {"sortKey": "k"}),
    *((name, value, {}) for name, (value, _) in FIXED.items()),
]


@pytest.mark.parametrize(("name", "value", "others"), NAMED)
async def test_each_attribute_is_set_and_shown_under_its_name(
    http: httpx.AsyncClient, name: str, value: object, others: dict[str, object]
) -> None:
    await http.put("/api/latest/queue/d/d/other", json={"durable": True})
    path = "/api/latest/queue/d/d/q"
    made = await http.put(path, json={**others, name: value})
    assert made.status_code == 201, made.text
    assert (await http.get(path)).json()[name] == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("messageDurability", "NEVER"),
        ("alertThresholdMessageSize", 5),
        ("context", {"a": "b"}),
        ("colour", 1),
    ],
)
async def test_an_attribute_that_a_queue_cannot_have_is_named(
    http: httpx.AsyncClient, name: str, value: object
) -> None:
    refused = await http.put("/api/latest/queue/d/d/q", json={name: value})
    assert (refused.status_code, name in refused.json()["detail"]) == (422, True)
    assert (await http.get("/api/latest/queue/d/d/q")).status_code == 404


async def test_each_statistic_has_its_name(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("q", max_messages=1, when_full="block")
    await connection.bind("amq.topic", "q", "a")
    await queue.send(Message("x"))
    await queue.send(Message("y"))
    async with queue.browse(follow=True):
        shown = (await http.get("/api/latest/queue/d/d/q")).json()["statistics"]
    assert set(shown) >= {
        "queueDepthMessages",
        "queueDepthBytes",
        "availableMessages",
        "unacknowledgedMessages",
        "oldestMessageAge",
        "totalEnqueuedMessages",
        "totalEnqueuedBytes",
        "totalDequeuedMessages",
        "totalDequeuedBytes",
        "totalExpiredMessages",
    }
    assert (shown["queueFlowStopped"], shown["bindingCount"]) == (True, 1)
    assert (shown["consumerCount"], shown["consumerCountWithCredit"]) == (1, 1)
