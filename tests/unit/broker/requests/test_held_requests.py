"""The request HELD: what consumers have and have not settled."""

from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.requests.management import Request, Response, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value
from lastvalue.queues.subscription import ANY, Mode, Outcome

ALICE = Owner(principal="alice")


def consume(broker: Broker, room: int, user: str) -> QueueReader:
    owner = Owner(principal=user)
    reader = broker.read(broker.lookup("q"), Mode.CONSUME, LimitedReceiver(room), ANY, owner, START_MS)
    reader.wake()
    while len(reader.subscription.held.entries()) < room:
        broker.pump(START_MS)
    return reader


def asked(broker: Broker, owner: Owner = NOBODY, **body: Any) -> Response:
    return manage(broker, Request("HELD", "queue", "q", body), START_MS, owner)


def listed(broker: Broker, **body: Any) -> list[dict[str, Any]]:
    response = asked(broker, **body)
    while broker.long_commands.busy:
        broker.pump(START_MS)
    encoded = encode_value(response.body)
    answer, _ = decode_value(encoded, 0, len(encoded))
    assert isinstance(answer, list)
    return answer


@pytest.fixture
def broker() -> Broker:
    broker = made("q")
    enqueue(broker, "q", *(str(number) for number in range(10)))
    consume(broker, 2, "alice")
    consume(broker, 3, "bob")
    return broker


def test_who_has_which_messages(broker: Broker) -> None:
    told = listed(broker)
    assert [each["sequence"] for each in told] == [1, 2, 3, 4, 5]
    assert sorted(each["user"] for each in told) == ["alice"] * 2 + ["bob"] * 3
    assert [each["sequence"] for each in listed(broker, after=2, limit=2)] == [3, 4]


def test_what_is_settled_meanwhile_is_left_out() -> None:
    broker = made("q")
    enqueue(broker, "q", *(str(number) for number in range(3000)))
    reader = consume(broker, 2500, "alice")
    response = asked(broker, limit=2)
    assert (broker.long_commands.busy, response.body) == (True, [])
    first = min(reader.subscription.held.entries(), key=lambda each: each.sequence)
    broker.lookup("q").queue.settle(first, Outcome.ACCEPTED, START_MS)
    while broker.long_commands.busy:
        broker.pump(START_MS)
    assert isinstance(response.body, list)
    assert len(response.body) == 1


def test_whoever_may_not_browse_is_refused(broker: Broker) -> None:
    permissions = Permissions([parse_rule("write q")])
    broker.authorization.permissions = lambda _: permissions
    assert asked(broker, ALICE).status == 403


@pytest.mark.parametrize(
    "body", [{"after": -1}, {"after": "1"}, {"limit": 0}, {"limit": 1001}, {"limit": True}, {"after": 2**63}]
)
def test_wrong_pages_are_refused(broker: Broker, body: dict[str, Any]) -> None:
    assert asked(broker, **body).status == 422
