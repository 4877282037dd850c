"""Messages that arrive in parts: one at a time on each channel."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.core.packets import NO_CORRELATION, Packet
from lastvalue.model.memory_budget import MemoryAccount, MemoryLimitError
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.events import Published
from lastvalue.protocols.message_parts import MessageParts


@final
class _Large:
    """A message that has begun.

    Attributes:
        fault: why it cannot be taken; its parts are dropped then.
    """

    __slots__ = ("fault", "head", "parts")

    def __init__(self, head: bytes, memory: MemoryAccount) -> None:
        self.head = head
        self.parts = MessageParts(memory)
        self.fault = ""


@final
class LargeMessages:
    """The messages that have begun on the channels of a connection."""

    __slots__ = ("_begun", "_max_message_size", "_memory")

    def __init__(self, max_message_size: i64, memory: MemoryAccount) -> None:
        self._max_message_size: i64 = max_message_size
        self._memory = memory
        self._begun: dict[Channel, _Large] = {}

    def begin(self, channel: Channel, head: bytes) -> None:
        """A message begins; one that has not ended is dropped."""
        self.drop(channel)
        self._begun[channel] = _Large(head, self._memory)

    def add(self, channel: Channel, packet: Packet, size_bytes: i64) -> Published:
        """The next part of a message; the event has the message where it is the last one."""
        published = Published(channel, size_bytes, b"", b"")
        published.answered = packet.flag("wants_response")
        published.correlation = packet.number("correlation", NO_CORRELATION)
        large = self._begun.get(channel)
        if large is None:
            published.fault = "a part of a large message comes before its beginning"
            return published
        self._take_part(large, packet.octets("body"))
        if not packet.flag("continues"):
            del self._begun[channel]
            published.head = large.head
            published.fault = large.fault
            published.body = large.parts.join()
        return published

    def _take_part(self, large: _Large, part: bytes) -> None:
        if large.fault:
            return
        if large.parts.size_bytes + len(part) > self._max_message_size:
            large.fault = f"a message's body has at most {self._max_message_size} bytes"
        else:
            try:
                large.parts.add(part)
            except MemoryLimitError as error:
                large.fault = str(error)
        if large.fault:
            large.parts.clear()

    def drop(self, channel: Channel) -> None:
        """A channel has ended."""
        large = self._begun.pop(channel, None)
        if large is not None:
            large.parts.clear()
