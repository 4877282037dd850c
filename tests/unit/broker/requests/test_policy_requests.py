"""lastvalue.broker.requests.policy_requests."""

from typing import Any

import pytest

from lastvalue.broker.administration.request import Request
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import manage

POLICY = {
    "pattern": "a.*",
    "node": "queue",
    "on_publish": True,
    "on_consume": False,
    "options": {"paused": True},
}


def asked(broker: Broker, operation: str, **body: Any) -> tuple[int, Any]:
    response = manage(broker, Request(operation, "policy", body=body), 0)
    return response.status, response.body if response.status == 200 else response.description


def test_policies_are_replaced_and_shown_in_their_order() -> None:
    broker = Broker()
    exchange = {"pattern": "x.*", "node": "exchange", "on_consume": True, "options": {"type": "topic"}}
    shown = [{**exchange, "on_publish": False}, POLICY]
    assert asked(broker, "UPDATE", policies=[exchange, POLICY]) == (200, shown)
    assert asked(broker, "QUERY") == (200, shown)
    assert broker.missing.create("a.b", publishing=True)
    assert broker.lookup("a.b").queue.spec.paused
    assert asked(broker, "UPDATE", policies=[]) == (200, [])


@pytest.mark.parametrize(
    ("operation", "body", "status", "text"),
    [
        ("UPDATE", {}, 422, "needs policies, a list"),
        ("UPDATE", {"policies": ["a"]}, 422, "a policy is a map"),
        ("UPDATE", {"policies": [{**POLICY, "options": 5}]}, 422, "options is 5"),
        (
            "UPDATE",
            {"policies": [{**POLICY, "options": {"colour": 5}}]},
            422,
            "unknown queue option 'colour'",
        ),
        ("UPDATE", {"policies": [{**POLICY, "node": "link"}]}, 422, "not 'link'"),
        ("DELETE", {}, 501, "expected QUERY or UPDATE"),
    ],
)
def test_what_is_no_list_of_policies_is_refused_and_changes_nothing(
    operation: str, body: dict[str, Any], status: int, text: str
) -> None:
    broker = Broker()
    asked(broker, "UPDATE", policies=[POLICY])
    answer = asked(broker, operation, **body)
    assert answer[0] == status
    assert text in answer[1]
    assert asked(broker, "QUERY") == (200, [POLICY])
