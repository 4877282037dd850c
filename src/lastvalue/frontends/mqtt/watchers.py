"""Which sessions watch retained messages where they are, and so do not get them by the exchange."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.model.message import Message


@final
class Watchers:
    """The queues of sessions with watches.

    Attributes:
        changes: of sessions' subscriptions; while it stays, they watch the same topics.
    """

    __slots__ = ("_by_queue", "changes")

    def __init__(self) -> None:
        self._by_queue: dict[HostedQueue, Callable[[str], bool]] = {}
        self.changes: i64 = 0

    def __len__(self) -> int:
        return len(self._by_queue)

    def put(self, hosted: HostedQueue, only_watches: Callable[[str], bool]) -> None:
        """A session watches, which says whether it reads the retained messages of a topic so alone."""
        self._by_queue[hosted] = only_watches
        self.changes += 1

    def remove(self, hosted: HostedQueue) -> None:
        """A session watches no more."""
        self._by_queue.pop(hosted, None)
        self.changes += 1

    def note_change(self) -> None:
        """The subscriptions of a session have changed."""
        self.changes += 1

    def have_all(self, queues: list[HostedQueue], topic: str) -> bool:
        """Whether all queues are of sessions that only watch the retained messages of a topic."""
        for hosted in queues:
            only_watches = self._by_queue.get(hosted)
            if only_watches is None or not only_watches(topic):
                return False
        return True

    def others(self, queues: list[HostedQueue], topic: str, message: Message) -> list[HostedQueue]:
        """The queues that get a retained message by the exchange: an empty one is for the watching, too."""
        if not self._by_queue or message.is_empty():
            return queues
        return [each for each in queues if not self.have_all([each], topic)]
