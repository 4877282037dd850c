"""Frames, and segments, which consist of frames [0-10 part 3]."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.errors import FrameError
from lastvalue.codec.output_buffer import BodyFrames

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
    """One frame as received.

    Attributes:
        flags: any of FIRST_SEGMENT, LAST_SEGMENT, FIRST_FRAME and LAST_FRAME.
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
    """Splits bytes into frames: `feed` it, and take frames until there is none.

    Attributes:
        data: the bytes that were fed and are not read yet.
        position: the start of the next frame in them.
    """

    __slots__ = ("data", "max_frame_size", "position")

    def __init__(self, max_frame_size: i64) -> None:
        self.max_frame_size: i64 = max_frame_size
        self.data = b""
        self.position: i64 = 0

    def feed(self, data: bytes) -> None:
        """Add bytes from the peer."""
        rest = self.data[self.position :]
        self.data = rest + data if rest else data
        self.position = 0

    def next(self) -> Frame | None:
        """The next frame, or None if more bytes are needed.

        Raises:
            FrameError: a frame has an invalid size or kind.
        """
        data = self.data
        pos = self.position
        left: i64 = len(data) - pos
        if left < FRAME_HEADER_SIZE:
            return None
        flags: i64 = data[pos]
        kind: i64 = data[pos + 1]
        length: i64 = data[pos + 2] << 8 | data[pos + 3]
        if flags & 0xF0 or kind > BODY:
            raise FrameError(f"a frame cannot begin with the bytes {data[pos : pos + 2].hex()}")
        if length < FRAME_HEADER_SIZE or length > self.max_frame_size:
            raise FrameError(
                f"a frame of {length} bytes; frames have {FRAME_HEADER_SIZE} to {self.max_frame_size}"
            )
        if left < length:
            return None
        channel: i64 = data[pos + 6] << 8 | data[pos + 7]
        track: i64 = data[pos + 5] & 15
        self.position = pos + length
        return Frame(flags, kind, track, channel, data[pos + FRAME_HEADER_SIZE : pos + length])


def encode_segment(flags: i64, kind: i64, channel: i64, payload: bytes, max_frame_size: i64) -> bytes:
    """A segment in as many frames as it needs; flags are FIRST_SEGMENT and LAST_SEGMENT."""
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


@final
class SegmentBody(BodyFrames):
    """The body of a message that needs several frames."""

    __slots__ = ("_channel",)

    def __init__(self, channel: i64, body: bytes, max_frame_size: i64) -> None:
        super().__init__(body, max_frame_size - FRAME_HEADER_SIZE, FRAME_HEADER_SIZE)
        self._channel: i64 = channel

    def frame(self, piece: bytes, first: bool, last: bool, into: list[bytes]) -> None:
        """See BodyFrames."""
        place: i64 = LAST_SEGMENT
        if first:
            place |= FIRST_FRAME
        if last:
            place |= LAST_FRAME
        into.append(_HEAD.pack(place, BODY, len(piece) + FRAME_HEADER_SIZE, 0, 1, self._channel, 0))
        into.append(piece)
