"""Reads the methods and contents that a peer sends on one channel."""

from typing import Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.codec.amqp091.dialects import Method
from lastvalue.codec.amqp091.errors import (
    CHANNEL_ERROR,
    CONTENT_TOO_LARGE,
    FRAME_ERROR,
    RESOURCE_ERROR,
    SYNTAX_ERROR,
    UNEXPECTED_FRAME,
    ReplyError,
)
from lastvalue.codec.amqp091.methods import (
    ACK,
    NACK,
    PUBLISH,
    REJECT,
    PublishHead,
    decode_method,
    method_of,
    settlement,
)
from lastvalue.model.memory_budget import MemoryAccount, MemoryLimitError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import (
    ACCEPT,
    DISCARD,
    REQUEUE,
    Answered,
    Called,
    ChannelEnded,
    Event,
    PublishBegun,
    Published,
)
from lastvalue.protocols.message_parts import MessageParts

_CLASSES: Final = (20, 30, 40, 50, 60, 85, 90)
"""The classes of methods that belong on a channel."""


@final
class ChannelReader:
    """Reads the frames of a channel.

    Args:
        channel: the channel.
        events: receives the events.
        max_message_size: the largest body, in bytes; a larger one closes the channel.
        memory: of the connection; a content for which it has no room closes the channel.
    """

    __slots__ = ("_body", "_events", "_head", "_header", "_left", "_max_message_size", "_memory", "channel")

    def __init__(
        self, channel: Channel, events: list[Event], max_message_size: i64, memory: MemoryAccount
    ) -> None:
        self.channel = channel
        self._events = events
        self._max_message_size: i64 = max_message_size
        self._memory = memory
        self._head: PublishHead | None = None
        self._header = b""
        self._body = MessageParts(memory)
        self._left: i64 = 0

    @property
    def between(self) -> bool:
        """Whether the channel takes methods, and is not in the middle of a content."""
        channel = self.channel
        return not channel.closing and not channel.gone and self._head is None

    def take_method(self, data: bytes, start: i64, end: i64) -> None:
        """Take a method's frame.

        Raises:
            ReplyError: the frame violates the protocol.
        """
        number = method_of(data, start, end)
        channel = self.channel
        if channel.closing:
            self._forget()
            channel.take_while_closing(number)
        elif self._head is not None:
            raise ReplyError(UNEXPECTED_FRAME, "a method in the middle of a content")
        elif number == PUBLISH:
            head = PublishHead(data, start, end)
            self._head = head
            self._events.append(PublishBegun(channel, head))
        elif number == ACK:
            tag, flags = settlement(data, start, end)
            self._events.append(Answered(channel, tag, flags & 1 != 0, ACCEPT))
        elif number == REJECT:
            tag, flags = settlement(data, start, end)
            self._events.append(Answered(channel, tag, False, REQUEUE if flags & 1 != 0 else DISCARD))
        elif number == NACK:
            tag, flags = settlement(data, start, end)
            self._events.append(
                Answered(channel, tag, flags & 1 != 0, REQUEUE if flags & 2 != 0 else DISCARD)
            )
        else:
            self._take_rare(decode_method(data[start:end], channel.dialect))

    def _take_rare(self, method: Method) -> None:
        class_id = method.index >> 16
        if class_id not in _CLASSES:
            raise ReplyError(
                CHANNEL_ERROR, f"{method.name} belongs on channel 0", (class_id, method.index & 0xFFFF)
            )
        if isinstance(method, commands.Channel.Close):
            self._events.append(ChannelEnded(self.channel))
        elif isinstance(method, commands.Channel.Open):
            raise ReplyError(CHANNEL_ERROR, f"channel {self.channel.number} is already open", (20, 10))
        else:
            self._events.append(Called(self.channel, method))

    def take_header(self, data: bytes, start: i64, end: i64) -> None:
        """Take a content header's frame.

        Raises:
            ReplyError: the frame violates the protocol.
        """
        if self.channel.closing:
            self._forget()
            return
        if self._head is None or self._header:
            raise ReplyError(UNEXPECTED_FRAME, "a content header without a basic.publish before it")
        if end - start < 14:
            raise ReplyError(SYNTAX_ERROR, "a content header of fewer than 14 bytes")
        if data[start] != 0 or data[start + 1] != 60:
            raise ReplyError(FRAME_ERROR, "a content header of another class than its method")
        # Compiled integers have 63 bits, so larger sizes count as the largest.
        size = min(int.from_bytes(data[start + 4 : start + 12], "big"), 2**63 - 1)
        if size > self._max_message_size:
            self._forget()
            self.channel.fail(
                CONTENT_TOO_LARGE, f"a message of {size} bytes; at most {self._max_message_size}", (60, 40)
            )
            return
        try:
            self._memory.take(end - start)
        except MemoryLimitError as fault:
            self._refuse(fault)
            return
        self._header = data[start:end]
        self._left = size
        if size == 0:
            self._finish(b"")

    def take_body(self, data: bytes, start: i64, end: i64) -> None:
        """Take a part of a content's body.

        Raises:
            ReplyError: the frame violates the protocol.
        """
        if self.channel.closing:
            self._forget()
            return
        if not self._header:
            raise ReplyError(UNEXPECTED_FRAME, "a content body without a header before it")
        self._left -= end - start
        if self._left < 0:
            raise ReplyError(FRAME_ERROR, f"a body is {-self._left} bytes longer than its header says")
        if self._left == 0 and self._body.size_bytes == 0:
            self._finish(data[start:end])
            return
        try:
            self._body.add(data[start:end])
        except MemoryLimitError as fault:
            self._refuse(fault)
            return
        if self._left == 0:
            self._finish(self._body.join())

    def _finish(self, body: bytes) -> None:
        head = self._head
        if head is not None:
            self._events.append(Published(self.channel, head, self._header, body))
        self._forget()

    def _refuse(self, fault: MemoryLimitError) -> None:
        self._forget()
        self.channel.fail(RESOURCE_ERROR, str(fault), (60, 40))

    def _forget(self) -> None:
        """The content is complete, or is dropped as the channel is closing."""
        self._head = None
        self._memory.release(len(self._header))
        self._header = b""
        self._body.clear()
