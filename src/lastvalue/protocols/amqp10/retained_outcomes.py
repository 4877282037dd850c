"""Outcomes that a publisher may not have received, so that it can resume its deliveries [1.0 §2.6.13]."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.performatives import DeliveryState
from lastvalue.model.memory_budget import UNSETTLED_BYTES, MemoryAccount
from lastvalue.protocols.amqp10.windows import SERIAL

MOST_RETAINED: Final = 65_536
"""Outcomes that one link retains; the oldest are dropped first."""


@final
class RetainedOutcomes:
    """Outcomes that a publisher's peer may not have received, by delivery id and by tag.

    Attributes:
        known: of an earlier attachment, until the peer resumes them.
        second: the outcomes are retained until the peer settles, as it settles second.
    """

    __slots__ = ("_memory", "_states", "_tags", "known", "second")

    def __init__(self, second: bool, memory: MemoryAccount) -> None:
        self.second = second
        self._memory = memory
        self.known: dict[bytes, DeliveryState | None] = {}
        self._tags: dict[int, bytes] = {}
        self._states: dict[bytes, DeliveryState | None] = {}

    def note(self, delivery_id: i64, tag: bytes, state: DeliveryState | None = None) -> None:
        """Retain a delivery that its sender has not settled, instead of the oldest where there is no room."""
        if delivery_id not in self._tags and not self._make_room():
            return
        self._tags[delivery_id] = tag
        self._states[tag] = state

    def _make_room(self) -> bool:
        """Take memory for one more, or have that of the oldest; false where there is neither."""
        if len(self._tags) < MOST_RETAINED and self._memory.has_room(UNSETTLED_BYTES):
            self._memory.take(UNSETTLED_BYTES)
            return True
        if not self._tags:
            return False
        self._states.pop(self._tags.pop(next(iter(self._tags))), None)
        return True

    def sent(self, first: i64, last: i64, state: DeliveryState) -> None:
        """The outcome of the deliveries first to last has been sent to the peer."""
        count: i64 = ((last - first) & SERIAL) + 1
        for step in range(count):
            delivery_id = (first + step) & SERIAL
            tag = self._tags.get(delivery_id)
            if tag is None:
                continue
            if self.second:
                self._states[tag] = state
            else:
                self._forget(delivery_id, tag)

    def settled(self, first: i64, last: i64) -> None:
        """The peer has settled the deliveries first to last."""
        reach: i64 = (last - first) & SERIAL
        for delivery_id, tag in list(self._tags.items()):
            if ((delivery_id - first) & SERIAL) <= reach:
                self._forget(delivery_id, tag)

    def _forget(self, delivery_id: i64, tag: bytes) -> None:
        del self._tags[delivery_id]
        self._states.pop(tag, None)
        self._memory.release(UNSETTLED_BYTES)

    def close(self) -> None:
        """The link has ended: drop what `left` returned."""
        self._memory.release(len(self._tags) * UNSETTLED_BYTES)
        self._tags = {}
        self._states = {}

    def left(self) -> dict[bytes, DeliveryState | None]:
        """The outcomes that remain when the link ends."""
        return {**self.known, **self._states}
