"""The events of the engine."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp091.dialects import Method
from lastvalue.codec.amqp091.methods import PublishHead
from lastvalue.protocols.amqp091.channel import Channel


class Event:
    """An event of a channel; see the subclasses."""

    __slots__ = ("channel",)

    def __init__(self, channel: Channel) -> None:
        self.channel = channel


@final
class PublishBegun(Event):
    """A message is to arrive, of which no more than the method has come; Published follows.

    Messages that come whole have no such event.
    """

    __slots__ = ("head",)

    def __init__(self, channel: Channel, head: PublishHead) -> None:
        self.channel = channel
        self.head = head


@final
class Published(Event):
    """A message arrived.

    Attributes:
        head: its exchange, routing key and flags.
        header: the payload of its content header frame.
        body: its body.
        message: the same in AMQP 1.0's encoding, or b"" where it was not converted.
    """

    __slots__ = ("body", "head", "header", "message")

    def __init__(
        self, channel: Channel, head: PublishHead, header: bytes, body: bytes, message: bytes = b""
    ) -> None:
        self.channel = channel
        self.message = message
        self.head = head
        self.header = header
        self.body = body


@final
class PublishedRun(Event):
    """Consecutive messages that are neither mandatory nor immediate.

    They are for one exchange; for the default one they have one key.

    Attributes:
        heads: theirs; those with the same fields have one head.
        messages: in AMQP 1.0's encoding.
    """

    __slots__ = ("heads", "messages")

    def __init__(self, channel: Channel, head: PublishHead, message: bytes) -> None:
        self.channel = channel
        self.heads = [head]
        self.messages = [message]

    def goes_with(self, head: PublishHead) -> bool:
        """Whether a message with this head may be one of them."""
        exchange = self.heads[0].raw_exchange
        return head is self.heads[0] or (len(exchange) > 0 and head.raw_exchange == exchange)

    def drop(self, count: i64) -> None:
        """Forget the first messages, which are processed."""
        self.heads = self.heads[count:]
        self.messages = self.messages[count:]


ACCEPT: Final = 0
DISCARD: Final = 1
REQUEUE: Final = 2


@final
class Answered(Event):
    """A consumer answered the delivery with the tag or, where `multiple`, all up to it.

    `how` is ACCEPT, DISCARD or REQUEUE.
    """

    __slots__ = ("how", "multiple", "tag")

    def __init__(self, channel: Channel, tag: i64, multiple: bool, how: i64) -> None:
        self.channel = channel
        self.tag: i64 = tag
        self.multiple = multiple
        self.how: i64 = how


@final
class Called(Event):
    """Any other method of a channel that is open."""

    __slots__ = ("method",)

    def __init__(self, channel: Channel, method: Method) -> None:
        self.channel = channel
        self.method = method


@final
class ChannelOpened(Event):
    """A channel was opened, and has been answered."""

    __slots__ = ()


@final
class ChannelEnded(Event):
    """The peer closes a channel: `Channel.end` answers it."""

    __slots__ = ()


@final
class ConnectionOpened(Event):
    """The peer opened the connection: `Connection.accept` or `Connection.fail` answers it."""

    __slots__ = ()


@final
class ConnectionEnded(Event):
    """The peer closes the connection: `Connection.end` answers it."""

    __slots__ = ()
