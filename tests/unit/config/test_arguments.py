from typing import Any

import pytest

from lastvalue.config.arguments import decided, overlaid, read_argument
from lastvalue.model.errors import InvalidSpecError


@pytest.mark.parametrize(
    ("spelling", "raw", "name", "value"),
    [
        ("x-max-priority", 5, "x-max-priority", 5),
        ("qpid.max_count", "5", "max_messages", 5),
        ("max_messages", 5, "max_messages", 5),
        ("x-qpid-fairshare-7", 2, "qpid.fairshare-7", 2),
        ("default_filters", {}, "default_filters", "{}"),
    ],
)
def test_an_argument_has_our_name_unless_it_means_more_than_a_value(
    spelling: str, raw: Any, name: str, value: Any
) -> None:
    assert read_argument(spelling, raw) == (name, value)


@pytest.mark.parametrize(
    ("spelling", "raw", "fault"),
    [
        ("max_mesages", 5, "did you mean 'max_messages'"),
        ("colour of it", "red", "lastvalue queue add --help"),
        ("max_messages", -5, "not negative"),
        ("max_messages", "many", "^expected"),
    ],
)
def test_what_is_wrong_is_told_with_what_would_be_right(spelling: str, raw: Any, fault: str) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        read_argument(spelling, raw)


@pytest.mark.parametrize(
    ("upper", "lower", "result"),
    [
        ({"max_messages": 1}, {"max_bytes": 2}, {"max_messages": 1, "max_bytes": 2}),
        ({"max_messages": 1}, {"max_messages": 2}, {"max_messages": 1}),
        (
            {"max_messages": 1, "when_full": "refuse"},
            {"ring-size": 5},
            {"max_messages": 1, "when_full": "refuse"},
        ),
        ({"type": "standard"}, {"lvq_key": "k"}, {"type": "standard"}),
        ({"lvq_key": "k"}, {"sort_key": "s", "max_bytes": 1}, {"lvq_key": "k", "max_bytes": 1}),
        ({"no_expiry": True}, {"maximum_ttl_ms": 5}, {"no_expiry": True}),
        ({"maximum_ttl_ms": 5}, {"no_expiry": True}, {"maximum_ttl_ms": 5}),
        ({}, {"lvq_key": "k"}, {"lvq_key": "k"}),
    ],
    ids=str,
)
def test_upper_arguments_leave_of_the_lower_ones_what_does_not_contradict_them(
    upper: dict[str, Any], lower: dict[str, Any], result: dict[str, Any]
) -> None:
    assert overlaid(upper, lower) == result


@pytest.mark.parametrize(
    ("spelling", "value", "options"),
    [
        ("max_bytes", 5, ("max_bytes",)),
        ("ring-size", 5, ("max_messages", "when_full")),
        ("ring-size", -1, ("max_messages",)),
    ],
)
def test_an_argument_settles_the_options_that_it_means(
    spelling: str, value: Any, options: tuple[str, ...]
) -> None:
    assert decided(spelling, value) == options
