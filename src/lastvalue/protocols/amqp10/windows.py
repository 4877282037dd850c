"""A session's flow control, and its unsettled deliveries [1.0 §2.5.6, §2.6.12]."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.performatives import Flow
from lastvalue.codec.amqp10.shortcuts.transfers import MAX_TRANSFER_HEAD_SIZE, TransferWriter
from lastvalue.protocols.amqp10.wire import STREAM_ROOM, Wire

SERIAL: Final = 0xFFFFFFFF
"""[1.0 §2.8.10] Transfer numbers, delivery-ids and delivery counts are 32 bits wide and wrap."""

HALF_SERIAL: Final = 0x7FFFFFFF
"""[RFC 1982] A difference beyond this is a negative one."""

OUTGOING_WINDOW: Final = 0x7FFFFFFF
"""This side does not resend frames, so its outgoing window is no limit."""


def passed(count: i64, since: i64) -> i64:
    """How far a wrapping count is ahead of an earlier one; 0 where it is behind [RFC 1982]."""
    ahead: i64 = (count - since) & SERIAL
    return ahead if ahead <= HALF_SERIAL else 0


@final
@mypyc_attr(acyclic=True)
class Unsettled:
    """A delivery that was sent and waits for its outcome; `link` and `context` belong to the sender."""

    __slots__ = ("context", "link")

    def __init__(self, link: object, context: object) -> None:
        self.link = link
        self.context = context


@final
class PartialDelivery:
    """A message that is sent in several frames, or waits for the session's window.

    Attributes:
        resumed: the tag, where the delivery resumes one of an earlier link; else b"".
        spare: bytes of its heads beyond `head_size`.
    """

    __slots__ = (
        "delivery_id",
        "offset",
        "payload",
        "resumed",
        "settled",
        "spare",
        "started",
        "state",
        "writer",
    )

    def __init__(
        self,
        writer: TransferWriter,
        delivery_id: i64,
        payload: bytes,
        settled: bool,
        state: bytes,
    ) -> None:
        self.writer = writer
        self.delivery_id: i64 = delivery_id
        self.payload = payload
        self.settled = settled
        self.state = state
        self.resumed = b""
        self.spare: i64 = 0
        self.started = False
        self.offset: i64 = 0

    def head(self, size: i64, more: bool) -> bytes:
        """The head of its next frame, which carries `size` bytes of the payload."""
        if self.started:
            return self.writer.rest(size, more=more)
        if self.resumed:
            return self.writer.tagged(
                self.resumed,
                self.delivery_id,
                size,
                self.settled,
                more,
                self.state,
                True,
            )
        return self.writer.first(self.delivery_id, size, settled=self.settled, more=more, state=self.state)


def head_size(state: bytes) -> i64:
    """The largest size in bytes of a transfer's head with this encoded state."""
    return MAX_TRANSFER_HEAD_SIZE if len(state) == 0 else MAX_TRANSFER_HEAD_SIZE + 1 + len(state)


@final
class Windows:
    """The counters of one session, in transfer frames unless they count deliveries.

    Attributes:
        next_outgoing_id: the number of the next frame sent.
        remote_incoming_window: how many frames the peer still takes.
        next_incoming_id: the frame expected next.
        incoming_window: how many frames this side still takes; raised to incoming_limit at its half.
        next_delivery_id: of the next delivery sent.
        partials: messages that are not sent completely, oldest first.
        unsettled: deliveries sent and not settled, by delivery-id.
        unsettled_limit: the number of unsettled deliveries at which links cannot send.
        drain_waits: a link of the session gives up its credit once its partial deliveries are out.
    """

    __slots__ = (
        "drain_waits",
        "incoming_limit",
        "incoming_window",
        "next_delivery_id",
        "next_incoming_id",
        "next_outgoing_id",
        "partials",
        "remote_incoming_window",
        "unsettled",
        "unsettled_limit",
    )

    def __init__(self, incoming_limit: i64, unsettled_limit: i64) -> None:
        self.next_outgoing_id: i64 = 0
        self.remote_incoming_window: i64 = 0
        self.next_incoming_id: i64 = 0
        self.incoming_limit: i64 = incoming_limit
        self.incoming_window: i64 = incoming_limit
        self.next_delivery_id: i64 = 0
        self.partials: list[PartialDelivery] = []
        self.unsettled: dict[int, Unsettled] = {}
        self.unsettled_limit: i64 = unsettled_limit
        self.drain_waits = False

    @property
    def open(self) -> bool:
        """Whether a transfer may be sent now."""
        return (
            self.remote_incoming_window > 0
            and not self.partials
            and len(self.unsettled) < self.unsettled_limit
        )

    def flow(self) -> Flow:
        """The fields of the session in a flow frame [1.0 §2.7.4]."""
        return Flow(
            next_incoming_id=self.next_incoming_id,
            incoming_window=self.incoming_window,
            next_outgoing_id=self.next_outgoing_id,
            outgoing_window=OUTGOING_WINDOW,
        )

    def take_flow(self, flow: Flow) -> None:
        """Process a flow frame of the peer: how many more frames it takes."""
        # [1.0 §2.5.6] remote-incoming-window = next-incoming-id(flow) + incoming-window(flow) -
        # next-outgoing-id; before it has seen our begin the peer counts from our initial id, 0.
        counted = 0 if flow.next_incoming_id is None else flow.next_incoming_id
        room: i64 = flow.incoming_window - passed(self.next_outgoing_id, counted)
        self.remote_incoming_window = max(0, room)

    def send_parcels(self, wire: Wire) -> None:
        """Send the waiting messages as far as the window and the wire have room."""
        while self.partials and self.remote_incoming_window > 0:
            if wire.size >= STREAM_ROOM:
                wire.streaming = True
                return
            partial = self.partials[0]
            room = wire.max_frame_size - head_size(partial.state) - partial.spare
            start = partial.offset
            stop = start + room
            more = stop < len(partial.payload)
            part = partial.payload[start:stop]
            wire.put(partial.head(len(part), more))
            wire.put(part)
            self.next_outgoing_id = (self.next_outgoing_id + 1) & SERIAL
            self.remote_incoming_window -= 1
            partial.started = True
            partial.offset = stop
            if not more:
                self.partials.pop(0)

    def unstarted(self, writer: TransferWriter) -> i64:
        """Deliveries of a link that have not begun to be sent, so that the peer has not counted them."""
        count: i64 = 0
        for partial in self.partials:
            if partial.writer is writer and not partial.started:
                count += 1
        return count

    def drop_parcels(self, writer: TransferWriter) -> None:
        """Drop the messages that an ended link has not sent."""
        if self.partials:
            self.partials = [partial for partial in self.partials if partial.writer is not writer]

    def drop_unsettled(self, link: object) -> None:
        """Drop the unsettled deliveries of an ended link."""
        unsettled = self.unsettled
        for delivery_id in [number for number, sent in unsettled.items() if sent.link is link]:
            del unsettled[delivery_id]

    def in_range(self, first: i64, last: i64) -> list[int]:
        """The unsettled deliveries from first to last, ascending; never longer than `unsettled`."""
        unsettled = self.unsettled
        count: i64 = ((last - first) & SERIAL) + 1
        if count == 1:
            return [first] if first in unsettled else []
        if count <= len(unsettled):
            numbers = [(first + step) & SERIAL for step in range(count)]
            return [number for number in numbers if number in unsettled]
        numbers = [number for number in unsettled if ((number - first) & SERIAL) < count]
        numbers.sort(key=lambda number: (number - first) & SERIAL)
        return numbers
