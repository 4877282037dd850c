"""The request WHY: who may ask, and for what."""

from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, Response, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.queues.spec import LastValue, QueueSpec

ALICE = Owner(principal="alice")
PRICES = QueueSpec("prices", LastValue("symbol"), removal_log=10)


def asked(broker: Broker, owner: Owner = NOBODY, **body: Any) -> Response:
    return manage(broker, Request("WHY", "queue", "prices", body), START_MS, owner)


def test_whoever_may_not_browse_is_refused() -> None:
    broker = made(PRICES)
    permissions = Permissions([parse_rule("write prices")])
    broker.authorization.permissions = lambda _: permissions
    assert asked(broker, ALICE, key="A").status == 403


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({}, "one of key, sequence, message_id; the request has 0"),
        ({"key": "A", "sequence": 1}, "the request has 2"),
        ({"sequence": 0}, "expected a whole number from 1"),
        ({"sequence": True}, "expected a whole number from 1"),
        ({"key": {}}, "cannot be a key"),
    ],
)
def test_wrong_questions_are_refused(body: dict[str, Any], text: str) -> None:
    answer = asked(made(PRICES), **body)
    assert answer.status == 422
    assert text in answer.description


def test_a_queue_without_keys_has_no_key_to_ask_for() -> None:
    assert "it is not a last-value queue" in asked(made(QueueSpec("prices")), key="A").description
