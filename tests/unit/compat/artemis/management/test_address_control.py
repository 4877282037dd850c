"""The attributes and operations of an address."""

from core_management import ManagedBroker

from lastvalue.compat.artemis.management.address_control import ADDRESS_ATTRIBUTES


def test_every_attribute_can_be_read(managed: ManagedBroker) -> None:
    managed.ask("broker", "createQueue", "a", "MULTICAST", "one", None, True, -1, False, True)
    for resource in ("address.a", "address.answers"):
        for name in ADDRESS_ATTRIBUTES:
            managed.attribute(resource, name)


def test_an_address_sums_its_queues(managed: ManagedBroker) -> None:
    for name in ("one", "two"):
        managed.ask("broker", "createQueue", "a", "MULTICAST", name, None, True, -1, False, True)
    managed.publish("one", "1", "2")
    managed.publish("two", "3")
    assert managed.attribute("address.a", "MessageCount") == 3
    assert managed.attribute("address.a", "QueueCount") == 2
    assert managed.ask("address.a", "purge") == 3
    assert managed.attribute("address.a", "MessageCount") == 0


def test_an_address_is_paused_with_its_queues(managed: ManagedBroker) -> None:
    managed.declare("q")
    managed.ask("address.q", "pause")
    assert managed.attribute("queue.q", "Paused") is True
    managed.ask("address.q", "resume")
    assert managed.attribute("address.q", "Paused") is False
