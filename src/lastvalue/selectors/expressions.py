"""What a selector says, as a tree: the parser makes it, and compilers read it.

Conditions and values are of one kind, because a condition is a value too: TRUE, FALSE or NULL.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never


class Comparator(Enum):
    """How two values are compared."""

    EQUAL = "="
    UNEQUAL = "<>"
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="


class Operator(Enum):
    """What is calculated of two numbers."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    DIVIDED_BY = "/"
    MODULO = "%"


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that the text gives; a number with its sign. TRUE, 1 and 1.0 are three literals."""

    value: bool | int | float | str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


@dataclass(frozen=True, slots=True)
class Name:
    """A field of the message, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Negative:
    """A number with the other sign; never of a literal number, which has its own."""

    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Calculation:
    """Two numbers make one."""

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
    """The value is a text of the pattern, in which % is any text and _ any character; or NOT that."""

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
"""What an empty selector says."""


def operands(expression: Expression) -> tuple[Expression, ...]:  # noqa: PLR0911 - one a case
    """What an expression is made of, from left to right."""
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
    """The number of expressions within each other; a tree of any depth is measured."""
    deepest = 0
    waiting = [(expression, 1)]
    while waiting:
        current, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((operand, level + 1) for operand in operands(current))
    return deepest
