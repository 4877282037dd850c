"""Observers of a broker: they learn what becomes of its queues and change nothing."""

from mypy_extensions import i64, mypyc_attr

from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import QueueSpec


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """Observes queues; it calls the broker in `end_turn` only.

    `Broker.observers` has them all; each is told in its order there.
    """

    __slots__ = ()

    def queue_declared(self, spec: QueueSpec) -> None:
        """A queue was made."""

    def queue_deleted(self, spec: QueueSpec) -> None:
        """A queue was deleted; its last effects come afterwards, at the end of the turn."""

    def effects_drained(self, name: str, effects: list[Effect]) -> None:
        """The effects on the queue of that name since the last call; called at the end of a turn."""

    def end_turn(self, now: i64) -> bool:
        """All effects of a turn are known; whether the observer has published anything."""
        del now
        return False
