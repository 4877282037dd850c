"""What is a selector, which tree it is, and what is said of a text that is none."""

import pytest

from lastvalue.model.conditions import Condition
from lastvalue.selectors import InvalidSelectorError, parse_selector
from lastvalue.selectors.expressions import (
    Calculation,
    Comparator,
    Comparison,
    Conjunction,
    Disjunction,
    Expression,
    Inverse,
    Literal,
    Name,
    Negative,
    Operator,
)
from lastvalue.selectors.selector import MAX_DEPTH, MAX_LENGTH
from lastvalue.selectors.selector_text import selector_text
from lastvalue.selectors.tree_parser import MAX_NESTING, MAX_PATTERN, MAX_TOKENS

A, B, C = Name("a"), Name("b"), Name("c")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a OR b AND NOT c", Disjunction((A, Conjunction((B, Inverse(C)))))),
        ("(a OR b) AND c", Conjunction((Disjunction((A, B)), C))),
        ("a AND b AND c", Conjunction((A, B, C))),
        ("a AND (b AND c)", Conjunction((A, Conjunction((B, C))))),
        ("NOT a = b", Inverse(Comparison(Comparator.EQUAL, A, B))),
        ("a - b - c", Calculation(Operator.MINUS, Calculation(Operator.MINUS, A, B), C)),
        ("a + b * c", Calculation(Operator.PLUS, A, Calculation(Operator.TIMES, B, C))),
        ("-a", Negative(A)),
        ("+a", A),
        ("-5", Literal(-5)),
        ("- -5", Literal(5)),
        ("a-5", Calculation(Operator.MINUS, A, Literal(5))),
        ("-'5'", Negative(Literal("5"))),
        ("-true", Negative(Literal(value=True))),
        ("tRuE", Literal(value=True)),
        ("ANDy", Name("ANDy")),
        ("in.x", Name("in.x")),
    ],
)
def test_a_text_has_one_tree(text: str, tree: Expression) -> None:
    assert parse_selector(text).tree == tree


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("((a))=((b))", "a = b"),
        ("a=1 or(b=2)and not(c=3)", "a = 1 OR b = 2 AND NOT c = 3"),
        ("not (a or b)", "NOT (a OR b)"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a=b)is not null", "(a = b) IS NOT NULL"),
        ("a not between-1 and+2", "a NOT BETWEEN -1 AND 2"),
        ("a not in('x','it''s',0x10)", "a NOT IN ('x', 'it''s', 16)"),
        ("a like'x!%'escape'!'", "a LIKE 'x!%' ESCAPE '!'"),
        ('"a"="and"', 'a = "and"'),
        ("a = .5e1f", "a = 5.0"),
    ],
)
def test_a_tree_is_shown_with_no_more_parentheses_than_it_needs(written: str, shown: str) -> None:
    assert selector_text(parse_selector(written).tree) == shown


@pytest.mark.parametrize(
    ("text", "column", "fault"),
    [
        ("hello world", 7, "expected an operator, AND, OR or the end, found 'world'"),
        ("A is null not", 11, "expected AND, OR or the end, found 'not'"),
        ("A like 234", 8, "expected a text in single quotes, found '234'"),
        ("A IN ()", 7, "expected a value, found ')'"),
        ("A BETWEEN AND 'true'", 11, "expected a value, found 'AND'"),
        ("in='x'", 1, "expected a condition, found 'in'"),
        ("A LIKE 'x' ESCAPE 'ab'", 19, "an escape must be one character, neither % nor _"),
        ("A LIKE 'x' ESCAPE '%'", 19, "an escape must be one character, neither % nor _"),
        ("A LIKE 'x' ESCAPE '_'", 19, "an escape must be one character, neither % nor _"),
        ("A LIKE 'x' ESCAPE ''", 19, "an escape must be one character, neither % nor _"),
        ("A LIKE 'x!' ESCAPE '!'", 8, "the pattern ends with its escape character '!'"),
    ],
)
def test_texts_that_other_brokers_refuse_are_refused(text: str, column: int, fault: str) -> None:  # S-278
    assert _refused(text) == (column - 1, f"column {column} of the selector {text!r}: {fault}")


