"""Outcomes that a session sends its peer, by the range [1.0 §2.7.6]."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.performatives import ROLE_RECEIVER, DeliveryState
from lastvalue.codec.amqp10.shortcuts.dispositions import encode_disposition, put_disposition
from lastvalue.protocols.amqp10.windows import SERIAL
from lastvalue.protocols.amqp10.wire import Wire

FRAME_SIZE: Final = 30
"""Bytes that a waiting range counts as in the connection's output."""


@final
class Settlements:
    """Outcomes of incoming deliveries: neighbours with the same outcome share a frame.

    The last range waits until another follows, or until `flush`.
    """

    __slots__ = ("_channel", "_first", "_last", "_settled", "_state", "_waiting", "_wire", "closed")

    def __init__(self, channel: int, wire: Wire) -> None:
        self._channel = channel
        self._wire = wire
        self._waiting = False
        self._first: i64 = 0
        self._last: i64 = 0
        self._state: DeliveryState | None = None
        self._settled = False
        self.closed = False

    def add(self, first: i64, last: i64, state: DeliveryState | None, settled: bool) -> None:
        """Send the outcome of the deliveries first to last, unless the session has ended."""
        if self.closed:
            return
        if (
            self._waiting
            and first == (self._last + 1) & SERIAL
            and settled is self._settled
            and (state is self._state or state == self._state)
        ):
            self._last = last
            return
        self.flush()
        self._first = first
        self._last = last
        self._state = state
        self._settled = settled
        self._waiting = True
        self._wire.size += FRAME_SIZE
        self._wire.ranges += 1

    def flush(self) -> None:
        """Send the range that waits."""
        if not self._waiting:
            return
        self._waiting = False
        wire = self._wire
        wire.size -= FRAME_SIZE
        wire.ranges -= 1
        first, last, state, settled = self._first, self._last, self._state, self._settled
        if put_disposition(wire, self._channel, first, last, state, ROLE_RECEIVER, settled):
            return
        frame = encode_disposition(self._channel, first, last, state, role=ROLE_RECEIVER, settled=settled)
        if len(frame) > wire.max_frame_size:
            wire.overlong = len(frame)
        else:
            wire.put(frame)
