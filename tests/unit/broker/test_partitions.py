"""Queues that are at one of several brokers, and queues whose keys are."""

import pytest
from bare_queue import encoded

from lastvalue.broker.administration.request import Request
from lastvalue.broker.broker import Broker
from lastvalue.broker.partitions import OtherPartitionError, Partition, Partitions
from lastvalue.broker.requests.management import manage
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec_arguments import spec_from_arguments

pytestmark = pytest.mark.pure

CALLER = Owner(principal="ann")
LEADERS = ["one:5672,stand-in:5672", "two:5672"]
HERE, ELSEWHERE = "d", "a"
"""Keys that the first leader has, and the second one."""


def made(own: str) -> Broker:
    broker = Broker()
    broker.authorization.partitions = Partitions(
        [Partition("orders.#", ["two:5672"], own), Partition("prices", LEADERS, own)]
    )
    return broker


@pytest.fixture
def broker() -> Broker:
    broker = made("one:5672")
    broker.declare(spec_from_arguments("prices", {"lvq_key": "k"}), CALLER)
    return broker


def publish(broker: Broker, key: object, name: str = "prices") -> bool:
    target = broker.queue_target(name, CALLER)
    try:
        return broker.publish(target, read_message(encoded("v", {"k": key}, None)), 0)
    finally:
        broker.release(target)


def test_a_key_that_another_broker_has_is_refused_with_its_address(broker: Broker) -> None:
    assert publish(broker, HERE)
    with pytest.raises(OtherPartitionError, match=r"this key of queue 'prices' .*: ask two:5672") as told:
        publish(broker, ELSEWHERE)
    assert told.value.info == {
        "hostname": "two", "network-host": "two", "port": 5672, "partition": "prices"
    }  # fmt: skip
    assert broker.lookup("prices").queue.depth == 1


def test_followers_are_the_same_partition_as_their_leader() -> None:
    assert Partition("prices", LEADERS, "stand-in:5672").own == 0
    assert Partition("prices", LEADERS, "three:5672").own == -1


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        ("PUT", {"message": encoded("v", {"k": ELSEWHERE}, None)}),
        ("PUT_MANY", {"messages": [encoded("v", {"k": key}, None) for key in (HERE, ELSEWHERE)]}),
        ("PUT_MANY", {"messages": [encoded("v", {"k": HERE}, None)], "delete": [ELSEWHERE]}),
        ("GET", {"keys": [ELSEWHERE]}),
        ("DELETE_KEY", {"key": ELSEWHERE}),
    ],
)
def test_requests_about_a_key_that_another_broker_has_change_nothing(
    broker: Broker, operation: str, body: dict[str, object]
) -> None:
    answer = manage(broker, Request(operation, "queue", "prices", body), 0, CALLER)
    assert (answer.status, answer.condition) == (421, "amqp:link:redirect")
    assert "ask two:5672" in answer.description
    assert broker.lookup("prices").queue.depth == 0


def test_a_queue_that_another_broker_has_is_neither_declared_nor_made_on_use(broker: Broker) -> None:
    with pytest.raises(OtherPartitionError, match=r"queue 'orders\.new' is not at this broker: ask two:5672"):
        broker.declare(spec_from_arguments("orders.new", {}), CALLER)
    with pytest.raises(OtherPartitionError):
        broker.missing.create("orders.new", publishing=True, owner=CALLER)
    made("two:5672").declare(spec_from_arguments("orders.new", {}), CALLER)
    broker.declare(spec_from_arguments("other", {}), CALLER)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({}, "needs lvq_key"),
        ({"lvq_key": "k", "lvq_fallback_key": "l"}, "keys of one property"),
        ({"lvq_key": "k", "lvq_keyless": "conflate"}, "keys of one property"),
        ({"group_mode": "default"}, "needs lvq_key"),
    ],
)
def test_what_needs_one_order_of_all_keys_is_refused(options: dict[str, object], fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=f"divided by its keys over several brokers, so it .*{fault}"):
        made("one:5672").declare(spec_from_arguments("prices", options), CALLER)


def test_a_queue_that_was_there_before_the_partitions_is_kept_and_takes_nothing_more() -> None:
    broker = made("one:5672")
    broker.declare(spec_from_arguments("prices", {}), BROKER)
    with pytest.raises(InvalidSpecError, match="is divided by its keys: a key is a text or an integer"):
        publish(broker, HERE)
    broker.declare(spec_from_arguments("orders.old", {}), BROKER)
    with pytest.raises(OtherPartitionError, match=r"queue 'orders\.old' is not at this broker"):
        publish(broker, HERE, "orders.old")


def test_no_queue_sends_its_dead_letters_to_one_that_is_divided(broker: Broker) -> None:
    with pytest.raises(InvalidSpecError, match="takes no messages of queue 'other'; name one that is not"):
        broker.declare(spec_from_arguments("other", {"alternate": "prices"}), CALLER)


@pytest.mark.parametrize("key", [1.5, True, b"x"])
def test_a_key_that_is_neither_a_text_nor_an_integer_is_refused(broker: Broker, key: object) -> None:
    with pytest.raises(InvalidSpecError, match="a key is a text or an integer"):
        publish(broker, key)


@pytest.mark.parametrize(
    ("leaders", "fault"),
    [
        ([], "has no leaders"),
        (["one"], "is no address"),
        (["a:1", "b:2,a:1"], "a:1 is in the leaders .* twice"),
    ],
)
def test_leaders_that_cannot_be_are_refused(leaders: list[str], fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        Partition("prices", leaders)
