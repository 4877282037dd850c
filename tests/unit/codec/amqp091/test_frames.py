import pytest

from lastvalue.codec.amqp091.errors import FRAME_ERROR, ReplyError
from lastvalue.codec.amqp091.frames import (
    BODY,
    FRAME_OVERHEAD,
    HEARTBEAT,
    HEARTBEAT_FRAME,
    METHOD,
    FrameReader,
    frame,
)

FRAMES = [(METHOD, 1, b"method"), (BODY, 65535, b""), (HEARTBEAT, 0, b"")]


def frames_in(reader: FrameReader, data: bytes) -> list[tuple[int, int, bytes]]:
    reader.feed(data)
    frames = []
    while reader.next():
        frames.append((reader.kind, reader.channel, reader.data[reader.start : reader.end]))
    return frames


@pytest.mark.parametrize("size", [1, 3, 8, 1000])
def test_frames_come_out_whole_however_their_bytes_come(size: int) -> None:
    data = b"".join(frame(*each) for each in FRAMES)
    reader = FrameReader(4096)
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert [each for piece in pieces for each in frames_in(reader, piece)] == FRAMES


def test_a_heartbeat_is_a_frame_without_a_payload() -> None:
    assert frame(HEARTBEAT, 0, b"") == HEARTBEAT_FRAME


def test_a_frame_may_be_as_large_as_was_agreed_and_no_larger() -> None:
    payload = b"x" * (4096 - FRAME_OVERHEAD)
    assert frames_in(FrameReader(4096), frame(BODY, 1, payload)) == [(BODY, 1, payload)]
    with pytest.raises(ReplyError) as refused:
        frames_in(FrameReader(4096), frame(BODY, 1, payload + b"x")[:7])
    assert refused.value.code == FRAME_ERROR


def test_a_frame_that_does_not_end_as_frames_do_is_refused() -> None:
    with pytest.raises(ReplyError) as refused:
        frames_in(FrameReader(4096), frame(METHOD, 1, b"abcd")[:-1] + b"\x00")
    assert refused.value.code == FRAME_ERROR


def test_a_protocol_header_is_taken_before_the_frames() -> None:
    reader = FrameReader(4096)
    reader.feed(b"AMQP")
    assert reader.take(8) is None
    reader.feed(b"\x00\x00\x09\x01" + HEARTBEAT_FRAME)
    assert reader.take(8) == b"AMQP\x00\x00\x09\x01"
    assert reader.next()
