"""Who is told what becomes of queues, beside their readers, publishers and histories."""

from mypy_extensions import i64, mypyc_attr

from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import QueueSpec


@mypyc_attr(allow_interpreted_subclasses=True)
class Watcher:
    """Looks on; it must not call the broker but in `end_turn`."""

    __slots__ = ()

    def queue_declared(self, spec: QueueSpec) -> None:
        """A queue exists."""
        raise NotImplementedError

    def queue_deleted(self, spec: QueueSpec) -> None:
        """A queue is gone; its last effects come, or have come, apart."""
        raise NotImplementedError

    def happened(self, name: str, effects: list[Effect]) -> None:
        """What happened to the queue of that name since the last call."""
        raise NotImplementedError

    def end_turn(self, now: i64) -> bool:
        """The effects of a turn have been told; whether anything was published because of them."""
        raise NotImplementedError
