"""A consumer of a session: how its messages are sent, whole or in parts."""

from struct import Struct
from typing import Final, final

from librt.strings import BytesWriter
from mypy_extensions import i64

from lastvalue.codec.core.large_body import LargeBody, TextSize, encode_in_parts
from lastvalue.codec.core.packets import (
    DISCONNECT_CONSUMER,
    HEADER_BYTES,
    RECEIVE,
    RECEIVE_CONTINUATION,
    RECEIVE_LARGE,
    framed,
    write_packet,
)
from lastvalue.codec.core.shortcuts.message_writer import MessageWriter
from lastvalue.codec.core.typed_properties import LONG, write_properties
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.delivery.consumer import UNBOUNDED, BlockedBy, Consumer
from lastvalue.delivery.delivered_payload import delivered_payload
from lastvalue.delivery.unsettled import UnsettledDelivery
from lastvalue.frontends.core.session_state import SessionState
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import LARGE_BYTES, EntryRun
from lastvalue.queues.subscription import Outcome

FORCED: Final = "_hornetq.forced.delivery.seq"
"""[Artemis] The property of the message that says: there is nothing for a consumer that has asked."""

ANY_CREDIT: Final = -1
_NOT_FORCED: Final = -1
_TRAILER: Final = Struct(">qi")
_START: Final = Struct(">i")
"""Where the head of a message begins, in its packet."""
_MOST_SMALL: Final = 16 * LARGE_BYTES
"""Bytes that no packet of a small message exceeds: letters take two, and what CORE lacks is said as text."""
_ANY_NUMBER: Final = 1 << 31
_LEAST_PART: Final = 8 * 1024
_MOST_PART: Final = 128 * 1024
_MEASURED_BYTES: Final = 256 * 1024
"""Octets of a large text that are measured in a turn: half a millisecond."""


