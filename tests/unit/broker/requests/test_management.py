"""Requests to the management node."""

from typing import Any

import pytest
from bare_queue import START_MS, encoded
from broker_desk import LimitedReceiver, made
from canned_message import Bell

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.spec import (
    Limit,
    Priority,
    QueueSpec,
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


@pytest.fixture
def broker_with_messages() -> Broker:
    broker = made("q", "other", QueueSpec("small", limit=Limit(1)))
    for number in range(4):
        broker.publish(
            broker.queue_target("q"), read_message(encoded(str(number), {"n": number}, None)), START_MS
        )
    return broker


def shown(broker: Broker) -> list[str]:
    receiver = LimitedReceiver(10)
    reader = broker.read(broker.lookup("q"), Mode.BROWSE, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    broker.pump(START_MS)
    return receiver.bodies
