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
    assert told.text.endswith("; such messages go to 'dead'")
    assert "_" not in told.text
    assert "{" not in told.text


def test_a_sentence_without_its_rule_ends_before_it() -> None:
    removals = [{"reason": reason, "sequence": 1} for reason in ("stale", "filtered")]
    told = explanations({"removals": removals, "remembers": 2, "last": 1}).found
    assert [each.text for each in told] == [
        "stale: a newer value of its key was there",
        "the queue's filter did not select it",
    ]


def test_what_never_was_the_value_of_its_key_replaced_nothing() -> None:
    removals = [
        {"reason": reason, "sequence": sequence}
        for reason, sequence in (("stale", 4), ("replaced", 2), ("replaced", 1))
    ]
    answer = {"current": {"sequence": 3}, "removals": removals, "remembers": 9, "last": 4}
    assert [each.text for each in explanations(answer).found[2:]] == [
        "replaced by a newer value of its key, 3",
        "replaced by a newer value of its key, 2",
    ]


def test_another_answer_is_refused() -> None:
    with pytest.raises(InvalidMessageError, match="no removals"):
        explanations({})
