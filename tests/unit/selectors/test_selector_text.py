"""The text of a tree parses to the tree."""

import pytest

from lastvalue.selectors.selector_text import selector_text
from lastvalue.selectors.tree_parser import RESERVED, parse_tree


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a=1", "a = 1"),
        ("(a = 1)", "a = 1"),
        ("a = 1 AND (b = 2 AND c = 3)", "a = 1 AND (b = 2 AND c = 3)"),
        ("a = 1 OR b = 2 AND c = 3", "a = 1 OR b = 2 AND c = 3"),
        ("(a = 1 OR b = 2) AND c = 3", "(a = 1 OR b = 2) AND c = 3"),
        ("NOT (a = 1 OR b = 2)", "NOT (a = 1 OR b = 2)"),
        ("NOT NOT flag", "NOT NOT flag"),
        ("a + b * c = 1", "a + b * c = 1"),
        ("(a + b) * c = 1", "(a + b) * c = 1"),
        ("a - (b - c) = 1", "a - (b - c) = 1"),
        ("a - b - c = 1", "a - b - c = 1"),
        ("-a = 1", "-a = 1"),
        ("-(a + b) = 1", "-(a + b) = 1"),
        ("a BETWEEN 1 AND 2", "a BETWEEN 1 AND 2"),
        ("a NOT BETWEEN 1 AND 2", "a NOT BETWEEN 1 AND 2"),
        ("a IN ('x', 'y')", "a IN ('x', 'y')"),
        ("a NOT IN ('x')", "a NOT IN ('x')"),
        ("a LIKE 'x!%%' ESCAPE '!'", "a LIKE 'x!%%' ESCAPE '!'"),
        ("a NOT LIKE 'it''s'", "a NOT LIKE 'it''s'"),
        ("a IS NULL", "a IS NULL"),
        ("a is not null", "a IS NOT NULL"),
        ("true", "TRUE"),
        ("a = FALSE", "a = FALSE"),
    ],
)
def test_a_text_has_no_more_parentheses_than_it_needs(written: str, text: str) -> None:
    assert selector_text(parse_tree(written)) == text


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_is_quoted_as_a_name(word: str) -> None:
    text = f'"{word}" = 1'
    assert selector_text(parse_tree(text)) == text


@pytest.mark.parametrize("name", ["a b", "1a", 'say "hi"', "x-opt-y"])
def test_a_name_that_is_no_word_is_quoted(name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    text = f"{quoted} IS NULL"
    assert selector_text(parse_tree(text)) == text
