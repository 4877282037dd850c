"""Selectors against an evaluator that anyone can check, and against the laws of three values."""

import math
from typing import Any

from canned_message import CannedMessage
from example_counts import example_count
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastvalue.model.message import FieldValue
from lastvalue.selectors import InvalidSelectorError, parse_selector
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
)
from lastvalue.selectors.fields import UNKNOWN
from lastvalue.selectors.predicate import predicate_of, reader_of
from lastvalue.selectors.selector import MAX_DEPTH
from lastvalue.selectors.selector_text import selector_text

EXAMPLES = example_count(300)
property_test = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
# Few, so that two of them are often equal.
FEW: list[bool | int | float | str] = [0, 1, 2, -3, 1.0, -0.5, 2**62, "", "a", "ab", "b%", "1", True, False]
CLOSE = st.sampled_from(FEW)
WORDS = [
    "and",
    "In",
    "\u0131s",
    "\u0130n",
    "i\u017f",
    "x.y",
    "$1",
    "a b",
    'a"b',
    "it's",
    "é",
    "TRUE.x",
    "header.priority",
    "1a",
    "-",
]

any_names = (st.sampled_from(WORDS) | st.text(min_size=1)).filter(lambda name: name not in UNKNOWN)
any_literals = st.booleans() | NUMBERS | st.text()


