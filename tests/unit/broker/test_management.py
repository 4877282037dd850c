"""Requests to the management node."""

import pytest
from bare_queue import START_MS

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import Request, manage


def asked(
    broker: Broker, operation: str, name: str = "", kind: str = "", **body: object
) -> tuple[int, object]:
    response = manage(broker, Request(operation, kind, name, body), START_MS)
    return response.status, response.body


def test_a_queue_is_made_shown_purged_and_deleted() -> None:
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
    assert asked(broker, "QUERY") == (200, [])


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
