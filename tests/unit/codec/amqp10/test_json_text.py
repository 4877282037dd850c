"""The JSON of values."""

from math import inf, nan
from uuid import UUID

import pytest

from lastvalue.codec.amqp10.json_text import json_text
from lastvalue.codec.amqp10.values import Array, Described, Symbol, UInt, Value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": [1, None, 0.5], Symbol("é"): True}, '{"a": [1, null, 0.5], "é": true}'),
        (Array("uint", [UInt(1)]), "[1]"),
        (Described(Symbol("d"), "x"), '"x"'),
        (b"x", '"x"'),
        ([nan, {"a": -inf}], '["NaN", {"a": "-Infinity"}]'),
        (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
    ],
)
def test_a_value_that_json_does_not_have_is_text(value: Value, expected: str) -> None:
    assert json_text(value) == expected
