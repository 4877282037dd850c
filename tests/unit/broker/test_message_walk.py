"""The messages that a request chooses are visited in several turns."""

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import FORWARDED_AT_ONCE, HANDLED_AT_ONCE
from lastvalue.broker.message_walk import Choice, MessageWalk
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value
from lastvalue.codec.amqp10.values import EncodedValue
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import ANY, Mode

MANY = 3 * FORWARDED_AT_ONCE


def filled(number: int = MANY) -> Broker:
    broker = made("q", "other")
    enqueue(broker, "q", *["x"] * number)
    return broker


def visited(broker: Broker, choice: Choice) -> tuple[list[object], list[str]]:
    """The sequences, which grow with each turn, and what happened at the end."""
    ended: list[str] = []

    def visit(entry: Entry, now: int) -> bool:
        assert now == START_MS
        return entry.sequence % 2 == 1

    walk = MessageWalk(broker.lookup("q"), choice, visit, 0, lambda: ended.append("ended"))
    return walk.begin(broker.long_commands, START_MS).sequences, ended


def test_a_part_is_visited_in_each_turn_and_the_sequences_grow() -> None:
    broker = filled()
    sequences, ended = visited(broker, Choice(lambda entry: True))
    assert sequences == list(range(1, FORWARDED_AT_ONCE, 2))
    broker.pump(START_MS)
    assert ended == []
    broker.pump(START_MS)
    assert sequences == list(range(1, MANY, 2))
    assert ended == ["ended"]


def test_at_most_as_many_are_visited_as_the_choice_says() -> None:
    sequences, ended = visited(filled(), Choice(lambda entry: entry.sequence > 4, 3))
    assert sequences == [5, 7]
    assert ended == ["ended"]


def test_what_was_chosen_and_left_is_listed() -> None:
    broker = filled(5)
    walk = MessageWalk(
        broker.lookup("q"), Choice(lambda entry: entry.sequence > 1), lambda entry, now: False, 0
    )
    assert walk.begin(broker.long_commands, START_MS).stayed == [2, 3, 4, 5]
    assert walk.sequences == []


def test_what_left_or_is_held_is_not_visited() -> None:
    broker = filled(3)
    receiver = LimitedReceiver(1)
    broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS).wake()
    broker.pump(START_MS)
    sequences, _ = visited(broker, Choice(lambda entry: True))
    assert sequences == [3]


def test_a_walk_ends_with_its_queue() -> None:
    broker = filled()
    _, ended = visited(broker, Choice(lambda entry: True))
    broker.delete("q", START_MS)
    broker.pump(START_MS)
    assert ended == ["ended"]


@pytest.mark.parametrize(
    ("operation", "left", "there"),
    [("moveMessages", 0, MANY), ("copyMessages", MANY, MANY), ("deleteMessages", 0, 0)],
)
def test_requests_are_carried_out_in_several_turns(operation: str, left: int, there: int) -> None:
    broker = filled()
    response = manage(broker, Request(operation, "queue", "q", {"destination": "other"}), START_MS)
    assert len(response.body["messages"]) == FORWARDED_AT_ONCE
    for _ in range(2):
        assert broker.busy
        broker.pump(START_MS)
    assert response.body["messages"] == list(range(1, MANY + 1))
    assert [broker.lookup(name).queue.depth for name in ("q", "other")] == [left, there]


def test_what_has_no_destination_any_more_stays() -> None:
    broker = filled()
    response = manage(broker, Request("moveMessages", "queue", "q", {"destination": "other"}), START_MS)
    broker.delete("other", START_MS)
    for _ in range(3):
        broker.pump(START_MS)
    assert len(response.body["messages"]) == FORWARDED_AT_ONCE
    assert broker.lookup("q").queue.depth == MANY - FORWARDED_AT_ONCE


def test_of_very_many_sequences_all_but_the_first_are_encoded_in_their_turns() -> None:
    broker = filled(2 * HANDLED_AT_ONCE)
    sequences, _ = visited(broker, Choice(lambda entry: True))
    while broker.long_commands.busy:
        broker.pump(START_MS)
    assert decode_value(encoded := encode_value(sequences), 0, len(encoded))[0] == list(
        range(1, 2 * HANDLED_AT_ONCE, 2)
    )
    assert isinstance(sequences[-1], EncodedValue)
