from typing import Any

import pytest
from canned_message import CannedMessage

from lastvalue.broker.bindings import SELECTOR_ARGUMENT, Binding, BindingError, conditions_of, equal
from lastvalue.model.message import FieldValue
from lastvalue.selectors.errors import InvalidSelectorError


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
        (None, None, True),
    ],
)
def test_values_are_equal_within_their_kind(first: FieldValue, second: FieldValue, same: bool) -> None:
    assert equal(first, second) is same
    assert equal(second, first) is same


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
    ],
    ids=str,
)
def test_conditions_hold_as_the_arguments_ask(
    arguments: dict[str, Any], properties: dict[str, object], hold: bool
) -> None:
    assert conditions_of(arguments).hold(CannedMessage(properties)) is hold


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({}, "x-match is None"),
        ({"x-match": "some"}, "x-match is 'some'"),
        ({"x-match": "all", "a": [1]}, "'a' is \\[1\\]"),
    ],
)
def test_arguments_that_ask_what_cannot_be_asked_are_refused(arguments: dict[str, Any], fault: str) -> None:
    with pytest.raises(BindingError, match=fault):
        conditions_of(arguments)


def test_a_binding_admits_what_its_selector_selects() -> None:
    picky = Binding("q", "", {SELECTOR_ARGUMENT: "n > 1"})
    assert [picky.admits(CannedMessage({"n": number})) for number in (1, 2)] == [False, True]
    assert Binding("q", "", {SELECTOR_ARGUMENT: ""}).admits(CannedMessage())


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({SELECTOR_ARGUMENT: 5}, BindingError),
        ({SELECTOR_ARGUMENT: "n >"}, InvalidSelectorError),
        ({"routing-type": "broadcast"}, BindingError),
    ],
)
def test_a_binding_with_arguments_that_say_nothing_is_refused(
    arguments: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        Binding("q", "", arguments)


@pytest.mark.parametrize(
    ("arguments", "anycast"),
    [({}, False), ({"routing-type": "ANYCAST"}, True), ({"routing-type": "multicast"}, False)],
)
def test_a_binding_is_multicast_unless_it_says_anycast(arguments: dict[str, Any], anycast: bool) -> None:
    assert Binding("q", "", arguments).anycast is anycast
