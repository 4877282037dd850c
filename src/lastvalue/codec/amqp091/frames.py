"""Frames of AMQP 0-9-1 [0-9-1 §4.2.3]: type, channel, size, payload and end octet."""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.errors import FRAME_ERROR, FatalFrameError, ReplyError

METHOD: Final = 1
HEADER: Final = 2
BODY: Final = 3
HEARTBEAT: Final = 8
OLD_HEARTBEAT: Final = 4
"""Another heartbeat type, which [0-9-1 §4.2.7] gives in one place; some clients send it."""

FRAME_END: Final = 0xCE
FRAME_OVERHEAD: Final = 8
"""The size of a frame without its payload, in bytes."""

FRAME_MIN: Final = 4096
"""[0-9-1 frame-min-size] Every peer accepts frames of this size."""

_END: Final = b"\xce"
_HEAD: Final = struct.Struct(">BHI")

HEARTBEAT_FRAME: Final = b"\x08\x00\x00\x00\x00\x00\x00\xce"


def frame(kind: int, channel: int, payload: bytes) -> bytes:
    """A frame."""
    return _HEAD.pack(kind, channel, len(payload)) + payload + _END


@final
class FrameReader:
    """Splits bytes into frames.

    Attributes:
        max_frame_size: a larger frame is refused.
        kind, channel: those of the current frame; its payload is data[start:end].
        position: the start of the next frame in the data.
    """

    __slots__ = ("channel", "data", "end", "kind", "max_frame_size", "position", "start")

    def __init__(self, max_frame_size: i64) -> None:
        self.max_frame_size: i64 = max_frame_size
        self.data = b""
        self.kind: i64 = 0
        self.channel: i64 = 0
        self.start: i64 = 0
        self.end: i64 = 0
        self.position: i64 = 0

    def feed(self, data: bytes) -> None:
        """Add what came."""
        pos = self.position
        self.data = self.data[pos:] + data if pos < len(self.data) else data
        self.position = 0

    def take(self, size: i64) -> bytes | None:
        """Take this number of bytes that are not a frame; returns None if there are fewer."""
        pos = self.position
        if len(self.data) - pos < size:
            return None
        self.position = pos + size
        return self.data[pos : pos + size]

    def next(self) -> bool:
        """Move to the next frame; returns false while it is incomplete.

        Raises:
            ReplyError: the frame is too large.
            FatalFrameError: it has no end octet.
        """
        data = self.data
        pos = self.position
        available: i64 = len(data) - pos
        if available < 7:
            return False
        size: i64 = data[pos + 3] << 24 | data[pos + 4] << 16 | data[pos + 5] << 8 | data[pos + 6]
        if size + FRAME_OVERHEAD > self.max_frame_size:
            raise ReplyError(
                FRAME_ERROR, f"a frame of {size + FRAME_OVERHEAD} bytes; at most {self.max_frame_size}"
            )
        if available < size + FRAME_OVERHEAD:
            return False
        end = pos + 7 + size
        if data[end] != FRAME_END:
            raise FatalFrameError(f"a frame must end with 0xce, not 0x{data[end]:02x}")
        self.kind = data[pos]
        self.channel = data[pos + 1] << 8 | data[pos + 2]
        self.start = pos + 7
        self.end = end
        self.position = end + 1
        return True