@pytest.mark.parametrize(
    ("text", "column", "fault"),
    [
        ("A = 'abc", 5, "this ' is not closed"),
        ('"A = 1', 1, 'this " is not closed'),
        ('"" = 1', 1, "a name in double quotes must not be empty"),
        ("A != 1", 3, "! is not an operator; write <> for unequal"),
        ("A = #", 5, "'#' is not allowed here"),
        ("A == 1", 4, "expected a value, found '='"),
        ("(A = 1", 7, "expected an operator, AND, OR or ), found the end"),
        ("A = 1)", 6, "expected an operator, AND, OR or the end, found ')'"),
        ("A IN (1", 8, "expected an operator, a comma or ), found the end"),
        ("A BETWEEN 1 OR 2", 13, "expected an operator or AND, found 'OR'"),
        ("A AND", 6, "expected a condition, found the end"),
        ("A IS 5", 6, "expected NOT or NULL, found '5'"),
        ("A NOT 5", 7, "expected BETWEEN, IN or LIKE, found '5'"),
        ("NULL", 1, "expected a condition, found 'NULL'"),
    ],
)
def test_a_refusal_says_what_was_expected_and_where(text: str, column: int, fault: str) -> None:
    assert _refused(text) == (column - 1, f"column {column} of the selector {text!r}: {fault}")


def test_a_selector_of_several_lines_is_refused_with_the_line() -> None:
    position, text = _refused("A = 1\nAND\n  B = ,")
    assert position == 16
    assert text.startswith("line 3, column 7 of the selector")


def test_a_refusal_is_an_invalid_field() -> None:
    with pytest.raises(InvalidSelectorError) as refusal:
        parse_selector("=")
    assert refusal.value.condition is Condition.INVALID_FIELD
    assert refusal.value.text == "="


@pytest.mark.parametrize(
    "text",
    [
        "NOT " * 3000 + "a",
        "(" * (MAX_NESTING + 1) + "a" + ")" * (MAX_NESTING + 1),
        "a=1" + " OR a=1" * (MAX_TOKENS // 4),
        f"a LIKE '{'_' * (MAX_PATTERN + 1)}'",
        "- " * 3000 + "a",
        "+".join(["a"] * 3000),
        "(a=" * 3000 + "a" + ")" * 3000,
        f"a LIKE '{'%' * MAX_LENGTH}'",
        "a IN (" + "1," * MAX_LENGTH,
        "(" * 8000,
        "9" * 8000,
        "0x" + "f" * 8000,
        "1" * 400 + ".0",
    ],
)
def test_hostile_texts_are_refused(text: str) -> None:
    with pytest.raises(InvalidSelectorError):
        parse_selector(text)


@pytest.mark.parametrize(
    "text",
    [
        "NOT " * (MAX_DEPTH - 1) + "a",
        "+".join(["a"] * (MAX_DEPTH - 1)) + "=1",
        "(" * MAX_NESTING + "a" + ")" * MAX_NESTING,
        "(a=1) AND " * (MAX_NESTING + 1) + "b",
        " OR ".join(["a=1"] * (MAX_TOKENS // 4)),
        "a IN (" + ", ".join(["'ABCD'"] * (MAX_TOKENS // 2 - 2)) + ")",
        f"a LIKE '{'_' * MAX_PATTERN}'",
    ],
)
def test_long_texts_that_are_not_deep_are_selectors(text: str) -> None:
    assert parse_selector(text).text == text


def test_literals_of_different_types_are_different_trees() -> None:
    assert len({Literal(value=True), Literal(1), Literal(1.0), Literal("1"), Literal(1)}) == 4


def _refused(text: str) -> tuple[int | None, str]:
    with pytest.raises(InvalidSelectorError) as refusal:
        parse_selector(text)
    return refusal.value.position, str(refusal.value)
