"""Values of AMQP 1.0 become fields of tables."""

import struct
from uuid import UUID

import pytest

from lastvalue.codec.amqp091.fields import field_of, short_string, write_field
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import (
    Array,
    Byte,
    Char,
    Decimal,
    Described,
    Float,
    Int,
    Short,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
    Value,
)

SIZE_1, SIZE_3 = b"\x00\x00\x00\x01", b"\x00\x00\x00\x03"


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (None, b"V"),
        (True, b"t\x01"),
        (False, b"t\x00"),
        (UByte(1), b"B\x01"),
        (Byte(-1), b"b\xff"),
        (UShort(1), b"u\x00\x01"),
        (Short(-1), b"s\xff\xff"),
        (UInt(1), b"i\x00\x00\x00\x01"),
        (Int(-1), b"I\xff\xff\xff\xff"),
        (1, b"l" + b"\x00" * 7 + b"\x01"),
        (ULong(2**63), b"S\x00\x00\x00\x13" + str(2**63).encode()),
        (Float(1.5), b"f" + struct.pack(">f", 1.5)),
        (1.5, b"d" + struct.pack(">d", 1.5)),
        ("abc", b"S" + SIZE_3 + b"abc"),
        (Symbol("abc"), b"S" + SIZE_3 + b"abc"),
        (Char("x"), b"S" + SIZE_1 + b"x"),
        (b"abc", b"x" + SIZE_3 + b"abc"),
        (UUID(int=1), b"S\x00\x00\x00\x24" + str(UUID(int=1)).encode()),
        (Timestamp(2999), b"T" + b"\x00" * 7 + b"\x02"),
        (Timestamp(-5), b"T" + b"\x00" * 8),
        ([True, None], b"A" + SIZE_3 + b"t\x01V"),
        (Array("boolean", (True,)), b"A\x00\x00\x00\x02t\x01"),
        ({"a": None}, b"F" + SIZE_3 + b"\x01aV"),
        (Described(Symbol("x"), True), b"t\x01"),
        (Decimal(b"\x00" * 4), b"x\x00\x00\x00\x04" + b"\x00" * 4),
    ],
    ids=repr,
)
def test_a_value_has_the_field_of_its_type(value: Value, field: bytes) -> None:
    assert field_of(value) == field
    encoded = encode_value(value)
    assert write_field(encoded, 0, len(encoded)) == (field, len(encoded))


@pytest.mark.parametrize(
    ("text", "octets"),
    [(b"", b"\x00"), (b"ab", b"\x02ab"), (b"x" * 300, b"\xff" + b"x" * 255)],
)
def test_a_short_string_holds_as_much_of_a_text_as_it_can(text: bytes, octets: bytes) -> None:
    assert short_string(text) == octets


def test_a_short_string_ends_with_a_whole_character() -> None:
    assert short_string("é".encode() * 128) == b"\xfe" + "é".encode() * 127


@pytest.mark.parametrize("data", [b"", b"\xa1", b"\xa1\x05abc", b"\x71\x00", b"\xff"])
def test_bytes_without_a_value_are_no_field(data: bytes) -> None:
    with pytest.raises(DecodeError):
        write_field(data, 0, len(data))