@final
class SessionConsumer(Consumer):
    """A consumer of a session.

    Attributes:
        number: by which the client names it.
        held: what the client was sent and has not acknowledged, by message ids, in the order of sending.
    """

    __slots__ = (
        "_credits", "_forced", "_large", "_large_pos", "_queue", "_sequence", "_session",
        "_text", "_unlimited", "_unsent", "_writer", "held", "number",
    )  # fmt: skip

    def __init__(self, session: SessionState, number: i64, queue: str) -> None:
        super().__init__(session.connection.output, UNBOUNDED)
        self.number: i64 = number
        self.held: dict[int, UnsettledDelivery] = {}
        self._session = session
        self._queue = queue
        largest = min(session.min_large_message_size, _MOST_PART)
        self._writer = MessageWriter(queue, session.channel.number, number, largest)
        self._credits: i64 = 0
        self._unlimited = False
        self._forced: i64 = _NOT_FORCED
        self._sequence: i64 = 0
        self._large: LargeBody | None = None
        self._large_pos: i64 = 0
        # What it was given and has not been sent, as its size is not known yet.
        self._unsent: Entry | None = None
        self._text: TextSize | None = None

    # ------------------------------------------------------------------ credit

    @property
    def credit(self) -> i64:
        """See Consumer: CORE grants bytes; 0 is that none may be sent."""
        return super().credit if self._unlimited or self._credits > 0 else 0

    def grant(self, credits_: i64) -> None:
        """The client takes more bytes; 0 takes back what it granted before."""
        if credits_ == ANY_CREDIT:
            self._unlimited = True
        elif credits_ == 0:
            self._credits = 0
        else:
            self._credits += credits_
        self.wake()

    def force(self, sequence: i64) -> None:
        """Deliver what there is, and say when there is nothing more."""
        self._forced = sequence
        if self.reader is None:
            self._answer_force()
        self.wake()

    def _may_send(self) -> bool:
        return self._unlimited or self._credits > 0

    def _spend(self, size_bytes: i64) -> None:
        # [Artemis] A message may be larger than what is left: the credit is negative then.
        self._credits -= size_bytes

    # ------------------------------------------------------------------ deliveries

    def wants(self, now: i64) -> bool:
        """See Receiver; it continues with a large message before it takes another one."""
        if not self._session.channel.open:
            return self.wait_for(BlockedBy.FLOW, now)
        if self._unsent is not None:
            if not self._session.started or not self._may_send():
                self.give_back(now)
            elif not self._measure(self._unsent, now):
                return False
        if self._large is not None and not self._send_parts(self._large, now):
            return False
        if not self._session.started:
            self._answer_force()
            return self.wait_for(BlockedBy.FLOW, now)
        if not self._may_send():
            self._answer_force()
            return self.wait_for(BlockedBy.CREDIT, now)
        return self.has_room(now)

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Receiver."""
        payload = delivered_payload(entry)
        if not self.first_key and self._write(payload, entry):
            self._settle_sent(entry, now)
            return
        try:
            self._text = TextSize(payload)
        except LastvalueError as fault:
            self.pass_over(entry, str(fault), now)
            return
        self._unsent = entry
        self._measure(entry, now)

    def _measure(self, entry: Entry, now: i64) -> bool:
        """Measure on what it was given, and begin to send it; false where a later turn does."""
        text = self._text
        if text is not None:
            if not text.measure(_MEASURED_BYTES):
                self.wake()
                return False
            self._unsent = self._text = None
            self._begin(entry, text, now)
        return True

    def give_back(self, now: i64) -> None:
        """What it was given and has not been sent is available again; a browser keeps it."""
        entry = self._unsent
        if entry is not None and self.acquires:
            self._unsent = self._text = None
            self.settle(entry, Outcome.RELEASED, now)

    def _begin(self, entry: Entry, text: TextSize, now: i64) -> None:
        try:
            message, body = encode_in_parts(text.payload, self._queue, entry.expires_ms, text)
        except LastvalueError as fault:
            # It is malformed, whatever protocol brought it.
            self.pass_over(entry, str(fault), now)
            return
        session = self._session
        channel = session.channel
        count = entry.delivery_count + 1
        size = body.size_bytes
        is_large = size >= session.min_large_message_size
        if self.opens_group():
            message.mark(self.first_key)
        head = message.head(entry.sequence, size if is_large else 0)
        if is_large:
            packet = write_packet(
                RECEIVE_LARGE,
                channel.number,
                channel.version,
                {"consumer": self.number, "deliveries": count, "size": int(size), "head": head},
            )
            self._large = body
            self._large_pos = 0
        else:
            start = _START.pack(HEADER_BYTES + size)
            trailer = _TRAILER.pack(self.number, count)
            packet = framed(RECEIVE.code, channel.number, start + body.next_part(size) + head + trailer)
        channel.put(packet)
        self._keep(entry, len(packet))
        self._settle_sent(entry, now)
        if is_large:
            self._send_parts(body, now)

    def takes_more(self) -> i64:
        """See Receiver; a message that may be large is asked for alone, as is one of a group."""
        session = self._session
        if self._unsent is not None or self.first_key or session.min_large_message_size < _MOST_SMALL:
            return 0
        return _ANY_NUMBER if self._unlimited else self._credits // _MOST_SMALL

    def send_run(self, run: EntryRun, now: i64) -> list[Entry]:
        """See Consumer."""
        written: list[Entry] = []
        for entry in run.entries:
            if self._write(entry.encoded, entry):
                written.append(entry)
            else:
                self.deliver(entry, now)
        return written

    def _write(self, payload: bytes, entry: Entry) -> bool:
        """Send a message of the usual form quickly; false where it is another one, or large."""
        channel = self._session.channel
        count = entry.delivery_count + 1
        if channel.keeps:
            into = BytesWriter()
            size = self._writer.write(into, payload, entry.expires_ms, entry.sequence, count)
            if size > 0:
                channel.put(into.getvalue())
        else:
            # `wants` has said that the channel is open.
            output = channel.output
            size = self._writer.write(output.writer(), payload, entry.expires_ms, entry.sequence, count)
            output.size += size
        if size == 0:
            return False
        self._keep(entry, size)
        return True

    def _settle_sent(self, entry: Entry, now: i64) -> None:
        self.sent(entry, now)
        if self.settles:
            self.settle(entry, Outcome.ACCEPTED, now)

    def _keep(self, entry: Entry, size_bytes: i64) -> None:
        self._spend(size_bytes)
        reader = self.reader
        if self.acquires and not self.settles and reader is not None:
            self._sequence += 1
            self.held[int(entry.sequence)] = UnsettledDelivery(
                self._sequence, entry, reader, self, size_bytes
            )

    def _send_parts(self, body: LargeBody, now: i64) -> bool:
        """Continue with a large message as far as there is credit and room; true where it is over."""
        session = self._session
        channel = session.channel
        size = body.size_bytes
        step = max(_LEAST_PART, min(session.min_large_message_size, _MOST_PART))
        while self._large_pos < size:
            if not self._may_send():
                return self.wait_for(BlockedBy.CREDIT, now)
            if not self.has_room(now):
                return False
            end = min(self._large_pos + step, size)
            values: dict[str, object] = {
                "body": body.next_part(end - self._large_pos),
                "continues": end < size,
                "consumer": self.number,
            }
            packet = write_packet(RECEIVE_CONTINUATION, channel.number, channel.version, values)
            channel.put(packet)
            self._spend(len(packet))
            self._large_pos = end
            self.output.schedule_write()
        self._large = None
        return True

    def on_empty(self, now: i64) -> None:
        """See Receiver."""
        self._answer_force()
        super().on_empty(now)

    def _answer_force(self) -> None:
        if self._forced == _NOT_FORCED:
            return
        writer = CoreWriter()
        writer.int32(HEADER_BYTES)
        writer.int64(0)
        writer.nullable_simple_string(self._queue)
        # Without a user id; of the default type, and not durable.
        writer.octets(bytes(3 + 8 + 8 + 1))
        write_properties(writer, {FORCED: (LONG, int(self._forced))})
        writer.octets(_TRAILER.pack(self.number, 0))
        self._forced = _NOT_FORCED
        channel = self._session.channel
        channel.put(framed(RECEIVE.code, channel.number, writer.data()))
        self.output.schedule_write()

    # ------------------------------------------------------------------ what ends

    def cancel(self) -> None:
        """What the client has buffered is discarded there: the rest of a large message is not sent."""
        self._large = None
        self._large_pos = 0

    def failed(self) -> None:
        """See Receiver: as where the queue was deleted; CORE has no error for a consumer."""
        self.queue_deleted()

    def queue_deleted(self) -> None:
        """See Receiver: the client closes the consumer."""
        self.reader = None
        self.cancel()
        self.held = {}
        self._session.on_consumer_ended(self.number)
        self._session.channel.send(DISCONNECT_CONSUMER, {"consumer": self.number})
        self.output.schedule_write()
