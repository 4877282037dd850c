"""Addresses and queues, as Artemis's clients declare them."""

from typing import Any

import pytest
from core_peer import Peer, anycast, permit

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import (
    ADDRESS_EXISTS,
    ILLEGAL_STATE,
    INVALID_QUEUE_CONFIGURATION,
    INVALID_TRANSIENT_USE,
    QUEUE_DOES_NOT_EXIST,
    QUEUE_EXISTS,
)
from lastvalue.queues.spec_arguments import spec_to_arguments

MULTICAST = 0


@pytest.mark.parametrize(
    ("field", "value", "option"),
    [
        ("last_value_key", "k", {"lvq_key": "k", "lvq_fallback_key": "_AMQ_LVQ_NAME"}),
        ("last_value", True, {"lvq_key": "_AMQ_LVQ_NAME"}),
        ("non_destructive", True, {"non_destructive": True}),
        ("exclusive", True, {"live_consumers": 1}),
        ("ring_size", 3, {"max_messages": 3, "when_full": "drop-oldest"}),
        ("consumers_before_dispatch", 2, {"consumers_before_dispatch": 2}),
        ("delay_before_dispatch", 50, {"dispatch_delay_ms": 50}),
        ("group_buckets", 4, {"group_mode": "default", "group_buckets": 4}),
        ("auto_delete", True, {"lifetime": "delete-on-no-links-or-messages"}),
        ("auto_delete_delay", 7, {"auto_delete_delay_ms": 7}),
        ("enabled", False, {"paused": True}),
        ("max_consumers", 5, {"max_consumers": 5}),
        ("purge_on_no_consumers", True, {"purge_on_no_consumers": True}),
        ("filter", "AMQPriority > 3", {"filter": "JMSPriority > 3"}),
        ("temporary", True, {"lifetime": "delete-on-connection-close"}),
    ],
)
def test_a_field_of_a_declaration_sets_its_option(
    broker: Broker, peer: Peer, field: str, value: Any, option: dict[str, Any]
) -> None:
    peer.declare(**{field: value})
    arguments = spec_to_arguments(broker.lookup("q").queue.spec)
    assert arguments.items() >= option.items()
    shown = peer.ask(packets.QUEUE_QUERY, packets.QUEUE_QUERIED, queue="q").values
    assert shown[field] == value


def test_a_client_is_told_the_settings_of_an_address_and_a_queue_has_them(broker: Broker, peer: Peer) -> None:
    settings = {"last-value-key": "symbol", "non-destructive": True, "max-consumers": 3}
    broker.missing.address_settings = lambda address: settings if address == "prices" else {}
    peer.say(packets.BINDING_QUERY, address="prices")
    values = peer.expect(packets.BINDING_QUERIED).values
    assert (values["default_last_value"], values["default_last_value_key"]) == (True, "symbol")
    assert (values["default_non_destructive"], values["default_max_consumers"]) == (True, 3)
    peer.send("x", "prices", properties=anycast()).expect(packets.NULL_RESPONSE)
    arguments = spec_to_arguments(broker.lookup("prices").queue.spec)
    assert (arguments["lvq_key"], arguments["max_consumers"]) == ("symbol", 3)


@pytest.mark.parametrize("last_value", [False, True])
def test_a_queue_has_the_ten_priorities_of_jms_by_the_settings_of_its_address(
    broker: Broker, peer: Peer, last_value: bool
) -> None:
    broker.missing.address_settings = lambda address: {"priorities": 10}
    peer.declare("one", last_value=last_value)
    peer.declare("subscription", "topic", 0)
    peer.send("made when it is sent to", "made", properties=anycast()).expect(packets.NULL_RESPONSE)
    sent = (0, 4, 9, 5, 4, 8)
    for address in ("one", "topic"):
        for priority in sent:
            peer.send(str(priority), address, priority=priority).expect(packets.NULL_RESPONSE)
    for number, queue in enumerate(("one", "subscription")):
        peer.read(queue, number)
        assert peer.texts() == ["9", "8", "5", "4", "4", "0"]
    levels = [spec_to_arguments(queue.spec)["priorities"] for queue in broker.queues()]
    assert levels == [10, 10, 10]


def test_a_queue_that_is_deleted_with_its_messages(broker: Broker, peer: Peer) -> None:
    peer.declare(auto_delete=True, auto_delete_message_count=-1).send("x", answered=False)
    shown = peer.ask(packets.QUEUE_QUERY, packets.QUEUE_QUERIED, queue="q").values
    assert (shown["auto_delete"], shown["auto_delete_message_count"]) == (True, -1)
    peer.read(credits_=0).ask(packets.CLOSE_CONSUMER, consumer=1)
    assert not broker.has_queue("q")


