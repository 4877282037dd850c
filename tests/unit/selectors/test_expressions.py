import pytest

from lastvalue.selectors.expressions import (
    EVERYTHING,
    Between,
    Calculation,
    Comparator,
    Comparison,
    Conjunction,
    Disjunction,
    Expression,
    Inverse,
    Likeness,
    Literal,
    Membership,
    Name,
    Negative,
    NullTest,
    Operator,
    depth,
    operands,
)

A, B, C = Name("a"), Name("b"), Name("c")
PAIR = Comparison(Comparator.LESS, A, B)


def test_literals_of_different_kinds_are_different() -> None:
    assert len({Literal(value=True), Literal(1), Literal(1.0), Literal("1")}) == 4
    assert Literal(1) == Literal(1)
    assert Literal(0.0) != Literal(-0.0)


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        (EVERYTHING, ()),
        (A, ()),
        (Negative(A), (A,)),
        (Inverse(PAIR), (PAIR,)),
        (Calculation(Operator.PLUS, A, B), (A, B)),
        (PAIR, (A, B)),
        (Between(A, B, C, negated=False), (A, B, C)),
        (Membership(A, (B, C), negated=True), (A, B, C)),
        (Likeness(A, "%", None, negated=False), (A,)),
        (NullTest(A, negated=False), (A,)),
        (Conjunction((PAIR, A)), (PAIR, A)),
        (Disjunction((A, B, C)), (A, B, C)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_the_operands_are_from_left_to_right(expression: Expression, parts: tuple[Expression, ...]) -> None:
    assert operands(expression) == parts
    assert depth(expression) == 1 + max((depth(part) for part in parts), default=0)


def test_a_tree_of_any_depth_is_measured() -> None:
    tree: Expression = A
    for _ in range(100_000):
        tree = Inverse(tree)
    assert depth(tree) == 100_001
