"""Where a queue's messages become transfers: subscriptions, and what they have delivered."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.reading import Outlet, Reading
from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.shortcuts.envelopes import Envelope
from lastvalue.codec.amqp010.shortcuts.transfer_encoder import TransferEncoder
from lastvalue.codec.amqp010.tables import MESSAGE_TRANSFER
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp010.credit import Credit
from lastvalue.frontends.output import OUTPUT_ROOM, Toucher
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp010.session import Session
from lastvalue.protocols.amqp010.wire import Wire
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.subscription import Outcome

EXPLICIT: Final = 0
NONE: Final = 1
PRE_ACQUIRED: Final = 0
NOT_ACQUIRED: Final = 1
_ACCEPTED: Final = Outcome.ACCEPTED


@final
class Room:
    """Whether a connection can take output, and which of its subscriptions wait until it can.

    Attributes:
        sent: how many messages it was sent.
    """

    __slots__ = ("sent", "stalled", "wire", "writable")

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.writable = True
        self.sent = 0
        self.stalled: list[Subscription] = []


@final
class Delivery:
    """A message that was sent and is not done with.

    Attributes:
        acquired: its entry is held for the peer, who accepts, rejects or releases it.
        completed: the peer has completed the transfer.
        epoch: of the credit, when it was sent.
        ended: what was held has been settled.
    """

    __slots__ = ("acquired", "completed", "ended", "entry", "epoch", "size_bytes", "subscription")

    def __init__(self, subscription: "Subscription", entry: Entry, size_bytes: i64) -> None:
        self.subscription = subscription
        self.entry = entry
        self.size_bytes: i64 = size_bytes
        self.epoch = subscription.credit.epoch
        self.acquired = False
        self.completed = False
        self.ended = False

    def settle(self, outcome: Outcome, now: i64) -> None:
        """End what is held; the queue may be gone."""
        if not self.acquired or self.ended:
            return
        self.ended = True
        hosted = self.subscription.reading_of.hosted
        if self.entry.state == ACQUIRED:
            hosted.queue.settle(self.entry, outcome, now)
            hosted.touch()


@final
class Subscription(Outlet):
    """A subscription of a session to a queue.

    Attributes:
        accepts: the peer accepts what it gets; else what is sent has left the queue.
        acquires: what is sent is taken from the queue; else it is only shown.
        exclusive: nobody else may subscribe to the queue.
        deliveries: of its session, by the id of the transfer.
        sequence_name: the application header in which the peer is told an entry's number, or "".
        first_key: the application header that marks the first message of a group, or "".
        flushes: commands that are complete once the credit is used or nothing more is there.
        ended: it was cancelled.
    """

    __slots__ = (
        "_envelope",
        "_pending",
        "_room",
        "_stalled",
        "_starved",
        "_touch",
        "_writer",
        "accepts",
        "acquires",
        "arguments",
        "credit",
        "delivered",
        "deliveries",
        "destination",
        "ended",
        "exclusive",
        "first_key",
        "flushes",
        "queue_name",
        "reading",
        "sequence_name",
        "session",
    )

    def __init__(
        self,
        session: Session,
        destination: str,
        deliveries: dict[int, Delivery],
        room: Room,
        touch: Toucher,
        writer: TransferEncoder,
    ) -> None:
        self.session = session
        self.destination = destination
        self.deliveries = deliveries
        self.credit = Credit()
        self.accepts = True
        self.acquires = True
        self.exclusive = False
        self.ended = False
        self.arguments: dict[str, object] = {}
        self.queue_name = ""
        self.delivered = 0
        self.sequence_name = ""
        self.first_key = ""
        self.flushes: list[int] = []
        self.reading: Reading | None = None
        self._room = room
        self._touch = touch
        self._writer = writer
        self._envelope: Envelope | None = None
        self._pending: Entry | None = None
        self._starved = False
        self._stalled = False

    @property
    def reading_of(self) -> Reading:
        """The reading that it has, or had."""
        reading = self.reading
        if reading is None:
            raise AssertionError("a subscription reads before it delivers")
        return reading

    def wants(self) -> bool:
        """See Outlet."""
        if self.ended or self._starved or not self.credit.open():
            self._end_flushes()
            return False
        room = self._room
        if room.writable and room.wire.size < OUTPUT_ROOM:
            return True
        if not self._stalled:
            self._stalled = True
            room.stalled.append(self)
        return False

    def deliver(self, entry: Entry, now: i64) -> None:
        """Send the entry; one that the credit in bytes does not cover waits for more."""
        plain = entry.delivery_count == 0 and not self.sequence_name and not self.first_key
        writer = self._writer
        if plain and writer.write(entry.message.encoded, self._enveloped(), entry.expires_ms, now):
            if self._is_covered(entry, writer.size, now):
                number = self.session.transfer_frames(writer.parts, writer.frames_size)
                self._sent(entry, writer.size, number, now)
            return
        try:
            header, body = header_and_body(
                entry.message.encoded,
                writer.names,
                self._extra(entry),
                entry.delivery_count,
                entry.expires_ms,
                now,
            )
        except LastvalueError:
            # What cannot be said in this protocol is for nobody here; a consumer gives it to the alternate.
            if self.acquires:
                self.reading_of.settle(entry, Outcome.REJECTED, now)
            return
        size_bytes = len(header) + (0 if body is None else len(body))
        if self._is_covered(entry, size_bytes, now):
            number = self.session.transfer(self._transfer(), header, body)
            self._sent(entry, size_bytes, number, now)

    def _is_covered(self, entry: Entry, size_bytes: i64, now: i64) -> bool:
        """Whether there is credit for so many bytes; an entry that there is none for is put off."""
        if self.credit.covers(size_bytes):
            return True
        self._starved = True
        if self.acquires:
            self.reading_of.settle(entry, Outcome.RELEASED, now)
        else:
            self._pending = entry
        self._end_flushes()
        return False

    def _transfer(self) -> Record:
        return Record(
            MESSAGE_TRANSFER,
            {
                "destination": self.destination,
                "accept_mode": EXPLICIT if self.accepts else NONE,
                "acquire_mode": PRE_ACQUIRED if self.acquires else NOT_ACQUIRED,
            },
        )

    def _enveloped(self) -> Envelope:
        envelope = self._envelope
        if envelope is None:
            session = self.session
            envelope = Envelope(session.frame_of(self._transfer()), session.channel, session.largest_frame)
            self._envelope = envelope
        return envelope

    def _extra(self, entry: Entry) -> dict[str, Value]:
        """Application headers that this subscription is told beside those of the message."""
        extra: dict[str, Value] = {}
        if self.sequence_name:
            extra[self.sequence_name] = int(entry.sequence)
        if self.first_key and self.reading is not None and self.reading.subscription.opened_group:
            extra[self.first_key] = True
        return extra

    def _sent(self, entry: Entry, size_bytes: i64, number: i64, now: i64) -> None:
        """A transfer was sent."""
        self.credit.spend(size_bytes)
        self.delivered += 1
        self._room.sent += 1
        self._touch.touch()
        taken = self.acquires and not self.accepts
        if taken:
            self.reading_of.settle(entry, _ACCEPTED, now)
            if not self.credit.window:
                return
        delivery = Delivery(self, entry, size_bytes)
        delivery.acquired = self.acquires
        delivery.ended = taken
        self.deliveries[int(number)] = delivery

    def ran_dry(self) -> None:
        """See Outlet."""
        self._end_flushes()

    def _end_flushes(self) -> None:
        if self.flushes:
            flushes = self.flushes
            self.flushes = []
            self.credit.cancel()
            for number in flushes:
                self.session.complete(number)
            self._touch.touch()

    def queue_deleted(self) -> None:
        """The peer is told nothing of it [0-10 has nothing to say so]; the subscription gets nothing more."""
        self.ended = True
        self._end_flushes()

    def has_more_credit(self, now: i64) -> None:
        """There is more credit, or room."""
        self._starved = False
        pending = self._pending
        if pending is not None:
            self._pending = None
            self.deliver(pending, now)
        self.resume()

    def resume(self) -> None:
        """There may be room or credit again."""
        self._stalled = False
        reading = self.reading
        if reading is not None and not self.ended:
            reading.wake()
