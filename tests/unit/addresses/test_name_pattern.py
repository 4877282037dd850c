"""Patterns of names."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.addresses.name_pattern import LONGEST_PATTERN, check_pattern, name_matches, patterns_meet
from lastvalue.model.errors import InvalidSpecError


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("orders", ["orders"], ["order", "orders2", ""]),
        ("prices.*", ["prices.eu", "prices."], ["prices", "prices.eu.AAPL"]),
        ("prices.#", ["prices.eu", "prices.eu.AAPL", "prices."], ["prices"]),
        ("*.eu", ["prices.eu", ".eu"], ["a.b.eu"]),
        ("#", ["", "anything.at.all"], []),
        ("a*b#c", ["abc", "a1b2.3c"], ["a.bc", "ab"]),
        ("**", ["", "word"], ["two.words"]),
    ],
)
def test_a_star_ends_at_a_dot_and_a_hash_does_not(
    pattern: str, matching: list[str], others: list[str]
) -> None:
    assert [name for name in matching if not name_matches(pattern, name)] == []
    assert [name for name in others if name_matches(pattern, name)] == []


@given(name=st.text(alphabet="ab.", max_size=12), pattern=st.text(alphabet="ab.*#", min_size=1, max_size=8))
def test_a_pattern_matches_what_the_same_regular_expression_does(name: str, pattern: str) -> None:
    expression = "".join({"*": "[^.]*", "#": ".*", ".": r"\."}.get(sign, sign) for sign in pattern)
    assert name_matches(pattern, name) is (re.fullmatch(expression, name) is not None)


def test_a_pattern_that_would_backtrack_for_ever_is_matched_at_once() -> None:
    assert not name_matches("#a" * 100 + "!", "a" * 250)


@pytest.mark.parametrize(
    "pattern", ["", "x" * (LONGEST_PATTERN + 1), r"a\..*", "a|b", "[ab]", "(a+)+$", "^a"]
)
def test_what_is_too_long_or_a_regular_expression_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidSpecError, match=r"prices\.\*"):
        check_pattern(pattern)


@pytest.mark.parametrize(
    ("first", "second", "meet"),
    [
        ("prices", "prices", True),
        ("prices", "price", False),
        ("orders.*", "orders.#", True),
        ("orders.new", "orders.#", True),
        ("*", "prices.eu", True),
        ("*", "#", True),
        ("a*z", "*b*", True),
        ("a*z", "b*", False),
        ("*.eu", "prices.*", True),
        ("*.eu", "prices.us", False),
        ("", "", True),
        ("", "#", True),
        ("a", "", False),
    ],
)
def test_two_patterns_meet_where_a_name_could_match_both(first: str, second: str, meet: bool) -> None:
    assert patterns_meet(first, second) is meet
    assert patterns_meet(second, first) is meet
