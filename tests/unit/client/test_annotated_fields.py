"""The fields of a message that delivery annotations fill: read when one is asked for, all at once."""

import copy
import pickle
from dataclasses import replace
from typing import Any

import pytest

from lastvalue.client.annotated_fields import ENCODED, NAMES, is_only_a_value
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.values import Timestamp, ULong
from lastvalue.model.message import MOST_UPDATES

ANNOTATIONS: dict[str, Any] = {
    "x-opt-sequence-number": ULong(7),
    "x-opt-enqueued-time": Timestamp(1_700),
    "x-opt-token": "here",
    "x-opt-removed": "expired",
    "x-opt-snapshot": "fresh",
    "x-opt-first-time": Timestamp(1_600),
    "x-opt-policy": "mean",
    "x-opt-delta": "merge-patch",
    "x-opt-updates": 3,
    "x-opt-replaced-traces": "a b",
}
FIELDS = {
    "sequence": 7,
    "arrival_time_ms": 1_700,
    "token": "here",
    "removed": "expired",
    "snapshot": "fresh",
    "first_time_ms": 1_600,
    "policy": "mean",
    "delta": "merge-patch",
    "updates": 3,
    "replaced_traces": ("a", "b"),
}


def received(annotations: dict[str, Any], **others: Any) -> Message:
    content = MessageContent(
        delivery_annotations=annotations,
        application_properties={"key": "k"},
        body=b"body",
        body_kind=BodyKind.DATA,
        **others,
    )
    return decode_message(encode_content(content))


def values(message: Message) -> dict[str, object]:
    return {field: getattr(message, field) for field in NAMES}


@pytest.mark.parametrize("first", FIELDS)
def test_whichever_is_asked_for_first_all_are_there(first: str) -> None:
    message = received(ANNOTATIONS)
    assert getattr(message, first) == FIELDS[first]
    assert values(message) == FIELDS
    assert ENCODED not in message.__dict__


@pytest.mark.parametrize("field", FIELDS)
def test_a_message_without_one_has_its_default_and_the_others(field: str) -> None:
    message = received({name: value for name, value in ANNOTATIONS.items() if name != NAMES[field]})
    assert getattr(message, field) == getattr(Message(), field)
    assert values(message) == FIELDS | {field: getattr(Message(), field)}


def test_to_ask_for_one_that_is_not_there_reads_nothing() -> None:
    message = received({"x-opt-sequence-number": ULong(7)})
    assert message.removed is None
    assert message.snapshot is None
    assert ENCODED in message.__dict__


def test_a_name_in_a_value_is_no_field() -> None:
    message = received({"x-opt-token": "x-opt-removed"})
    assert message.removed is None
    assert message.token == "x-opt-removed"


@pytest.mark.parametrize(
    "copied",
    [copy.copy, lambda message: pickle.loads(pickle.dumps(message)), replace],
)
def test_a_copy_has_the_fields_also_if_they_are_not_read(copied: Any) -> None:
    assert copied(received(ANNOTATIONS)) == received(ANNOTATIONS)
    assert values(copied(received(ANNOTATIONS))) == FIELDS


def test_a_message_is_told_from_another_by_a_field_that_is_not_read() -> None:
    assert received(ANNOTATIONS) != received(ANNOTATIONS | {"x-opt-token": "there"})


def test_a_message_that_is_read_in_the_general_way_has_the_same_fields() -> None:
    assert values(received(ANNOTATIONS, subject="general")) == FIELDS


@pytest.mark.parametrize(
    ("queues", "producers", "updates"),
    [(3, 5, 5), (5, 3, 5), (None, 4, 4), (0, -1, 1), (True, MOST_UPDATES + 1, MOST_UPDATES)],
)
def test_the_larger_number_of_updates_counts(queues: object, producers: object, updates: int) -> None:
    annotations = {} if queues is None else {"x-opt-updates": queues}
    said = {"x-opt-updates": producers, "x-opt-a": 1}
    for others in ({}, {"subject": "general"}):
        message = received(annotations, message_annotations=said, **others)
        assert message.updates == updates
        assert message.annotations == {"x-opt-a": 1}


def test_annotations_of_another_type_fill_nothing() -> None:
    assert values(received(dict.fromkeys(ANNOTATIONS, 1.5))) == values(Message())


def test_malformed_annotations_keep_nobody_from_the_message() -> None:
    payload = encode_content(MessageContent(delivery_annotations={"x-opt-token": "abc"}, body="body"))
    message = decode_message(payload.replace(b"abc", b"a\xffc"))
    assert message.token is None
    assert message.body == "body"


@pytest.mark.parametrize("updates", [1, 3, 0, 2**40])
def test_the_place_that_a_broker_stamps_is_read_as_any_annotations(updates: int) -> None:
    payload = encode_content(MessageContent(body="body"))
    place = {"x-opt-sequence-number": 7, "x-opt-enqueued-time": Timestamp(1_700), "x-opt-updates": updates}
    assert values(decode_message(stamped(payload, 7, 1_700, updates))) == values(received(place))


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ({"x-opt-sequence-number": ULong(7), "x-opt-token": "here"}, True),
        ({"x-opt-snapshot": "fresh"}, False),
        ({"x-opt-removed": "expired"}, False),
        ({"x-opt-delta": "merge-patch"}, False),
    ],
)
def test_a_marker_a_removal_and_a_delta_are_more_than_a_value(
    annotations: dict[str, Any], expected: bool
) -> None:
    message = received(annotations)
    assert is_only_a_value(message.__dict__) is expected
    assert message.token == annotations.get("x-opt-token")


def test_of_a_message_whose_annotations_are_read_it_is_not_known() -> None:
    message = received({"x-opt-token": "here"})
    assert message.token == "here"
    assert not is_only_a_value(message.__dict__)
