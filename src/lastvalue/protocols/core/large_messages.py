"""Messages that arrive in parts: one at a time on each channel."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.core.errors import LARGE_MESSAGE_ERROR, CoreError
from lastvalue.codec.core.packets import NO_CORRELATION, Packet
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount, MemoryLimitError
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.events import Published
from lastvalue.protocols.message_parts import MessageParts

MOST_HEAD_BYTES: Final = 1 << 20
"""The properties of a message are decoded one by one: some milliseconds."""


def head_too_large() -> LastvalueError:
    """A message's headers and properties are too large."""
    text = f"the headers and properties of a message have at most {MOST_HEAD_BYTES} bytes"
    return CoreError(LARGE_MESSAGE_ERROR, text)


def too_large(most_bytes: i64) -> LastvalueError:
    """A message's body is larger than that."""
    return CoreError(LARGE_MESSAGE_ERROR, f"a message's body has at most {most_bytes} bytes")


@final
class _Large:
    """A message that has begun.

    Attributes:
        fault: why it cannot be taken; what has come of it is dropped then.
    """

    __slots__ = ("fault", "head", "parts")

    def __init__(self, memory: MemoryAccount) -> None:
        self.head = MessageParts(memory)
        self.parts = MessageParts(memory)
        self.fault: LastvalueError | None = None

    def add(self, to: MessageParts, octets: bytes) -> None:
        """Add octets to the head or to the parts."""
        try:
            to.add(octets)
        except MemoryLimitError as error:
            self.refuse(error)

    def refuse(self, fault: LastvalueError) -> None:
        """Keep nothing of it."""
        self.fault = fault.with_traceback(None)
        self.head.clear()
        self.parts.clear()


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
        large = _Large(self._memory)
        self._begun[channel] = large
        if len(head) > MOST_HEAD_BYTES:
            large.refuse(head_too_large())
        else:
            large.add(large.head, head)

    def add(self, channel: Channel, packet: Packet, size_bytes: i64) -> Published:
        """The next part of a message; the event has the message where it is the last one."""
        published = Published(channel, size_bytes, b"", b"")
        published.answered = packet.flag("wants_response")
        published.correlation = packet.number("correlation", NO_CORRELATION)
        large = self._begun.get(channel)
        if large is None:
            text = "a part of a large message comes before its beginning"
            published.fault = CoreError(LARGE_MESSAGE_ERROR, text)
            return published
        self._take_part(large, packet.octets("body"))
        if not packet.flag("continues"):
            del self._begun[channel]
            published.head = large.head.join()
            published.fault = large.fault
            published.body = large.parts.join()
        return published

    def _take_part(self, large: _Large, part: bytes) -> None:
        if large.fault is not None:
            return
        if large.parts.size_bytes + len(part) > self._max_message_size:
            large.refuse(too_large(self._max_message_size))
        else:
            large.add(large.parts, part)

    def refuse(self, channel: Channel, fault: LastvalueError) -> None:
        """Take no more of the message that has begun on a channel."""
        large = self._begun.get(channel)
        if large is not None:
            large.refuse(fault)

    def drop(self, channel: Channel) -> None:
        """A channel has ended."""
        large = self._begun.pop(channel, None)
        if large is not None:
            large.head.clear()
            large.parts.clear()
