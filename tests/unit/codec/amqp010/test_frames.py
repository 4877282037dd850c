"""Frames of AMQP 0-10."""

import pytest

from lastvalue.codec.amqp010.errors import FrameError
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
