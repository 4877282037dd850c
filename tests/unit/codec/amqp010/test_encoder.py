"""Values and records of AMQP 0-10 are written, and come back as they were."""

from uuid import UUID

import pytest

from lastvalue.codec.amqp010.command_layouts import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
    SESSION_COMPLETED,
)
from lastvalue.codec.amqp010.decoder import decode_map, decode_record, decode_structs
from lastvalue.codec.amqp010.encoder import encode_fields, encode_map, encode_struct, encode_typed
from lastvalue.codec.amqp010.errors import EncodeError
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.values import Array, Byte, Char, Float, Int, Short, Timestamp, UByte, UInt, ULong


def test_a_delivery_properties_struct_is_as_qpid_writes_it() -> None:
    record = Record(MESSAGE_DELIVERY_PROPERTIES, {"exchange": "", "routing_key": "q"})
    encoded = encode_struct(record)
    # size 4, code 2, flags 2 (fields 9 and 10), an empty text, a text of one byte
    assert encoded.hex() == "00000007" + "0401" + "0003" + "00" + "0171"


def test_a_set_of_command_ids_is_pairs_of_numbers() -> None:
    record = Record(SESSION_COMPLETED, {"commands": [(0, 4), (7, 7)], "timely_reply": True})
    encoded = encode_fields(record)
    assert encoded.hex() == "0300" + "0010" + "00000000" + "00000004" + "00000007" + "00000007"
    assert decode_record(encoded, 0, len(encoded), SESSION_COMPLETED)[0].values == record.values


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, Byte(-3), UByte(3), Short(-300), Int(-70000), UInt(70000), -(2**40), ULong(2**63),
        1.5, Float(0.5), Char("é"), Char("€"), "text", "", b"bytes", UUID(int=5),
        Timestamp(1_700_000_000_000),
        {"a": 1, "b": {"c": [1, "x", None]}}, [], [1, [2, [3]]], Array("string", ["a", "b"]),
    ],
)  # fmt: skip
def test_a_value_comes_back_with_its_type(value: object) -> None:
    decoded = decode_map(encode_map({"v": value}))["v"]
    assert decoded == value
    assert type(decoded) is type(value)


@pytest.mark.parametrize(("char", "encoded"), [("A", "0441"), ("ÿ", "04ff"), ("€", "27000020ac")])
def test_a_char_has_one_byte_where_it_fits(char: str, encoded: str) -> None:
    assert encode_typed(Char(char), 0).hex() == encoded


def test_a_large_text_is_written_as_bytes_because_no_text_is_so_large() -> None:
    assert decode_map(encode_map({"v": "x" * 70000})) == {"v": b"x" * 70000}


@pytest.mark.parametrize("value", [object(), {1, 2}, 2**70])
def test_what_has_no_type_is_refused(value: object) -> None:
    with pytest.raises(EncodeError):
        encode_map({"v": value})


def test_structs_within_structs_come_back() -> None:
    reply = Record(MESSAGE_REPLY_TO, {"exchange": "amq.direct", "routing_key": "me"})
    properties = Record(
        MESSAGE_MESSAGE_PROPERTIES,
        {"reply_to": reply, "content_type": "text/plain", "application_headers": {"k": 1}},
    )
    (found,) = decode_structs(encode_struct(properties))
    assert found.text("content_type") == "text/plain"
    assert found.map("application_headers") == {"k": 1}
    answer = found.record("reply_to")
    assert answer is not None
    assert answer.values == reply.values
