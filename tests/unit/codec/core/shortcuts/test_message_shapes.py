"""A shape has what messages have in common; what it is for is tested with the message writer."""

from typing import Any

import pytest
from core_messages import damaged, jms_heads, text_body
from core_peer import head
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.core import typed_properties as types
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.codec.core.shortcuts import message_shapes as shapes
from lastvalue.codec.core.shortcuts.message_shapes import MessageShape, ShapeLearner
from lastvalue.codec.octets import MOST_QUICK_BYTES

pytestmark = pytest.mark.pure


def parts_of(shape: MessageShape | None) -> list[tuple[bytes, bytes, int]]:
    assert shape is not None
    return [(part.before, part.written, int(part.value)) for part in shape.parts]


def payload_of(number: int, **more: Any) -> bytes:
    properties: types.TypedProperties = {
        "text": (types.STRING, "x" * number),
        "int": (types.INT, number),
        "long": (types.LONG, number),
        "flag": (types.BOOLEAN, number % 2 == 0),
    }
    octets = head("a", properties, kind=4, user_id=bytes([number] * 16), timestamp=number + 1, **more)
    return decode_message(octets, b"x" * number)


def test_messages_that_differ_in_their_values_have_one_shape() -> None:
    learner = ShapeLearner("q")
    assert parts_of(learner.learn(payload_of(1))) == parts_of(learner.learn(payload_of(9)))


def test_a_shape_has_every_value() -> None:
    values = [value for _, _, value in parts_of(ShapeLearner("q").learn(payload_of(1, expiration=7)))]
    assert values == [
        shapes.USER_ID, shapes.EXPIRY, shapes.EIGHT, shapes.SIZE,
        shapes.TEXT, shapes.FOUR, shapes.EIGHT, shapes.FLAG, shapes.BODY,
    ]  # fmt: skip


def test_a_step_leads_from_one_value_to_the_next() -> None:
    payload = payload_of(3)
    shape = ShapeLearner("q").learn(payload)
    assert shape is not None
    pos = 0
    for part in shape.parts:
        assert payload[pos:].startswith(part.before)
        pos += part.step
        if part.value == shapes.TEXT:
            pos += payload[pos - 1]
    assert payload[pos:] == b"xxx"


def test_sizes_of_four_octets_are_of_another_shape() -> None:
    properties: types.TypedProperties = {name: (types.STRING, name * 100) for name in "abc"}
    payload = decode_message(head("a", properties, kind=3), text_body("x" * 300))
    values = [value for _, _, value in parts_of(ShapeLearner("q").learn(payload))]
    assert values == [shapes.EXPIRY, shapes.WIDE_SIZE, *[shapes.TEXT] * 3, shapes.WIDE_BODY]


@pytest.mark.parametrize(
    ("content", "usual"),
    [
        ({}, True),
        ({"durable": True}, True),
        ({"application_properties": {"k": 1.5}}, True),
        ({"group_id": "g"}, False),
        ({"application_properties": {"JMSXGroupSeq": "1"}}, False),
        ({"message_annotations": {"x-opt-original-queue": "q"}}, False),
        ({"message_annotations": {"x-opt-long": "x" * MOST_QUICK_BYTES}}, False),
        ({"application_properties": {f"{number}": "x" * 200 for number in range(30)}}, False),
    ],
)
def test_only_the_usual_form_has_a_shape(content: dict[str, Any], usual: bool) -> None:
    payload = encode_content(MessageContent(**{"body": "x", **content}))
    assert (ShapeLearner("q").learn(payload) is not None) == usual


@given(st.data())
def test_what_is_malformed_has_no_shape_or_one_that_leads_to_its_end(data: st.DataObject) -> None:
    payload = data.draw(damaged(decode_message(data.draw(jms_heads()), b"body")))
    shape = ShapeLearner("q").learn(payload)
    if shape is not None:
        assert shape.parts[-1].value in (shapes.BODY, shapes.WIDE_BODY)
