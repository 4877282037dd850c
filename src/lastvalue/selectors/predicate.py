"""Trees as functions of a message, with the logic of SQL: true, false, or None for unknown.

Values of different kinds are neither equal nor unequal: comparing them is false. The kinds are booleans,
numbers, texts and binaries; only numbers and texts have an order.
"""

import math
import operator
from collections.abc import Callable
from typing import Any, Final, TypeAlias, assert_never

from lastvalue.model.message import FieldValue, Message
from lastvalue.selectors.expressions import (
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
)
from lastvalue.selectors.fields import DELIVERY_MODE, field_of
from lastvalue.selectors.like_patterns import like_matcher

Truth: TypeAlias = Callable[[Message], bool | None]
Reader: TypeAlias = Callable[[Message], FieldValue]
Number: TypeAlias = int | float

_COMPARE: Final[dict[Comparator, Callable[[Any, Any], Any]]] = {
    Comparator.EQUAL: operator.eq,
    Comparator.UNEQUAL: operator.ne,
    Comparator.LESS: operator.lt,
    Comparator.AT_MOST: operator.le,
    Comparator.GREATER: operator.gt,
    Comparator.AT_LEAST: operator.ge,
}
_MIRRORED: Final = {
    Comparator.EQUAL: Comparator.EQUAL,
    Comparator.UNEQUAL: Comparator.UNEQUAL,
    Comparator.LESS: Comparator.GREATER,
    Comparator.AT_MOST: Comparator.AT_LEAST,
    Comparator.GREATER: Comparator.LESS,
    Comparator.AT_LEAST: Comparator.AT_MOST,
}
_WITHOUT_ORDER: Final = (Comparator.EQUAL, Comparator.UNEQUAL)

# AMQP's whole numbers have at most 64 bits, signed or unsigned.
_LEAST: Final = -(2**63)
_MOST: Final = 2**64 - 1


def predicate_of(expression: Expression) -> Truth:  # noqa: PLR0911 - one a case
    """A function that tells whether the expression is true of a message; None means unknown."""
    match expression:
        case Comparison(comparator, left, right):
            return _comparison(comparator, left, right)
        case Between(value, low, high, negated):
            within = _all_of(
                [_comparison(Comparator.AT_LEAST, value, low), _comparison(Comparator.AT_MOST, value, high)]
            )
            return _inverse(within) if negated else within
        case Membership(value, options, negated):
            among = _membership(reader_of(value), options)
            return _inverse(among) if negated else among
        case Likeness(value, pattern, escape, negated):
            alike = _likeness(reader_of(value), pattern, escape)
            return _inverse(alike) if negated else alike
        case NullTest(value, negated):
            return _null_test(reader_of(value), negated)
        case Inverse(operand):
            return _inverse(predicate_of(operand))
        case Conjunction(terms):
            return _all_of([predicate_of(term) for term in terms])
        case Disjunction(terms):
            return _any_of([predicate_of(term) for term in terms])
        case _:
            return _true_value(reader_of(expression))


def reader_of(expression: Expression) -> Reader:
    """A function that computes the expression's value; a condition's is true, false or None."""
    match expression:
        case Literal(value):
            return _constant(value)
        case Name(text):
            return _field(field_of(text))
        case Negative(operand):
            return _negative(reader_of(operand))
        case Calculation(sign, left, right):
            return _calculation(sign, reader_of(left), reader_of(right))
        case _:
            return predicate_of(expression)


def _true_value(read: Reader) -> Truth:
    def truth(message: Message) -> bool | None:
        value = read(message)
        return value if isinstance(value, bool) else None

    return truth


def _inverse(condition: Truth) -> Truth:
    def truth(message: Message) -> bool | None:
        holds = condition(message)
        return None if holds is None else not holds

    return truth


def _all_of(conditions: list[Truth]) -> Truth:
    def truth(message: Message) -> bool | None:
        result: bool | None = True
        for condition in conditions:
            holds = condition(message)
            if holds is None:
                result = None
            elif not holds:
                return False
        return result

    return truth


def _any_of(conditions: list[Truth]) -> Truth:
    def truth(message: Message) -> bool | None:
        result: bool | None = False
        for condition in conditions:
            holds = condition(message)
            if holds is None:
                result = None
            elif holds:
                return True
        return result

    return truth


def _comparison(comparator: Comparator, left: Expression, right: Expression) -> Truth:
    if isinstance(left, Literal) and not isinstance(right, Literal):
        return _comparison(_MIRRORED[comparator], right, left)
    if isinstance(right, Literal):
        value = right.value
        if isinstance(value, str):
            return _against_text(reader_of(left), _COMPARE[comparator], value)
        if not isinstance(value, bool):
            return _against_number(reader_of(left), _COMPARE[comparator], value)
    return _of_two(reader_of(left), comparator, reader_of(right))


def _against_text(read: Reader, compare: Callable[[Any, Any], Any], text: str) -> Truth:
    def truth(message: Message) -> bool | None:
        value = read(message)
        if isinstance(value, str):
            return bool(compare(value, text))
        return None if value is None else False

    return truth


