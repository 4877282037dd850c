"""The encoding of a message as its readers get it."""

import pytest
from bare_queue import START_MS, encoded

from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.message import read_message
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
    # The annotations' map has a key without a value.
    message = read_message(b"\x00\x53\x72\xc1\x04\x01\xa3\x01a" + encoded("x", {}, None))
    assert delivered_payload(entry(START_MS + 5, message)) is message.encoded
