"""A key of several properties: a text made of their values, and back."""

import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Timestamp, UInt, Value
from lastvalue.model.composite_key import (
    composite_key,
    composite_key_of,
    composite_names,
    names_of_key,
    properties_of_key,
)

VALUES = st.lists(st.text("a,\\é", max_size=4), min_size=2, max_size=3)


@settings(max_examples=example_count(200), deadline=None)
@given(VALUES)
def test_the_values_of_a_key_are_found_again(values: list[str]) -> None:
    names = [f"p{number}" for number in range(len(values))]
    expected = dict(zip(names, values, strict=True))
    assert properties_of_key(",".join(names), composite_key(values)) == expected


@settings(max_examples=example_count(200), deadline=None)
@given(VALUES, VALUES)
def test_different_values_never_make_the_same_key(first: list[str], second: list[str]) -> None:
    assert (composite_key(first) == composite_key(second)) is (first == second)


def test_a_key_of_one_property_is_its_value() -> None:
    assert properties_of_key("symbol", 5) == {"symbol": 5}
    assert names_of_key("symbol") == ["symbol"]
    assert composite_names("symbol") == []


@pytest.mark.parametrize("key", ["X", "X,A,B", "X,A\\", "X\\B,A", "", 5, None, b"X,A"])
def test_a_key_of_several_properties_is_a_text_of_as_many_values(key: object) -> None:
    with pytest.raises(ValueError, match="the values of venue and symbol with a comma between them"):
        properties_of_key("venue,symbol", key)


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"venue": "X", "symbol": "A", "other": "B"}, "X,A"),
        ({"venue": UInt(5), "symbol": True}, "5,true"),
        ({"venue": 1.5, "symbol": -0.0}, "1.5,0.0"),
        ({"venue": "", "symbol": ""}, ","),
        ({"venue": "X"}, None),
        ({"venue": "X", "symbol": None}, None),
        ({"venue": "X", "symbol": b"A"}, None),
        ({"venue": "X", "symbol": Timestamp(1)}, "X,1"),
    ],
)
def test_a_message_has_a_key_if_it_has_a_text_in_each_property(
    properties: dict[str, Value], expected: str | None
) -> None:
    message = read_message(encode_content(MessageContent(application_properties=properties)))
    assert composite_key_of(message, composite_names("venue,symbol")) == expected
