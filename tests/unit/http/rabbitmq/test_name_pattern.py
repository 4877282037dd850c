"""lastvalue.http.rabbitmq.name_pattern."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.http.problems import Problem
from lastvalue.http.rabbitmq.name_pattern import NamePattern

TOKENS = st.sampled_from(["a", "b", ".", ".*", ".+", "\\."])
PATTERNS = st.builds(
    lambda start, tokens, end: start + "".join(tokens) + end,
    st.sampled_from(["", "^"]),
    st.lists(TOKENS, max_size=6),
    st.sampled_from(["", "$"]),
)


@given(PATTERNS, st.text("ab.", max_size=8))
def test_it_admits_what_a_regular_expression_finds(pattern: str, name: str) -> None:
    assert NamePattern(pattern).admits(name) is (re.search(pattern, name) is not None)


@pytest.mark.parametrize("pattern", ["(a+)+$", "a*", "[ab]", "a{2}", "a|b", "a?", "\\w", "a$b", "\\"])
def test_what_could_take_long_is_refused(pattern: str) -> None:
    with pytest.raises(Problem, match="not supported"):
        NamePattern(pattern)


def test_a_long_name_takes_no_time() -> None:
    pattern = NamePattern("^" + ".*a" * 60 + "b$")
    assert not pattern.admits("a" * 5000)
