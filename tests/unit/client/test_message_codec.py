"""lastvalue.client.message_codec."""

from uuid import UUID

import pytest

from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message, encode_message
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.values import Timestamp, UInt

FULL = Message(
    b"body",
    {"symbol": "AAPL"},
    {"x-opt-origin": "a"},
    subject="quote",
    message_id=1,
    correlation_id=UUID(int=7),
    reply_to="answers",
    group_id="tech",
    content_type="application/json",
    durable=True,
    priority=9,
    ttl_ms=1000,
    updates=3,
)


@pytest.mark.parametrize(
    "body",
    [
        None,
        True,
        0,
        -5,
        2**63 - 1,
        1.5,
        "",
        "grün",
        "x" * 255,
        "x" * 256,
        b"",
        b"\x00\xff",
        b"x" * 255,
        b"x" * 256,
        [1, "two", None],
        {"bid": 1.5, "sizes": [1, 2], "venue": {"name": "X"}},
        UUID(int=1),
    ],
)
def test_a_body_comes_back_as_it_was(body: object) -> None:
    assert decode_message(encode_message(Message(body))) == Message(body)


@pytest.mark.parametrize(
    "value",
    [None, True, 0, 1, -129, 2**40, 2.5, "", "text", "x" * 300, b"bytes", UUID(int=1), UInt(7), Timestamp(8)],
)
def test_a_property_comes_back_as_it_was(value: object) -> None:
    assert decode_message(encode_message(Message("body", {"name": value}))).properties == {"name": value}


def test_many_properties_come_back() -> None:
    properties = {f"name-{number}": number for number in range(300)}
    assert decode_message(encode_message(Message(None, properties))).properties == properties


def test_every_field_comes_back() -> None:
    assert decode_message(encode_message(FULL)) == FULL


def test_the_quick_way_writes_what_the_general_way_writes() -> None:
    properties = {"symbol": "AAPL", "sequence": 2**40, "price": 1.5}
    general = encode_content(MessageContent(application_properties=properties, body="text"))
    assert encode_message(Message("text", properties)) == general


def test_updates_are_told_by_an_annotation() -> None:
    content = decode_content(encode_message(Message("body", updates=5)))
    assert content.message_annotations == {"x-opt-updates": 5}


def test_the_place_on_the_queue_is_read_from_the_delivery_annotations() -> None:
    message = decode_message(stamped(encode_message(FULL), 42, 1_700_000_000_000, 8))
    assert (message.sequence, message.arrival_time_ms, message.updates) == (42, 1_700_000_000_000, 8)


def test_what_a_queue_conflated_wins_over_what_the_producer_said() -> None:
    assert decode_message(stamped(encode_message(Message("body", updates=5)), 1, 1, 9)).updates == 9


def test_a_failed_delivery_is_counted() -> None:
    assert decode_message(encode_content(MessageContent(body="a", delivery_count=2))).delivery_count == 2


def test_buffers_are_sent_as_bytes() -> None:
    assert decode_message(encode_message(Message(memoryview(b"abc")))).body == b"abc"
    assert decode_message(encode_message(Message(bytearray(b"abc"), durable=True))).body == b"abc"


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (Message(object()), "object"),
        (Message(2**70), "cannot be encoded"),
        (Message([object()]), "object"),
        (Message("a", {"list": [1]}), "'list' needs a simple value"),
        (Message("a", {"map": {}}), "'map' needs a simple value"),
        (Message("a", {"set": {1}}), "set"),
        (Message("a", {1: "a"}), "a property's name must be text"),  # type: ignore[dict-item] # the fault
        (Message("a", {"name": "\ud800"}), "cannot be encoded"),
        (Message("\ud800"), "cannot be encoded"),
        (Message("a", {"list": [1]}, subject="s"), "simple value"),
        (Message("a", priority=256), "priority is 0 to 255"),
        (Message("a", priority=-1), "priority is 0 to 255"),
        (Message("a", ttl_ms=0), "ttl_ms is 1 to"),
        (Message("a", ttl_ms=2**32), "ttl_ms is 1 to"),
        (Message("a", updates=0), "updates is 1 or more"),
        (Message("a", content_type="grün"), "cannot be encoded"),
        (Message("a", message_id=-1), "cannot be encoded"),
        (Message("a", subject=5), "cannot be encoded"),  # type: ignore[arg-type] # the fault
        (Message("a", annotations={"x-opt-a": object()}), "cannot be encoded"),
        (Message("a", priority="high"), "cannot be encoded"),  # type: ignore[arg-type] # the fault
    ],
)
def test_what_amqp_cannot_carry_is_refused_and_named(message: Message, fault: str) -> None:
    with pytest.raises(InvalidMessageError, match=fault):
        encode_message(message)


@pytest.mark.parametrize("payload", [b"\x00", b"\x40", b"\x00\x53\x77", b"\x00\x53\x74\xc1\x01"])
def test_bytes_that_are_no_message_are_the_body_of_a_malformed_one(payload: bytes) -> None:
    message = decode_message(payload)
    assert message.malformed
    assert message.body == payload


def test_a_malformed_section_does_not_keep_readers_from_the_others() -> None:
    sent = encode_message(Message("x", {"k": "a"}, subject="s", content_type="text"))
    message = decode_message(sent.replace(b"text", b"t\xffxt"))
    assert (message.body, message.properties, message.subject) == ("x", {"k": "a"}, None)
    assert message.malformed is not None
    assert "ascii" in message.malformed
    assert decode_message(sent).malformed is None


def test_a_malformed_body_is_the_bytes_as_they_came() -> None:
    sent = encode_message(Message("text", {"k": "a"}))
    message = decode_message(sent.replace(b"text", b"t\xffxt"))
    assert (message.body, message.properties) == (b"\x00Sw\xa1\x04t\xffxt", {"k": "a"})
    assert message.malformed
