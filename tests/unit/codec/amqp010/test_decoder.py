"""Values, records and frames of AMQP 0-10."""

import pytest

from lastvalue.codec.amqp010.command_layouts import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_TRANSFER,
)
from lastvalue.codec.amqp010.decoder import decode_list, decode_map, decode_record, decode_structs
from lastvalue.codec.amqp010.encoder import encode_list, encode_map, encode_struct
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.sections import MOST_VALUES


def test_a_header_segment_may_have_structs_that_nobody_knows() -> None:
    unknown = (4).to_bytes(4, "big") + b"\x77\x01\x00\x00"
    known = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": "q"}))
    assert [record.text("routing_key") for record in decode_structs(unknown + known)] == ["q"]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\x00\x00\x00\x09\x00\x00\x00\x01", b"\x00\x00\x00\x08\x00\x00\x00\x01\x01a\xf9\x00",
        b"\x00\x00\x00\x04\xff\xff\xff\xff", b"\x00\x00\x00\x08\x00\x00\x00\x01\x01\xff\x85\x00",
        b"\x00\x00\x00\x05\x00\x00\x00\x00\x00",
    ],
)  # fmt: skip
def test_bytes_that_are_no_map_are_told(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_map(data)


def test_values_are_not_nested_without_end() -> None:
    inner: list[object] = []
    for _ in range(30):
        inner = [inner]
    assert decode_list(encode_list(inner)) == inner
    content = b"\x00\x00\x00\x04\x00\x00\x00\x00"
    for _ in range(60):
        content = (len(content) + 5).to_bytes(4, "big") + b"\x00\x00\x00\x01\xa9" + content
    with pytest.raises(DecodeError, match="nested"):
        decode_list(content)


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (b"\xf0" * (MOST_VALUES + 1), MOST_VALUES + 1),
        (b"\xa9\x00\x00\x00\x00" * (MOST_VALUES + 1), MOST_VALUES + 1),
        # A value in another counts as well.
        ((b"\xa9\x00\x00\x00\x05\x00\x00\x00\x01\xf0") * (MOST_VALUES // 2 + 1), MOST_VALUES // 2 + 1),
        (
            b"\xaa"
            + (2 * MOST_VALUES + 5).to_bytes(4)
            + b"\x01"
            + (2 * MOST_VALUES).to_bytes(4)
            + bytes(2 * MOST_VALUES),
            1,
        ),
    ],
)
def test_values_are_so_many_at_most_however_they_are_nested(content: bytes, count: int) -> None:
    with pytest.raises(DecodeError, match=f"at most {MOST_VALUES}"):
        decode_list((len(content) + 4).to_bytes(4) + count.to_bytes(4) + content)


def test_the_names_of_a_map_count() -> None:
    few = {f"{number:x}": None for number in range(MOST_VALUES // 2 - 1)}
    assert decode_map(encode_map(few)) == few
    with pytest.raises(DecodeError, match=f"at most {MOST_VALUES}"):
        decode_map(encode_map({**few, "a b": None, "c d": None}))


def test_flags_of_fields_that_there_are_not_are_told() -> None:
    with pytest.raises(DecodeError, match="no field"):
        decode_record(b"\x00\x80", 0, 2, MESSAGE_TRANSFER)
