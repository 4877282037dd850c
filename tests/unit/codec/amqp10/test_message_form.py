"""Forms of messages: what those have in common that differ only in values."""

from dataclasses import replace

import pytest

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message_form import (
    SECONDS,
    SECTION,
    UUID_TEXT,
    FormBenefit,
    FormPlace,
    MessageForm,
    form_places,
)

USUAL = MessageContent(
    message_id="id-1",
    creation_time=1_700_000_000_123,
    application_properties={"key": "k", "price": 1.5, "halted": True},
    body=b"body",
    body_kind=BodyKind.DATA,
)
EXAMPLE = encode_content(USUAL)


def places_of(data: bytes) -> list[FormPlace]:
    places = form_places(data)
    assert places is not None
    return places


def form_of(data: bytes, got: list[bytes]) -> MessageForm:
    """A form whose values all come into a list."""
    places = places_of(data)
    for place in places:
        if place.kind < SECTION:
            place.put(got, data)
    return MessageForm(data, places)


def test_messages_that_differ_in_values_have_one_form() -> None:
    got: list[bytes] = []
    form = form_of(EXAMPLE, got)
    assert got == [
        b"\x04id-1",
        (1_700_000_000_123).to_bytes(8, "big"),
        b"\x01k",
        bytes.fromhex("3ff8000000000000"),
        b"\x41",
    ]
    other = replace(
        USUAL, message_id="", application_properties={"key": "longer", "price": 0.0, "halted": None}
    )
    data = encode_content(replace(other, body=b"another body"))
    assert form.fits(data)
    assert got == [b"\x00", (1_700_000_000_123).to_bytes(8, "big"), b"\x06longer", bytes(8), b"\x40"]
    assert data[form.body :] == b"another body"
    assert data[form.application :].startswith(b"\x06\xa1\x03key")


@pytest.mark.parametrize(
    ("milliseconds", "seconds"), [(1_700_000_000_123, 1_700_000_000), (999, 0), (-1, 0), (-(2**63), 0)]
)
def test_a_time_may_be_seconds(milliseconds: int, seconds: int) -> None:
    data = encode_content(replace(USUAL, message_id=None, creation_time=milliseconds))
    places = places_of(data)
    got: list[bytes] = []
    places[1].kind = SECONDS
    places[1].put(got, data)
    assert MessageForm(data, [*places[:3], places[-1]]).fits(data)
    assert got == [seconds.to_bytes(8, "big")]


@pytest.mark.parametrize(
    "other",
    [
        replace(USUAL, application_properties={"kez": "k", "price": 1.5, "halted": True}),
        replace(USUAL, application_properties={"key": "k", "price": 1, "halted": True}),
        replace(USUAL, application_properties={"key": "k" * 300, "price": 1.5, "halted": True}),
        replace(USUAL, application_properties={}),
        replace(USUAL, durable=True),
        replace(USUAL, body=b"x" * 300),
    ],
)
def test_messages_that_differ_in_more_have_another_form(other: MessageContent) -> None:
    assert not form_of(EXAMPLE, []).fits(encode_content(other))


@pytest.mark.parametrize("section", [b"\x00\x53\x73\xc0", b"\x00\x53\x74\xc1", b"\x00\x53\x75\xa0"])
@pytest.mark.parametrize("more", [-1, 1])
def test_a_message_whose_sections_have_wrong_sizes_does_not_fit(section: bytes, more: int) -> None:
    form = form_of(EXAMPLE, [])
    at = EXAMPLE.index(section) + len(section)
    assert form.fits(EXAMPLE)
    assert not form.fits(EXAMPLE[:at] + bytes((EXAMPLE[at] + more,)) + EXAMPLE[at + 1 :])


@pytest.mark.parametrize(
    "end", [len(EXAMPLE) - 1, EXAMPLE.index(b"\x00\x53\x75"), EXAMPLE.index(b"k\xa1"), 9]
)
def test_a_message_that_is_cut_off_does_not_fit(end: int) -> None:
    assert not form_of(EXAMPLE, []).fits(EXAMPLE[:end])


@pytest.mark.parametrize(("size", "fits"), [(300, True), (3000, True), (5000, False)])
def test_large_values_are_not_kept(size: int, fits: bool) -> None:
    wide = {"key": "k" * 250, "price": 1.5, "halted": True}
    form = form_of(encode_content(replace(USUAL, application_properties=wide)), [])
    other = wide | {"halted": "h" * size}
    assert form.fits(encode_content(replace(USUAL, application_properties=other))) is fits


def test_a_message_that_ends_before_a_size_does_not_fit() -> None:
    with pytest.raises(IndexError):
        form_of(EXAMPLE, []).fits(EXAMPLE[: EXAMPLE.index(b"body") - 1])


@pytest.mark.parametrize(
    "other",
    [
        replace(USUAL, message_annotations={"x-opt-a": 1}),
        replace(USUAL, body="text", body_kind=BodyKind.VALUE),
        replace(USUAL, application_properties={f"key {number}": "k" for number in range(65)}),
        replace(USUAL, application_properties={"n" * 1100: "k"}),
    ],
)
def test_unusual_messages_have_no_form(other: MessageContent) -> None:
    assert form_places(encode_content(other)) is None


def test_what_is_no_message_has_no_form() -> None:
    with pytest.raises((DecodeError, IndexError)):
        form_places(b"\x01" + EXAMPLE[1:])
    assert form_places(EXAMPLE + EXAMPLE[EXAMPLE.index(b"\x00\x53\x75") :]) is None


def test_forms_are_learnt_seldom_if_every_message_has_another_one() -> None:
    benefit = FormBenefit()
    assert sum(benefit.missed() for _ in range(64 * 10)) == 63 + 10
    benefit.found()
    assert benefit.missed()


def test_a_uuid_may_be_a_text() -> None:
    data = b"\x00\x53\x73\xc0\x12\x01\x98" + bytes(range(16)) + b"\x00\x53\x75\xa0\x00"
    places = places_of(data)
    got: list[bytes] = []
    places[1].kind = UUID_TEXT
    places[1].put(got, data)
    MessageForm(data, places)
    assert got == [b"\x2400010203-0405-0607-0809-0a0b0c0d0e0f"]
