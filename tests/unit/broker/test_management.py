"""Requests to the management node."""

from typing import Any

import pytest
from bare_queue import START_MS, body_of, encoded
from broker_desk import LimitedReceiver, made
from canned_message import Bell

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import Request, manage
from lastvalue.broker.owner import NOBODY, Owner
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import (
    LastValue,
    Limit,
    Ordering,
    Placement,
    Priority,
    QueueSpec,
    Standard,
    WhenFull,
)
from lastvalue.queues.subscription import ANY, Mode


def asked(broker: Broker, operation: str, name: str = "", kind: str = "", **body: Any) -> tuple[int, object]:
    response = manage(broker, Request(operation, kind, name, body), START_MS)
    return response.status, response.body


def test_a_queue_is_made_shown_purged_and_deleted() -> None:
    """S-217, S-222, S-223, over `$management`."""
    broker = Broker()
    status, shown = asked(broker, "CREATE", "prices", lvq_key="symbol")
    assert status == 201
    assert isinstance(shown, dict)
    assert shown["options"] == {"type": "lvq", "lvq_key": "symbol"}
    assert asked(broker, "CREATE", "prices", lvq_key="symbol")[0] == 200
    assert asked(broker, "READ", "prices") == (200, shown)
    assert asked(broker, "QUERY") == (200, [shown])
    assert asked(broker, "PURGE", "prices") == (200, {"messages": 0})
    assert asked(broker, "DELETE", "prices") == (204, {"messages": 0})
    assert [asked(broker, operation, "prices")[0] for operation in ("DELETE", "READ", "PURGE")] == [404] * 3
    assert asked(broker, "CREATE", "prices", type="nosuch")[0] == 422
    assert asked(broker, "QUERY") == (200, [])


def test_what_was_overtaken_while_it_was_held_is_told() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", Priority(10)))
    queue = broker.lookup("q").queue
    for priority in (4, 4, 4):
        queue.enqueue(read_message(encoded("x", {}, None, priority=priority)), START_MS)
    reader = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    for _ in range(2):
        queue.next(reader, START_MS)
    queue.enqueue(read_message(encoded("x", {}, None, priority=9)), START_MS)
    _, shown = asked(broker, "READ", "q")
    assert isinstance(shown, dict)
    assert shown["overtaken"] == 2


@pytest.mark.parametrize(
    ("ordering", "asked_for", "expected"),
    [
        (None, {}, (9, 1, 9)),
        (None, {"after": 3, "messages": 4}, (9, 4, 7)),
        (None, {"after": 7, "messages": 5}, (9, 8, 9)),
        (None, {"after": 9}, (9, None, 9)),
        (Priority(10), {"messages": 2}, (9, 1, 2)),
        (Priority(10), {"after": 8, "messages": 2}, (9, 9, 9)),
        (LastValue("n"), {}, (9, 7, 9)),
        (LastValue("n"), {"messages": 1}, (9, 7, 7)),
        (LastValue("n", placement=Placement.IN_PLACE), {"messages": 2}, (9, 7, 8)),
    ],
)
def test_a_reader_is_told_where_a_batch_of_messages_ends(
    ordering: Ordering | None, asked_for: dict[str, Any], expected: tuple[int, int | None, int]
) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", Standard() if ordering is None else ordering))
    queue = broker.lookup("q").queue
    for number in range(9):
        queue.enqueue(read_message(encoded("x", {"n": number % 3}, None, priority=9 - number)), START_MS)
    last, first, end = expected
    assert asked(broker, "SEQUENCES", "q", **asked_for) == (
        200,
        {"last": last, "first": first, "gone": 0, "end": end},
    )


def test_a_reader_is_told_what_left_before_it_came() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(messages=3, when_full=WhenFull.DROP_OLDEST)))
    queue = broker.lookup("q").queue
    for _ in range(5):
        queue.enqueue(read_message(encoded("x", {}, None)), START_MS)
    assert asked(broker, "SEQUENCES", "q") == (200, {"last": 5, "first": 3, "gone": 2, "end": 5})
    restored = Queue(queue.spec)
    restored.restore(queue.entries(), 5)
    emptied = Queue(queue.spec)
    emptied.restore([], 5)
    assert (restored.contents.highest_removed, emptied.contents.highest_removed) == (2, 5)


