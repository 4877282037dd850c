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
        command: the frame of the command; the next transfer often has the same.
        destination: of that command; None where its reader has not told it yet.
        header, header_end: the header segment.
        body: where the body begins, or ABSENT where there is none at all.
        end: of its frames, and of the body.
    """

    __slots__ = ("body", "channel", "command", "destination", "end", "header", "header_end")

    def __init__(self) -> None:
        self.channel: i64 = 0
        self.command = b""
        self.destination: str | None = None
        self.header: i64 = 0
        self.header_end: i64 = 0
        self.body: i64 = ABSENT
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

    def find_transfer(self, into: TransferHead) -> bool:
        """Whether a message.transfer comes next, all of it and each segment in one frame: see `skip`.

        Whatever else comes, `next` gives frame by frame.
        """
        data = self.data
        pos = self._pos
        again = into.command
        second: i64 = pos + len(again)
        if not again or data[pos:second] != again:
            second = self._find_command(into)
        size: i64 = len(data)
        if second < 0 or size - second < FRAME_HEADER_SIZE:
            return False
        third = self._end_of(second, HEADER, into.channel)
        if third < 0:
            return False
        flags: i64 = data[second]
        into.header = second + FRAME_HEADER_SIZE
        into.header_end = third
        if flags == _LAST_FLAGS:
            into.body = ABSENT
            into.end = third
            return True
        if flags != _WHOLE or size - third < FRAME_HEADER_SIZE or data[third] != _LAST_FLAGS:
            return False
        into.body = third + FRAME_HEADER_SIZE
        into.end = self._end_of(third, BODY, into.channel)
        return into.end >= 0

    def _find_command(self, into: TransferHead) -> i64:
        """Where the frame ends of the command of a message that comes next, or ABSENT."""
        data = self.data
        pos = self._pos
        if len(data) - pos < FRAME_HEADER_SIZE + _LEAST_COMMAND or data[pos] != _COMMAND_FLAGS:
            return ABSENT
        into.channel = data[pos + 6] << 8 | data[pos + 7]
        end = self._end_of(pos, COMMAND, into.channel)
        start: i64 = pos + FRAME_HEADER_SIZE
        if end - start < _LEAST_COMMAND or data[start] != 4 or data[start + 1] != 1:
            return ABSENT
        into.command = data[pos:end]
        into.destination = None
        return end

    def _end_of(self, pos: i64, kind: i64, channel: i64) -> i64:
        """Where the frame at pos ends; ABSENT where it is of another kind or channel, or is not all there."""
        data = self.data
        length: i64 = data[pos + 2] << 8 | data[pos + 3]
        if data[pos + 1] != kind or length < FRAME_HEADER_SIZE or length > self.max_frame_size:
            return ABSENT
        if data[pos + 7] != channel & 0xFF or data[pos + 6] != channel >> 8:
            return ABSENT
        return pos + length if pos + length <= len(data) else ABSENT

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
