"""Consumers [basic.consume], what they have not acknowledged, and how much of that they may have."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.exchanges import Exchanges
from lastvalue.broker.reading import Reading
from lastvalue.codec.amqp091.fields import short_string
from lastvalue.codec.amqp091.leaving import Leaving, leaving
from lastvalue.codec.amqp091.methods import place_of
from lastvalue.codec.amqp091.shortcuts.deliveries import DeliveryWriter
from lastvalue.frontends.amqp091.setting import Setting, Stalling
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import Outcome

_ACCEPTED: Final = Outcome.ACCEPTED
_REJECTED: Final = Outcome.REJECTED


@final
class Window:
    """How many messages, and how many bytes of them, may be out unacknowledged; 0 is any number.

    The size of a message is not known before it is chosen: it is taken to be that of the last one.
    """

    __slots__ = ("_bytes", "_count", "_last", "most", "most_bytes")

    def __init__(self, most: i64 = 0, most_bytes: i64 = 0) -> None:
        self.most: i64 = most
        self.most_bytes: i64 = most_bytes
        self._count: i64 = 0
        self._bytes: i64 = 0
        self._last: i64 = 0

    @property
    def open(self) -> bool:
        """Whether one more may go out."""
        if 0 < self.most <= self._count:
            return False
        return self.most_bytes <= 0 or self._count == 0 or self._bytes + self._last <= self.most_bytes

    def add(self, size: i64) -> None:
        """A message of so many bytes goes out."""
        self._count += 1
        self._bytes += size
        self._last = size

    def take_back(self, size: i64) -> None:
        """One is acknowledged."""
        self._count -= 1
        self._bytes -= size


@final
class Unsettled:
    """A delivery that is not acknowledged.

    Attributes:
        reading: what it came from; it may be over.
        consumer: whose it is, or None where it was got.
        size: bytes of its body.
    """

    __slots__ = ("consumer", "entry", "reading", "size", "tag")

    def __init__(
        self, tag: i64, entry: Entry, reading: Reading, consumer: "Consumer | None", size: i64
    ) -> None:
        self.tag: i64 = tag
        self.entry = entry
        self.reading = reading
        self.consumer = consumer
        self.size: i64 = size

    def settle(self, outcome: Outcome, now: i64) -> None:
        """End the delivery; where the queue is gone it means nothing."""
        if not self.reading.hosted.tenure.ending:
            self.reading.settle(self.entry, outcome, now)


class Deliveries:
    """The deliveries of one channel, and what they need of it.

    Attributes:
        channel: the channel.
        flowing: the peer takes deliveries [channel.flow].
        window: what all its consumers together may have unacknowledged.
    """

    __slots__ = ("channel", "flowing", "window")

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.flowing = True
        self.window = Window()

    def next_tag(self) -> i64:
        """The next delivery's tag."""
        raise NotImplementedError

    def hold(self, unsettled: Unsettled) -> None:
        """Remember a delivery until it is acknowledged."""
        raise NotImplementedError

    def cancelled(self, consumer: "Consumer") -> None:
        """The queue of a consumer is gone."""
        raise NotImplementedError


@final
class Consumer(Stalling):
    """One consumer of one queue.

    Attributes:
        tag: its name on the channel.
        settles: what it is sent has left the queue.
        first_key: the header that is set on the first message of a group; b"" is none.
        exclusive: nobody else may consume from the queue.
        window: what it may have unacknowledged.
    """

    __slots__ = (
        "_consuming",
        "_queue",
        "_setting",
        "_short_tag",
        "_writer",
        "exclusive",
        "first_key",
        "settles",
        "tag",
        "window",
    )

    def __init__(self, consuming: Deliveries, setting: Setting, tag: str, queue: str, window: Window) -> None:
        self.reading = None
        self.stalled = False
        self.tag = tag
        self.settles = False
        self.exclusive = False
        self.first_key = b""
        self.window = window
        self._short_tag = short_string(tag.encode())
        self._queue = queue.encode()
        self._consuming = consuming
        self._setting = setting
        channel = consuming.channel
        self._writer = DeliveryWriter(channel.number, self._short_tag, self._queue, channel.frame_max)

    def wants(self) -> bool:
        """See Outlet."""
        consuming = self._consuming
        if not consuming.flowing or not self.window.open or not consuming.window.open:
            return False
        return self._setting.has_room(self)

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Outlet."""
        reading = self.reading
        if reading is None:
            return
        if entry.delivery_count == 0 and not self.first_key and self._write(entry, reading):
            if self.settles:
                reading.settle(entry, _ACCEPTED, now)
            return
        try:
            message = leaving(entry.message.encoded)
        except LastvalueError:
            # Another protocol let it pass; here it cannot be written.
            reading.settle(entry, _REJECTED, now)
            return
        self.send(entry, message, reading, entry.delivery_count > 0)
        if self.settles:
            reading.settle(entry, _ACCEPTED, now)

    def _write(self, entry: Entry, reading: Reading) -> bool:
        """Write a message that is of the usual form; false where it is not: what `send` does, at once."""
        writer = self._writer
        place = writer.read(entry.message.encoded)
        if place is None:
            return False
        defaulted = place.defaulted
        if defaulted is not None and self._setting.broker.exchanges.get(place.exchange) is None:
            place = defaulted
        consuming = self._consuming
        tag = consuming.next_tag()
        consuming.channel.put(writer.frames(place, tag))
        self._setting.touch()
        if not self.settles:
            consuming.hold(Unsettled(tag, entry, reading, self, writer.body_size))
        return True

    def send(self, entry: Entry, message: Leaving, reading: Reading, redelivered: bool) -> None:  # noqa: FBT001 - hot
        """Write a message and, where it is to be acknowledged, remember it."""
        consuming = self._consuming
        if self.first_key and reading.subscription.opened_group:
            message.mark(self.first_key)
        tag = consuming.next_tag()
        place = placed(message, self._queue, self._setting.broker.exchanges)
        header = message.header(entry.delivery_count)
        consuming.channel.deliver(self._short_tag, tag, redelivered, (place, header, message.body))
        self._setting.touch()
        if not self.settles:
            consuming.hold(Unsettled(tag, entry, reading, self, len(message.body)))

    def ran_dry(self) -> None:
        """See Outlet."""

    def queue_deleted(self) -> None:
        """See Outlet."""
        self.reading = None
        self._consuming.cancelled(self)


def placed(message: Leaving, queue: bytes, exchanges: Exchanges) -> bytes:
    """Exchange and routing key of a message: those that it was published with, as far as it tells."""
    exchange = message.to
    if exchange and exchanges.get(exchange.decode("utf-8", "replace")) is None:
        exchange = b""
    if message.subject is not None:
        return place_of(exchange, message.subject)
    return place_of(exchange, b"" if exchange else queue)
