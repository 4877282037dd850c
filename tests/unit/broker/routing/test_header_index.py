"""lastvalue.broker.routing.header_index."""

from typing import Any

import pytest
from canned_message import CannedMessage

from lastvalue.broker.routing.bindings import Binding, conditions_of
from lastvalue.broker.routing.header_index import HeaderIndex
from lastvalue.model.message import FieldValue


def found(arguments: dict[str, Any], properties: dict[str, object]) -> bool:
    """Whether a binding with these arguments gets a message with these properties."""
    index = HeaderIndex()
    binding, conditions = Binding("q", "", arguments), conditions_of(arguments)
    index.add(binding, conditions)
    matched = index.match(CannedMessage(properties)) == [binding]
    index.remove(binding, conditions)
    assert index.match(CannedMessage(properties)) == []
    return matched


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (1, 1, True),
        (1.0, 1.0, True),
        (1, 1.0, False),
        (True, 1, False),
        (True, True, True),
        (False, 0, False),
        ("1", 1, False),
        ("a", "a", True),
        (b"a", "a", False),
    ],
)
def test_values_are_equal_within_their_kind(first: FieldValue, second: FieldValue, same: bool) -> None:
    assert found({"x-match": "all", "a": first}, {"a": second}) is same
    assert found({"x-match": "all", "a": second}, {"a": first}) is same


@pytest.mark.parametrize(
    ("arguments", "properties", "hold"),
    [
        ({"x-match": "all", "a": 1, "b": "x"}, {"a": 1, "b": "x"}, True),
        ({"x-match": "all", "a": 1, "b": "x"}, {"a": 1}, False),
        ({"x-match": "any", "a": 1, "b": "x"}, {"b": "x"}, True),
        ({"x-match": "any", "a": 1, "b": "x"}, {"a": 2, "b": "y"}, False),
        ({"x-match": "all", "a": None}, {"a": "anything"}, True),
        ({"x-match": "all", "a": None}, {}, False),
        ({"x-match": "all"}, {}, True),
        ({"x-match": "any"}, {}, False),
        ({"x-match": "all", "x-other": 1, "routing-type": "anycast"}, {}, True),
        ({"x-match": "all-with-x", "a": 1, "x-other": 1}, {"a": 1, "x-other": 1}, True),
        ({"x-match": "all-with-x", "a": 1, "x-other": 1}, {"a": 1}, False),
        ({"x-match": "any-with-x", "a": 1, "x-other": 1}, {"x-other": 1}, True),
    ],
    ids=str,
)
def test_conditions_hold_as_the_arguments_ask(
    arguments: dict[str, Any], properties: dict[str, object], hold: bool
) -> None:
    assert found(arguments, properties) is hold
