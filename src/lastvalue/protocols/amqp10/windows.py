"""A session's flow control and the deliveries it sent and nobody settled yet [1.0 §2.5.6, §2.6.12]."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.amqp10.transfers import MAX_TRANSFER_HEAD_SIZE, TransferWriter
from lastvalue.protocols.amqp10.wire import Wire

SERIAL: Final = 0xFFFFFFFF
"""[1.0 §2.8.10] Transfer numbers and delivery counts are 32 bits wide and wrap."""

HALF_SERIAL: Final = 0x7FFFFFFF
"""[RFC 1982] A difference beyond this is a negative one."""

OUTGOING_WINDOW: Final = 0x7FFFFFFF
"""This side keeps nothing to send again, so its outgoing window bounds nothing."""


@final
@mypyc_attr(acyclic=True)
class Unsettled:
    """A delivery that was sent and waits for its outcome; `context` is the sender's own."""

    __slots__ = ("context", "handle")

    def __init__(self, handle: i64, context: object) -> None:
        self.handle: i64 = handle
        self.context = context


@final
class Parcel:
    """A message that goes out in several frames, or waits for the session's window."""

    __slots__ = ("delivery_id", "offset", "payload", "settled", "writer")

    def __init__(self, writer: TransferWriter, delivery_id: i64, payload: bytes, settled: bool) -> None:  # noqa: FBT001
        self.writer = writer
        self.delivery_id: i64 = delivery_id
        self.payload = payload
        self.settled = settled
        self.offset: i64 = 0


@final
class Windows:
    """Counters of one session; each counts transfer frames unless it says deliveries.

    Attributes:
        next_outgoing_id, outgoing_window: of this side.
        remote_incoming_window: how many frames the peer still takes.
        next_incoming_id: the frame expected next.
        incoming_window: how many frames this side still takes.
        next_delivery_id: of the next delivery sent.
        parcels: messages that are not out yet, oldest first.
        unsettled: deliveries sent and not settled, by delivery-id.
    """

    __slots__ = (
        "incoming_limit",
        "incoming_window",
        "next_delivery_id",
        "next_incoming_id",
        "next_outgoing_id",
        "parcels",
        "remote_incoming_window",
        "unsettled",
    )

    def __init__(self, incoming_limit: i64) -> None:
        self.next_outgoing_id: i64 = 0
        self.remote_incoming_window: i64 = 0
        self.next_incoming_id: i64 = 0
        self.incoming_limit: i64 = incoming_limit
        self.incoming_window: i64 = incoming_limit
        self.next_delivery_id: i64 = 0
        self.parcels: deque[Parcel] = deque()
        self.unsettled: dict[int, Unsettled] = {}

    def send_parcels(self, wire: Wire) -> None:
        """Send of the waiting messages what the window lets out."""
        room = wire.max_frame_size - MAX_TRANSFER_HEAD_SIZE
        while self.parcels and self.remote_incoming_window > 0:
            parcel = self.parcels[0]
            start = parcel.offset
            stop = start + room
            more = stop < len(parcel.payload)
            part = parcel.payload[start:stop]
            if start == 0:
                wire.put(
                    parcel.writer.first(parcel.delivery_id, len(part), settled=parcel.settled, more=more)
                )
            else:
                wire.put(parcel.writer.rest(len(part), more=more))
            wire.put(part)
            self.next_outgoing_id = (self.next_outgoing_id + 1) & SERIAL
            self.remote_incoming_window -= 1
            parcel.offset = stop
            if not more:
                self.parcels.popleft()

    def drop_parcels(self, writer: TransferWriter) -> None:
        """Forget what a link that ends has not sent."""
        self.parcels = deque(parcel for parcel in self.parcels if parcel.writer is not writer)

    def in_range(self, first: i64, last: i64) -> list[int]:
        """The unsettled deliveries from first to last, ascending; never longer than `unsettled`."""
        count = ((last - first) & SERIAL) + 1
        if count <= len(self.unsettled):
            return [
                (first + step) & SERIAL for step in range(count) if (first + step) & SERIAL in self.unsettled
            ]
        found = [number for number in self.unsettled if ((number - first) & SERIAL) < count]
        found.sort(key=lambda number: (number - first) & SERIAL)
        return found