def test_a_queue_that_is_deleted_once_it_is_empty(broker: Broker, peer: Peer) -> None:
    peer.declare(auto_delete=True, auto_delete_message_count=0).send("x", answered=False)
    peer.read(credits_=0).ask(packets.CLOSE_CONSUMER, consumer=1)
    assert broker.lookup("q").queue.depth == 1
    broker.purge("q")
    peer.turn()
    assert not broker.has_queue("q")


def test_a_queue_is_not_deleted_with_so_many_messages(peer: Peer) -> None:
    values: dict[str, Any] = {"queue": "q", "address": "q", "routing_type": 1, "max_consumers": -1}
    values |= {"auto_delete": True, "auto_delete_message_count": 5}
    assert peer.refused(packets.CREATE_QUEUE_V2, **values) == INVALID_QUEUE_CONFIGURATION


def test_a_queue_cannot_be_declared_twice(peer: Peer) -> None:
    peer.declare()
    code = peer.refused(packets.CREATE_QUEUE_V2, queue="q", address="q", routing_type=1, max_consumers=-1)
    assert code == QUEUE_EXISTS


def test_a_shared_queue_is_declared_once_and_used_again(peer: Peer) -> None:
    shared: dict[str, Any] = {"queue": "s", "address": "t", "routing_type": MULTICAST}
    for _ in range(2):
        peer.ask(packets.CREATE_SHARED_QUEUE_V2, **shared)
    code = peer.refused(packets.CREATE_SHARED_QUEUE_V2, **{**shared, "filter": "a=1"})
    assert code == INVALID_TRANSIENT_USE


def test_every_subscription_of_an_address_gets_a_copy(broker: Broker, peer: Peer) -> None:
    peer.declare("one", "t", MULTICAST).declare("two", "t", MULTICAST).send("x", "t")
    assert [broker.lookup(name).queue.depth for name in ("one", "two")] == [1, 1]
    found = peer.say(packets.BINDING_QUERY, address="t")
    found.expect(packets.NULL_RESPONSE)
    bindings = found.expect(packets.BINDING_QUERIED)
    assert (bindings.flag("exists"), sorted(bindings.values["queues"])) == (True, ["one", "two"])


def test_the_queues_of_an_anycast_address_share_its_messages(broker: Broker, peer: Peer) -> None:
    peer.declare("one", "a").declare("two", "a").send("x", "a").send("y", "a")
    assert [broker.lookup(name).queue.depth for name in ("one", "two")] == [1, 1]


def test_a_queue_whose_address_gets_subscribers_goes_on_to_get_messages(broker: Broker, peer: Peer) -> None:
    peer.declare().declare("sub", "q", MULTICAST).send("x")
    assert [broker.lookup(name).queue.depth for name in ("q", "sub")] == [1, 1]


def test_a_user_without_the_right_to_declare_subscribes_with_a_queue_of_its_own(broker: Broker) -> None:
    permit(broker, "read t", "write t")
    peer = Peer(broker).open().declare("uuid", "t", MULTICAST)
    assert [queue.spec.name for queue in broker.queues()] == ["$subscription/anonymous//uuid"]
    peer.send("x", "t").expect(packets.NULL_RESPONSE)
    peer.read("uuid")
    assert peer.texts() == ["x"]


def test_a_queue_that_is_read_is_not_deleted(peer: Peer) -> None:
    peer.declare().read()
    assert peer.refused(packets.DELETE_QUEUE, queue="q") == ILLEGAL_STATE
    peer.ask(packets.CLOSE_CONSUMER, consumer=1)
    peer.ask(packets.DELETE_QUEUE, queue="q")
    assert peer.refused(packets.DELETE_QUEUE, queue="q") == QUEUE_DOES_NOT_EXIST


def test_an_address_that_exists_is_declared_again_only_by_itself(broker: Broker, peer: Peer) -> None:
    address: dict[str, Any] = {"address": "t", "routing_types": [MULTICAST]}
    peer.ask(packets.CREATE_ADDRESS, **address)
    assert peer.refused(packets.CREATE_ADDRESS, **address) == ADDRESS_EXISTS
    peer.ask(packets.CREATE_ADDRESS, auto_created=True, **address)
    assert broker.exchanges.find("t").spec.durable


def test_a_queue_that_does_not_exist_is_shown_as_one_that_may_be_declared(peer: Peer) -> None:
    found = peer.ask(packets.QUEUE_QUERY, packets.QUEUE_QUERIED, queue="missing")
    assert (found.flag("exists"), found.flag("auto_create_queues")) == (False, True)


def test_a_temporary_queue_goes_with_its_connection(broker: Broker, peer: Peer) -> None:
    peer.declare("temp", temporary=True).vanish()
    assert not broker.has_queue("temp")
