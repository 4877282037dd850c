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
_COMMAND_FLAGS: Final = FIRST_SEGMENT | FIRST_FRAME | LAST_FRAME
_LAST_FLAGS: Final = LAST_SEGMENT | FIRST_FRAME | LAST_FRAME
_LEAST_COMMAND: Final = 6
"""Bytes of a command without fields: its code, a session header of two bytes, and the flags of its fields."""

ABSENT: Final = -1
"""Stands for the position of a segment that is not there."""

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
class TransferHead:
    """Where in a reader's bytes the parts of a message.transfer are; one object serves every one of them.

    Attributes:
        command, command_end: what the command's frame holds.
        header, header_end: the header segment.
        body, body_end: the body; ABSENT is no body at all.
        end: of its frames.
    """

    __slots__ = ("body", "body_end", "channel", "command", "command_end", "end", "header", "header_end")

    def __init__(self) -> None:
        self.channel: i64 = 0
        self.command: i64 = 0
        self.command_end: i64 = 0
        self.header: i64 = 0
        self.header_end: i64 = 0
        self.body: i64 = ABSENT
        self.body_end: i64 = ABSENT
        self.end: i64 = 0


@final
class FrameReader:
    """Cuts bytes into frames: `feed` it, and take frames or whole transfers until there are none.

    Attributes:
        data: what was fed and is not taken yet; positions are in it.
    """

    __slots__ = ("_pos", "data", "max_frame_size")

    def __init__(self, max_frame_size: i64) -> None:
        self.max_frame_size: i64 = max_frame_size
        self.data = b""
        self._pos: i64 = 0

    def feed(self, data: bytes) -> None:
        """Take what came from the peer."""
        rest = self.data[self._pos :]
        self.data = rest + data if rest else data
        self._pos = 0

    def next(self) -> Frame | None:
        """The next frame, or None where more bytes are needed.

        Raises:
            FrameError: a size or a kind that no frame has.
        """
        data = self.data
        pos = self._pos
        left: i64 = len(data) - pos
        if left < FRAME_HEADER_SIZE:
            return None
        flags: i64 = data[pos]
        kind: i64 = data[pos + 1]
        length: i64 = data[pos + 2] << 8 | data[pos + 3]
        if flags & 0xF0 or kind > BODY:
            raise FrameError(f"no frame begins with the bytes {data[pos : pos + 2].hex()}")
        if length < FRAME_HEADER_SIZE or length > self.max_frame_size:
            raise FrameError(
                f"a frame of {length} bytes; frames have {FRAME_HEADER_SIZE} to {self.max_frame_size}"
            )
        if left < length:
            return None
        channel: i64 = data[pos + 6] << 8 | data[pos + 7]
        track: i64 = data[pos + 5] & 15
        self._pos = pos + length
        return Frame(flags, kind, track, channel, data[pos + FRAME_HEADER_SIZE : pos + length])

    def find_transfer(self, into: TransferHead) -> bool:  # noqa: C901, PLR0911 - hot: a frame after the other
        """Whether a message.transfer comes next, all of it and each segment in one frame: see `skip`.

        Whatever else comes, `next` gives frame by frame.
        """
        data = self.data
        pos = self._pos
        size: i64 = len(data)
        # The least that a command and a header take, with their frames' heads.
        if size - pos < 2 * FRAME_HEADER_SIZE + _LEAST_COMMAND:
            return False
        if data[pos] != _COMMAND_FLAGS or data[pos + 1] != COMMAND:
            return False
        command: i64 = pos + FRAME_HEADER_SIZE
        second: i64 = pos + (data[pos + 2] << 8 | data[pos + 3])
        if second - command < _LEAST_COMMAND or second - pos > self.max_frame_size:
            return False
        if size - second < FRAME_HEADER_SIZE or data[command] != 4 or data[command + 1] != 1:
            return False
        length: i64 = data[second + 2] << 8 | data[second + 3]
        third: i64 = second + length
        if data[second + 1] != HEADER or length < FRAME_HEADER_SIZE or length > self.max_frame_size:
            return False
        if data[second + 6] != data[pos + 6] or data[second + 7] != data[pos + 7] or third > size:
            return False
        into.channel = data[pos + 6] << 8 | data[pos + 7]
        into.command = command
        into.command_end = second
        into.header = second + FRAME_HEADER_SIZE
        into.header_end = third
        flags: i64 = data[second]
        if flags == _LAST_FLAGS:
            into.body = into.body_end = ABSENT
            into.end = third
            return True
        if flags != _WHOLE or size - third < FRAME_HEADER_SIZE:
            return False
        length = data[third + 2] << 8 | data[third + 3]
        end: i64 = third + length
        if data[third] != _LAST_FLAGS or data[third + 1] != BODY or end > size:
            return False
        if length < FRAME_HEADER_SIZE or length > self.max_frame_size:
            return False
        if data[third + 6] != data[pos + 6] or data[third + 7] != data[pos + 7]:
            return False
        into.body = third + FRAME_HEADER_SIZE
        into.body_end = end
        into.end = end
        return True

    def skip(self, head: TransferHead) -> None:
        """Go on behind a transfer that `find_transfer` found."""
        self._pos = head.end


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
