"""The heads of a message's sections [AMQP 1.0 §3.2], and values within them."""

from collections.abc import Callable
from contextlib import nullcontext

import pytest

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.errors import DecodeError, LargeStructureError
from lastvalue.codec.amqp10.sections import (
    ABSENT,
    DATA,
    FOOTER,
    HEADER,
    MOST_HEAD_BYTES,
    MOST_STRUCTURE_BYTES,
    PROPERTIES,
    check_head,
    check_structure,
    decoded_sections,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import decode_value
from lastvalue.codec.amqp10.values import Array, Byte, Described, ULong

BODY = b"\x00\x53\x75\xa0\x01x"
DURABLE = b"\x00\x53\x70\xc0\x02\x01\x41"


@pytest.mark.parametrize(
    ("descriptor", "size"),
    [(b"\x53\x75", 3), (b"\x80\0\0\0\0\0\0\0\x75", 10), (b"\xa3\x10amqp:data:binary", 19)],
)
def test_a_section_is_named_by_its_descriptor_of_any_form(descriptor: bytes, size: int) -> None:
    payload = b"\x00" + descriptor + b"\xa0\x01x"
    assert section_head(payload, 0, len(payload)) == (DATA, size)


def test_behind_the_last_section_there_is_none() -> None:
    assert section_head(BODY, len(BODY), len(BODY)) == (ABSENT, len(BODY))


@pytest.mark.parametrize(
    "payload", [b"\x01", b"\x00", b"\x00\x53", b"\x53\x75\xa0", b"\x00\x80\0\0", b"\x00\x40\x40"]
)
def test_bytes_that_name_no_section_are_refused(payload: bytes) -> None:
    with pytest.raises(DecodeError):
        section_head(payload, 0, len(payload))


def test_sections_are_decoded_up_to_the_last_that_is_asked_for() -> None:
    leading = DURABLE + b"\x00\x53\x73\x45"
    payload = leading + BODY
    assert decoded_sections(payload, HEADER) == ({HEADER: [True]}, len(DURABLE))
    assert decoded_sections(payload, PROPERTIES) == (
        {HEADER: [True], PROPERTIES: []},
        len(payload) - len(BODY),
    )
    assert decoded_sections(payload, FOOTER)[1] == len(payload)


def test_sections_of_a_body_are_joined() -> None:
    assert decoded_sections(BODY + BODY, FOOTER)[0] == {DATA: b"xx"}
    sequence = b"\x00\x53\x76\xc0\x02\x01\x41"
    assert decoded_sections(sequence + sequence, FOOTER)[0] == {0x76: [True, True]}


def test_a_section_that_the_message_ends_within_is_refused() -> None:
    with pytest.raises(DecodeError):
        decoded_sections(BODY[:-1], FOOTER)


LARGE = MOST_STRUCTURE_BYTES + 1
MANY = {f"k{number}": number for number in range(LARGE // 12)}
HUGE = MOST_HEAD_BYTES + 1
LONG_HEAD = {f"k{number}": number for number in range(HUGE // 12)}


def test_bodies_of_very_many_sections_are_joined_once() -> None:
    assert decoded_sections(BODY * 200_000, FOOTER)[0] == {DATA: b"x" * 200_000}
    sequence = b"\x00\x53\x76\xc0\x02\x01\x41"
    assert decoded_sections(sequence * 200_000, FOOTER)[0] == {0x76: [True] * 200_000}


@pytest.mark.parametrize(
    ("content", "is_small"),
    [
        (MessageContent(body=bytes(LARGE)), True),
        (MessageContent(body="x" * LARGE), True),
        (MessageContent(body={"message": bytes(LARGE), "n": 1}), True),
        (MessageContent(application_properties={"a": "x" * LARGE}, body=b""), True),
        (MessageContent(body=MANY), False),
        (MessageContent(body=[1] * (LARGE // 20)), True),
        (MessageContent(body=[1] * (LARGE // 16)), False),
        (MessageContent(body=[1] * LARGE), False),
        (MessageContent(body=[{"a": 1}] * (LARGE // 8)), False),
        # In a nested list, map or array a value takes as long.
        (MessageContent(body=[[None] * (LARGE // 20)]), True),
        (MessageContent(body=[[None] * (LARGE // 16)]), False),
        (MessageContent(body=[[]] * (LARGE // 16)), False),
        (MessageContent(body={"a": {"b": [True] * (LARGE // 16)}}), False),
        (MessageContent(body=[Array("byte", [Byte(1)] * (LARGE // 20))]), True),
        (MessageContent(body=[Array("byte", [Byte(1)] * (LARGE // 16))]), False),
        (MessageContent(body=Array("null", [None] * 256)), True),
        (MessageContent(body=[Array("null", [None] * 16)] * (LARGE // 256)), False),
        (MessageContent(body=[Described(ULong(1), None)] * (LARGE // 32)), False),
        (MessageContent(application_properties=MANY, body=b""), False),
    ],
)
def test_only_what_is_decoded_at_once_may_be_large(content: MessageContent, is_small: bool) -> None:
    payload = encode_content(content)
    if is_small:
        check_structure(payload)
        return
    with pytest.raises(LargeStructureError):
        check_structure(payload)


def test_very_many_sections_are_refused() -> None:
    with pytest.raises(LargeStructureError):
        check_structure(BODY * 200_000)


def test_a_message_that_is_not_walked_has_few_values() -> None:
    # An array of 255 nulls takes 4 bytes.
    values = b"\x00\x53\x77\xe0\x02\xff\x40"
    assert decode_value(values, 3, len(values))[0] == Array("null", [None] * 255)
    check_structure(values * (4096 // len(values)))
    with pytest.raises(LargeStructureError):
        check_structure(values * (4096 // len(values) + 1))


@pytest.mark.parametrize(("megabytes", "is_refused"), [(3, False), (5, True)])
def test_texts_that_are_searched_for_what_to_escape_count_a_little(megabytes: int, is_refused: bool) -> None:
    payload = encode_content(MessageContent(body=["x" * (megabytes << 20)]))
    check_structure(payload)
    check_structure(encode_content(MessageContent(body="x" * (megabytes << 20))), escaped=True)
    with pytest.raises(LargeStructureError) if is_refused else nullcontext():
        check_structure(payload, escaped=True)


def test_properties_that_are_large_are_refused_and_a_body_is_not() -> None:
    check_head(encode_content(MessageContent(body=LONG_HEAD)))
    check_head(encode_content(MessageContent(body=bytes(HUGE))))
    with pytest.raises(LargeStructureError):
        check_head(encode_content(MessageContent(application_properties=LONG_HEAD, body=b"")))
    with pytest.raises(LargeStructureError):
        check_head(encode_content(MessageContent(application_properties={"a": "x" * HUGE}, body=b"")))


@pytest.mark.parametrize("check", [check_head, check_structure])
def test_a_large_message_that_ends_within_a_section_is_malformed(check: Callable[[bytes], None]) -> None:
    whole = encode_content(MessageContent(application_properties=LONG_HEAD, body=b""))
    with pytest.raises(DecodeError):
        check(b"\x00\x53\x74\xd1\x7f" + bytes(HUGE))
    with pytest.raises(DecodeError):
        check(whole[: HUGE + 1])
