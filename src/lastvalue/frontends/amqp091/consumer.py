"""Consumers of AMQP 0-9-1: how messages are sent on a channel."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.routing.exchanges import Exchanges
from lastvalue.codec.amqp091.fields import short_string
from lastvalue.codec.amqp091.message_encoder import MessageEncoder, encode_message
from lastvalue.codec.amqp091.methods import place_of
from lastvalue.codec.amqp091.shortcuts.delivery_writer import DeliveryWriter, Place
from lastvalue.delivery.consumer import BlockedBy, Consumer
from lastvalue.delivery.delivered_payload import delivered_payload
from lastvalue.delivery.unsettled import UnsettledDelivery
from lastvalue.delivery.window import Window
from lastvalue.frontends.amqp091.connection_state import Amqp091ConnectionState
from lastvalue.frontends.amqp091.deliveries import ChannelDeliveries
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.subscription import Outcome

_ACCEPTED: Final = Outcome.ACCEPTED
_WINDOW: Final = BlockedBy.WINDOW


@final
class ChannelConsumer(Consumer):
    """A consumer of a channel [basic.consume].

    Attributes:
        tag: its name on the channel.
        on_exhausted: called with the tag when it has been sent all that there is, or None.
    """

    __slots__ = (
        "_deliveries",
        "_qpid",
        "_queue",
        "_short_tag",
        "_state",
        "_writer",
        "on_exhausted",
        "tag",
    )

    def __init__(
        self,
        deliveries: ChannelDeliveries,
        state: Amqp091ConnectionState,
        tag: str,
        queue: str,
        window: Window,
    ) -> None:
        super().__init__(state.output, window)
        self.tag = tag
        self.on_exhausted: Callable[[str, i64], None] | None = None
        self._qpid = state.engine.qpid_java
        self._short_tag = short_string(tag.encode())
        self._queue = queue.encode()
        self._deliveries = deliveries
        self._state = state
        channel = deliveries.channel
        self._writer = DeliveryWriter(channel.number, self._short_tag, self._queue, channel.frame_max)

    def wants(self, now: i64) -> bool:
        """See Receiver."""
        deliveries = self._deliveries
        if not deliveries.flowing:
            return self.wait_for(BlockedBy.FLOW, now)
        if not self.window.is_open() or not deliveries.window.is_open():
            return self.wait_for(_WINDOW, now)
        return self.has_room(now)

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Receiver."""
        first = entry.delivery_count == 0 and not self.first_key and not self._qpid
        place = self._read(delivered_payload(entry)) if first else None
        if place is not None:
            self.sent(entry, now)
            self._write(place, entry)
        else:
            try:
                message = encode_entry(entry, self._qpid)
            except LastvalueError as fault:
                # AMQP 0-9-1 cannot carry this message of another protocol.
                self.pass_over(entry, str(fault), now)
                return
            if not self.send(entry, message, entry.delivery_count > 0, now):
                self.pass_over(entry, too_large(self._deliveries.channel), now)
                return
        if self.settles:
            self.settle(entry, _ACCEPTED, now)

    def takes_more(self) -> i64:
        """See Receiver; groups, Qpid's clients and a prefetch of bytes are asked for each message."""
        deliveries = self._deliveries
        if self.first_key or self._qpid or not deliveries.flowing:
            return 0
        return min(self.window.room_for_any(), deliveries.window.room_for_any())

    def send_run(self, run: EntryRun, now: i64) -> list[Entry]:
        """See Consumer."""
        written: list[Entry] = []
        for entry in run.entries:
            place = self._read(entry.encoded)
            if place is None:
                self.deliver(entry, now)
            else:
                self._write(place, entry)
                written.append(entry)
        return written

    def _read(self, payload: bytes) -> Place | None:
        """Where a message of the usual form was published; None if `send` has to write the message."""
        place = self._writer.read(payload)
        if place is None:
            return None
        defaulted = place.defaulted
        if defaulted is not None and self._state.broker.exchanges.get(place.exchange) is None:
            return defaulted
        return place

    def _write(self, place: Place, entry: Entry) -> None:
        """Write the message that was read last."""
        writer = self._writer
        tag = self._deliveries.next_tag()
        self._deliveries.channel.put(writer.frames(place, tag))
        self._keep(tag, entry, writer.body_size)

    def send(self, entry: Entry, message: MessageEncoder, redelivered: bool, now: i64) -> bool:
        """Write a message; keep the delivery until it is acknowledged, unless the consumer has no-ack.

        False if its headers do not fit into a frame: then nothing is written.
        """
        if self.opens_group():
            message.mark(self.first_key.encode())
        channel = self._deliveries.channel
        header = message.header(entry.delivery_count)
        if not channel.fits(header):
            return False
        tag = self._deliveries.next_tag()
        place = placed(message, self._queue, self._state.broker.exchanges)
        channel.deliver(self._short_tag, tag, redelivered, (place, header, message.body))
        self.sent(entry, now)
        self._keep(tag, entry, len(message.body))
        return True

    def _keep(self, tag: i64, entry: Entry, size_bytes: i64) -> None:
        reader = self.reader
        if reader is not None and not self.settles:
            self._deliveries.last = self.tag
            self._deliveries.add(UnsettledDelivery(tag, entry, reader, self, size_bytes))

    def on_empty(self, now: i64) -> None:
        """See Receiver."""
        super().on_empty(now)
        if self.on_exhausted is not None:
            self.on_exhausted(self.tag, now)

    def queue_deleted(self) -> None:
        """See Receiver."""
        self.reader = None
        self._deliveries.on_cancelled(self.tag)


def too_large(channel: Channel) -> str:
    """Why a message whose headers do not fit is not sent."""
    return f"its headers do not fit into a frame of {channel.frame_max} bytes, the peer's frame-max"


def encode_entry(entry: Entry, qpid: bool) -> MessageEncoder:
    """The content of an entry's message, for Qpid's client with the time when it expires.

    Raises:
        DecodeError: the message is malformed.
    """
    message = encode_message(delivered_payload(entry), qpid)
    if qpid:
        message.set_expiration(entry.expires_ms)
    return message


def placed(message: MessageEncoder, queue: bytes, exchanges: Exchanges) -> bytes:
    """The exchange and routing key that a message was published with, as far as the message has them."""
    exchange = message.to
    if exchange and exchanges.get(exchange.decode("utf-8", "replace")) is None:
        exchange = b""
    if message.subject is not None:
        return place_of(exchange, message.subject)
    return place_of(exchange, b"" if exchange else queue)
