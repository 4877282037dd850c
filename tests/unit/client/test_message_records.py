"""lastvalue.client.message_records."""

import pytest

from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message
from lastvalue.client.message_records import message_from_record, message_record

FULL = Message(
    {"bid": 1.5, "sizes": [1, 2]},
    {"symbol": "AAPL"},
    {"x-opt-origin": "a"},
    subject="quote",
    message_id="1",
    correlation_id="0",
    reply_to="answers",
    group_id="tech",
    content_type="application/json",
    durable=True,
    priority=9,
    ttl_ms=1000,
    updates=3,
)


def test_a_record_leaves_out_what_is_not_set() -> None:
    assert message_record(Message("hello")) == {"body": "hello", "updates": 1}


def test_a_record_tells_the_place_on_the_queue() -> None:
    record = message_record(Message(1, sequence=7, arrival_time_ms=1000, delivery_count=1))
    assert record == {"body": 1, "updates": 1, "sequence": 7, "arrival_time_ms": 1000, "delivery_count": 1}


def test_a_record_makes_the_message_again() -> None:
    assert message_from_record(message_record(FULL), Message()) == FULL


def test_bytes_that_are_text_are_printed_as_text() -> None:
    assert message_record(Message("grün".encode()))["body"] == "grün"


def test_other_bytes_are_printed_as_base64_and_come_back() -> None:
    record = message_record(Message(b"\xff\x00"))
    assert record["body_base64"] == "/wA="
    assert message_from_record(record, Message()).body == b"\xff\x00"


def test_a_record_does_not_carry_the_place_on_another_queue_over() -> None:
    record = message_record(Message("a", sequence=7, arrival_time_ms=1000, delivery_count=1))
    assert message_from_record(record, Message()) == Message("a")


def test_the_template_gives_what_the_record_leaves_open_and_its_properties_win() -> None:
    template = Message(properties={"source": "b"}, subject="quote")
    message = message_from_record({"body": 1, "properties": {"source": "a", "symbol": "X"}}, template)
    assert message == Message(1, {"source": "b", "symbol": "X"}, subject="quote")


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ([1], "a JSON object"),
        ({"bdoy": 1}, "does not have the field 'bdoy'; it may have body"),
        ({"properties": [1]}, "properties must be a JSON object"),
        ({"body_base64": "?"}, "not base64"),
    ],
)
def test_a_record_that_is_no_message_is_refused(record: object, fault: str) -> None:
    with pytest.raises(InvalidMessageError, match=fault):
        message_from_record(record, Message())
