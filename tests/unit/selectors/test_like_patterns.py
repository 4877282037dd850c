import pytest

from lastvalue.selectors.like_patterns import like_expression, pattern_parts


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
    ],
)
def test_a_text_matches_as_a_whole(pattern: str, text: str, matches: bool) -> None:
    assert (like_expression(pattern, None).fullmatch(text) is not None) is matches


def test_an_escape_character_at_the_end_escapes_nothing() -> None:
    with pytest.raises(ValueError, match="ends with its escape character '!'"):
        like_expression("a!", "!")