def likenesses(values: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    parts = st.sampled_from(["%", "_", "a", "b", "%a", "", "!!", "!%", "!_", "!a"])
    patterns = st.lists(parts, max_size=5).map("".join)
    escaped = st.builds(Likeness, values, patterns, st.just("!"), st.booleans())
    return escaped | st.builds(Likeness, values, patterns, st.none(), st.booleans())


def trees(names: st.SearchStrategy[str], literals: st.SearchStrategy[Any]) -> st.SearchStrategy[Expression]:
    """Trees as the parser makes them: a literal number has its sign, terms are two or more."""

    def extended(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(inner, min_size=2, max_size=4).map(tuple)
        options = st.lists(inner, min_size=1, max_size=4).map(tuple)
        return st.one_of(
            st.builds(Negative, inner.filter(has_no_sign)),
            st.builds(Calculation, st.sampled_from(Operator), inner, inner),
            st.builds(Comparison, st.sampled_from(Comparator), inner, inner),
            st.builds(Between, inner, inner, inner, st.booleans()),
            st.builds(Membership, inner, options, st.booleans()),
            likenesses(inner),
            st.builds(NullTest, inner, st.booleans()),
            st.builds(Inverse, inner),
            st.builds(Conjunction, several),
            st.builds(Disjunction, several),
        )

    return st.recursive(st.builds(Name, names) | st.builds(Literal, literals), extended, max_leaves=12)


def has_no_sign(expression: Expression) -> bool:
    return not isinstance(expression, Literal) or isinstance(expression.value, bool | str)


conditions = trees(st.sampled_from("xyz"), CLOSE)
messages = st.dictionaries(
    st.sampled_from("xyz"), CLOSE | NUMBERS | st.sampled_from([b"", b"a", math.nan, math.inf, 2**64 - 1])
).map(CannedMessage)


# ---- The evaluator


def valued(expression: Expression, message: CannedMessage) -> FieldValue:
    match expression:
        case Literal(value):
            return value
        case Name(text):
            return message.field(text)
        case Negative(operand):
            number = valued(operand, message)
            return bounded(-number) if kind(number) == "number" else None  # type: ignore[operator]  # a number, as `kind` says
        case Calculation(operator, left, right):
            first, second = valued(left, message), valued(right, message)
            return calculated(operator, first, second) if kind(first) == kind(second) == "number" else None
        case _:
            return holds(expression, message)


def kind(value: FieldValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else type(value).__name__


def calculated(operator: Operator, first: Any, second: Any) -> FieldValue:
    whole = isinstance(first, int) and isinstance(second, int)
    if operator in (Operator.DIVIDED_BY, Operator.MODULO) and second == 0:
        return None
    match operator:
        case Operator.PLUS:
            return bounded(first + second)
        case Operator.MINUS:
            return bounded(first - second)
        case Operator.TIMES:
            return bounded(first * second)
        case Operator.DIVIDED_BY:
            return bounded(cut_off(first, second)) if whole else first / second
        case Operator.MODULO if whole:
            return int(first - second * cut_off(first, second))
        case Operator.MODULO:
            return math.fmod(first, second) if abs(first) < math.inf else None


def cut_off(first: int, second: int) -> int:
    quotient, rest = divmod(first, second)
    return quotient + 1 if rest and (first < 0) != (second < 0) else quotient


def bounded(number: Any) -> FieldValue:
    return None if isinstance(number, int) and not -(2**63) <= number < 2**64 else number


def holds(expression: Expression, message: CannedMessage) -> bool | None:
    match expression:
        case Comparison(comparator, left, right):
            return compared(comparator, valued(left, message), valued(right, message))
        case Between(value, low, high, negated):
            at_least = Comparison(Comparator.AT_LEAST, value, low)
            at_most = Comparison(Comparator.AT_MOST, value, high)
            return inverse_if(negated, holds(Conjunction((at_least, at_most)), message))
        case Membership(value, options, negated):
            equal = [Comparison(Comparator.EQUAL, value, option) for option in options]
            return inverse_if(negated, holds(Disjunction((*equal, Literal(value=False))), message))
        case Likeness(value, pattern, escape, negated):
            text = valued(value, message)
            return inverse_if(negated, like(text, pattern, escape) if isinstance(text, str) else None)
        case NullTest(value, negated):
            return (valued(value, message) is None) != negated
        case Inverse(operand):
            return inverse_if(True, holds(operand, message))
        case Conjunction(terms):
            known = [holds(term, message) for term in terms]
            return False if False in known else None if None in known else True
        case Disjunction(terms):
            known = [holds(term, message) for term in terms]
            return True if True in known else None if None in known else False
        case _:
            known_value = valued(expression, message)
            return known_value if isinstance(known_value, bool) else None


def inverse_if(negated: bool, known: bool | None) -> bool | None:
    return known if known is None or not negated else not known


def compared(comparator: Comparator, first: Any, second: Any) -> bool | None:
    if first is None or second is None:
        return None
    if kind(first) != kind(second):
        return False
    match comparator:
        case Comparator.EQUAL:
            return bool(first == second)
        case Comparator.UNEQUAL:
            return bool(first != second)
        case _ if kind(first) not in ("number", "str"):
            return False
        case Comparator.LESS:
            return bool(first < second)
        case Comparator.AT_MOST:
            return bool(first <= second)
        case Comparator.GREATER:
            return bool(first > second)
        case Comparator.AT_LEAST:
            return bool(first >= second)


def like(text: str, pattern: str, escape: str | None) -> bool:
    if not pattern:
        return not text
    first, rest = pattern[0], pattern[1:]
    if first == escape:
        return text[:1] == rest[0] and like(text[1:], rest[1:], escape)
    if first == "%":
        return any(like(text[start:], rest, escape) for start in range(len(text) + 1))
    return text != "" and first in ("_", text[0]) and like(text[1:], rest, escape)


def tree_or_position(text: str) -> tuple[Expression, int]:
    try:
        return parse_selector(text).tree, 0
    except InvalidSelectorError as refusal:
        return EVERYTHING, -1 if refusal.position is None else refusal.position


# ---- The laws


LEAVES: list[Expression] = [*(Literal(value) for value in FEW), *(Name(name) for name in "abcdefghijklmno")]
OF_EVERY_KIND = CannedMessage(dict(zip("abcdefghijklmno", [*FEW, b"a"], strict=True)))
PAIRS: list[Expression] = [
    *(
        Comparison(comparator, left, right)
        for comparator in Comparator
        for left in LEAVES
        for right in LEAVES
    ),
    *(Calculation(operator, left, right) for operator in Operator for left in LEAVES for right in LEAVES),
    *(
        Membership(left, (right, option), True)
        for left in LEAVES
        for right in LEAVES
        for option in LEAVES[-2:]
    ),
    *(Membership(left, (right, Name("absent")), False) for left in LEAVES for right in LEAVES),
    *(Between(left, right, Literal(1), False) for left in LEAVES for right in LEAVES),
]


def test_every_pair_of_values_means_what_the_evaluator_says() -> None:
    read = {pair: reader_of(pair)(OF_EVERY_KIND) for pair in PAIRS}
    assert [pair for pair in PAIRS if repr(read[pair]) != repr(valued(pair, OF_EVERY_KIND))] == []


@property_test
@given(trees(any_names, any_literals))
def test_a_tree_survives_being_written_and_read(tree: Expression) -> None:
    text = selector_text(tree)
    if depth(tree) <= MAX_DEPTH:
        assert parse_selector(text).tree == tree


@property_test
@given(st.text() | st.text(alphabet="ab 01.'\"()=<>-+%_,eExLfANDORNOTISULKEBW\n"))
def test_a_text_is_a_selector_or_refused_with_its_place(text: str) -> None:
    tree, position = tree_or_position(text)
    assert 0 <= position <= len(text)
    assert parse_selector(selector_text(tree)).tree == tree


@property_test
@given(conditions, messages)
def test_a_selector_means_what_the_evaluator_says(tree: Expression, message: CannedMessage) -> None:
    expected = holds(tree, message)
    assert predicate_of(tree)(message) is expected
    assert repr(reader_of(tree)(message)) == repr(valued(tree, message))
    assert parse_selector(selector_text(tree)).matches(message) is (expected is True)


@property_test
@given(conditions, conditions, messages)
def test_not_goes_through_and_and_or(first: Expression, second: Expression, message: CannedMessage) -> None:
    inverses = (Inverse(first), Inverse(second))
    both, either = Conjunction((first, second)), Disjunction((first, second))
    assert predicate_of(Inverse(both))(message) is predicate_of(Disjunction(inverses))(message)
    assert predicate_of(Inverse(either))(message) is predicate_of(Conjunction(inverses))(message)
    assert predicate_of(both)(message) is predicate_of(Conjunction((second, first)))(message)
    assert predicate_of(either)(message) is predicate_of(Disjunction((second, first)))(message)


@property_test
@given(conditions, messages)
def test_a_condition_is_true_or_false_or_unknown(tree: Expression, message: CannedMessage) -> None:
    condition = selector_text(Conjunction((tree, tree)))
    selected = [
        selector
        for selector in (condition, f"NOT ({condition})", f"({condition}) IS NULL")
        if parse_selector(selector).matches(message)
    ]
    assert len(selected) == 1


@property_test
@given(conditions.filter(lambda tree: hasattr(tree, "negated")), messages)
def test_a_negated_test_is_the_inverse_of_the_plain_one(tree: Any, message: CannedMessage) -> None:
    fields = {name: getattr(tree, name) for name in type(tree).__slots__}
    other = type(tree)(**{**fields, "negated": not tree.negated})
    assert predicate_of(other)(message) is predicate_of(Inverse(tree))(message)
