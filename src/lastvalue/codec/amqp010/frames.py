"""Frames, and the segments that they make up [0-10 part 3]."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.errors import FrameError

PROTOCOL_HEADER: Final = b"AMQP\x01\x01\x00\x0a"
FRAME_HEADER_SIZE: Final = 12
MIN_MAX_FRAME_SIZE: Final = 4096

CONTROL: Final = 0
COMMAND: Final = 1
HEADER: Final = 2
BODY: Final = 3

FIRST_SEGMENT: Final = 8
LAST_SEGMENT: Final = 4
FIRST_FRAME: Final = 2
LAST_FRAME: Final = 1
_WHOLE: Final = FIRST_FRAME | LAST_FRAME

_HEAD: Final = struct.Struct(">BBHBBHI")


@final
class Frame:
    """One frame as it came.

    Attributes:
        flags: of FIRST_SEGMENT, LAST_SEGMENT, FIRST_FRAME, LAST_FRAME.
        kind: CONTROL, COMMAND, HEADER or BODY.
    """

    __slots__ = ("channel", "flags", "kind", "payload", "track")

    def __init__(self, flags: i64, kind: i64, track: i64, channel: i64, payload: bytes) -> None:
        self.flags: i64 = flags
        self.kind: i64 = kind
        self.track: i64 = track
        self.channel: i64 = channel
        self.payload = payload


@final
class FrameReader:
    """Cuts bytes into frames."""

    __slots__ = ("_buffer", "max_frame_size")

    def __init__(self, max_frame_size: i64) -> None:
        self.max_frame_size: i64 = max_frame_size
        self._buffer = b""

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete.

        Raises:
            FrameError: a size or a kind that no frame has.
        """
        if self._buffer:
            data = self._buffer + data
        frames: list[Frame] = []
        pos: i64 = 0
        size: i64 = len(data)
        while size - pos >= FRAME_HEADER_SIZE:
            flags: i64 = data[pos]
            kind: i64 = data[pos + 1]
            length: i64 = data[pos + 2] << 8 | data[pos + 3]
            if flags & 0xF0 or kind > BODY:
                raise FrameError(f"no frame begins with the bytes {data[pos : pos + 2].hex()}")
            if length < FRAME_HEADER_SIZE or length > self.max_frame_size:
                raise FrameError(
                    f"a frame of {length} bytes; frames have {FRAME_HEADER_SIZE} to {self.max_frame_size}"
                )
            if size - pos < length:
                break
            channel: i64 = data[pos + 6] << 8 | data[pos + 7]
            track: i64 = data[pos + 5] & 15
            frames.append(Frame(flags, kind, track, channel, data[pos + FRAME_HEADER_SIZE : pos + length]))
            pos += length
        self._buffer = data[pos:]
        return frames


def encode_segment(flags: i64, kind: i64, channel: i64, payload: bytes, max_frame_size: i64) -> bytes:
    """A segment in as many frames as it takes; flags are FIRST_SEGMENT and LAST_SEGMENT."""
    track = 0 if kind == CONTROL else 1
    room = max_frame_size - FRAME_HEADER_SIZE
    size: i64 = len(payload)
    if size <= room:
        return _HEAD.pack(flags | _WHOLE, kind, size + FRAME_HEADER_SIZE, 0, track, channel, 0) + payload
    frames: list[bytes] = []
    pos: i64 = 0
    while pos < size:
        part = payload[pos : pos + room]
        place = flags
        if pos == 0:
            place |= FIRST_FRAME
        if pos + room >= size:
            place |= LAST_FRAME
        frames.append(_HEAD.pack(place, kind, len(part) + FRAME_HEADER_SIZE, 0, track, channel, 0) + part)
        pos += room
    return b"".join(frames)
