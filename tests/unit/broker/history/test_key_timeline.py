"""The records of a key, as TIMELINE finds them in a history."""

import pytest
from bare_queue import START_MS
from broker_desk import made
from moment_questions import RING, VALUES, ask, filled, put, put_many, received

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests import moment_requests
from lastvalue.broker.requests.management import Request, manage
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Value
from lastvalue.history.records import read_record
from lastvalue.queues.spec import Limit, QueueSpec, WhenFull


def timeline(broker: Broker, key: str, after: int = 0) -> list[tuple[int, str]]:
    """The records about a key's messages and its queue, each by its number and its effect."""
    answer = ask(broker, "TIMELINE", "h", queue="q", key=key, after=after).body
    assert not answer["more"]
    records = [read_record(encoded, offset) for offset, encoded in answer["records"]]
    return [(record.offset, record.effect) for record in records]


def test_the_records_of_a_key_are_found_in_the_whole_history() -> None:
    broker = filled(VALUES, count=5)
    assert timeline(broker, "b") == [(1, "declared"), (3, "added"), (6, "added"), (7, "removed")]
    assert timeline(broker, "b", after=3) == [(6, "added"), (7, "removed")]
    assert timeline(broker, "nosuch") == [(1, "declared")]


def test_the_records_of_a_key_behind_a_base_begin_with_what_is_in_force() -> None:
    broker = filled(RING, VALUES)
    answer = ask(broker, "TIMELINE", "h", queue="q", key="a").body
    assert (answer["base_end"], answer["first_ms"]) == (13, START_MS + 7)
    assert timeline(broker, "a") == [(1, "declared"), (12, "added"), (16, "added"), (17, "removed")]


@pytest.mark.parametrize(
    ("key", "asked"),
    [("text", "text"), (7, "7"), (-7, "-7"), ("7", "7"), (2**64 - 1, f"i{2**64 - 1}".encode().hex())],
)
def test_a_key_is_found_by_its_text_whatever_its_type(key: Value, asked: str) -> None:
    broker = made(VALUES)
    content = MessageContent(application_properties={"k": key})
    broker.publish(broker.queue_target("q"), read_message(encode_content(content)), START_MS)
    broker.drain(START_MS)
    assert timeline(broker, asked) == [(1, "declared"), (2, "added")]


def test_records_of_a_key_that_are_dropped_while_they_are_looked_for_are_in_the_base() -> None:
    broker = made(QueueSpec("h", limit=Limit(messages=3_000, when_full=WhenFull.DROP_OLDEST)), VALUES)
    put_many(broker, range(1_600))
    put(broker, "c", "only", START_MS + 1_600)
    answer = manage(broker, Request("TIMELINE", "queue", "h", {"queue": "q", "key": "c"}), START_MS + 1_600)
    put_many(broker, range(1_600, 4_000))
    while broker.long_commands.busy:
        broker.long_commands.step(START_MS + 4_000)
    body = received(answer.body)
    records = [read_record(encoded, offset) for offset, encoded in body["records"]]
    assert [record.effect for record in records] == ["declared", "added"]
    assert records[-1].offset <= body["base_end"]


def test_many_records_of_a_key_come_in_several_answers() -> None:
    broker = made(VALUES)
    for _ in range(3):
        put(broker, "a", "a" * (moment_requests.MOST_BYTES + 1), START_MS)
    answers = [ask(broker, "TIMELINE", "h", queue="q", key="a", after=after).body for after in (0, 2, 3, 6)]
    assert [len(answer["records"]) for answer in answers] == [2, 1, 2, 0]
    assert [answer["more"] for answer in answers] == [True, True, True, False]


def test_a_queue_that_is_no_history_has_no_timelines() -> None:
    refused = ask(filled(VALUES), "TIMELINE", "q", queue="q", key="a")
    assert refused.status == 422
    assert "not a history" in refused.description
