import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.selectors.like_patterns import MAX_SOUGHT, like_matcher, pattern_parts


@pytest.mark.parametrize(
    ("pattern", "escape", "parts"),
    [
        ("", None, [[]]),
        ("ab", None, [["a", "b"]]),
        ("a%b", None, [["a"], ["b"]]),
        ("%", None, [[], []]),
        ("a_", None, [["a", None]]),
        (r"a\%b", "\\", [["a", "%", "b"]]),
        ("a!_!!", "!", [["a", "_", "!"]]),
    ],
)
def test_a_pattern_is_parted_at_its_percent_signs(
    pattern: str, escape: str | None, parts: list[list[str | None]]
) -> None:
    assert pattern_parts(pattern, escape) == parts


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("a%b%c", "a-b-c", True),
        ("a%b%c", "a-c", False),
        ("a%b%b", "ab", False),
        ("%ab%", "aab", True),
        ("a_c", "a\nc", True),
        ("%", "line\nline", True),
        (".%", "ab", False),
        ("%a%a", "aa", True),
        ("%a%a", "a", False),
        ("a%b_d%z", "a-bd-bcd-z", True),
        ("a%b_d%z", "a-bd-z", False),
        ("ab%c%ab", "ab", False),
        ("ab%c%ab", "abcab", True),
        ("_%b%_", "ab", False),
        ("_%b%_", "abc", True),
        ("%%", "", True),
        ("%ab%ba%", "aba", False),
        ("%ab%ba%", "abba", True),
    ],
)
def test_a_text_matches_as_a_whole(pattern: str, text: str, matches: bool) -> None:
    assert like_matcher(pattern, None)(text) is matches


def test_an_escape_character_at_the_end_escapes_nothing() -> None:
    with pytest.raises(ValueError, match="ends with its escape character '!'"):
        like_matcher("a!", "!")


def test_a_part_with_a_wildcard_that_has_to_be_sought_is_short() -> None:
    longest = "_" * MAX_SOUGHT
    for allowed in (f"%{longest}%", f"{longest}x%", f"%x{longest}"):
        pattern_parts(allowed, None)
    with pytest.raises(ValueError, match=f"there are {MAX_SOUGHT + 1} characters with a _ among them"):
        pattern_parts(f"%x{longest}%", None)


@given(
    st.lists(st.sampled_from("ab%_"), max_size=12).map("".join),
    st.lists(st.sampled_from("abc"), max_size=14).map("".join),
)
def test_the_matcher_agrees_with_a_regular_expression_that_backtracks(pattern: str, text: str) -> None:
    expression = pattern.replace("%", ".*").replace("_", ".")
    assert like_matcher(pattern, None)(text) is (re.fullmatch(expression, text) is not None)