@pytest.mark.parametrize("body", [{"after": -1}, {"messages": 0}, {"after": "three"}, {"messages": True}])
def test_a_number_that_is_none_is_refused(body: dict[str, Any]) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    assert asked(broker, "SEQUENCES", "q", **body)[0] == 422


def test_the_type_may_be_named_as_broker_j_names_it() -> None:
    broker = Broker()
    status, shown = asked(broker, "CREATE", "q", "org.apache.qpid.LastValueQueue", lvqKey="k")
    assert status == 201
    assert isinstance(shown, dict)
    assert shown["options"] == {"type": "lvq", "lvq_key": "k"}


@pytest.mark.parametrize(
    ("request_", "status", "condition"),
    [
        (Request("READ", "", "nosuch"), 404, "amqp:not-found"),
        (Request("DELETE", "", "nosuch"), 404, "amqp:not-found"),
        (Request("PURGE", "", "nosuch"), 404, "amqp:not-found"),
        (Request("CREATE", "", "q", {"nosuch": 1}), 422, "amqp:invalid-field"),
        (Request("CREATE", "", "$q"), 422, "amqp:invalid-field"),
        (Request("CREATE", "nosuch", "q"), 400, "amqp:invalid-field"),
        (Request("CREATE"), 400, "amqp:invalid-field"),
        (Request("EXPLODE", "", "q"), 501, "amqp:not-implemented"),
    ],
)
def test_what_cannot_be_done_is_told_with_its_condition(
    request_: Request, status: int, condition: str
) -> None:
    broker = Broker()
    response = manage(broker, request_, START_MS)
    assert (response.status, response.condition) == (status, condition)
    assert response.description
    assert broker.queues() == []


def test_a_queue_that_exists_differently_is_left_alone() -> None:
    broker = Broker()
    asked(broker, "CREATE", "q", lvq_key="a")
    assert asked(broker, "CREATE", "q", lvq_key="b")[0] == 412
    assert asked(broker, "READ", "q")[0] == 200


# ---------------------------------------------------------------------- queues


def test_what_an_update_leaves_out_stays(broker_with_messages: Broker) -> None:
    broker = broker_with_messages
    asked(broker, "UPDATE", "q", maximumQueueDepthMessages=7)
    status, shown = asked(broker, "UPDATE", "q", description="seven")
    assert status == 200
    assert isinstance(shown, dict)
    assert shown["options"] == {"type": "standard", "max_messages": 7, "description": "seven"}
    assert shown["depth"] == 4
    assert asked(broker, "UPDATE", "q", type="lvq", lvq_key="k")[0] == 422
    assert asked(broker, "UPDATE", "nosuch")[0] == 404


# ---------------------------------------------------------------------- exchanges


def test_an_exchange_is_made_bound_shown_and_deleted() -> None:
    broker = made("q")
    status, shown = asked(broker, "CREATE", "x", "exchange", type="topic", alternate="amq.fanout")
    assert status == 201
    assert asked(broker, "CREATE", "x", "org.apache.qpid.TopicExchange")[0] == 200
    assert asked(broker, "CREATE", "x", "org.apache.qpid.DirectExchange")[0] == 409
    assert asked(broker, "BIND", "x", "exchange", destination="q", key="a.*")[0] == 201
    assert asked(broker, "bind", "x", "exchange", queue="q", bindingKey="a.*")[0] == 200
    assert asked(broker, "BIND", "x", "exchange", destination="amq.direct")[0] == 201
    status, shown = asked(broker, "READ", "x", "exchange")
    assert shown == {
        "name": "x",
        "options": {"type": "topic", "alternate": "amq.fanout"},
        "bindings": [
            {"destination": "q", "key": "a.*", "arguments": {}},
            {"destination": "amq.direct", "key": "", "arguments": {}},
        ],
        "received": 0,
        "unrouted": 0,
    }
    _, every = asked(broker, "QUERY", "", "exchange")
    assert isinstance(every, list)
    assert [each["name"] for each in every] == ["amq.direct", "amq.fanout", "amq.match", "amq.topic", "x"]
    _, topics = asked(broker, "QUERY", "", "org.apache.qpid.TopicExchange")
    assert isinstance(topics, list)
    assert [each["name"] for each in topics] == ["amq.topic", "x"]
    assert asked(broker, "UNBIND", "x", "exchange", destination="q", key="a.*")[0] == 204
    assert asked(broker, "UNBIND", "x", "exchange", destination="q", key="a.*")[0] == 404
    assert asked(broker, "DELETE", "x", "exchange")[0] == 204
    assert asked(broker, "READ", "x", "exchange")[0] == 404


