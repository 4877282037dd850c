"""Values that most messages have are encoded as any other way."""

from uuid import UUID

import pytest

from lastvalue.codec.amqp10.shortcuts.quick_value import quick_value
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Symbol, UByte, UInt, Value

VALUES: list[Value] = [
    None, True, False, "", "ä", "x" * 255, "x" * 256, Symbol(""), Symbol("s"), Symbol("s" * 300),
    UByte(0), UByte(255), UInt(7), 7, 1.5, b"x", UUID(int=1), [1], {"a": 1},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_encoded_as_the_general_way_does(value: Value) -> None:
    assert quick_value(value) == encode_value(value)
