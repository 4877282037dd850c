"""Values of selectors as Spark columns, with one column for each type that a value may have.

Selectors have booleans, numbers, texts and binaries, and a value may have another type in each row. Here each
type has a column of its own; at most one of them is not null in a row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as sf

from lastvalue.selectors.expressions import Comparator
from lastvalue.selectors.like_patterns import pattern_parts

BOOLEAN: Final = "boolean"
WHOLE: Final = "whole"
FLOATING: Final = "floating"
TEXT: Final = "text"
BINARY: Final = "binary"
OTHER: Final = "other"

_WITHOUT_ORDER: Final = (BOOLEAN, BINARY)
_EXACT_AS_DOUBLE: Final = 2**53
_LEAST, _MOST = -(2**63), 2**64 - 1
_HALF: Final = 2**63
_LONGEST: Final = 10**38 - 1

_COMPARE: Final[Mapping[Comparator, Callable[[Column, Column], Column]]] = {
    Comparator.EQUAL: lambda first, second: first == second,
    Comparator.UNEQUAL: lambda first, second: first != second,
    Comparator.LESS: lambda first, second: first < second,
    Comparator.AT_MOST: lambda first, second: first <= second,
    Comparator.GREATER: lambda first, second: first > second,
    Comparator.AT_LEAST: lambda first, second: first >= second,
}
_MIRRORED: Final = {
    Comparator.EQUAL: Comparator.EQUAL,
    Comparator.UNEQUAL: Comparator.UNEQUAL,
    Comparator.LESS: Comparator.GREATER,
    Comparator.AT_MOST: Comparator.AT_LEAST,
    Comparator.GREATER: Comparator.LESS,
    Comparator.AT_LEAST: Comparator.AT_MOST,
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a row.

    Attributes:
        columns: by type: WHOLE is a bigint or a decimal without fraction, FLOATING a double. OTHER is of any
            other type, and equal to nothing.
        plain: the columns are cheap enough to appear several times in an expression.
        constant: the number, if the value is a literal in the selector.
    """

    columns: Mapping[str, Column]
    plain: bool = True
    constant: int | float | None = None

    def present(self) -> Column:
        """Whether it is not NULL."""
        present = sf.lit(col=False)
        for column in self.columns.values():
            present |= column.isNotNull()
        return present


def literal(value: bool | float | str) -> Value:  # noqa: FBT001 - a field of the tree
    """A literal of the selector."""
    if isinstance(value, bool):
        return Value({BOOLEAN: sf.lit(value)})
    if isinstance(value, str):
        return Value({TEXT: sf.lit(value)})
    if isinstance(value, int):
        return Value({WHOLE: sf.lit(value).cast("bigint")}, constant=value)
    return Value({FLOATING: sf.lit(value)}, constant=value)


def compare(comparator: Comparator, left: Value, right: Value) -> Column:
    """The comparison: null if an operand is NULL; false if the types differ or have no such comparison."""
    if left.plain and right.plain:
        return _compare(comparator, left, right)
    if len(left.columns) == 1 == len(right.columns) and left.columns.keys() == right.columns.keys() <= {
        WHOLE,
        TEXT,
    }:
        return _compare(comparator, left, right)
    parts = [
        own.alias(f"{side}_{kind}")
        for side, value in (("left", left), ("right", right))
        for kind, own in value.columns.items()
    ]

    def bound(value: Value, side: str, row: Column) -> Value:
        return Value({kind: row[f"{side}_{kind}"] for kind in value.columns}, constant=value.constant)

    return let(
        sf.struct(*parts, sf.lit(0).alias("none")),
        lambda row: _compare(comparator, bound(left, "left", row), bound(right, "right", row)),
    )


def _compare(comparator: Comparator, left: Value, right: Value) -> Column:
    comparisons = []
    for kind, first in left.columns.items():
        for other, second in right.columns.items():
            if {kind, other} <= {WHOLE, FLOATING}:
                comparisons.append(_numbers(comparator, left, right, (kind, other)))
            elif kind == other and kind != OTHER and (kind not in _WITHOUT_ORDER or _is_equality(comparator)):
                comparisons.append(_COMPARE[comparator](first, second))
    if len(comparisons) == 1 and len(left.columns) == 1 == len(right.columns):
        return comparisons[0]
    both = left.present() & right.present()
    return sf.coalesce(*comparisons, sf.when(both, sf.lit(col=False)))


