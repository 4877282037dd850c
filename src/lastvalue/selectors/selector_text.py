"""Writes a syntax tree as the text that parses to it."""

import re
from typing import Final, assert_never

from lastvalue.selectors.expressions import (
    Between,
    Calculation,
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
)
from lastvalue.selectors.literals import number_text, quoted
from lastvalue.selectors.tree_parser import RESERVED

_PLAIN_NAME: Final = re.compile(r"(?:[^\W\d]|\$)[\w.$]*")

# The precedences of the operators, lowest first.
_OR, _AND, _NOT, _CONDITION, _SUM, _PRODUCT, _SIGN = range(7)


def selector_text(expression: Expression) -> str:
    """The text of a tree, which is at most as deep as the parser's, without needless parentheses."""
    return _within(expression, _OR)


def _within(expression: Expression, precedence: int) -> str:
    text, own = _text(expression)
    return text if own >= precedence else f"({text})"


def _text(expression: Expression) -> tuple[str, int]:  # noqa: PLR0911 - one a case
    """The text of an expression, and its precedence."""
    match expression:
        case Literal(value):
            return _literal_text(value), _SIGN
        case Name(text):
            return _name_text(text), _SIGN
        case Negative(operand):
            return f"-{_within(operand, _SIGN)}", _SIGN
        case Calculation(operator, left, right):
            own = _SUM if operator in (Operator.PLUS, Operator.MINUS) else _PRODUCT
            return f"{_within(left, own)} {operator.value} {_within(right, own + 1)}", own
        case Inverse(operand):
            return f"NOT {_within(operand, _NOT)}", _NOT
        case Conjunction(terms):
            return " AND ".join([_within(term, _NOT) for term in terms]), _AND
        case Disjunction(terms):
            return " OR ".join([_within(term, _AND) for term in terms]), _OR
        case _:
            return _condition_text(expression), _CONDITION


def _condition_text(expression: Comparison | Between | Membership | Likeness | NullTest) -> str:
    match expression:
        case Comparison(comparator, left, right):
            return f"{_within(left, _SUM)} {comparator.value} {_within(right, _SUM)}"
        case Between(value, low, high, negated):
            limits = f"{_within(low, _SUM)} AND {_within(high, _SUM)}"
            return f"{_within(value, _SUM)}{_not(negated)} BETWEEN {limits}"
        case Membership(value, options, negated):
            listed = ", ".join([_within(option, _SUM) for option in options])
            return f"{_within(value, _SUM)}{_not(negated)} IN ({listed})"
        case Likeness(value, pattern, escape, negated):
            ending = "" if escape is None else f" ESCAPE {quoted(escape)}"
            return f"{_within(value, _SUM)}{_not(negated)} LIKE {quoted(pattern)}{ending}"
        case NullTest(value, negated):
            return f"{_within(value, _SUM)} IS{_not(negated)} NULL"
        case _:
            assert_never(expression)


def _not(negated: bool) -> str:  # noqa: FBT001 - a field of the tree
    return " NOT" if negated else ""


def _literal_text(value: bool | float | str) -> str:  # noqa: FBT001 - a field of the tree
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return quoted(value) if isinstance(value, str) else number_text(value)


def _name_text(name: str) -> str:
    if _PLAIN_NAME.fullmatch(name) and name.upper() not in RESERVED:
        return name
    return quoted(name, '"')
