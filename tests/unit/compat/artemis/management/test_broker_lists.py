"""The lists of what the broker has."""

import json
from typing import Any

import pytest
from core_management import ManagedBroker

from lastvalue.compat.artemis.management.broker_lists import BROKER_LISTS


def test_queues_are_listed_as_texts(managed: ManagedBroker) -> None:
    managed.declare("q", durable=True)
    managed.publish("q", "1")
    options = json.dumps({"field": "name", "operation": "CONTAINS", "value": "q"})
    text = managed.ask("broker", "listQueues", options, 1, 50)
    # Artemis's tool looks for this.
    assert '{"id"' in text
    found: Any = json.loads(text)
    (row,) = found["data"]
    assert (row["name"], row["messageCount"], row["durable"], row["lastValueKey"]) == ("q", "1", "true", "")
    assert found["count"] == 1


def test_addresses_are_listed_with_their_queues(managed: ManagedBroker) -> None:
    managed.ask("broker", "createQueue", "a", "MULTICAST", "one", None, True, -1, False, True)
    found: Any = json.loads(managed.ask("broker", "listAddresses", "", 1, 50))
    assert [(row["name"], row["queueCount"]) for row in found["data"]] == [("a", "1"), ("answers", "1")]


@pytest.mark.parametrize(
    "operation", [name for name in BROKER_LISTS if name.endswith("AsJSON") and name.startswith("listAll")]
)
def test_without_connections_the_lists_of_them_are_empty(managed: ManagedBroker, operation: str) -> None:
    assert json.loads(managed.ask("broker", operation)) == []


@pytest.mark.parametrize("operation", ["listConnections", "listSessions", "listProducers", "listConsumers"])
def test_a_page_of_nothing_is_empty(managed: ManagedBroker, operation: str) -> None:
    assert json.loads(managed.ask("broker", operation, "", 1, 50)) == {"data": [], "count": 0}


def test_the_lists_of_one_connection(managed: ManagedBroker) -> None:
    assert managed.ask("broker", "listSessions", "c") == []
    assert json.loads(managed.ask("broker", "listConsumersAsJSON", "c")) == []
    assert managed.ask("broker", "listConnectionIDs") == managed.ask("broker", "listRemoteAddresses") == []
