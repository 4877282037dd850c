"""The request KEYS: who may ask, for what, and what is told."""

from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import LOOKED_AT_ONCE
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests.management import Request, Response, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.queues.spec import LastValue, QueueSpec

PRICES = QueueSpec("prices", LastValue("symbol"), top_talkers=10)


def asked(broker: Broker, owner: Owner = NOBODY, **body: Any) -> Response:
    return manage(broker, Request("KEYS", "queue", "prices", body), START_MS + 1000, owner)


def put(hosted: HostedQueue, key: object, now: int) -> None:
    hosted.take(read_message(encode_plain_message(False, {"symbol": key}, None)), now)


def filled() -> Broker:
    broker = made(PRICES)
    hosted = broker.lookup("prices")
    for after_ms, key in enumerate(["a", 7, "a", True]):
        put(hosted, key, START_MS + after_ms)
    hosted.mark_changed()
    broker.drain(START_MS)
    return broker


def test_the_oldest_values_come_first_with_their_ages() -> None:
    keys = asked(filled(), limit=2).body["keys"]
    assert keys == [
        {"key": 7, "sequence": 2, "since_ms": START_MS + 1, "age_ms": 999, "updates": 1},
        {"key": "a", "sequence": 3, "since_ms": START_MS + 2, "age_ms": 998, "updates": 2},
    ]


def test_the_oldest_of_very_many_keys_are_found_in_several_turns_without_those_updated_meanwhile() -> None:
    broker = made(PRICES)
    hosted = broker.lookup("prices")
    for number in range(2 * LOOKED_AT_ONCE + 1):
        put(hosted, number, START_MS + (number * 7) % 3001)
    answer = asked(broker, limit=3)
    assert (answer.body["keys"], broker.long_commands.busy) == ([], True)
    put(hosted, 0, START_MS + 4000)
    turns = 0
    while broker.long_commands.busy:
        broker.pump(START_MS + 5000)
        turns += 1
    expected = sorted((number * 7 % 3001, number) for number in range(1, 2 * LOOKED_AT_ONCE + 1))[:3]
    assert turns == 2
    assert [each["key"] for each in answer.body["keys"]] == [number for _, number in expected]
    assert [each["age_ms"] for each in answer.body["keys"]] == [5000 - since for since, _ in expected]


def test_the_keys_that_are_updated_most_come_first() -> None:
    keys = asked(filled(), by="updates").body["keys"]
    assert keys[0] == {"key": "a", "messages": 2, "error": 0}
    assert {each["key"] for each in keys} == {"a", 7, True}


def test_whoever_may_not_browse_is_refused() -> None:
    broker = made(PRICES)
    permissions = Permissions([parse_rule("write prices")])
    broker.authorization.permissions = lambda _: permissions
    assert asked(broker, Owner(principal="alice")).status == 403


@pytest.mark.parametrize(
    ("spec", "body", "text"),
    [
        (PRICES, {"by": "size"}, "expected one of age, updates"),
        (PRICES, {"limit": 0}, "expected 1 to 1000"),
        (PRICES, {"limit": True}, "expected 1 to 1000"),
        (QueueSpec("prices", LastValue("symbol")), {"by": "updates"}, "set its option top_talkers"),
        (QueueSpec("prices"), {}, "it is not a last-value queue"),
    ],
)
def test_wrong_questions_are_refused(spec: QueueSpec, body: dict[str, Any], text: str) -> None:
    answer = asked(made(spec), **body)
    assert answer.status == 422
    assert text in answer.description
