"""Byte vectors written by hand from AMQP 1.0 §1.6."""

from collections.abc import Callable
from enum import IntEnum
from uuid import UUID

import pytest
from amqp10_material import exactly

from lastvalue.codec.amqp10.decoder import MAX_DEPTH, MAX_ZERO_WIDTH
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value, skip_value
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

ID = UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")

# What we write, and read back: the smallest encoding of each value.
SMALLEST: list[tuple[Value, str]] = [
    (None, "40"),
    (True, "41"),
    (False, "42"),
    (UByte(0), "5000"),
    (UByte(255), "50ff"),
    (UShort(513), "600201"),
    (UInt(0), "43"),
    (UInt(1), "5201"),
    (UInt(255), "52ff"),
    (UInt(256), "7000000100"),
    (UInt(2**32 - 1), "70ffffffff"),
    (ULong(0), "44"),
    (ULong(16), "5310"),
    (ULong(256), "800000000000000100"),
    (ULong(2**64 - 1), "80ffffffffffffffff"),
    (Byte(-128), "5180"),
    (Short(-2), "61fffe"),
    (Int(-128), "5480"),
    (Int(128), "7100000080"),
    (Int(-129), "71ffffff7f"),
    (0, "5500"),
    (127, "557f"),
    (-1, "55ff"),
    (128, "810000000000000080"),
    (-(2**63), "818000000000000000"),
    (Float(-1.5), "72bfc00000"),
    (1.0, "823ff0000000000000"),
    (float("inf"), "827ff0000000000000"),
    (Decimal(b"\x01\x02\x03\x04"), "7401020304"),
    (Decimal(bytes(8)), "840000000000000000"),
    (Decimal(bytes(16)), "94" + "00" * 16),
    (Char("é"), "73000000e9"),
    (Char("\U0001f600"), "730001f600"),
    (Timestamp(1311704463521), "830000013167adb8a1"),
    (Timestamp(-1), "83ffffffffffffffff"),
    (ID, "98f81d4fae7dec11d0a76500a0c91e6bf6"),
    (b"", "a000"),
    (b"\x01\x02", "a0020102"),
    (bytes(256), "b000000100" + "00" * 256),
    ("", "a100"),
    ("é", "a102c3a9"),
    ("x" * 255, "a1ff" + "78" * 255),
    ("x" * 256, "b100000100" + "78" * 256),
    (Symbol("amqp:open:list"), "a30e616d71703a6f70656e3a6c697374"),
    (Symbol("y" * 256), "b300000100" + "79" * 256),
    ([], "45"),
    ([None, True], "c003024041"),
    ([[], [ULong(1)]], "c0070245c003015301"),
    ([bytes(200), bytes(60)], "d0" + "0000010c" + "00000002" + "a0c8" + "00" * 200 + "a03c" + "00" * 60),
    ({}, "c10100"),
    ({Symbol("a"): 1}, "c10602a301615501"),
    (Array("symbol", [Symbol("a"), Symbol("bc")]), "e00702a3" + "0161" + "026263"),
    (Array("uint", [UInt(0), UInt(9)]), "e00402520009"),
    (Array("uint", [UInt(0), UInt(256)]), "e00a02700000000000000100"),
    (Array("boolean", [True, False]), "e00402560100"),
    (Array("null", [None, None]), "e0020240"),
    (Array("list", [[], [None]]), "e00702c0" + "0100" + "020140"),
    (Array("array", [Array("ubyte", [UByte(7)])]), "e00601e0" + "03015007"),
    (Array("long", [], ULong(5)), "e0050000530555"),
    (Array("string", ["x"], Symbol("t")), "e008010" + "0a30174" + "a10178"),
    (Described(ULong(36), []), "00532445"),
    # The example of §1.1.2: a URL.
    (
        Described("URL", "http://example.org/hello-world"),
        "00a10355524ca11e687474703a2f2f6578616d706c652e6f72672f68656c6c6f2d776f726c64",
    ),
    # The example of §1.4: a book.
    (
        Described(
            Symbol("example:book:list"),
            ["AMQP for & by Dummies", Array("string", ["Rob J. Godfrey", "Rafael H. Schloming"]), None],
        ),
        (
            "00a3116578616d706c653a626f6f6b3a6c697374c04003a115414d515020666f7220262062792044756d6d696573"
            "e02502a10e526f62204a2e20476f64667265791352616661656c20482e205363686c6f6d696e6740"
        ),
    ),
]

