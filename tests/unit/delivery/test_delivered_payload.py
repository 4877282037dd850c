"""The encoding of a message as its readers get it."""

from dataclasses import replace

import pytest
from bare_queue import START_MS, encoded

from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Symbol, Timestamp
from lastvalue.delivery.delivered_payload import delivered_payload
from lastvalue.model.message import NEVER, Message
from lastvalue.queues.entry import Entry


def entry(expires_ms: int, message: Message) -> Entry:
    return Entry(1, message, START_MS, expires_ms, 1)


@pytest.mark.parametrize(
    ("expires_ms", "payload"),
    [
        (NEVER, encoded("x", {}, None)),
        (START_MS + 5, encoded("x", {}, 5)),
        (START_MS + 5, encoded("x", {}, None, absolute_expiry_time=START_MS + 5)),
        (START_MS + 5, encoded("x", {}, 5, absolute_expiry_time=START_MS + 9)),
    ],
    ids=["none", "time to live", "expiry time", "the sooner of both"],
)
def test_a_message_that_expires_as_its_producer_says_is_delivered_as_it_came(
    expires_ms: int, payload: bytes
) -> None:
    message = read_message(payload)
    assert delivered_payload(entry(expires_ms, message)) is message.encoded


@pytest.mark.spec("amqp-1.0", "3.2.1", "the time to live counts from the arrival")
def test_the_queue_s_expiry_takes_the_place_of_the_producer_s() -> None:
    payload = encoded("x", {"a": 1}, 500, absolute_expiry_time=START_MS + 400, subject="s")
    content = decode_content(delivered_payload(entry(START_MS + 9000, read_message(payload))))
    assert (content.ttl_ms, content.absolute_expiry_time) == (9000, START_MS + 9000)
    assert (content.body, content.subject, content.application_properties) == ("x", "s", {"a": 1})


def test_a_message_that_never_expires_on_its_queue_says_no_expiry() -> None:
    payload = encoded("x", {}, 500, absolute_expiry_time=START_MS + 400, subject="s")
    content = decode_content(delivered_payload(entry(NEVER, read_message(payload))))
    assert (content.ttl_ms, content.absolute_expiry_time, content.subject) == (None, None, "s")


def test_a_time_to_live_that_is_too_long_for_its_field_is_left_out() -> None:
    content = decode_content(delivered_payload(entry(START_MS + 2**32, read_message(encoded("x", {}, None)))))
    assert (content.ttl_ms, content.absolute_expiry_time) == (None, START_MS + 2**32)


def test_a_malformed_message_is_delivered_as_it_came() -> None:
    # The only field of the properties is longer than they are.
    message = read_message(b"\x00\x53\x73\xc0\x03\x01\xa1\x09")
    assert delivered_payload(entry(START_MS + 5, message)) is message.encoded


@pytest.mark.parametrize("expires_ms", [NEVER, START_MS + 9000])
@pytest.mark.parametrize(
    "content",
    [
        MessageContent(body="x"),
        MessageContent(body="x", priority=7, durable=True),
        MessageContent(body="x", ttl_ms=5, delivery_count=3),
        MessageContent(body="x", ttl_ms=5, delivery_annotations={Symbol("a"): 1}, message_id="m"),
        MessageContent(body="x", message_annotations={Symbol("a"): "b"}, group_sequence=9, group_id="g"),
        MessageContent(body="x", subject="s" * 300, absolute_expiry_time=Timestamp(5)),
        MessageContent(body="x", subject="s" * 244, application_properties={"a": "b"}),
    ],
    ids=str,
)
def test_everything_but_the_expiry_stays(content: MessageContent, expires_ms: int) -> None:
    message = read_message(encode_content(content))
    delivered = decode_content(delivered_payload(entry(expires_ms, message)))
    ttl_ms, at_ms = (None, None) if expires_ms == NEVER else (9000, Timestamp(expires_ms))
    assert delivered == replace(content, ttl_ms=ttl_ms, absolute_expiry_time=at_ms)
