"""The output of a connection's engine: bytes for the peer and events for the owner."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.encoder import encode_fields
from lastvalue.codec.amqp010.frames import (
    BODY,
    COMMAND,
    CONTROL,
    FIRST_SEGMENT,
    FRAME_HEADER_SIZE,
    HEADER,
    LAST_SEGMENT,
    MIN_MAX_FRAME_SIZE,
    SegmentBody,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount

_ALONE: Final = FIRST_SEGMENT | LAST_SEGMENT
_SYNC: Final = b"\x01\x01"
_NO_SYNC: Final = b"\x01\x00"


class Event:
    """An event; see the subclasses."""

    __slots__ = ()


@final
class Wire(OutputBuffer):
    """The outboxes that a connection and its sessions share.

    Attributes:
        memory: the connection's, for what has not arrived whole.
        max_frame_size: the largest frame that the peer takes.
        events: that the owner has not taken yet.
    """

    __slots__ = ("events", "max_frame_size", "memory")

    def __init__(self, memory: MemoryAccount) -> None:
        super().__init__()
        self.memory = memory
        self.events: list[Event] = []
        self.max_frame_size: i64 = MIN_MAX_FRAME_SIZE

    def control(self, channel: i64, record: Record) -> None:
        """Send a control."""
        payload = int(record.layout.code).to_bytes(2, "big") + encode_fields(record)
        self.put(encode_segment(_ALONE, CONTROL, channel, payload, self.max_frame_size))

    def command(self, channel: i64, record: Record, sync: bool) -> None:
        """Send a command without a message."""
        self._command(_ALONE, channel, record, sync)

    def transfer(self, channel: i64, record: Record, header: bytes, body: bytes | None) -> None:
        """Send a command with a message: its header segment and its body, which may be missing."""
        self._command(FIRST_SEGMENT, channel, record, False)
        size = self.max_frame_size
        if body is None:
            self.put(encode_segment(LAST_SEGMENT, HEADER, channel, header, size))
            return
        self.put(encode_segment(0, HEADER, channel, header, size))
        if len(body) > size - FRAME_HEADER_SIZE:
            self.put_frames(SegmentBody(channel, body, size))
        else:
            self.put(encode_segment(LAST_SEGMENT, BODY, channel, body, size))

    def _command(self, flags: i64, channel: i64, record: Record, sync: bool) -> None:
        head = int(record.layout.code).to_bytes(2, "big") + (_SYNC if sync else _NO_SYNC)
        payload = head + encode_fields(record)
        self.put(encode_segment(flags, COMMAND, channel, payload, self.max_frame_size))


def command_frame(channel: i64, record: Record) -> bytes:
    """The frame of a command that a message follows; it is small."""
    payload = int(record.layout.code).to_bytes(2, "big") + _NO_SYNC + encode_fields(record)
    return encode_segment(FIRST_SEGMENT, COMMAND, channel, payload, MIN_MAX_FRAME_SIZE)
