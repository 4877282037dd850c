"""The syntax tree of a selector, which the parser builds and compilers read.

Conditions and values have one type, because a condition is a value too: TRUE, FALSE or NULL.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never


class Comparator(Enum):
    """A comparison of two values."""

    EQUAL = "="
    UNEQUAL = "<>"
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="


class Operator(Enum):
    """An arithmetic operation on two numbers."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    DIVIDED_BY = "/"
    MODULO = "%"


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant in the text; a number includes its sign. TRUE, 1 and 1.0 are three literals."""

    value: bool | int | float | str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a message field, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Negative:
    """The negation of a number; never of a literal, which includes its sign."""

    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Calculation:
    """An arithmetic operation with its operands."""

    operator: Operator
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values compared."""

    comparator: Comparator
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Between:
    """low <= value AND value <= high, or NOT that."""

    value: "Expression"
    low: "Expression"
    high: "Expression"
    negated: bool


@dataclass(frozen=True, slots=True)
class Membership:
    """The value equals one of the options, or NOT that."""

    value: "Expression"
    options: tuple["Expression", ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Likeness:
    """The value is a text that matches the pattern (% is any text, _ any character), or NOT that."""

    value: "Expression"
    pattern: str
    escape: str | None
    negated: bool


@dataclass(frozen=True, slots=True)
class NullTest:
    """The value is NULL, or is not."""

    value: "Expression"
    negated: bool


@dataclass(frozen=True, slots=True)
class Inverse:
    """NOT a condition."""

    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Conditions joined by AND: two or more."""

    terms: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Conditions joined by OR: two or more."""

    terms: tuple["Expression", ...]


Expression: TypeAlias = (
    Literal
    | Name
    | Negative
    | Calculation
    | Comparison
    | Between
    | Membership
    | Likeness
    | NullTest
    | Inverse
    | Conjunction
    | Disjunction
)

EVERYTHING = Literal(value=True)
"""The tree of an empty selector."""


def operands(expression: Expression) -> tuple[Expression, ...]:  # noqa: PLR0911 - one a case
    """The operands of an expression, from left to right."""
    match expression:
        case Literal() | Name():
            return ()
        case Negative(operand) | Inverse(operand):
            return (operand,)
        case Calculation(_, left, right) | Comparison(_, left, right):
            return left, right
        case Between(value, low, high, _):
            return value, low, high
        case Membership(value, options, _):
            return value, *options
        case Likeness(value, _, _, _) | NullTest(value, _):
            return (value,)
        case Conjunction(terms) | Disjunction(terms):
            return terms
        case _:
            assert_never(expression)


def depth(expression: Expression) -> int:
    """The depth of nested expressions; works for a tree of any depth."""
    deepest = 0
    waiting = [(expression, 1)]
    while waiting:
        current, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((operand, level + 1) for operand in operands(current))
    return deepest
