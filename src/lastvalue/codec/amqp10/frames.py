"""Splits bytes into AMQP 1.0 frames, and writes frames [1.0 §2.3].

A frame is a size of 4 bytes, a data offset (in words of 4 bytes), a type, a channel of 2 bytes,
an extended header up to the data offset, and a body: a performative and its payload.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import FrameError, LongFrameError

AMQP_HEADER: Final = b"AMQP\x00\x01\x00\x00"
SASL_HEADER: Final = b"AMQP\x03\x01\x00\x00"
TLS_HEADER: Final = b"AMQP\x02\x01\x00\x00"
PROTOCOL_HEADER_SIZE: Final = 8

FRAME_HEADER_SIZE: Final = 8
KIND_AMQP: Final = 0
KIND_SASL: Final = 1
MIN_MAX_FRAME_SIZE: Final = 512
"""[1.0 §2.4.1] What every peer takes until its open has come, and in a SASL exchange."""

EMPTY_FRAME: Final = b"\x00\x00\x00\x08\x02\x00\x00\x00"
"""Keeps a connection from going idle [1.0 §2.4.5]."""

_HEAD: Final = struct.Struct(">IBBH")


def encode_frame(performative: bytes, channel: int, kind: int = KIND_AMQP, payload: bytes = b"") -> bytes:
    """One whole frame; the caller makes sure that it is not larger than the peer allows."""
    size = FRAME_HEADER_SIZE + len(performative) + len(payload)
    return _HEAD.pack(size, 2, kind, channel) + performative + payload


@final
class FrameSplitter:
    """Splits a stream of bytes into frames, however the stream is chunked.

    Feed it, then call `next` until it returns false; then feed again. After `next` has returned true:

    Attributes:
        data: bytes that contain the frame's body, without a copy.
        body: where the frame's body starts in data.
        start, end: where it starts and ends; an empty frame has body == end.
        kind: KIND_AMQP, KIND_SASL or any other number that the peer sent.
        channel: the frame's channel.
        max_frame_size: a larger frame is refused before it is buffered; may be changed between frames.
    """

    __slots__ = (
        "_pending",
        "_pending_size",
        "_pos",
        "_wanted",
        "body",
        "channel",
        "data",
        "end",
        "kind",
        "max_frame_size",
        "start",
    )

    def __init__(self, max_frame_size: i64) -> None:
        self.max_frame_size: i64 = max_frame_size
        self.data = b""
        self.body: i64 = 0
        self.end: i64 = 0
        self.start: i64 = 0
        self.kind: i64 = 0
        self.channel: i64 = 0
        self._pos: i64 = 0
        self._pending: list[bytes] | None = None
        self._pending_size: i64 = 0
        self._wanted: i64 = 0

    @property
    def waiting_bytes(self) -> int:
        """The number of buffered bytes of an incomplete frame."""
        return self._pending_size + len(self.data) - self._pos

    def feed(self, data: bytes) -> None:
        """Add bytes from the peer; call it only after `next` returned false."""
        pending = self._pending
        if pending is not None:
            pending.append(data)
            self._pending_size += len(data)
        elif self._pos < len(self.data):
            rest = self.data[self._pos :]
            pending = self._pending = [rest, data]
            self._pending_size = len(rest) + len(data)
            self.data = b""
            self._pos = 0
        else:
            self.data = data
            self._pos = 0
        if pending is not None and self._pending_size >= self._wanted:
            self.data = b"".join(pending)
            self._pending = None
            self._pending_size = 0

    def give_back(self) -> bytes:
        """Remove and return the bytes of an incomplete frame; call it only after `next` returned false."""
        held = self.data[self._pos :] if self._pending is None else b"".join(self._pending)
        self._pending = None
        self._pending_size = 0
        self._wanted = 0
        self.data = b""
        self._pos = 0
        return held

    def take_protocol_header(self) -> bytes | None:
        """The 8 bytes of a protocol header, or None until all have come."""
        self._wanted = PROTOCOL_HEADER_SIZE
        start = self._pos
        if self._pending_size or len(self.data) - start < PROTOCOL_HEADER_SIZE:
            return None
        self._wanted = 0
        self._pos = start + PROTOCOL_HEADER_SIZE
        return self.data[start : self._pos]

    def next(self) -> bool:
        """Move to the next complete frame; returns false if more bytes are needed.

        Raises:
            FrameError: the frame is larger than allowed or its header contradicts itself.
        """
        if self._pending_size:
            return False
        data = self.data
        pos = self._pos
        left: i64 = len(data) - pos
        if left < FRAME_HEADER_SIZE:
            self._wanted = FRAME_HEADER_SIZE
            if left == 0:
                # An idle connection keeps nothing of what it has read.
                self.data = b""
                self._pos = 0
            return False
        size: i64 = data[pos] << 24 | data[pos + 1] << 16 | data[pos + 2] << 8 | data[pos + 3]
        offset: i64 = data[pos + 4] * 4
        if size > self.max_frame_size or offset < FRAME_HEADER_SIZE or size < offset:
            raise self._fault(size, offset)
        if left < size:
            self._wanted = size
            return False
        self._wanted = 0
        self.kind = data[pos + 5]
        self.channel = data[pos + 6] << 8 | data[pos + 7]
        self.body = pos + offset
        self.start = pos
        self.end = pos + size
        self._pos = pos + size
        return True

    def pass_over(self, end: i64) -> None:
        """Continue behind whole frames after the present one, which someone else has read."""
        self._pos = end

    def _fault(self, size: i64, offset: i64) -> FrameError:
        if size > self.max_frame_size:
            return LongFrameError(f"a frame of {size} bytes; at most {self.max_frame_size} are allowed")
        if offset < FRAME_HEADER_SIZE:
            return FrameError(
                f"a frame whose data offset is {offset} bytes; a frame header has {FRAME_HEADER_SIZE}"
            )
        return FrameError(f"a frame of {size} bytes whose data offset is {offset} bytes")