# What we read, though we write it otherwise.
ALSO_READ: list[tuple[str, Value]] = [
    ("5601", True),
    ("5600", False),
    ("5200", UInt(0)),
    ("7000000001", UInt(1)),
    ("5300", ULong(0)),
    ("800000000000000010", ULong(16)),
    ("7100000001", Int(1)),
    ("810000000000000001", 1),
    ("b00000000101", b"\x01"),
    ("b10000000178", "x"),
    ("b30000000178", Symbol("x")),
    ("c00100", []),
    ("d00000000400000000", []),
    ("d00000000500000001" + "40", [None]),
    ("d10000000600000002" + "4041", {None: True}),
    ("f0000000060000000152" + "05", Array("uint", [UInt(5)])),
    ("e0020343", Array("uint", [UInt(0)] * 3)),
    ("e0020245", Array("list", [[], []])),
    ("e0020141", Array("boolean", [True])),
]

MALFORMED: list[tuple[str, str]] = [
    ("nothing", ""),
    ("a uint of 3 bytes", "70000000"),
    ("a string longer than its frame", "a10578"),
    ("a string of 4 GiB", "b1ffffffff78"),
    ("a size of 3 bytes", "b1000000"),
    ("a size of no bytes", "a1"),
    ("text that is not UTF-8", "a101ff"),
    ("a symbol that is not ASCII", "a302c3a9"),
    ("a boolean of 2", "5602"),
    ("a char beyond Unicode", "7300110000"),
    ("a char that is half a pair", "730000d800"),
    ("an unknown empty type", "46"),
    ("an unknown fixed type", "57ff"),
    ("an unknown sized type", "a20100"),
    ("an unknown compound type", "c2020140"),
    ("an unknown array type", "e1020140"),
    ("a reserved format", "1f"),
    ("a descriptor alone", "005310"),
    ("a list shorter than its size", "c0050140"),
    ("a list longer than its count", "c0030140" + "40"),
    ("a list that ends within a value", "c0030270" + "40"),
    ("a list with more values than bytes", "d000000004ffffffff"),
    ("a list without room for its count", "c000"),
    ("a list whose values go past its end", "c00301700000000000"),
    ("a map with a key alone", "c1020140"),
    ("a map has the same key twice", "c1050440404041"),
    ("a map with a list as a key", "c103024540"),
    ("a map with a described list as a key", "c1060200531045" + "40"),
    ("an array with more elements than bytes", "f000000005ffffffff50"),
    ("an array of a reserved type", "e002011f"),
    ("an array of values twice described", "e00701" + "005301" + "00530140"),
    ("an array without a constructor", "e00100"),
]


Reader = Callable[[bytes, int, int], object]


def decode(data: bytes) -> Value:
    value, pos = decode_value(data, 0, len(data))
    assert pos == len(data)
    return value


@pytest.mark.spec("amqp-1.0", "1.6", "each primitive type has its encodings; the smallest is written")
def test_a_value_is_written_in_its_smallest_encoding() -> None:
    written = [(value, encode_value(value).hex()) for value, _ in SMALLEST]
    assert written == SMALLEST


def test_the_smallest_encoding_is_read() -> None:
    assert [encoded for value, encoded in SMALLEST if not reads_as(encoded, value)] == []


@pytest.mark.spec("amqp-1.0", "1.6", "every encoding of a type is read")
def test_every_encoding_of_a_value_is_read() -> None:
    assert [encoded for encoded, value in ALSO_READ if not reads_as(encoded, value)] == []


def reads_as(encoded: str, value: Value) -> bool:
    return exactly(decode(bytes.fromhex(encoded))) == exactly(value)


@pytest.mark.spec("amqp-1.0", "1.2", "the width of a value follows from its constructor")
def test_skipping_a_value_ends_where_reading_it_does() -> None:
    encodings = [bytes.fromhex(each) for each in (*(each for _, each in SMALLEST), *dict(ALSO_READ))]
    assert [data for data in encodings if skip_value(data + b"\x40", 0, len(data)) != len(data)] == []


def test_a_value_that_is_cut_short_is_refused() -> None:
    values = [bytes.fromhex(encoded) for _, encoded in SMALLEST]
    readers: tuple[Reader, ...] = (decode_value, skip_value)
    assert [data for data in values for read in readers if not is_refused(read, data, len(data) - 1)] == []


def is_refused(reader: Reader, data: bytes, end: int) -> bool:
    """Whether a value is refused that has to end in the middle of the data, or at its end."""
    try:
        reader(data, 0, end)
    except DecodeError:
        return True
    return False


@pytest.mark.spec("amqp-1.0", "1.2", "a constructor is one of those that the standard assigns")
def test_what_is_no_value_is_refused() -> None:
    encodings = {name: bytes.fromhex(encoded) for name, encoded in MALFORMED}
    assert [name for name, data in encodings.items() if not is_refused(decode_value, data, len(data))] == []


@pytest.mark.spec("amqp-1.0", "1.1.2", "a descriptor is a value, described perhaps, within a limit")
@pytest.mark.parametrize("reader", [decode_value, skip_value])
def test_a_million_nested_descriptors_are_refused(reader: object) -> None:
    data = bytes(1_000_000)
    with pytest.raises(DecodeError, match="deeper than 32"):
        reader(data, 0, len(data))  # type: ignore[operator]  # one of the two above


