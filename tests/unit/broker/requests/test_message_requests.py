"""Requests to the management node about messages of a queue."""

from typing import Any

import pytest
from bare_queue import START_MS, body_of, encoded
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import (
    LastValue,
    Limit,
    Priority,
    QueueSpec,
)
from lastvalue.queues.subscription import ANY, Mode


def asked(broker: Broker, operation: str, name: str = "", kind: str = "", **body: Any) -> tuple[int, object]:
    response = manage(broker, Request(operation, kind, name, body), START_MS)
    return response.status, response.body


@pytest.fixture
def broker_with_messages() -> Broker:
    broker = made("q", "other", QueueSpec("small", limit=Limit(1)))
    for number in range(4):
        broker.publish(
            broker.queue_target("q"), read_message(encoded(str(number), {"n": number}, None)), START_MS
        )
    return broker


def contents(broker: Broker, name: str) -> list[str]:
    return [body_of(entry.message.encoded) for entry in broker.lookup(name).queue.entries()]


@pytest.mark.parametrize(
    ("operation", "body", "messages", "left", "there"),
    [
        ("moveMessages", {"destination": "other"}, [1, 2, 3, 4], "", "0123"),
        ("moveMessages", {"destination": "other", "selector": "n > 1"}, [3, 4], "01", "23"),
        ("moveMessages", {"destination": "other", "selector": "n % 2 = 0"}, [1, 3], "13", "02"),
        ("moveMessages", {"destination": "other", "messageIds": [1, 4, 9]}, [1, 4], "12", "03"),
        ("copyMessages", {"destination": "other"}, [1, 2, 3, 4], "0123", "0123"),
        ("copyMessages", {"destination": "other", "limit": 2}, [1, 2], "0123", "01"),
        ("deleteMessages", {"selector": "n < 2"}, [1, 2], "23", ""),
        ("deleteMessages", {"limit": 0}, [], "0123", ""),
    ],
)
def test_messages_are_moved_copied_and_deleted(
    broker_with_messages: Broker,
    operation: str,
    body: dict[str, Any],
    messages: list[int],
    left: str,
    there: str,
) -> None:
    """S-213, S-214, S-215, over `$management`."""
    broker = broker_with_messages
    assert asked(broker, operation, "q", "", **body) == (200, {"messages": messages, "stayed": []})
    assert "".join(contents(broker, "q")) == left
    assert "".join(contents(broker, "other")) == there
    assert broker.lookup("q").queue.depth == len(left)


@pytest.mark.parametrize(
    ("body", "messages", "available"),
    [
        ({}, [5, 6], 6),
        ({"selector": "n > 4"}, [6], 5),
        ({"messageIds": [1, 5]}, [5], 5),
        ({"limit": 1}, [5], 5),
        ({"messageIds": [9]}, [], 4),
    ],
)
def test_messages_whose_time_has_not_come_are_delivered_early(
    broker_with_messages: Broker, body: dict[str, Any], messages: list[int], available: int
) -> None:
    """S-113, over `$management`."""
    broker = broker_with_messages
    later = {"x-opt-delivery-delay": 60_000}
    for number in (4, 5):
        message = read_message(encoded(str(number), {"n": number}, None, message_annotations=later))
        broker.publish(broker.queue_target("q"), message, START_MS)
    queue = broker.lookup("q").queue
    assert queue.available == 4
    answer = asked(broker, "deliverScheduledMessages", "q", "", **body)
    assert answer == (200, {"messages": messages, "stayed": []})
    assert (queue.depth, queue.available) == (6, available)


def test_what_a_full_queue_does_not_take_stays(broker_with_messages: Broker) -> None:
    broker = broker_with_messages
    assert asked(broker, "moveMessages", "q", destination="small") == (
        200,
        {"messages": [1], "stayed": [2, 3, 4]},
    )
    assert contents(broker, "q") == ["1", "2", "3"]


def test_messages_that_are_held_are_left_to_their_consumer(broker_with_messages: Broker) -> None:
    broker = broker_with_messages
    receiver = LimitedReceiver(1)
    broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS).wake()
    broker.pump(START_MS)
    assert asked(broker, "deleteMessages", "q") == (200, {"messages": [2, 3, 4], "stayed": []})


def by_priority(change: dict[str, Any]) -> tuple[list[str], list[str], object]:
    """The order of three messages before and after a change, and what is told of that."""
    broker = made(QueueSpec("q", Priority(10)))
    for name, priority in (("1", 5), ("2", 6), ("3", 1)):
        message = read_message(encoded(name, {"id": name}, None, priority=priority))
        broker.publish(broker.queue_target("q"), message, START_MS)
    before = shown(broker)
    _, told = asked(broker, "reenqueueMessagesForPriorityChange", "q", "", newPriority=10, **change)
    return before, shown(broker), told


