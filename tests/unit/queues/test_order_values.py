"""Which order value is older."""

from typing import Any

import pytest

from lastvalue.queues.order_values import LEAST_ORDER_VALUE, is_older


@pytest.mark.parametrize(
    ("value", "than", "older"),
    [
        (1, 2, True),
        (2, 2, False),
        (3, 2, False),
        (1, 1.5, True),
        (2.0, 2, False),
        (float("nan"), 1, False),
        (1, float("nan"), False),
        ("10", "9", True),
        ("a", "a", False),
        ("1", 2, False),
        (1, "2", False),
        (None, 2, False),
        (1, None, False),
        (2**63, 2**64, True),
        (LEAST_ORDER_VALUE, -(2**70), True),
        (LEAST_ORDER_VALUE, "", True),
        ("", LEAST_ORDER_VALUE, False),
        (LEAST_ORDER_VALUE, LEAST_ORDER_VALUE, False),
        (LEAST_ORDER_VALUE, None, False),
    ],
)
def test_only_a_smaller_value_of_the_same_kind_is_older(value: Any, than: Any, older: bool) -> None:
    assert is_older(value, than) is older
