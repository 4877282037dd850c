"""Consumers of AMQP 0-10 [message.subscribe]: how a message is written for one."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.command_layouts import MESSAGE_TRANSFER
from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.shortcuts.envelopes import Envelope
from lastvalue.codec.amqp010.shortcuts.transfer_encoder import TransferEncoder
from lastvalue.codec.amqp10.values import Value
from lastvalue.delivery.consumer import BlockedBy, Consumer
from lastvalue.delivery.delivered_payload import delivered_payload
from lastvalue.delivery.output import Output
from lastvalue.delivery.unsettled import UnsettledDeliveries, UnsettledDelivery
from lastvalue.delivery.window import Balance, Window
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp010.session import Session
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.subscription import Outcome

EXPLICIT: Final = 0
NONE: Final = 1
PRE_ACQUIRED: Final = 0
NOT_ACQUIRED: Final = 1
_ACCEPTED: Final = Outcome.ACCEPTED
_CREDIT: Final = BlockedBy.CREDIT
_WINDOW: Final = BlockedBy.WINDOW


@final
class SessionConsumer(Consumer):
    """A subscription of a session to a queue.

    Attributes:
        destination: its name.
        unsettled: of its session, by the id of the transfer.
        sequence_name: the application header that carries an entry's number to the peer, or "".
        flushes: commands that are complete once the credit is used or nothing more is there.
    """

    __slots__ = (
        "_bytes_after_flush",
        "_envelope",
        "_messages_after_flush",
        "_pending",
        "_starved",
        "_writer",
        "arguments",
        "destination",
        "flushes",
        "queue_name",
        "sequence_name",
        "session",
        "unsettled",
    )

    def __init__(
        self,
        session: Session,
        destination: str,
        unsettled: UnsettledDeliveries,
        output: Output,
        writer: TransferEncoder,
    ) -> None:
        super().__init__(output, Window())
        self.session = session
        self.destination = destination
        self.unsettled = unsettled
        self.arguments: dict[str, object] = {}
        self.queue_name = ""
        self.sequence_name = ""
        self.flushes: list[int] = []
        self._writer = writer
        self._envelope: Envelope | None = None
        self._pending: Entry | None = None
        self._starved = False
        # Credit that was granted behind a flush, which ends with none.
        self._messages_after_flush = Balance()
        self._bytes_after_flush = Balance()

    def wants(self, now: i64) -> bool:
        """See Receiver."""
        if self.reader is None or self._starved or not self.window.is_open():
            self._end_flushes(now)
            return self.wait_for(_WINDOW if self.window.refills else _CREDIT, now)
        return self.has_room(now)

    def deliver(self, entry: Entry, now: i64) -> None:
        """Send the entry; one that the credit in bytes does not cover waits for more."""
        plain = entry.delivery_count == 0 and not self.sequence_name and not self.first_key
        writer = self._writer
        payload = delivered_payload(entry)
        if plain and writer.write(payload, self._enveloped(), entry.expires_ms, now):
            if self._is_covered(entry, writer.size, now):
                number = self.session.transfer_frames(writer.parts)
                self._keep(entry, writer.size, number)
                self._settle_sent(entry, now)
            return
        try:
            header, body = header_and_body(
                payload, writer.names, self._extra(entry), entry.delivery_count, entry.expires_ms, now
            )
        except LastvalueError as fault:
            # It cannot be said in this protocol.
            self.pass_over(entry, str(fault), now)
            return
        size_bytes = len(header) + (0 if body is None else len(body))
        if self._is_covered(entry, size_bytes, now):
            number = self.session.transfer(self._transfer(), header, body)
            self._keep(entry, size_bytes, number)
            self._settle_sent(entry, now)

    def takes_more(self) -> i64:
        """See Receiver; credit in bytes, numbered messages and groups are asked for each message."""
        if self.sequence_name or self.first_key or self._starved:
            return 0
        return self.window.room_for_any()

    def send_run(self, run: EntryRun, now: i64) -> list[Entry]:
        """See Consumer."""
        writer = self._writer
        envelope = self._enveloped()
        written: list[Entry] = []
        for entry in run.entries:
            if writer.write(entry.encoded, envelope, entry.expires_ms, now):
                self._keep(entry, writer.size, self.session.transfer_frames(writer.parts))
                written.append(entry)
            else:
                self.deliver(entry, now)
        return written

    def _is_covered(self, entry: Entry, size_bytes: i64, now: i64) -> bool:
        """Whether there is credit for this many bytes; an entry that there is none for is put off."""
        if self.window.covers(size_bytes):
            return True
        self._starved = True
        if self.acquires:
            self.settle(entry, Outcome.RELEASED, now)
        else:
            self._pending = entry
        self._end_flushes(now)
        return False

    def _transfer(self) -> Record:
        return Record(
            MESSAGE_TRANSFER,
            {
                "destination": self.destination,
                "accept_mode": NONE if self.settles else EXPLICIT,
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
        """Application headers that this consumer gets besides those of the message."""
        extra: dict[str, Value] = {}
        if self.sequence_name:
            extra[self.sequence_name] = int(entry.sequence)
        if self.opens_group():
            extra[self.first_key] = True
        return extra

    def _settle_sent(self, entry: Entry, now: i64) -> None:
        self.sent(entry, now)
        if self.settles:
            self.settle(entry, _ACCEPTED, now)

    def _keep(self, entry: Entry, size_bytes: i64, number: i64) -> None:
        """A transfer was sent."""
        window = self.window
        window.spend(size_bytes)
        taken = self.acquires and self.settles
        if taken and not window.refills:
            return
        reader = self.reader
        if reader is not None:
            delivery = UnsettledDelivery(number, entry, reader, self, size_bytes)
            delivery.settled = taken
            self.unsettled.add(delivery)

    def on_empty(self, now: i64) -> None:
        """See Receiver."""
        self._end_flushes(now)
        super().on_empty(now)

    def _end_flushes(self, now: i64) -> None:
        if self._complete_flushes():
            self.refilled(now)

    def _complete_flushes(self) -> bool:
        """Complete what asked for a flush; whether there is credit that came meanwhile."""
        if not self.flushes:
            return False
        flushes = self.flushes
        self.flushes = []
        self.window.cancel()
        for number in flushes:
            self.session.complete(number)
        self.output.schedule_write()
        messages, octets = self._messages_after_flush.limit, self._bytes_after_flush.limit
        self._messages_after_flush.cancel()
        self._bytes_after_flush.cancel()
        self.window.messages.add(messages)
        self.window.bytes.add(octets)
        return messages > 0 or octets > 0

    def grant(self, value: i64, in_messages: bool, now: i64) -> None:
        """[message.flow] Grant credit; behind a flush it counts when that is complete."""
        if self.flushes:
            (self._messages_after_flush if in_messages else self._bytes_after_flush).add(value)
            return
        (self.window.messages if in_messages else self.window.bytes).add(value)
        self.refilled(now)

    def revoke(self) -> None:
        """[message.stop] Nothing more comes until there is credit again."""
        self.window.cancel()
        self._messages_after_flush.cancel()
        self._bytes_after_flush.cancel()

    def flush(self, number: i64) -> None:
        """[message.flush] Complete a command once the credit is used, or there is nothing more."""
        self.flushes.append(number)
        if self.reader is None:
            self._complete_flushes()
        else:
            self.wake()

    def queue_deleted(self) -> None:
        """The consumer gets nothing more; 0-10 has no command that tells the peer."""
        self.reader = None
        self._pending = None
        self._complete_flushes()

    def refilled(self, now: i64) -> None:
        """There is more in the window."""
        self._starved = False
        pending = self._pending
        if pending is not None:
            self._pending = None
            self.deliver(pending, now)
        self.wake()
