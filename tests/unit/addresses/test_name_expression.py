"""lastvalue.addresses.name_expression."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.addresses.name_expression import LONGEST_EXPRESSION, NameExpression
from lastvalue.model.errors import InvalidSpecError

TOKENS = st.sampled_from(["a", "b", ".", ".*", ".+", "\\."])
PATTERNS = st.builds(
    lambda start, tokens, end: start + "".join(tokens) + end,
    st.sampled_from(["", "^"]),
    st.lists(TOKENS, max_size=6),
    st.sampled_from(["", "$"]),
)


@given(PATTERNS, st.text("ab.", max_size=8))
def test_it_admits_what_a_regular_expression_finds(pattern: str, name: str) -> None:
    assert NameExpression(pattern).admits(name) is (re.search(pattern, name) is not None)


@pytest.mark.parametrize("pattern", ["(a+)+$", "a*", "[ab]", "a{2}", "a|b", "a?", "\\w", "a$b", "\\"])
def test_what_could_take_long_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidSpecError, match="not supported"):
        NameExpression(pattern)


def test_a_long_name_takes_no_time() -> None:
    pattern = NameExpression("^" + ".*a" * 80 + "b$")
    assert not pattern.admits("a" * 5000)


def test_a_long_expression_is_refused() -> None:
    assert NameExpression("a" * LONGEST_EXPRESSION).admits("a" * LONGEST_EXPRESSION)
    with pytest.raises(InvalidSpecError, match="at most 255"):
        NameExpression("a" * (LONGEST_EXPRESSION + 1))
