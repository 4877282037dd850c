"""A message on its way from one queue to another."""

from dataclasses import replace

import pytest

from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.payloads import forwarded_payload
from lastvalue.model.message import NEVER

NOTES = {"x-opt-original-queue": "q", "x-opt-reason": "expired"}
CONTENT = MessageContent(
    durable=True,
    priority=7,
    ttl_ms=10,
    delivery_count=2,
    delivery_annotations={"x-opt-here": 1},
    message_annotations={"x-opt-reason": "older", "x-opt-kept": 5},
    subject="s",
    absolute_expiry_time=1_700_000_000_000,
    creation_time=1_600_000_000_000,
    application_properties={"a": 1},
    body="body",
)


@pytest.mark.spec("amqp-1.0", "3.2.3", "message annotations are passed on")
@pytest.mark.spec("amqp-1.0", "3.2.2", "delivery annotations are not passed on")
def test_the_copy_has_the_notes_and_all_else_but_its_delivery_annotations() -> None:
    original = read_message(encode_content(CONTENT))
    original.origin = "me"
    copy = original.forwarded(NOTES, keeps_expiry=True)
    content = decode_content(copy.encoded)
    assert content.message_annotations == {**NOTES, "x-opt-kept": 5}
    assert content.delivery_annotations == {}
    assert (content.subject, content.application_properties, content.body) == ("s", {"a": 1}, "body")
    assert (copy.durable, copy.priority, copy.ttl_ms, copy.expires_ms, copy.origin) == (
        True,
        7,
        10,
        1_700_000_000_000,
        "me",
    )


def test_what_has_expired_does_not_expire_again() -> None:
    copy = read_message(encode_content(CONTENT)).forwarded(NOTES, keeps_expiry=False)
    content = decode_content(copy.encoded)
    assert (copy.ttl_ms, copy.expires_ms, content.ttl_ms, content.absolute_expiry_time) == (
        NEVER,
        NEVER,
        None,
        None,
    )
    assert (content.priority, content.creation_time) == (7, 1_600_000_000_000)


def test_a_message_of_nothing_but_a_body_is_annotated() -> None:
    copy = read_message(encode_content(MessageContent(body=b"x" * 1000))).forwarded(NOTES, keeps_expiry=True)
    assert decode_content(copy.encoded).message_annotations == NOTES


def test_a_message_that_cannot_be_read_raises() -> None:
    message = read_message(encode_content(MessageContent(message_annotations={"a": 1}, body="")))
    message.encoded = b"\x00\x53\x72\xc1\x03\x02\xa1\xff"
    with pytest.raises(DecodeError):
        message.forwarded(NOTES, keeps_expiry=True)


@pytest.mark.parametrize(
    "content", [CONTENT, MessageContent(body="body"), MessageContent(durable=True, body="")]
)
def test_a_message_may_be_given_another_priority(content: MessageContent) -> None:
    copy = read_message(encode_content(content)).with_priority(9)
    assert copy.priority == 9
    assert decode_content(copy.encoded) == replace(content, priority=9)


def test_a_message_is_forwarded_to_another_place() -> None:
    payload = encode_content(MessageContent(subject="old", body="b", application_properties={"n": 1}))
    content = decode_content(
        forwarded_payload(payload, {"x-opt-mqtt-retained": 0}, True, ("amq.topic", "new"))
    )
    assert (content.to, content.subject, content.body) == ("amq.topic", "new", "b")
    assert dict(content.application_properties) == {"n": 1}
    assert dict(content.message_annotations) == {"x-opt-mqtt-retained": 0}
