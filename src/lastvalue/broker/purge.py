"""Removes the messages of a queue."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.long_commands import FORWARDED_IN_A_STEP, HANDLED_IN_A_STEP, STEPS, LongCommand
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.queues.effects import Reason, RemovalCommand


@final
class Purge(LongCommand):
    """Removes as many messages from the head of a queue as it had, except what consumers hold.

    Args:
        reason: why they leave.
        owner: whose command it is.
        on_end: called at the end, with the time, unless the queue was deleted meanwhile.
    """

    __slots__ = ("_command", "_hosted", "_left", "_on_end", "_reason")

    def __init__(
        self,
        hosted: HostedQueue,
        reason: Reason,
        owner: Owner = NOBODY,
        on_end: Callable[[i64], object] | None = None,
    ) -> None:
        super().__init__(owner.connection, STEPS)
        self._command = RemovalCommand(owner.user)
        self._hosted = hosted
        self._reason = reason
        self._left: i64 = hosted.queue.contents.purgeable
        self._on_end = on_end

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        hosted = self._hosted
        if hosted.ownership.ending:
            return False
        most: i64 = min(self._left, FORWARDED_IN_A_STEP if hosted.watched else HANDLED_IN_A_STEP)
        if most > 0:
            removed = hosted.queue.purge(most, self._reason, self._command)
            hosted.mark_changed()
            self._left -= most
            if removed == most and self._left > 0:
                return True
        if self._on_end is not None:
            self._on_end(now)
        return False
