"""Ends very many deliveries of one peer, a part of them in a turn."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import HANDLED_IN_A_STEP, STEPS, LongCommand
from lastvalue.broker.queue_host import HostedQueue

_Delivery = TypeVar("_Delivery")


@final
class Settlement(LongCommand, Generic[_Delivery]):
    """Ends deliveries in their order; meanwhile nobody is given anything of their queues.

    Args:
        deliveries: in the order in which they end.
        queues: that they came from.
        end: ends one.
        on_end: called when all have ended.
        connection: see LongCommand.
    """

    __slots__ = ("_at", "_deliveries", "_end", "_on_end", "_queues")

    def __init__(
        self,
        deliveries: Sequence[_Delivery],
        queues: Sequence[HostedQueue],
        end: Callable[[_Delivery, i64], None],
        on_end: Callable[[i64], None],
        connection: i64,
    ) -> None:
        super().__init__(connection, STEPS)
        self._deliveries = deliveries
        self._queues = queues
        self._end = end
        self._on_end = on_end
        self._at: i64 = 0
        for hosted in queues:
            hosted.stop_readers()

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        following = self._at + HANDLED_IN_A_STEP
        for delivery in self._deliveries[self._at : following]:
            self._end(delivery, now)
        self._at = following
        if following < len(self._deliveries):
            return True
        for hosted in self._queues:
            hosted.start_readers()
        self._on_end(now)
        return False
