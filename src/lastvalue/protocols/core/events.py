"""The events of the engine."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core.packets import HEADER_BYTES, Packet
from lastvalue.codec.octets import number_at
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.core.channel import Channel

_PLACE_BYTES: Final = 4
"""Of a packet's length, and of the place where a message's body ends."""
_TRAILER_BYTES: Final = 13
"""After a message: whether the peer waits for an answer, its correlation, and from version 134 the sender."""
_OLDER_TRAILER_BYTES: Final = 9


class Event:
    """An event; see the subclasses."""

    __slots__ = ()


@final
class SessionRequested(Event):
    """The peer asks for a session, and has proved who it is.

    Attributes:
        packet: its request.
        identity: the user.
        mechanism: by which that was proved.
    """

    __slots__ = ("identity", "mechanism", "packet")

    def __init__(self, packet: Packet, identity: str, mechanism: str) -> None:
        self.packet = packet
        self.identity = identity
        self.mechanism = mechanism


@final
class ReattachRequested(Event):
    """The peer attaches a session of an earlier connection: `Connection.reattach` or `refuse` answers it."""

    __slots__ = ("packet",)

    def __init__(self, packet: Packet) -> None:
        self.packet = packet


class Command(Event):
    """A packet of a session, which the peer counts.

    Attributes:
        channel: of the session.
        size_bytes: of the packet.
    """

    __slots__ = ("channel", "size_bytes")

    def __init__(self, channel: Channel, size_bytes: i64) -> None:
        self.channel = channel
        self.size_bytes: i64 = size_bytes


@final
class Called(Command):
    """A command other than those below."""

    __slots__ = ("packet",)

    def __init__(self, channel: Channel, size_bytes: i64, packet: Packet) -> None:
        self.channel = channel
        self.size_bytes = size_bytes
        self.packet = packet


@final
class LargeBegun(Command):
    """A message begins that comes in parts: `Connection.refuse_large` takes none of them.

    Attributes:
        head: its headers and properties.
    """

    __slots__ = ("head",)

    def __init__(self, channel: Channel, size_bytes: i64, head: bytes) -> None:
        self.channel = channel
        self.size_bytes = size_bytes
        self.head = head


@final
class Published(Command):
    """A message that came in parts has arrived, or a part of it; or a message that cannot be taken.

    Attributes:
        head: its headers and properties; empty for a part of a large message after which others follow.
        body: its body.
        answered: the peer waits for an answer.
        correlation: of the answer.
        fault: why the message cannot be taken, or None.
        inflated: the head says that the body is compressed, and it is not any more.
        converted: the body is a text in UTF-8, and not as CORE has one.
    """

    __slots__ = ("answered", "body", "converted", "correlation", "fault", "head", "inflated")

    def __init__(self, channel: Channel, size_bytes: i64, head: bytes, body: bytes) -> None:
        self.channel = channel
        self.size_bytes = size_bytes
        self.head = head
        self.body = body
        self.answered = False
        self.correlation: i64 = -1
        self.fault: LastvalueError | None = None
        self.inflated = False
        self.converted = False


@final
class PublishedRun(Event):
    """Consecutive messages of one session, whole, in the packets that brought them.

    Attributes:
        channel: of the session.
        data: that the packets are in, one after the other.
        count: how many messages there are.
        at: where the packet begins of the message at which it stands.
        size_bytes: of the packet of the message that was looked at, or measured.
        body, head, trailer: where its body begins, its headers and properties, and what is after them.
    """

    __slots__ = ("_end", "_trailer_bytes", "at", "body", "channel", "count", "data", "head", "size_bytes",
        "trailer",
    )  # fmt: skip

    def __init__(self, channel: Channel, data: bytes, start: i64) -> None:
        self.channel = channel
        self.data = data
        self.count: i64 = 0
        self.size_bytes: i64 = 0
        self.body: i64 = start
        self.head: i64 = start
        self.trailer: i64 = start
        self.at: i64 = start
        self._end: i64 = start
        self._trailer_bytes: i64 = _TRAILER_BYTES if channel.version >= 134 else _OLDER_TRAILER_BYTES

    def measure(self, end: i64) -> None:
        """Find the parts of the next message, whose packet begins where the last one has ended.

        Raises:
            DecodeError: its body does not fit into the packet.
        """
        pos = self._end
        body: i64 = pos + HEADER_BYTES + _PLACE_BYTES
        trailer = end - self._trailer_bytes
        end_of_body: i64 = number_at(self.data, pos + HEADER_BYTES) if body <= trailer else 0
        # [Artemis] The place counts from the packet's beginning, without the place itself.
        head: i64 = pos + end_of_body + _PLACE_BYTES
        if end_of_body < HEADER_BYTES or head > trailer:
            raise DecodeError(
                f"the body of a message ends at {end_of_body}, in a packet of {end - pos} bytes"
            )
        self.body = body
        self.head = head
        self.trailer = trailer
        self.size_bytes = end - pos

    def add(self) -> None:
        """Add the message that was measured."""
        self._end += self.size_bytes
        self.count += 1

    @property
    def is_over(self) -> bool:
        """Whether it stands behind the last message."""
        return self.at >= self._end

    def look(self, at: i64) -> bool:
        """Find the parts of the message whose packet begins there; false after the last one."""
        if at >= self._end:
            return False
        data = self.data
        size = number_at(data, at) + _PLACE_BYTES
        self.size_bytes = size
        self.body = at + HEADER_BYTES + _PLACE_BYTES
        self.head = at + _PLACE_BYTES + number_at(data, at + HEADER_BYTES)
        self.trailer = at + size - self._trailer_bytes
        return True

    def step(self) -> None:
        """Go past the message that was looked at, at which it stands."""
        self.at += self.size_bytes

    @property
    def correlation(self) -> bytes:
        """The octets of its answer's correlation; empty where the peer waits for no answer."""
        start = self.trailer + 1
        return self.data[start : start + 8] if self.data[self.trailer] else b""

    def published(self) -> Published:
        """The message, without its parts."""
        published = Published(self.channel, self.size_bytes, b"", b"")
        correlation = self.correlation
        if correlation:
            published.answered = True
            published.correlation = int.from_bytes(correlation, "big", signed=True)
        return published


@final
class Acknowledged(Command):
    """A consumer has acknowledged a message: all up to it, or that `one`."""

    __slots__ = ("answered", "consumer", "message", "one")

    def __init__(self, channel: Channel, size_bytes: i64, numbers: tuple[i64, i64], one: bool) -> None:
        self.channel = channel
        self.size_bytes = size_bytes
        self.consumer, self.message = numbers
        self.one = one
        self.answered = False


@final
class Credited(Command):
    """A consumer may be sent more bytes; -1 is any number, 0 takes back what it had."""

    __slots__ = ("consumer", "credits")

    def __init__(self, channel: Channel, size_bytes: i64, consumer: i64, credits_: i64) -> None:
        self.channel = channel
        self.size_bytes = size_bytes
        self.consumer: i64 = consumer
        self.credits: i64 = credits_
