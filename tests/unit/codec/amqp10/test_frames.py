"""Frames by hand [AMQP 1.0 §2.3]."""

import pytest

from lastvalue.codec.amqp10.errors import FrameError
from lastvalue.codec.amqp10.frames import (
    AMQP_HEADER,
    EMPTY_FRAME,
    KIND_AMQP,
    KIND_SASL,
    SASL_HEADER,
    FrameSplitter,
    encode_frame,
)

CLOSE = bytes.fromhex("00531845")


def body(splitter: FrameSplitter) -> bytes:
    return splitter.data[splitter.body : splitter.end]


def fed(*chunks: bytes) -> FrameSplitter:
    splitter = FrameSplitter(512)
    for chunk in chunks:
        splitter.feed(chunk)
    return splitter


def test_a_frame_is_its_header_performative_and_payload() -> None:
    assert encode_frame(CLOSE, 513).hex() == "0000000c02000201" + "00531845"
    assert encode_frame(CLOSE, 0, KIND_SASL, b"xy").hex() == "0000000e02010000" + "00531845" + "7879"


def test_an_empty_frame_has_no_body() -> None:
    splitter = fed(EMPTY_FRAME)
    assert splitter.next()
    assert (body(splitter), splitter.channel, splitter.kind) == (b"", 0, KIND_AMQP)
    assert not splitter.next()


def test_frames_are_cut_from_one_chunk() -> None:
    splitter = fed(encode_frame(CLOSE, 1) + encode_frame(CLOSE, 2, KIND_SASL, b"z"))
    assert splitter.next()
    assert (body(splitter), splitter.channel, splitter.kind) == (CLOSE, 1, KIND_AMQP)
    assert splitter.next()
    assert (body(splitter), splitter.channel, splitter.kind) == (CLOSE + b"z", 2, KIND_SASL)
    assert not splitter.next()
    assert splitter.waiting_bytes == 0


def test_an_extended_header_is_passed_over() -> None:
    splitter = fed(bytes.fromhex("0000001003000000" + "ffffffff" + "00531845"))
    assert splitter.next()
    assert body(splitter) == CLOSE


def test_a_frame_may_come_byte_by_byte() -> None:
    splitter = FrameSplitter(512)
    frame = encode_frame(CLOSE, 3)
    for octet in frame[:-1]:
        splitter.feed(bytes((octet,)))
        assert not splitter.next()
    assert splitter.waiting_bytes == len(frame) - 1
    splitter.feed(frame[-1:] + frame)
    assert splitter.next()
    assert body(splitter) == CLOSE
    assert splitter.next()
    assert body(splitter) == CLOSE
    assert not splitter.next()


def test_a_large_frame_in_many_chunks_is_joined_once() -> None:
    splitter = FrameSplitter(1_000_000)
    frame = encode_frame(CLOSE, 0, payload=bytes(900_000))
    for start in range(0, len(frame), 1000):
        assert not splitter.next()
        splitter.feed(frame[start : start + 1000])
    assert splitter.next()
    assert len(body(splitter)) == len(frame) - 8


def test_protocol_headers_come_before_frames() -> None:
    splitter = FrameSplitter(512)
    assert splitter.take_protocol_header() is None
    splitter.feed(SASL_HEADER[:3])
    assert splitter.take_protocol_header() is None
    splitter.feed(SASL_HEADER[3:] + encode_frame(CLOSE, 0, KIND_SASL) + AMQP_HEADER[:7])
    assert splitter.take_protocol_header() == SASL_HEADER
    assert splitter.next()
    assert splitter.take_protocol_header() is None
    splitter.feed(AMQP_HEADER[7:])
    assert splitter.take_protocol_header() == AMQP_HEADER
    assert not splitter.next()


@pytest.mark.spec("amqp-1.0", "2.3.1", "a data offset within the frame, of two words at least")
@pytest.mark.parametrize(
    ("header", "rule"),
    [
        ("0000020102000000", "513 bytes; at most 512"),
        ("ffffffff02000000", "4294967295 bytes; at most 512"),
        ("0000000702000000", "of 7 bytes whose data offset is 8"),
        ("0000000002000000", "of 0 bytes"),
        ("0000000801000000", "data offset is 4 bytes"),
        ("0000000800000000", "data offset is 0 bytes"),
        ("0000000803000000", "of 8 bytes whose data offset is 12"),
    ],
)
def test_a_frame_that_contradicts_itself_is_refused_before_it_is_gathered(header: str, rule: str) -> None:
    with pytest.raises(FrameError, match=rule):
        fed(bytes.fromhex(header)).next()


def test_the_limit_may_change_between_frames() -> None:
    splitter = fed(encode_frame(CLOSE, 0, payload=bytes(600)))
    splitter.max_frame_size = 1000
    assert splitter.next()


def test_no_frame_is_held_before_its_size_is_checked() -> None:
    splitter = fed(bytes.fromhex("00ffffff"))
    assert not splitter.next()
    splitter.feed(bytes.fromhex("02000000"))
    with pytest.raises(FrameError):
        splitter.next()


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 9, 11])
def test_a_part_of_a_frame_is_given_back(cut: int) -> None:
    whole = encode_frame(b"abcd", 0)
    splitter = FrameSplitter(512)
    splitter.feed(whole + whole[:3])
    assert splitter.next()
    assert not splitter.next()
    splitter.feed(whole[3:cut])
    assert not splitter.next()
    assert splitter.give_back() == whole[: max(cut, 3)]
    splitter.feed(whole)
    assert splitter.next()
    assert splitter.waiting_bytes == 0