def shown(broker: Broker) -> list[str]:
    receiver = LimitedReceiver(10)
    reader = broker.read(broker.lookup("q"), Mode.BROWSE, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    broker.pump(START_MS)
    return receiver.bodies


@pytest.mark.parametrize(
    ("change", "after", "told"),
    [
        ({"messageIds": [3]}, ["3", "2", "1"], [3]),
        ({"selector": "id IN ('3', '1')"}, ["1", "3", "2"], [1, 3]),
    ],
)
def test_another_priority_gives_messages_another_place(
    change: dict[str, Any], after: list[str], told: list[int]
) -> None:
    """S-127, S-128, over `$management`."""
    assert by_priority(change) == (["2", "1", "3"], after, {"messages": told, "stayed": []})


def test_a_value_with_another_priority_is_one_value_still() -> None:
    """S-067, over `$management`."""
    broker = made(QueueSpec("q", LastValue("k")))
    broker.publish(broker.queue_target("q"), read_message(encoded("m1", {"k": 1}, None)), START_MS)
    assert asked(broker, "reenqueueMessagesForPriorityChange", "q", "", newPriority=9)[0] == 200
    assert (broker.lookup("q").queue.depth, shown(broker)) == (1, ["m1"])


def test_messages_are_enqueued_anew_with_another_priority() -> None:
    broker = made(QueueSpec("q", Priority()))
    for body in "ab":
        broker.publish(broker.queue_target("q"), read_message(encoded(body, {"n": body}, None)), START_MS)
    change: dict[str, Any] = {"selector": "n = 'b'", "newPriority": 9}
    assert asked(broker, "reenqueueMessagesForPriorityChange", "q", "", **change) == (
        200,
        {"messages": [2], "stayed": []},
    )
    receiver = LimitedReceiver(2)
    broker.read(broker.lookup("q"), Mode.BROWSE, receiver, ANY, NOBODY, START_MS).wake()
    broker.pump(START_MS)
    assert receiver.bodies == ["b", "a"]


@pytest.mark.parametrize(
    ("operation", "body", "status"),
    [
        ("moveMessages", {}, 422),
        ("moveMessages", {"destination": "nosuch"}, 404),
        ("moveMessages", {"destination": "q"}, 422),
        ("copyMessages", {"destination": "other", "selector": 1}, 422),
        ("copyMessages", {"destination": "other", "selector": "n ="}, 422),
        ("deleteMessages", {"messageIds": 1}, 422),
        ("deleteMessages", {"limit": "many"}, 422),
        ("reenqueueMessagesForPriorityChange", {"newPriority": 256}, 422),
    ],
)
def test_a_request_for_messages_that_makes_no_sense_is_refused(
    broker_with_messages: Broker, operation: str, body: dict[str, Any], status: int
) -> None:
    assert asked(broker_with_messages, operation, "q", "", **body)[0] == status
    assert len(contents(broker_with_messages, "q")) == 4


@pytest.fixture
def broker_with_dead_letters() -> Broker:
    """A queue of dead letters: 1 and 2 of `a`, 3 of `small`, which is full, 4 of a queue that is gone."""
    broker = made(
        "dead", QueueSpec("a", alternate="dead"), QueueSpec("small", alternate="dead", limit=Limit(1))
    )
    broker.declare(QueueSpec("gone", alternate="dead"), NOBODY)
    for name, bodies in (("a", "xy"), ("small", "z"), ("gone", "g")):
        for body in bodies:
            message = read_message(encoded(body, {"n": 1}, None))
            broker.publish(broker.queue_target(name), message, START_MS)
        hosted = broker.lookup(name)
        hosted.queue.remove(hosted.queue.entries(), Reason.REJECTED)
        hosted.mark_changed()
        broker.pump(START_MS)
    broker.delete("gone", START_MS)
    broker.publish(broker.queue_target("small"), read_message(encoded("full", {}, None)), START_MS)
    broker.publish(broker.queue_target("dead"), read_message(encoded("no letter", {}, None)), START_MS)
    broker.pump(START_MS)
    return broker


def test_dead_letters_return_to_where_they_came_from(broker_with_dead_letters: Broker) -> None:
    broker = broker_with_dead_letters
    assert contents(broker, "dead") == ["x", "y", "z", "g", "no letter"]
    assert asked(broker, "retryMessages", "dead") == (200, {"messages": [1, 2], "stayed": [3, 4, 5]})
    assert (contents(broker, "a"), contents(broker, "dead")) == (["x", "y"], ["z", "g", "no letter"])


def test_only_chosen_dead_letters_return(broker_with_dead_letters: Broker) -> None:
    broker = broker_with_dead_letters
    assert asked(broker, "retryMessages", "dead", messageIds=[2]) == (200, {"messages": [2], "stayed": []})


def test_dead_letters_return_where_the_caller_may_publish(broker_with_dead_letters: Broker) -> None:
    broker = broker_with_dead_letters
    rules = {
        "alice": ["manage dead", "write a"],
        "bob": ["manage dead"],
        "carol": ["write a"],
    }
    broker.authorization.permissions = lambda user: Permissions(map(parse_rule, rules[user]))

    def asked_by(user: str) -> tuple[int, object]:
        response = manage(
            broker, Request("retryMessages", "", "dead", {"limit": 1}), START_MS, Owner(principal=user)
        )
        return response.status, response.body

    assert asked_by("carol")[0] == 403
    assert asked_by("bob") == (200, {"messages": [], "stayed": [1]})
    assert asked_by("alice") == (200, {"messages": [1], "stayed": []})
