"""The events of the engine."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.core.packets import Packet
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.core.channel import Channel


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
    """

    __slots__ = ("answered", "body", "correlation", "fault", "head")

    def __init__(self, channel: Channel, size_bytes: i64, head: bytes, body: bytes) -> None:
        self.channel = channel
        self.size_bytes = size_bytes
        self.head = head
        self.body = body
        self.answered = False
        self.correlation: i64 = -1
        self.fault: LastvalueError | None = None


@final
class PublishedRun(Event):
    """Consecutive messages of one session, whole.

    Attributes:
        channel: of the session.
        messages: the head and the body of each, as `Published` has them, the size of its packet, and the
            correlation of its answer, or None where the peer waits for none.
    """

    __slots__ = ("channel", "messages")

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.messages: list[tuple[bytes, bytes, int, int | None]] = []


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
