"""Which values are one last-value key, and how values are ordered."""

from uuid import UUID

import pytest

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.keys import key_at, number_place, order_at
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
from lastvalue.model.message import NO_NUMBER, OrderValue


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


@pytest.mark.parametrize(
    "encoded",
    [
        "43", "44", "5000", "50ff", "5180", "527f", "52ff", "5380", "5480", "547f", "55ff", "557f",
        "60ffff", "618000", "7080000000", "707fffffff", "71ffffffff", "7100000001",
        "80" + "7f" * 8, "80" + "ff" * 8, "81" + "80" * 8, "81" + "7f" * 8, "81" + "ff" * 8,
        "83" + "00" * 7 + "09", "72" + "3fc00000", "82" + "3ff8" + "00" * 6, "82" + "7ff8" + "00" * 6,
    ],
)  # fmt: skip
def test_a_number_is_read_in_its_place_as_anywhere(encoded: str) -> None:
    data = b"before" + bytes.fromhex(encoded) + b"after it"
    place = number_place(data, 6)
    assert place is not None
    order = order_at(data, 6, len(data))
    assert place.value(data) == order
    assert place.number(data) in (order, NO_NUMBER)


@pytest.mark.parametrize("encoded", ["40", "41", "5601", "a10161", "b10000000161", "45", "98" + "00" * 16])
def test_what_is_no_number_has_no_place(encoded: str) -> None:
    assert number_place(bytes.fromhex(encoded), 0) is None