def let(value: Column, use: Callable[[Column], Column]) -> Column:
    """The result of `use`, which may name the value several times although Spark calculates it once."""
    return sf.transform(sf.array(value), use)[0]


def widen(whole: Column) -> Column:
    """A whole number as decimal(38,0); a calculation that overflows this type gives null."""
    return whole.cast("decimal(38,0)")


def within_64_bits(whole: Column) -> Column:
    """A whole number of decimal(38,0), or null if it needs more than 64 bits.

    A number beyond the bounds overflows the type and becomes null, so the expression names `whole` only once.
    """
    above, below = _wide(_LONGEST - _MOST), _wide(_LONGEST + _LEAST)
    at_most = sf.try_subtract(sf.try_add(whole, above), above)
    return sf.try_add(sf.try_subtract(at_most, below), below)


def like(text: Column, pattern: str, escape: str | None) -> Column:
    """Whether a text matches the pattern.

    Each part matches at its first occurrence, without backtracking, so that no text takes long.
    """
    first, *others = pattern_parts(pattern, escape)
    if not others and None not in first:
        return text == "".join(map(str, first))
    expression = _part(first)
    if others:
        middle = "".join(f"(?>.*?{_part(part)})" for part in others[:-1] if part)
        expression = f"{expression}{middle}.*{_part(others[-1])}"
    return text.rlike(f"(?s)\\A{expression}\\z")


def _part(part: list[str | None]) -> str:
    return "".join("." if character is None else f"\\x{{{ord(character):X}}}" for character in part)


def _is_equality(comparator: Comparator) -> bool:
    return comparator in (Comparator.EQUAL, Comparator.UNEQUAL)


def _numbers(comparator: Comparator, left: Value, right: Value, kinds: tuple[str, str]) -> Column:
    if left.constant is not None and right.constant is None:
        return _numbers(_MIRRORED[comparator], right, left, (kinds[1], kinds[0]))
    first, second = left.columns[kinds[0]], right.columns[kinds[1]]
    if kinds[0] == kinds[1]:
        compare = _COMPARE[comparator] if kinds[0] == WHOLE else None
        return compare(first, second) if compare else _of_floating(comparator, first, second)
    constant = right.constant
    if kinds[0] == WHOLE:
        if isinstance(constant, float) and constant.is_integer() and abs(constant) < _HALF:
            return _COMPARE[comparator](first, sf.lit(int(constant)))
        return _of_mixed(comparator, first, second)
    if constant is not None and abs(constant) <= _EXACT_AS_DOUBLE:
        return _of_floating(comparator, first, sf.lit(float(constant)))
    return _of_mixed(_MIRRORED[comparator], second, first)


def _of_floating(comparator: Comparator, first: Column, second: Column) -> Column:
    """As in Java and Python: NaN is unequal to every number, and neither less nor greater."""
    no_number = (sf.isnan(first) | sf.isnan(second)) & first.isNotNull() & second.isNotNull()
    answer = sf.lit(comparator is Comparator.UNEQUAL)
    return sf.when(no_number, answer).otherwise(_COMPARE[comparator](first, second))


def _of_mixed(comparator: Comparator, whole: Column, floating: Column) -> Column:
    """An exact comparison: Spark itself would convert the whole number to a double, which loses bits.

    If the doubles are equal, the floating-point number is whole, and both are compared as whole numbers.
    """
    rounded = whole.cast("double")
    exact = sf.when(floating < float(_HALF), widen(floating.try_cast("bigint"))).otherwise(
        widen((floating - sf.lit(float(_HALF))).try_cast("bigint")) + _wide(_HALF)
    )
    difference = (
        sf.when(rounded < floating, -1)
        .when(rounded > floating, 1)
        .when(exact.isNull() | (widen(whole) < exact), -1)
        .when(widen(whole) > exact, 1)
        .otherwise(0)
    )
    no_number = sf.isnan(floating) & whole.isNotNull()
    answer = sf.lit(comparator is Comparator.UNEQUAL)
    both = whole.isNotNull() & floating.isNotNull()
    return sf.when(no_number, answer).otherwise(sf.when(both, _COMPARE[comparator](difference, sf.lit(0))))


def _wide(number: int) -> Column:
    return sf.lit(str(number)).cast("decimal(38,0)")
