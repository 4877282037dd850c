"""The attributes and operations of the broker."""

import pytest
from core_management import NOW, ManagedBroker

from lastvalue.compat.artemis.management.broker_control import BROKER_ATTRIBUTES


def test_every_attribute_can_be_read(managed: ManagedBroker) -> None:
    for name in BROKER_ATTRIBUTES:
        managed.attribute("broker", name)
    managed.publish("answers", "1")
    managed.broker.purge("answers")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Started", True),
        ("NodeID", "node-1"),
        ("ManagementAddress", "activemq.management"),
        ("CurrentTimeMillis", NOW),
        ("QueueNames", ["answers"]),
        ("AddressNames", ["answers"]),
        ("TotalMessageCount", 0),
    ],
)
def test_an_attribute_says_what_the_broker_is(managed: ManagedBroker, name: str, value: object) -> None:
    assert managed.attribute("broker", name) == value


def test_an_address_is_created_shown_and_deleted(managed: ManagedBroker) -> None:
    said = managed.ask("broker", "createAddress", "a", "ANYCAST,MULTICAST")
    assert said == "Address [name=a, routingTypes={MULTICAST,ANYCAST}, autoCreated=false]"
    assert managed.ask("broker", "updateAddress", "a", "MULTICAST") == said
    assert managed.ask("broker", "getAddressInfo", "a") == said
    assert managed.ask("broker", "listAddresses", "|") == "a|answers"
    assert managed.ask("broker", "listBindingsForAddress", "a") == ""
    managed.ask("broker", "deleteAddress", "a")
    assert "there is no address named 'a'" in managed.refusal("broker", "getAddressInfo", "a")


def test_an_address_with_queues_is_deleted_only_by_force(managed: ManagedBroker) -> None:
    managed.ask("broker", "createQueue", "a", "MULTICAST", "one", None, True, -1, False, True)
    assert managed.ask("broker", "listBindingsForAddress", "a") == "LocalQueueBinding [address=a, queue=one]"
    assert "has the queues one; delete it with force" in managed.refusal("broker", "deleteAddress", "a")
    managed.ask("broker", "deleteAddress", "a", True)
    assert (managed.broker.has_queue("one"), managed.broker.exchanges.get("a")) == (False, None)


def test_a_routing_type_that_does_not_exist_is_refused(managed: ManagedBroker) -> None:
    assert "routing type 'DIRECT'" in managed.refusal("broker", "createAddress", "a", "DIRECT")


def test_queues_are_listed_by_routing_type(managed: ManagedBroker) -> None:
    managed.ask("broker", "createQueue", "a", "MULTICAST", "one", None, True, -1, False, True)
    assert managed.ask("broker", "getQueueNames", "ANYCAST") == ["answers"]
    assert managed.ask("broker", "getQueueNames", "MULTICAST") == ["one"]
    assert managed.ask("broker", "getQueueNames") == ["answers", "one"]


def test_a_single_node_has_no_topology(managed: ManagedBroker) -> None:
    assert managed.ask("broker", "listNetworkTopology") == "[]"


def test_a_connection_that_does_not_exist_is_not_closed(managed: ManagedBroker) -> None:
    assert "there is no connection named 'c'" in managed.refusal("broker", "closeConnectionWithID", "c")
    assert managed.ask("broker", "closeConnectionsForUser", "ann") is False
    assert managed.ask("broker", "closeConnectionsForAddress", "10.0.0.1") is False
