"""The heads of a message's sections [AMQP 1.0 §3.2], and values within them."""

import pytest

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.sections import (
    ABSENT,
    DATA,
    FOOTER,
    HEADER,
    PROPERTIES,
    decoded_sections,
    section_head,
)

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
