"""Annotations that are put into a message as bytes."""

from typing import Any

import pytest

from lastvalue.codec.amqp10.annotations import (
    annotation_name,
    bytes_annotation,
    key_annotation,
    number_annotation,
    split_annotations,
    text_annotation,
    time_annotation,
    with_annotations,
)
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import annotated, read_message
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Described, Symbol, Timestamp

PREFIX = "x-opt-n-"
NOTES = text_annotation(annotation_name("x-opt-n-a"), "one") + number_annotation(
    annotation_name("x-opt-n-b"), -7
)


def encoded(**fields: Any) -> bytes:
    return encode_content(MessageContent(**{"body": "text", "subject": "s", **fields}))


@pytest.mark.parametrize(
    "payload",
    [
        encoded(),
        encoded(durable=True, ttl_ms=5),
        encoded(message_annotations={"x-opt-other": "kept"}),
        encoded(message_annotations={f"x-opt-{number}": "much" * 20 for number in range(200)}),
        encoded(message_annotations={"x-opt-other": "kept"}, durable=True),
    ],
)
def test_notes_come_out_as_they_were_put_in_and_leave_the_message_as_it_was(payload: bytes) -> None:
    taken = split_annotations(with_annotations(payload, NOTES, 2, PREFIX.encode()), PREFIX)
    assert taken.annotations == {"x-opt-n-a": "one", "x-opt-n-b": -7}
    assert decode_content(taken.message) == decode_content(payload)


def test_a_message_may_be_nothing_but_notes() -> None:
    message = with_annotations(b"", NOTES, 2, PREFIX.encode())
    assert read_message(message).annotated
    assert split_annotations(message, PREFIX).message == b""


def test_notes_that_a_message_brings_are_left_out() -> None:
    payload = encoded(message_annotations={"x-opt-n-a": "forged", "x-opt-other": "kept"})
    content = decode_content(with_annotations(payload, NOTES, 2, PREFIX.encode()))
    assert content.message_annotations == {"x-opt-n-a": "one", "x-opt-n-b": -7, "x-opt-other": "kept"}


def test_delivery_annotations_stay_behind_and_later_ones_are_told() -> None:
    message = with_annotations(annotated(encoded(), {"x-opt-for": "one hop"}), NOTES, 2, PREFIX.encode())
    assert decode_content(message).delivery_annotations == {}
    assert split_annotations(annotated(message, {"x-opt-place": 3}), PREFIX).place == {"x-opt-place": 3}


def test_sections_may_be_named_by_their_symbols() -> None:
    header = encode_value(Described(Symbol("amqp:header:list"), [True]))
    annotations = encode_value(
        Described(Symbol("amqp:message-annotations:map"), {Symbol("x-opt-other"): "kept"})
    )
    message = with_annotations(header + annotations + encoded(subject=None), NOTES, 2, PREFIX.encode())
    assert read_message(message).durable
    assert decode_content(message).message_annotations["x-opt-other"] == "kept"


def test_annotations_that_cannot_be_read_are_behind_the_notes_or_left_out() -> None:
    broken = b"\x00\x53\x72\xc1\x04\x02\xa3\x09x" + encoded(subject=None)
    assert split_annotations(with_annotations(broken, NOTES, 2, PREFIX.encode()), PREFIX).annotations == {
        "x-opt-n-a": "one",
        "x-opt-n-b": -7,
    }
    forged = b"\x00\x53\x72\xc1\x0b\x02\xa3\x29x-opt-n-" + encoded(subject=None)
    assert split_annotations(with_annotations(forged, NOTES, 2, PREFIX.encode()), PREFIX).message == encoded(
        subject=None
    )


@pytest.mark.parametrize(
    ("note", "value"),
    [
        (text_annotation(b"", "ö" * 200), "ö" * 200),
        (bytes_annotation(b"", b"\x00"), b"\x00"),
        (time_annotation(b"", 5), Timestamp(5)),
        (key_annotation(b"", encode_value("k"), False), "k"),
        (key_annotation(b"", encode_value("k" * 300), False), "k" * 300),
        (key_annotation(b"", b"i-12", False), -12),
        (key_annotation(b"", b"i%d" % (2**64 - 1), False), b"i%d" % (2**64 - 1)),
        (key_annotation(b"", b"b1", False), b"b1"),
        (key_annotation(b"", b"5", True), "5"),
    ],
)
def test_a_note_is_a_name_and_a_value(note: bytes, value: object) -> None:
    message = with_annotations(b"", annotation_name("x-opt-n-a") + note, 1, PREFIX.encode())
    assert split_annotations(message, PREFIX).annotations == {"x-opt-n-a": value}
