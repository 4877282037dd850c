"""The output of a connection's engine: bytes for the peer and events for the owner."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.frames import MIN_MAX_FRAME_SIZE, encode_frame
from lastvalue.codec.amqp10.performatives import Attach, Performative, encode_performative
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.conditions import Condition
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.engine import UsageError

STREAM_ROOM: Final = 256 * 1024
"""Waiting bytes beyond which no further frame of a large message is made."""


@mypyc_attr(native_class=False)
class LongAttachError(UsageError):
    """An attach is larger than the frames that the peer takes, and was not sent."""

    condition = Condition.FRAME_SIZE_TOO_SMALL

    def __init__(self, size_bytes: int, largest_bytes: int) -> None:
        super().__init__(
            f"the link's attach needs a frame of {size_bytes} bytes, and the peer takes {largest_bytes}; "
            "shorter filters would fit, or a larger max-frame-size of the peer"
        )


class Event:
    """An event; see the subclasses."""

    __slots__ = ()


@final
class Wire(OutputBuffer):
    """The outboxes that a connection, its sessions and its links share.

    Attributes:
        max_frame_size: the largest frame that the peer takes.
        memory: the connection's, for what has not arrived whole and for the owner.
        events: that the owner has not taken yet.
        streaming: messages wait for room in this output, not for the peer's windows.
        ranges: how many ranges of outcomes wait to be written, see `Settlements`.
        overlong: the size of a performative that is too large for the peer and was not sent; else 0.
    """

    __slots__ = ("events", "max_frame_size", "memory", "overlong", "ranges", "streaming")

    def __init__(self, memory: MemoryAccount | None = None) -> None:
        super().__init__()
        self.memory = MemoryAccount() if memory is None else memory
        self.events: list[Event] = []
        self.max_frame_size: i64 = MIN_MAX_FRAME_SIZE
        self.overlong: i64 = 0
        self.ranges: i64 = 0
        self.streaming = False

    def perform(self, performative: Performative, channel: int) -> None:
        """Send a performative in a frame of its own."""
        frame = encode_frame(encode_performative(performative), channel)
        if len(frame) > self.max_frame_size:
            self.overlong = len(frame)
        else:
            self.put(frame)

    def attach(self, attach: Attach, channel: int) -> None:
        """Send the attach of a link, in a frame of its own.

        Raises:
            LongAttachError: it is larger than the peer's frames.
        """
        frame = encode_frame(encode_performative(attach), channel)
        if len(frame) > self.max_frame_size:
            raise LongAttachError(len(frame), self.max_frame_size)
        self.put(frame)
