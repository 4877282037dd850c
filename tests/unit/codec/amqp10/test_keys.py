"""Which values are one last-value key, and how values are ordered."""

from uuid import UUID

import pytest

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.keys import key_at, order_at
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import (
    Byte,
    Char,
    Decimal,
    Float,
    Int,
    Symbol,
    Timestamp,
    UInt,
    ULong,
    Value,
)
from lastvalue.model.message import OrderValue


def key(value: Value) -> bytes | None:
    encoded = encode_value(value)
    return key_at(encoded, 0, len(encoded))


@pytest.mark.parametrize(
    "values",
    [
        ["a", Symbol("a")],
        ["x" * 300, Symbol("x" * 300)],
        [5, Byte(5), Int(5), UInt(5), ULong(5)],
        [0, UInt(0), ULong(0)],
        [-1, Byte(-1), Int(-1)],
        [1.5, Float(1.5)],
        [0.0, -0.0],
    ],
    ids=repr,
)
def test_values_that_are_equal_are_one_key_whatever_their_width(values: list[Value]) -> None:
    assert len({key(value) for value in values}) == 1


def test_values_of_different_kinds_are_different_keys() -> None:
    values: list[Value] = [
        "1", 1, True, 1.0, Timestamp(1), Char("1"), b"1", UUID(int=1), Decimal(b"0001"), [1], {"1": 1},
    ]  # fmt: skip
    assert len({key(value) for value in values}) == len(values)


def test_null_is_no_key() -> None:
    assert key(None) is None


@pytest.mark.parametrize(
    ("value", "order"),
    [
        (5, 5),
        (Byte(-1), -1),
        (2.5, 2.5),
        (Float(2.5), 2.5),
        ("a", "a"),
        (Symbol("a"), "a"),
        (Timestamp(7), 7),
        (float("nan"), None),
        (True, None),
        (Char("a"), None),
        (b"a", None),
        (None, None),
        ([1], None),
    ],
    ids=repr,
)
def test_numbers_and_texts_have_an_order(value: Value, order: OrderValue | None) -> None:
    encoded = encode_value(value)
    assert order_at(encoded, 0, len(encoded)) == order


@pytest.mark.parametrize("data", [b"", b"\x71\x00", b"\xa1\x05a"])
def test_bytes_that_are_no_value_have_neither_key_nor_order(data: bytes) -> None:
    for read in (key_at, order_at):
        with pytest.raises(DecodeError):
            read(data, 0, len(data))
