"""JMS selectors on DataFrames: the rows that a consumer with the selector would receive.

A selector is compiled to one Spark expression with the same meaning as in `lastvalue.selectors`: three truth
values, types that do not mix, exact comparison of whole and floating-point numbers, and Java's arithmetic.
Spark's own rules differ in all of these (docs/pipeline/operators.md).
"""

from typing import Final, assert_never

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import StructType

from lastvalue.pipeline.selection.fields import Fields
from lastvalue.pipeline.selection.values import (
    BOOLEAN,
    FLOATING,
    TEXT,
    WHOLE,
    Value,
    compare,
    let,
    like,
    literal,
    widen,
    within_64_bits,
)
from lastvalue.selectors import InvalidSelectorError, parse_selector
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
    depth,
)

MAX_SPARK_DEPTH: Final = 30
"""The deepest selector that is accepted; Spark's analyzer fails on divisions that are nested deeper."""


def select(df: DataFrame, selector: str, *, key_property: str = "key") -> DataFrame:
    """The rows for which the selector is true; batch or streaming.

    Names are columns. If the rows are messages, that is, if a column `properties` is a map or a struct, names
    have their meaning on a queue: entries of `properties`, otherwise of `annotations`, otherwise fields.

    Args:
        df: the rows.
        selector: see docs/queues/selectors.md.
        key_property: if rows are messages, the property that the column `key` holds.

    Raises:
        InvalidSelectorError: the selector is invalid, or deeper than MAX_SPARK_DEPTH.
        UnknownFieldError: names are columns, and a column does not exist.
    """
    return df.where(condition(df.schema, selector, key_property=key_property))


def condition(schema: StructType, selector: str, *, key_property: str = "key") -> Column:
    """The selector as a boolean column of rows of that schema, null where it is unknown.

    Raises:
        InvalidSelectorError, UnknownFieldError: as `select`.
    """
    tree = parse_selector(selector).tree
    if depth(tree) > MAX_SPARK_DEPTH:
        raise InvalidSelectorError(f"nested deeper than {MAX_SPARK_DEPTH} levels, for Spark", selector)
    return _Compiler(Fields(schema, key_property)).truth(tree)


class _Compiler:
    def __init__(self, fields: Fields) -> None:
        self._fields = fields

    def truth(self, expression: Expression) -> Column:  # noqa: PLR0911 - one a case
        """Whether the expression holds; null where that is unknown."""
        match expression:
            case Comparison(comparator, left, right):
                return compare(comparator, self.value(left), self.value(right))
            case Between(value, low, high, negated):
                within = self._comparison(Comparator.AT_LEAST, value, low) & self._comparison(
                    Comparator.AT_MOST, value, high
                )
                return _inverse_if(within, negated=negated)
            case Membership(value, options, negated):
                return _inverse_if(self._membership(value, options), negated=negated)
            case Likeness(value, pattern, escape, negated):
                text = self.value(value).columns.get(TEXT)
                alike = _unknown() if text is None else like(text, pattern, escape)
                return _inverse_if(alike, negated=negated)
            case NullTest(value, negated):
                present = self.value(value).present()
                return present if negated else ~present
            case Inverse(operand):
                return ~self.truth(operand)
            case Conjunction(terms):
                return _all_of([self.truth(term) for term in terms])
            case Disjunction(terms):
                return _any_of([self.truth(term) for term in terms])
            case _:
                return self.value(expression).columns.get(BOOLEAN, _unknown())

    def value(self, expression: Expression) -> Value:
        """The expression's value in a row."""
        match expression:
            case Literal(value):
                return literal(value)
            case Name(text):
                return self._fields.value(text)
            case Negative(operand):
                return _negative(self.value(operand))
            case Calculation(operator, left, right):
                return _calculation(operator, self.value(left), self.value(right))
            case _:
                return Value({BOOLEAN: self.truth(expression)}, plain=False)

    def _comparison(self, comparator: Comparator, left: Expression, right: Expression) -> Column:
        return compare(comparator, self.value(left), self.value(right))

    def _membership(self, value: Expression, options: tuple[Expression, ...]) -> Column:
        texts = [
            option.value
            for option in options
            if isinstance(option, Literal) and isinstance(option.value, str)
        ]
        own = self.value(value)
        conditions = []
        if len(texts) > 1 and own.columns.keys() == {TEXT}:
            conditions.append(own.columns[TEXT].isin(texts))
            options = tuple(
                option
                for option in options
                if not (isinstance(option, Literal) and isinstance(option.value, str))
            )
        conditions += [compare(Comparator.EQUAL, own, self.value(option)) for option in options]
        return _any_of(conditions)


def _negative(operand: Value) -> Value:
    columns = {}
    if WHOLE in operand.columns:
        columns[WHOLE] = within_64_bits(-widen(operand.columns[WHOLE]))
    if FLOATING in operand.columns:
        columns[FLOATING] = -operand.columns[FLOATING]
    return Value(columns, plain=False)


def _calculation(operator: Operator, left: Value, right: Value) -> Value:
    """A whole number if both operands are whole, otherwise a double; null if one is not a number."""
    columns: dict[str, Column] = {}
    first, second = left.columns, right.columns
    if WHOLE in first and WHOLE in second:
        columns[WHOLE] = within_64_bits(_of_whole(operator, widen(first[WHOLE]), widen(second[WHOLE])))
    floating = [
        _of_floating(operator, first[one].cast("double"), second[other].cast("double"))
        for one, other in ((FLOATING, FLOATING), (WHOLE, FLOATING), (FLOATING, WHOLE))
        if one in first and other in second
    ]
    if floating:
        columns[FLOATING] = sf.coalesce(*floating)
    return Value(columns, plain=False)


def _of_whole(operator: Operator, first: Column, second: Column) -> Column:
    match operator:
        case Operator.PLUS:
            return sf.try_add(first, second)
        case Operator.MINUS:
            return sf.try_subtract(first, second)
        case Operator.TIMES:
            return sf.try_multiply(first, second)
        case Operator.MODULO:
            return sf.try_mod(first, second)
        case Operator.DIVIDED_BY:
            # Spark rounds the quotient of decimals; the dividend minus its remainder has an exact quotient.
            return let(
                sf.struct(first.alias("first"), second.alias("second")),
                lambda both: sf.try_divide(
                    both["first"] - sf.try_mod(both["first"], both["second"]), both["second"]
                ).cast("decimal(38,0)"),
            )
        case _:
            assert_never(operator)


def _of_floating(operator: Operator, first: Column, second: Column) -> Column:
    match operator:
        case Operator.PLUS:
            return first + second
        case Operator.MINUS:
            return first - second
        case Operator.TIMES:
            return first * second
        case Operator.DIVIDED_BY:
            return sf.try_divide(first, second)
        case Operator.MODULO:
            finite = let(first, lambda value: sf.when(sf.abs(value) < float("inf"), value))
            return sf.try_mod(finite, second)
        case _:
            assert_never(operator)


def _inverse_if(truth: Column, *, negated: bool) -> Column:
    return ~truth if negated else truth


def _all_of(truths: list[Column]) -> Column:
    """A balanced tree of conjunctions, so that a long list does not become a deep expression."""
    if len(truths) == 1:
        return truths[0]
    middle = len(truths) // 2
    return _all_of(truths[:middle]) & _all_of(truths[middle:])


def _any_of(truths: list[Column]) -> Column:
    if len(truths) == 1:
        return truths[0]
    middle = len(truths) // 2
    return _any_of(truths[:middle]) | _any_of(truths[middle:])


def _unknown() -> Column:
    return sf.lit(None).cast("boolean")
