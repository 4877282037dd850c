"""Field tables of AMQP 0-9-1 become maps of AMQP 1.0."""

import struct

import pytest

from lastvalue.codec.amqp091.errors import SYNTAX_ERROR, ReplyError
from lastvalue.codec.amqp091.tables import read_field, read_table, table_end, timestamp
from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.values import Byte, Float, Int, Short, Timestamp, UByte, UInt, UShort, Value


def long_string(octets: bytes) -> bytes:
    return struct.pack(">I", len(octets)) + octets


def decode_value(encoded: bytes) -> Value:
    return Decoder(encoded, 0, len(encoded)).read()


def table(*fields: bytes) -> bytes:
    return long_string(b"".join(fields))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (b"t\x01", True),
        (b"t\x00", False),
        (b"b\xff", Byte(-1)),
        (b"B\xff", UByte(255)),
        (b"s\xff\xff", Short(-1)),
        (b"U\xff\xff", Short(-1)),
        (b"u\xff\xff", UShort(65535)),
        (b"I\xff\xff\xff\xff", Int(-1)),
        (b"i\xff\xff\xff\xff", UInt(2**32 - 1)),
        (b"l" + b"\xff" * 8, -1),
        (b"L" + b"\xff" * 8, -1),
        (b"f" + struct.pack(">f", 1.5), Float(1.5)),
        (b"d" + struct.pack(">d", 1.5), 1.5),
        (b"S" + long_string(b"text"), "text"),
        (b"S" + long_string(b"\xff"), b"\xff"),
        (b"S" + long_string(b"x" * 300), "x" * 300),
        (b"x" + long_string(b"text"), b"text"),
        (b"T" + struct.pack(">Q", 2), Timestamp(2000)),
        (b"V", None),
        (b"A" + table(b"t\x01", b"V"), [True, None]),
        (b"F" + table(b"\x01at\x01", b"\x01bV"), {"a": True, "b": None}),
    ],
)
def test_a_field_becomes_the_value_of_its_type(field: bytes, value: Value) -> None:
    encoded, stop = read_field(field, 0, len(field), 0)
    decoded = decode_value(encoded)
    assert (decoded, type(decoded)) == (value, type(value))
    assert stop == len(field)


def test_of_two_entries_of_one_name_the_last_counts() -> None:
    data = table(b"\x01at\x00", b"\x01at\x01")
    assert [(name, kind, decode_value(value)) for name, kind, value in read_table(data, 0, len(data))] == [
        (b"a", ord("t"), True)
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x00\x00",
        b"\x00\x00\x00\x05\x01at",
        table(b"\x05a"),
        table(b"\x01a"),
        table(b"\x01at"),
        table(b"\x01al\x00"),
        table(b"\x01a?"),
        table(b"\x01\xfft\x01"),
        table(b"\x01aS\x00\x00\x00\x09x"),
    ],
)
def test_what_is_no_table_is_a_syntax_error(data: bytes) -> None:
    with pytest.raises(ReplyError) as refused:
        read_table(data, 0, len(data))
    assert refused.value.code == SYNTAX_ERROR


def test_the_end_of_a_table_is_known_without_reading_it() -> None:
    data = b"before" + table(b"?", b"?") + b"behind"
    assert table_end(data, 6, len(data)) == len(data) - len(b"behind")
    with pytest.raises(ReplyError):
        table_end(data, 6, 8)


def test_a_time_that_has_no_room_is_the_latest() -> None:
    assert decode_value(timestamp(2**64 - 1)) == Timestamp((2**63 // 1000 - 1) * 1000)