def nested_lists(depth: int) -> bytes:
    data = b"\x45"
    for _ in range(depth - 1):
        data = b"\xd0" + (len(data) + 4).to_bytes(4, "big") + b"\x00\x00\x00\x01" + data
    return data


@pytest.mark.parametrize("reader", [decode_value, skip_value])
def test_descriptors_that_stand_beside_one_another_are_not_nested(
    reader: Callable[[bytes, int, int], object],
) -> None:
    data = bytes(20) + b"\x40" * 20 + bytes(20) + b"\x40" * 21
    reader(data, 0, len(data))
    deep = bytes(20) + b"\x40" * 19 + bytes(31) + b"\x40" * 33
    with pytest.raises(DecodeError, match="nested deeper"):
        reader(deep, 0, len(deep))


@pytest.mark.spec("amqp-1.0", "1.2.3", "compound values nest, within a limit")
def test_lists_may_nest_to_the_limit() -> None:
    data = nested_lists(MAX_DEPTH)
    value = decode(data)
    assert decode(encode_value(value)) == value


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 10_000])
def test_lists_nested_deeper_are_refused(depth: int) -> None:
    data = nested_lists(depth)
    with pytest.raises(DecodeError, match="deeper than 32"):
        decode_value(data, 0, len(data))


@pytest.mark.spec("amqp-1.0", "1.2.4", "arrays of arrays, within a limit")
def test_nested_arrays_are_refused_beyond_the_limit() -> None:
    data = b"\xf0"
    for _ in range(40):
        data = b"\xf0" + (len(data) + 5).to_bytes(4, "big") + b"\x00\x00\x00\x01" + data
    with pytest.raises(DecodeError):
        decode_value(data, 0, len(data))


@pytest.mark.spec("amqp-1.0", "1.2.4", "an array of elements without width, within a limit")
@pytest.mark.parametrize("code", [0x40, 0x41, 0x42, 0x43, 0x44, 0x45])
def test_an_array_of_a_billion_elements_without_bytes_is_refused(code: int) -> None:
    data = b"\xf0\x00\x00\x00\x05" + (10**9).to_bytes(4, "big") + bytes((code,))
    with pytest.raises(DecodeError, match="of zero width"):
        decode_value(data, 0, len(data))


def test_elements_without_bytes_are_counted_over_the_whole_value() -> None:
    one = b"\xf0\x00\x00\x00\x05" + MAX_ZERO_WIDTH.to_bytes(4, "big") + b"\x40"
    assert decode(one) == Array("null", [None] * MAX_ZERO_WIDTH)
    two = b"\xc0\x15\x02" + one + one
    with pytest.raises(DecodeError, match="of zero width"):
        decode_value(two, 0, len(two))


def test_a_value_is_read_from_the_middle() -> None:
    assert decode_value(b"\xff\x52\x07\xff", 1, 3) == (7, 3)


def self_containing() -> list[Value]:
    value: list[Value] = []
    value.append(value)
    return value


UNENCODABLE: list[tuple[str, Value]] = [
    ("an unknown type", object()),
    ("a set", {1}),
    ("a ubyte of 256", UByte(256)),
    ("a negative uint", UInt(-1)),
    ("a short of 2**15", Short(2**15)),
    ("an integer of 65 bits", 2**64),
    ("an integer below 64 bits", -(2**63) - 1),
    ("a float beyond 32 bits", Float(1e39)),
    ("a symbol that is not ASCII", Symbol("é")),
    ("half of a surrogate pair", "\ud800"),
    ("a char of two characters", Char("ab")),
    ("a decimal of 5 bytes", Decimal(bytes(5))),
    ("a list in itself", self_containing()),
    ("an array of an unknown kind", Array("thing", [])),
    ("an array of two kinds", Array("string", ["a", b"b"])),
    ("an array of described values", Array("list", [Described(ULong(1), [])])),
    ("an array of too many nulls", Array("null", [None] * (MAX_ZERO_WIDTH + 1))),
]


@pytest.mark.parametrize("value", [each[1] for each in UNENCODABLE], ids=[each[0] for each in UNENCODABLE])
def test_what_has_no_encoding_is_refused(value: Value) -> None:
    with pytest.raises(EncodeError):
        encode_value(value)


class Level(IntEnum):
    HIGH = 3


def test_subclasses_are_written_as_the_type_they_extend() -> None:
    assert encode_value(Level.HIGH).hex() == "5503"


def test_a_tuple_is_written_as_a_list() -> None:
    assert encode_value((None,)).hex() == "c0020140"


def test_an_integer_above_63_bits_is_written_as_a_ulong() -> None:
    assert encode_value(2**63).hex() == "808000000000000000"
