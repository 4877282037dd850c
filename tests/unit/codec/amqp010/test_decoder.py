"""Values, records and frames of AMQP 0-10."""

import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest

from lastvalue.codec.amqp010.command_layouts import (
    COMMANDS,
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
    MESSAGE_TRANSFER,
    SESSION_COMPLETED,
)
from lastvalue.codec.amqp010.decoder import decode_list, decode_map, decode_record, decode_structs
from lastvalue.codec.amqp010.encoder import encode_fields, encode_list, encode_map, encode_struct
from lastvalue.codec.amqp010.errors import DecodeError, EncodeError, FrameError
from lastvalue.codec.amqp010.frames import (
    BODY,
    FIRST_FRAME,
    FIRST_SEGMENT,
    LAST_FRAME,
    LAST_SEGMENT,
    Frame,
    FrameReader,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.values import Array, Byte, Char, Float, Int, Short, Timestamp, UByte, UInt, ULong

ROOT = Path(__file__).parents[4]


@pytest.mark.pure
def test_the_tables_are_what_the_facts_make() -> None:
    script = ROOT / "packaging/amqp010/tables.py"
    result = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


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
        1.5, Float(0.5), Char("é"), "text", "", b"bytes", UUID(int=5), Timestamp(1_700_000_000_000),
        {"a": 1, "b": {"c": [1, "x", None]}}, [], [1, [2, [3]]], Array("string", ["a", "b"]),
    ],
)  # fmt: skip
def test_a_value_comes_back_with_its_type(value: object) -> None:
    decoded = decode_map(encode_map({"v": value}))["v"]
    assert decoded == value
    assert type(decoded) is type(value)


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


def test_flags_of_fields_that_there_are_not_are_told() -> None:
    with pytest.raises(DecodeError, match="no field"):
        decode_record(b"\x00\x80", 0, 2, MESSAGE_TRANSFER)


def test_every_command_has_its_class_and_number() -> None:
    assert COMMANDS[0x0401] is MESSAGE_TRANSFER
    assert len(COMMANDS) == 38
    assert all(layout.code == code for code, layout in COMMANDS.items())


# ---------------------------------------------------------------------- frames


def frames_of(reader: FrameReader, data: bytes) -> list[Frame]:
    reader.feed(data)
    return list(iter(reader.next, None))


def test_a_segment_is_cut_into_frames_that_say_where_it_begins_and_ends() -> None:
    data = encode_segment(FIRST_SEGMENT | LAST_SEGMENT, BODY, 3, b"x" * 100, 52)
    frames = frames_of(FrameReader(52), data)
    assert [len(frame.payload) for frame in frames] == [40, 40, 20]
    assert [frame.flags & (FIRST_FRAME | LAST_FRAME) for frame in frames] == [FIRST_FRAME, 0, LAST_FRAME]
    assert {(frame.channel, frame.track, frame.kind) for frame in frames} == {(3, 1, BODY)}


def test_frames_come_out_whole_however_their_bytes_come() -> None:
    data = encode_segment(FIRST_SEGMENT, BODY, 1, b"first", 4096) + encode_segment(0, BODY, 1, b"", 4096)
    reader = FrameReader(4096)
    frames = [frame for byte in data for frame in frames_of(reader, bytes([byte]))]
    assert [frame.payload for frame in frames] == [b"first", b""]


@pytest.mark.parametrize("head", ["ff03000c", "0f09000c", "0f03000b", "0f03ffff"])
def test_what_is_no_frame_is_told(head: str) -> None:
    with pytest.raises(FrameError):
        frames_of(FrameReader(4096), bytes.fromhex(head) + bytes(8))
