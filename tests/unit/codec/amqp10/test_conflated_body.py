"""lastvalue.codec.amqp10.conflated_body."""

import json
from contextlib import suppress

import pytest

from lastvalue.codec.amqp10.conflated_body import as_map, body_value, conflated_payload
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError, LargeStructureError


@pytest.mark.parametrize(
    ("body", "kind", "value"),
    [
        ({"a": 1}, BodyKind.VALUE, {"a": 1}),
        ('{"a": 1}', BodyKind.VALUE, {"a": 1}),
        (b'{"a": 1}', BodyKind.DATA, {"a": 1}),
        (b"\x00", BodyKind.DATA, b"\x00"),
        ("{broken", BodyKind.VALUE, "{broken"),
        ("[1]", BodyKind.VALUE, "[1]"),
        ({1: 2}, BodyKind.VALUE, {1: 2}),
        ([1, 2], BodyKind.SEQUENCE, [1, 2]),
        (None, BodyKind.VALUE, None),
    ],
)
def test_a_body_is_read_whatever_stands_before_it(body: object, kind: BodyKind, value: object) -> None:
    content = MessageContent(
        body=body,
        body_kind=kind,
        subject="s",
        ttl_ms=5,
        application_properties={"k": 1},
        message_annotations={"x-opt-a": 1},
        footer={"f": 1},
    )
    assert body_value(encode_content(content)) == value


def test_json_that_is_nested_too_deep_is_no_map() -> None:
    assert as_map("{" + '"a":{' * 100_000) is None


def test_a_message_gets_another_body_and_loses_what_held_for_one_update() -> None:
    content = MessageContent(
        body="text",
        priority=7,
        ttl_ms=5,
        delivery_annotations={"x-opt-d": 1},
        message_annotations={"x-opt-updates": 3, "x-opt-delivery-delay": 4, "x-opt-mine": 5},
        subject="s",
        application_properties={"k": "a"},
        footer={"f": 1},
    )
    payload = conflated_payload(encode_content(content), {"p": 1}, {"x-opt-policy": "sum(p)"}, True)
    made = decode_content(payload)
    assert (made.durable, made.priority, made.ttl_ms, made.subject) == (True, 7, 5, "s")
    assert made.message_annotations == {"x-opt-mine": 5, "x-opt-policy": "sum(p)"}
    assert (made.delivery_annotations, made.application_properties, made.footer) == ({}, {"k": "a"}, {})
    assert made.body == '{"p":1}'


def test_without_another_body_its_own_stays() -> None:
    payload = encode_content(MessageContent(body=b"\x01", body_kind=BodyKind.DATA, durable=True))
    made = decode_content(conflated_payload(payload, None, {}, False))
    assert (made.body, made.durable) == (b"\x01", False)


def test_a_message_that_ends_within_a_section_is_refused() -> None:
    with pytest.raises(DecodeError):
        body_value(b"\x00\x53\x74\xd1\x00")


@pytest.mark.parametrize(
    "content",
    [
        MessageContent(body={"a": [[None] * 20_000]}),
        MessageContent(body='{"a": "' + "x" * (1 << 18) + '"}'),
        MessageContent(body=b'{"a": "' + b"x" * (1 << 18) + b'"}'),
        MessageContent(body='{"a": [' + "[]," * 16_000 + "[]]}"),
        MessageContent(body=b'{"a": [' + b"[]," * 16_000 + b"[]]}"),
        MessageContent(body={"a": "x" * (1 << 20)}),
        MessageContent(body="x" * (1 << 20)),
    ],
    ids=[
        *("many values", "much JSON as text", "much JSON as bytes"),
        *(
            "many values of JSON as text",
            "many values of JSON as bytes",
            "a large text in a map",
            "a large text",
        ),
    ],
)
def test_a_body_that_would_take_long_to_read_is_refused(content: MessageContent) -> None:
    with pytest.raises(LargeStructureError):
        body_value(encode_content(content))


@pytest.mark.parametrize("before", [{}, "{}", b"{}"])
def test_a_body_that_the_next_update_could_not_read_is_not_made(before: object) -> None:
    payload = encode_content(MessageContent(body=before))
    few = {f"{number:x}": number for number in range(5000)}
    assert body_value(conflated_payload(payload, few, {}, False)) == few
    many = {f"{number:x}": number for number in range(40_000)}
    with pytest.raises(LargeStructureError):
        conflated_payload(payload, many, {}, False)


def test_a_body_of_many_bytes_is_read_at_once() -> None:
    assert body_value(encode_content(MessageContent(body=bytes(1_000_000)))) == bytes(1_000_000)


def test_the_signs_of_json_in_texts_are_no_values() -> None:
    text = ',:[{\\"' * 30_000
    assert body_value(encode_content(MessageContent(body=json.dumps({"a": text})))) == {"a": text}


@pytest.mark.parametrize(
    "body", ['{"a' + '\\"' * 120_000 + '"', '{"' + '"' * 200_000, '{"a\\' + "," * 20_000]
)
def test_texts_without_an_end_take_no_longer(body: str) -> None:
    # A search that began again at each quote would take minutes.
    with suppress(LargeStructureError):
        assert body_value(encode_content(MessageContent(body=body))) == body


def test_what_is_known_of_updates_is_bounded_too() -> None:
    payload = encode_content(MessageContent(body={}))
    orders = json.dumps({f"removed {number}": number for number in range(20_000)})
    with pytest.raises(LargeStructureError):
        conflated_payload(payload, {}, {"x-opt-conflation": orders}, False)


def test_a_large_body_is_not_made() -> None:
    payload = encode_content(MessageContent(body={}))
    conflated_payload(payload, {"a": "x" * 1_000_000}, {}, False)
    with pytest.raises(LargeStructureError):
        conflated_payload(payload, {"a": "x" * 1_100_000}, {}, False)
