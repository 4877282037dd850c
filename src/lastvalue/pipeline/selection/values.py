"""Values of selectors as columns of Spark: a column for each kind that a value may be of.

Selectors know booleans, numbers, texts and binaries, and which a value is of may differ from row to row.
Here every kind has a column of its own, of which at most one is not null in a row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as sf

from lastvalue.selectors.likeness import pattern_parts
from lastvalue.selectors.tree import Comparator

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
        columns: by kind: WHOLE is a bigint or a decimal without fraction, FLOATING a double. OTHER is of any
            type, and equal to nothing.
        plain: the columns are cheap enough to be written several times into an expression.
        constant: the number that the selector's text gives.
    """

    columns: Mapping[str, Column]
    plain: bool = True
    constant: int | float | None = None

    def present(self) -> Column:
        """Whether it is not NULL."""
        found = sf.lit(False)  # noqa: FBT003 - Spark's
        for column in self.columns.values():
            found |= column.isNotNull()
        return found


def literal(value: bool | float | str) -> Value:  # noqa: FBT001 - a field of the tree
    """What the selector's text gives."""
    if isinstance(value, bool):
        return Value({BOOLEAN: sf.lit(value)})
    if isinstance(value, str):
        return Value({TEXT: sf.lit(value)})
    if isinstance(value, int):
        return Value({WHOLE: sf.lit(value).cast("bigint")}, constant=value)
    return Value({FLOATING: sf.lit(value)}, constant=value)


def compared(comparator: Comparator, left: Value, right: Value) -> Column:
    """Null where one is NULL; false where the kinds differ or have no such comparison."""
    if left.plain and right.plain:
        return _compared(comparator, left, right)
    if len(left.columns) == 1 == len(right.columns) and left.columns.keys() == right.columns.keys() <= {
        WHOLE,
        TEXT,
    }:
        return _compared(comparator, left, right)
    parts = [
        own.alias(f"{side}_{kind}")
        for side, value in (("left", left), ("right", right))
        for kind, own in value.columns.items()
    ]

    def bound(value: Value, side: str, row: Column) -> Value:
        return Value({kind: row[f"{side}_{kind}"] for kind in value.columns}, constant=value.constant)

    return let(
        sf.struct(*parts, sf.lit(0).alias("none")),
        lambda row: _compared(comparator, bound(left, "left", row), bound(right, "right", row)),
    )


def _compared(comparator: Comparator, left: Value, right: Value) -> Column:
    found = []
    for kind, first in left.columns.items():
        for other, second in right.columns.items():
            if {kind, other} <= {WHOLE, FLOATING}:
                found.append(_numbers(comparator, left, right, (kind, other)))
            elif kind == other and kind != OTHER and (kind not in _WITHOUT_ORDER or _is_equality(comparator)):
                found.append(_COMPARE[comparator](first, second))
    if len(found) == 1 and len(left.columns) == 1 == len(right.columns):
        return found[0]
    both = left.present() & right.present()
    return sf.coalesce(*found, sf.when(both, sf.lit(False)))  # noqa: FBT003 - Spark's


def let(value: Column, use: Callable[[Column], Column]) -> Column:
    """What `use` makes of a value that is calculated once, though it be named several times there."""
    return sf.transform(sf.array(value), use)[0]


def widened(whole: Column) -> Column:
    """A whole number that calculations cannot make too long: they give null instead."""
    return whole.cast("decimal(38,0)")


def bounded(whole: Column) -> Column:
    """A whole number of decimal(38,0), or null where it has more than 64 bits.

    Beyond the bounds it goes over the type's own, and comes back as null; so it is named once only.
    """
    above, below = _wide(_LONGEST - _MOST), _wide(_LONGEST + _LEAST)
    at_most = sf.try_subtract(sf.try_add(whole, above), above)
    return sf.try_add(sf.try_subtract(at_most, below), below)


def like(text: Column, pattern: str, escape: str | None) -> Column:
    """Whether a text is of the pattern.

    Each part is taken where it is first found, and never looked for again, so that no text takes long.
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
    """As in Java and Python: what is no number is unequal to all, and neither less nor greater."""
    no_number = (sf.isnan(first) | sf.isnan(second)) & first.isNotNull() & second.isNotNull()
    answer = sf.lit(comparator is Comparator.UNEQUAL)
    return sf.when(no_number, answer).otherwise(_COMPARE[comparator](first, second))


def _of_mixed(comparator: Comparator, whole: Column, floating: Column) -> Column:
    """By value, to the last bit: Spark itself would make the whole number a double, which drops bits.

    Where these doubles are equal the floating one is whole, and is compared as such.
    """
    rounded = whole.cast("double")
    exact = sf.when(floating < float(_HALF), widened(floating.try_cast("bigint"))).otherwise(
        widened((floating - sf.lit(float(_HALF))).try_cast("bigint")) + _wide(_HALF)
    )
    difference = (
        sf.when(rounded < floating, -1)
        .when(rounded > floating, 1)
        .when(exact.isNull() | (widened(whole) < exact), -1)
        .when(widened(whole) > exact, 1)
        .otherwise(0)
    )
    no_number = sf.isnan(floating) & whole.isNotNull()
    answer = sf.lit(comparator is Comparator.UNEQUAL)
    known = sf.when(whole.isNotNull() & floating.isNotNull(), _COMPARE[comparator](difference, sf.lit(0)))
    return sf.when(no_number, answer).otherwise(known)


def _wide(number: int) -> Column:
    return sf.lit(str(number)).cast("decimal(38,0)")
