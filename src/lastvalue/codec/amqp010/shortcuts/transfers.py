"""Finds the usual transfers: a command, its header segment and its body in one frame each."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.frames import (
    BODY,
    COMMAND,
    FIRST_FRAME,
    FIRST_SEGMENT,
    FRAME_HEADER_SIZE,
    HEADER,
    LAST_FRAME,
    LAST_SEGMENT,
)
from lastvalue.codec.amqp10.sections import ABSENT

_WHOLE: Final = FIRST_FRAME | LAST_FRAME
_COMMAND_FLAGS: Final = FIRST_SEGMENT | FIRST_FRAME | LAST_FRAME
_LAST_FLAGS: Final = LAST_SEGMENT | FIRST_FRAME | LAST_FRAME
_LEAST_COMMAND: Final = 6
"""The size of a command without fields: its code, a session header of two bytes, and two bytes of flags."""


@final
class TransferHead:
    """The positions of the parts of a message.transfer; one object serves all transfers.

    Args:
        max_frame_size: larger frames are not handled here.

    Attributes:
        command: the frame of the command; the next transfer often has the same.
        destination: the destination in that command; None until the reader sets it.
        header, header_end: the start and end of the header segment.
        body: the start of the body, or ABSENT if there is none.
        end: the end of the frames and of the body.
    """

    __slots__ = (
        "body",
        "channel",
        "command",
        "destination",
        "end",
        "header",
        "header_end",
        "max_frame_size",
    )

    def __init__(self, max_frame_size: i64) -> None:
        self.max_frame_size: i64 = max_frame_size
        self.channel: i64 = 0
        self.command = b""
        self.destination: str | None = None
        self.header: i64 = 0
        self.header_end: i64 = 0
        self.body: i64 = ABSENT
        self.end: i64 = 0

    def find(self, data: bytes, pos: i64) -> bool:
        """Whether a whole message.transfer begins at pos, with each segment in one frame.

        A FrameReader reads everything else, frame by frame.
        """
        again = self.command
        second: i64 = pos + len(again)
        if not again or data[pos:second] != again:
            second = self._find_command(data, pos)
        size: i64 = len(data)
        if second < 0 or size - second < FRAME_HEADER_SIZE:
            return False
        third = self._end_of(data, second, HEADER)
        if third < 0:
            return False
        flags: i64 = data[second]
        self.header = second + FRAME_HEADER_SIZE
        self.header_end = third
        if flags == _LAST_FLAGS:
            self.body = ABSENT
            self.end = third
            return True
        if flags != _WHOLE or size - third < FRAME_HEADER_SIZE or data[third] != _LAST_FLAGS:
            return False
        self.body = third + FRAME_HEADER_SIZE
        self.end = self._end_of(data, third, BODY)
        return self.end >= 0

    def _find_command(self, data: bytes, pos: i64) -> i64:
        """The end of the next frame if it is a message.transfer command, else ABSENT."""
        if len(data) - pos < FRAME_HEADER_SIZE + _LEAST_COMMAND or data[pos] != _COMMAND_FLAGS:
            return ABSENT
        self.channel = data[pos + 6] << 8 | data[pos + 7]
        end = self._end_of(data, pos, COMMAND)
        start: i64 = pos + FRAME_HEADER_SIZE
        if end - start < _LEAST_COMMAND or data[start] != 4 or data[start + 1] != 1:
            return ABSENT
        self.command = data[pos:end]
        self.destination = None
        return end

    def _end_of(self, data: bytes, pos: i64, kind: i64) -> i64:
        """The end of the frame at pos; ABSENT if it is incomplete or has another kind or channel."""
        length: i64 = data[pos + 2] << 8 | data[pos + 3]
        if data[pos + 1] != kind or length < FRAME_HEADER_SIZE or length > self.max_frame_size:
            return ABSENT
        if data[pos + 7] != self.channel & 0xFF or data[pos + 6] != self.channel >> 8:
            return ABSENT
        return pos + length if pos + length <= len(data) else ABSENT