def _against_number(read: Reader, compare: Callable[[Any, Any], Any], number: Number) -> Truth:
    def truth(message: Message) -> bool | None:
        value = read(message)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return bool(compare(value, number))
        return None if value is None else False

    return truth


def _of_two(left: Reader, comparator: Comparator, right: Reader) -> Truth:
    compare = _COMPARE[comparator]
    ordered = comparator not in _WITHOUT_ORDER

    def truth(message: Message) -> bool | None:
        first = left(message)
        second = right(message)
        if first is None or second is None:
            return None
        return comparable(first, second, ordered) and bool(compare(first, second))

    return truth


def comparable(first: FieldValue, second: FieldValue, ordered: bool) -> bool:
    """Whether two values have the same kind; with `ordered` one that has an order."""
    if isinstance(first, bool) or isinstance(second, bool):
        return isinstance(first, bool) and isinstance(second, bool) and not ordered
    if isinstance(first, str):
        return isinstance(second, str)
    if isinstance(first, bytes):
        return isinstance(second, bytes) and not ordered
    return isinstance(first, (int, float)) and isinstance(second, (int, float))


def _membership(read: Reader, options: tuple[Expression, ...]) -> Truth:
    literals = [option.value for option in options if isinstance(option, Literal)]
    if len(literals) < len(options):
        return _membership_of_values(read, [reader_of(option) for option in options])
    texts = frozenset({value for value in literals if isinstance(value, str)})
    booleans = frozenset({value for value in literals if isinstance(value, bool)})
    numbers = frozenset(
        {value for value in literals if isinstance(value, (int, float)) and not isinstance(value, bool)}
    )

    def truth(message: Message) -> bool | None:
        value = read(message)
        if value is None:
            return None
        if isinstance(value, str):
            return value in texts
        if isinstance(value, bool):
            return value in booleans
        return value in numbers

    return truth


def _membership_of_values(read: Reader, options: list[Reader]) -> Truth:
    def truth(message: Message) -> bool | None:
        value = read(message)
        if value is None:
            return None
        result: bool | None = False
        for option in options:
            candidate = option(message)
            if candidate is None:
                result = None
            elif comparable(value, candidate, False) and value == candidate:
                return True
        return result

    return truth


def _likeness(read: Reader, pattern: str, escape: str | None) -> Truth:
    matches = like_matcher(pattern, escape)

    def truth(message: Message) -> bool | None:
        value = read(message)
        return matches(value) if isinstance(value, str) else None

    return truth


def _null_test(read: Reader, negated: bool) -> Truth:
    def truth(message: Message) -> bool | None:
        return (read(message) is None) != negated

    return truth


def _constant(value: FieldValue) -> Reader:
    def read(message: Message) -> FieldValue:  # noqa: ARG001 - every reader takes one
        return value

    return read


def _field(name: str) -> Reader:
    def read(message: Message) -> FieldValue:
        return message.field(name)

    def read_mode(message: Message) -> FieldValue:
        return "PERSISTENT" if message.durable else "NON_PERSISTENT"

    return read_mode if name == DELIVERY_MODE else read


def _negative(read_operand: Reader) -> Reader:
    def read(message: Message) -> FieldValue:
        value = read_operand(message)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return _bounded(-value)
        return None

    return read


def _calculation(sign: Operator, left: Reader, right: Reader) -> Reader:
    def read(message: Message) -> FieldValue:
        first = left(message)
        second = right(message)
        if (
            isinstance(first, (int, float))
            and isinstance(second, (int, float))
            and not isinstance(first, bool)
            and not isinstance(second, bool)
        ):
            return calculated(sign, first, second)
        return None

    return read


def calculated(sign: Operator, first: Number, second: Number) -> Number | None:
    """The result of an operation; None for a division by zero and for whole numbers beyond 64 bits."""
    match sign:
        case Operator.PLUS:
            return _bounded(first + second)
        case Operator.MINUS:
            return _bounded(first - second)
        case Operator.TIMES:
            return _bounded(first * second)
        case Operator.DIVIDED_BY:
            return _quotient(first, second)
        case Operator.MODULO:
            return _remainder(first, second)
        case _:
            assert_never(sign)


def _bounded(number: Number) -> Number | None:
    return None if isinstance(number, int) and not _LEAST <= number <= _MOST else number


def _quotient(first: Number, second: Number) -> Number | None:
    """The quotient as in Java: whole numbers round towards zero."""
    if second == 0:
        return None
    if isinstance(first, int) and isinstance(second, int):
        whole = abs(first) // abs(second)
        return _bounded(whole if (first < 0) == (second < 0) else -whole)
    return first / second


def _remainder(first: Number, second: Number) -> Number | None:
    """The remainder as in Java: it has the sign of the dividend."""
    if second == 0:
        return None
    if isinstance(first, int) and isinstance(second, int):
        rest = abs(first) % abs(second)
        return -rest if first < 0 else rest
    return math.fmod(first, second) if math.isfinite(first) else None
