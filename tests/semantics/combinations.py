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
