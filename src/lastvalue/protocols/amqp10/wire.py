"""The output of a connection's engine: bytes for the peer and events for the owner."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.frames import MIN_MAX_FRAME_SIZE, encode_frame
from lastvalue.codec.amqp10.performatives import Performative, encode_performative
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount

STREAM_ROOM: Final = 256 * 1024
"""Waiting bytes beyond which no further frame of a large message is made."""


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
        blocked: the transport takes no bytes, so large messages wait.
        overlong: the size of a performative that is too large for the peer and was not sent; else 0.
    """

    __slots__ = ("blocked", "events", "max_frame_size", "memory", "overlong", "streaming")

    def __init__(self, memory: MemoryAccount | None = None) -> None:
        super().__init__()
        self.memory = MemoryAccount() if memory is None else memory
        self.events: list[Event] = []
        self.max_frame_size: i64 = MIN_MAX_FRAME_SIZE
        self.overlong: i64 = 0
        self.streaming = False
        self.blocked = False

    def perform(self, performative: Performative, channel: int) -> None:
        """Send a performative in a frame of its own."""
        frame = encode_frame(encode_performative(performative), channel)
        if len(frame) > self.max_frame_size:
            self.overlong = len(frame)
        else:
            self.put(frame)
