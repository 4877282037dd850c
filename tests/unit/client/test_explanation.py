"""What became of a message, as the client tells it."""

import pytest

from lastvalue.client import Connection, InvalidMessageError, Message
from lastvalue.client.explanation import explanations
from lastvalue.queues.effects import Reason


async def test_the_value_of_a_key_and_what_it_replaced(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol", removal_log=10)
    for number in range(3):
        await prices.send(Message(number, {"symbol": "A"}, message_id=f"m-{number}"))
    asked = await prices.why(key="A")
    assert [(it.sequence, it.text) for it in asked.found] == [
        (3, "it is the value of its key"),
        (2, "replaced by a newer value of its key, 3"),
        (1, "replaced by a newer value of its key, 2"),
    ]
    assert (asked.remembers, asked.last, asked.found[0].updates) == (10, 3, 3)
    (by_id,) = (await prices.why(message_id="m-0")).found
    assert (by_id.sequence, by_id.message_id, by_id.reason) == (1, "m-0", "replaced")
    (by_sequence,) = (await prices.why(sequence=2)).found
    assert by_sequence.time_ms is not None
    assert by_sequence.arrival_ms <= by_sequence.time_ms


async def test_a_value_that_a_consumer_holds(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(1, {"symbol": "A"}))
    receiver = prices.receive()
    await anext(receiver)
    (held,) = (await prices.why(key="A")).found
    assert held.text == f"it is the value of its key, and a consumer of {held.user} holds it"
    assert held.user


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    removal = {"reason": reason.name.lower(), "sequence": 1, "user": "alice", "destination": "dead"}
    (told,) = explanations({"removals": [removal], "remembers": 1, "last": 1}).found
    moved = "moved to 'dead' by alice"
    assert (
        told.text == moved if reason is Reason.MOVED else told.text.endswith("; such messages go to 'dead'")
    )
    assert "_" not in told.text
    assert "{" not in told.text


def test_a_sentence_without_its_rule_ends_before_it() -> None:
    removals = [{"reason": reason, "sequence": 1} for reason in ("stale", "filtered")]
    told = explanations({"removals": removals, "remembers": 2, "last": 1}).found
    assert [each.text for each in told] == [
        "stale, a newer value of its key was there",
        "the queue's filter did not select it",
    ]


async def test_a_stale_value_replaced_nothing(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol", order_by="n", removal_log=10)
    for number in (1, 2, 3, 0):
        await prices.send(Message(number, {"symbol": "A", "n": number}))
    assert [(it.sequence, it.newer, it.text) for it in (await prices.why(key="A")).found] == [
        (3, None, "it is the value of its key"),
        (4, 3, "stale, a newer value of its key was there, 3: 0 < 3"),
        (2, 3, "replaced by a newer value of its key, 3"),
        (1, 2, "replaced by a newer value of its key, 2"),
    ]


def test_what_an_older_broker_says_has_no_successor() -> None:
    answer = {"removals": [{"reason": "replaced", "sequence": 2}], "remembers": 9, "last": 4}
    (told,) = explanations(answer).found
    assert (told.newer, told.text) == (None, "replaced by a newer value of its key")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"reason": "duplicate", "newer": 2}, "the queue had taken a message of the same id, 2"),
        ({"reason": "key_deleted", "newer": 9, "user": "rx"}, "its key was deleted by message 9"),
        ({"reason": "key_deleted", "newer": 4}, "it deleted the value of its key"),
        ({"reason": "overflow"}, "the queue was full"),
        ({"reason": "moved", "rule": "priority 7", "user": "al"}, "put in again with priority 7 by al"),
        ({"reason": "moved"}, "moved to another queue"),
    ],
)
def test_the_cause_is_in_the_sentence(fields: dict[str, object], text: str) -> None:
    answer = {"removals": [{"sequence": 4, **fields}], "remembers": 9, "last": 9}
    assert [each.text for each in explanations(answer).found] == [text]


def test_another_answer_is_refused() -> None:
    with pytest.raises(InvalidMessageError, match="no removals"):
        explanations({})
