"""Queues that requests declare, change and delete."""

import json
from itertools import permutations
from typing import Any

import pytest
from core_management import ManagedBroker

from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import NOBODY
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
        (('{"a":' * 100_000,), "is not JSON"),
        (("{" + f'"name":{"9" * 5000}' + "}",), "is not JSON"),
        ((r'{"name":"\ud800"}',), "is not JSON"),
        (('{"name":"q","max-consumers":"--5"}',), "max-consumers"),
        (('{"name":"q","max-consumers":"²"}',), "max-consumers"),
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


FIELDS: list[tuple[str, tuple[Any, ...]]] = [
    ("filter-string", ("a = 1", "AMQPriority > 4", "")),
    ("max-consumers", (3, 9, -1)),
    ("purge-on-no-consumers", (True, False)),
    ("exclusive", (True, False)),
    ("group-rebalance", (True, False)),
    ("group-rebalance-pause-dispatch", (True, False)),
    ("group-buckets", (8, 16, -1, 0)),
    ("group-first-key", ("first", "other", "")),
    ("non-destructive", (True, False)),
    ("consumers-before-dispatch", (2, 5, 0)),
    ("delay-before-dispatch", (500, 900, -1)),
    ("ring-size", (5, 9, -1)),
    ("enabled", (True, False)),
    ("auto-delete", (True, False)),
    ("auto-delete-delay", (100, 200, 0)),
    ("last-value", (True, False)),
    ("last-value-key", ("k", "l")),
    ("durable", (True, False)),
    ("temporary", (True, False)),
    ("routing-type", ("ANYCAST", "MULTICAST")),
    ("address", ("a", "b")),
    ("auto-delete-message-count", (7, 8)),
    ("consumer-priority", (1, 2)),
]
CHANGES = [
    (field, first, second, as_text)
    for field, values in FIELDS
    for first, second in permutations(values, 2)
    for as_text in (False, True)
]


def configuration_of(field: str, value: Any, *, as_text: bool) -> str:
    shown = str(value).lower() if as_text and not isinstance(value, str) else value
    grouped = {"group-buckets": 4} if field.startswith("group-") else {}
    return json.dumps({"name": "q", "routing-type": "ANYCAST", **grouped, field: shown})


@pytest.mark.parametrize(("field", "first", "second", "as_text"), CHANGES)
def test_a_change_does_what_a_declaration_does_or_is_refused_by_name(
    field: str, first: Any, second: Any, *, as_text: bool
) -> None:
    managed, other = ManagedBroker(), ManagedBroker()
    for broker, value in ((managed, first), (other, second)):
        asked = ({"_AMQ_ResourceName": "broker", "_AMQ_OperationName": "createQueue"},)
        done, said = broker.asked(*asked, (configuration_of(field, value, as_text=as_text),), NOBODY)
        if not done:
            # What queues do not have is refused by name at once.
            assert field in said
            return
    before = described(managed)
    update = json.dumps(
        {"name": "q", field: json.loads(configuration_of(field, second, as_text=as_text))[field]}
    )
    done, said = managed.asked(
        {"_AMQ_ResourceName": "broker", "_AMQ_OperationName": "updateQueue"}, (update,), NOBODY
    )
    if done:
        assert described(managed) == described(other)
    else:
        assert described(managed) == before
        assert any(name in said for name in (field, *REFUSED_AS.get(field, ()))), said


REFUSED_AS = {
    "last-value": ("type", "lvq_key"),
    "last-value-key": ("lvq_key",),
    "group-buckets": ("group_buckets", "group_mode"),
    "group-rebalance": ("group_rebalance",),
    "group-rebalance-pause-dispatch": ("group_rebalance_pauses",),
    "group-first-key": ("group_first_key",),
    "temporary": ("lifetime", "'temporary'"),
}
"""Our names of what cannot change."""


def described(managed: ManagedBroker) -> str:
    """All that Artemis's tool prints of the queue."""
    return str(managed.ask("broker", "updateQueue", json.dumps({"name": "q"})))


def test_a_name_of_digits_is_a_name(managed: ManagedBroker) -> None:
    managed.ask("broker", "createQueue", json.dumps({"name": "17", "routing-type": "ANYCAST"}))
    assert managed.broker.has_queue("17")


def test_a_queue_that_is_read_is_destroyed_only_with_its_consumers(managed: ManagedBroker) -> None:
    managed.declare("q")
    managed.broker.read(
        managed.broker.lookup("q"), Mode.CONSUME, NullReceiver(), Terms(), NOBODY, managed.now
    )
    assert "has 1 consumers; delete it with removeConsumers" in managed.refusal("broker", "destroyQueue", "q")
    managed.ask("broker", "destroyQueue", "q", True, True)
    assert not managed.broker.has_queue("q")
    assert "there is no queue named 'q'" in managed.refusal("broker", "destroyQueue", "q")
