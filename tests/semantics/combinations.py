"""Combinations of parameters, half of which CI tries."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest


def half_of_combinations(*parameters: Sequence[Any]) -> list[Any]:
    """All combinations for `pytest.mark.parametrize`; every second one, as on a chessboard, is `long`.

    Each two values of different parameters are together in CI, too, where there are three parameters or more.
    """
    return [
        pytest.param(
            *(value for _, value in choice),
            marks=[pytest.mark.long] if sum(place for place, _ in choice) % 2 else [],
        )
        for choice in product(*(enumerate(values) for values in parameters))
    ]


def halves_together(names: Sequence[str], *parameters: Sequence[Any]) -> list[Any]:
    """As `half_of_combinations`, but all names that a combination of the others has are one case."""
    return [
        pytest.param(
            [name for place, name in enumerate(names) if (place + sum(places)) % 2 == half],
            *values,
            marks=[pytest.mark.long] if half else [],
        )
        for choice in product(*(enumerate(values) for values in parameters))
        for places, values in [zip(*choice, strict=True)]
        for half in (0, 1)
    ]
