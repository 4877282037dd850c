"""Order values, by which a last-value queue decides which of two updates is newer."""

from typing import Final

LEAST_ORDER_VALUE: Final = float("-inf")
"""An order value that is older than every other, number or text."""


def is_older(value: float | str | None, than: float | str | None) -> bool:
    """Whether an order value is strictly older than another; false if one is missing or they do not compare.

    Numbers compare with numbers, texts with texts by code point, and LEAST_ORDER_VALUE with all.
    """
    if value is None or than is None:
        return False
    if isinstance(value, str):
        return isinstance(than, str) and value < than
    if isinstance(than, str):
        return value == LEAST_ORDER_VALUE
    return value < than
