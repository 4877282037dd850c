from typing import Any

import pytest
from canned_message import CannedMessage

from lastvalue.broker.routing.bindings import SELECTOR_ARGUMENT, Binding, BindingError, conditions_of
from lastvalue.selectors.errors import InvalidSelectorError


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