@pytest.mark.parametrize(
    ("operation", "name", "body", "status"),
    [
        ("CREATE", "amq.mine", {}, 409),
        ("CREATE", "x", {"alternate": "nosuch"}, 404),
        ("DELETE", "amq.topic", {}, 409),
        ("BIND", "nosuch", {"destination": "q"}, 404),
        ("BIND", "amq.topic", {"destination": "nosuch"}, 404),
        ("BIND", "amq.topic", {}, 422),
        ("BIND", "amq.topic", {"destination": 1}, 422),
        ("BIND", "amq.topic", {"destination": "q", "arguments": 1}, 422),
        ("BIND", "amq.topic", {"destination": "q", "arguments": {"x-filter-jms-selector": "a ="}}, 422),
        ("BIND", "amq.match", {"destination": "q", "arguments": {"x-match": "all", "a": [1]}}, 422),
        ("PURGE", "amq.topic", {}, 501),
    ],
)
def test_what_an_exchange_cannot_do_is_told(
    operation: str, name: str, body: dict[str, Any], status: int
) -> None:
    response = manage(made("q"), Request(operation, "exchange", name, body), START_MS)
    assert response.status == status
    assert response.condition


def test_a_bindings_selector_picks_messages() -> None:
    broker = made("q")
    arguments = {"x-filter-jms-selector": "colour = 'red'"}
    asked(broker, "BIND", "amq.fanout", "exchange", destination="q", arguments=arguments)
    node = broker.resolve("amq.fanout")
    assert node is not None
    for colour in ("red", "blue"):
        about = read_message(encoded(colour, {"colour": colour}, None))
        broker.route(broker.target(node), "", about, START_MS)
    assert contents(broker, "q") == ["red"]


def test_who_does_not_own_a_queue_does_not_delete_it() -> None:
    broker = Broker()
    manage(broker, Request("CREATE", "queue", "q", {"exclusive": "connection"}), START_MS, Owner(1))
    assert manage(broker, Request("DELETE", "queue", "q"), START_MS, Owner(2)).status == 409
    assert manage(broker, Request("DELETE", "queue", "q"), START_MS, Owner(1)).status == 204


# ---------------------------------------------------------------------- messages


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
    assert asked(broker, operation, "q", "", **body) == (200, {"messages": messages})
    assert "".join(contents(broker, "q")) == left
    assert "".join(contents(broker, "other")) == there
    assert broker.lookup("q").queue.depth == len(left)


def test_what_a_full_queue_does_not_take_stays(broker_with_messages: Broker) -> None:
    broker = broker_with_messages
    assert asked(broker, "moveMessages", "q", destination="small") == (200, {"messages": [1]})
    assert contents(broker, "q") == ["1", "2", "3"]


def test_messages_that_are_held_are_left_to_their_consumer(broker_with_messages: Broker) -> None:
    broker = broker_with_messages
    receiver = LimitedReceiver(1)
    broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS).wake()
    broker.pump(START_MS)
    assert asked(broker, "deleteMessages", "q") == (200, {"messages": [2, 3, 4]})


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
    assert by_priority(change) == (["2", "1", "3"], after, {"messages": told})


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
    assert asked(broker, "reenqueueMessagesForPriorityChange", "q", "", **change) == (200, {"messages": [2]})
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
