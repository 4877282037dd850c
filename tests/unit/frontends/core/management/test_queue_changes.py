"""Queues that requests declare, change and delete."""

import json
from typing import Any

import pytest
from core_management import ManagedBroker

from lastvalue.broker.owner import NOBODY
from lastvalue.broker.queue_host import NullReceiver
from lastvalue.queues.subscription import Mode, Terms

WHOLE = (False, True, 8, "first", True, "symbol", True, 2, 500, True, 0, 0, True, 9)

CREATED: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("q", "q", "ANYCAST"), {"RoutingType": "ANYCAST", "Durable": True}),
    (("q", "q", False, "ANYCAST"), {"Durable": False}),
    (("q", "q", "a = 1", True), {"Filter": "a = 1"}),
    (("q", "q", "a = 1", False, "ANYCAST"), {"Filter": "a = 1", "Durable": False}),
    (("q", "ANYCAST", "q", None, True, 3, True, True), {"MaxConsumers": 3, "PurgeOnNoConsumers": True}),
    (("q", "ANYCAST", "q", "", True, -1, False, True), {"MaxConsumers": -1, "Filter": None}),
    (
        ("q", "ANYCAST", "q", None, True, 4, False, *WHOLE),
        {"GroupRebalance": True, "GroupBuckets": 8, "LastValueKey": "symbol", "RingSize": 9},
    ),
    (
        (
            '{"name":"q","routing-type":"ANYCAST","last-value-key":"k","non-destructive":"true","ring-size":"5"}',
        ),
        {"LastValueKey": "k", "RingSize": 5},
    ),
    (('{"name":"q","address":"a","filter-string":"b = 2"}', True), {"Address": "a", "Filter": "b = 2"}),
]


@pytest.mark.parametrize(("parameters", "attributes"), CREATED)
def test_a_queue_is_created_by_the_parameters_of_every_version(
    managed: ManagedBroker, parameters: tuple[Any, ...], attributes: dict[str, Any]
) -> None:
    said = managed.ask("broker", "createQueue", *parameters)
    assert said.startswith("Queue [name=q, address=")
    assert {name: managed.attribute("queue.q", name) for name in attributes} == attributes


def test_a_queue_of_another_address_gets_the_address_s_messages(managed: ManagedBroker) -> None:
    managed.ask("broker", "createQueue", "news", "MULTICAST", "one", None, True, -1, False, True)
    managed.ask("broker", "createQueue", "news", "MULTICAST", "two", None, True, -1, False, True)
    assert managed.attribute("queue.one", "RoutingType") == "MULTICAST"
    assert managed.attribute("address.news", "QueueNames") == ["one", "two"]


def test_a_queue_is_created_once_unless_that_is_ignored(managed: ManagedBroker) -> None:
    configuration = json.dumps({"name": "q", "routing-type": "ANYCAST"})
    managed.ask("broker", "createQueue", configuration)
    assert "exists" in managed.refusal("broker", "createQueue", configuration)
    managed.ask("broker", "createQueue", configuration, True)
    managed.ask("broker", "deployQueue", "q", "q", None)
    managed.ask("broker", "deployQueue", "r", "r", None, False)
    assert managed.attribute("queue.r", "Durable") is False


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        (("q",), "createQueue takes 2, 3, 4"),
        (("{",), "is not JSON"),
        (("q", "q", "DIRECT"), "routing type 'DIRECT'; expected one of MULTICAST, ANYCAST"),
        (("q", None), "name is None; expected text"),
    ],
)
def test_a_wrong_declaration_is_refused(
    managed: ManagedBroker, parameters: tuple[Any, ...], fault: str
) -> None:
    assert fault in managed.refusal("broker", "createQueue", *parameters)
    assert not managed.broker.has_queue("q")


UPDATED: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("q", "ANYCAST", 3, True), {"MaxConsumers": 3, "PurgeOnNoConsumers": True}),
    (("q", None, None, None), {"MaxConsumers": 2, "PurgeOnNoConsumers": False}),
    (("q", None, None, True, False, None), {"MaxConsumers": 2, "PurgeOnNoConsumers": True}),
    (("q", None, "a = 1", *[None] * 9, None, 4), {"Filter": "a = 1", "RingSize": 4}),
    (('{"name":"q","max-consumers":7}',), {"MaxConsumers": 7}),
]


@pytest.mark.parametrize(("parameters", "attributes"), UPDATED)
def test_a_queue_is_changed_by_the_parameters_of_every_version(
    managed: ManagedBroker, parameters: tuple[Any, ...], attributes: dict[str, Any]
) -> None:
    managed.declare("q", max_consumers=2)
    assert managed.ask("broker", "updateQueue", *parameters).startswith("Queue [name=q,")
    assert {name: managed.attribute("queue.q", name) for name in attributes} == attributes


def test_a_queue_that_is_read_is_destroyed_only_with_its_consumers(managed: ManagedBroker) -> None:
    managed.declare("q")
    managed.broker.read(
        managed.broker.lookup("q"), Mode.CONSUME, NullReceiver(), Terms(), NOBODY, managed.now
    )
    assert "has 1 consumers; delete it with removeConsumers" in managed.refusal("broker", "destroyQueue", "q")
    managed.ask("broker", "destroyQueue", "q", True, True)
    assert not managed.broker.has_queue("q")
    assert "there is no queue named 'q'" in managed.refusal("broker", "destroyQueue", "q")
