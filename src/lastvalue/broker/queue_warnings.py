"""Warnings about queues, for the log: each kind comes once for a queue, or once for whom it is about."""

from typing import Final, final

OVERTAKEN: Final = "overtaken"
"""A consumer's credit has defeated the queue's order."""
LOST_LETTERS: Final = "lost-letters"
"""A dead letter of the queue was lost; the detail is the alternate and why it has not got it."""
PASSED_OVER: Final = "passed-over"
"""A consumer was not given a message that its protocol or its peer cannot take; the detail is why."""

UNORDERED: Final = "unordered"
"""A producer's messages lack `order_by`, or it does not compare; the detail is whose they are."""


@final
class QueueWarning:
    """A warning.

    Attributes:
        queue: the name of the queue.
        kind: one of the constants of this module.
        detail: more about it, or "".
    """

    __slots__ = ("detail", "kind", "queue")

    def __init__(self, queue: str, kind: str, detail: str) -> None:
        self.queue = queue
        self.kind = kind
        self.detail = detail


@final
class QueueWarnings:
    """The warnings since they were last taken, and which there were before."""

    __slots__ = ("_known", "_new")

    def __init__(self) -> None:
        self._new: list[QueueWarning] = []
        self._known: dict[str, tuple[str, ...]] = {}

    def note(self, queue: str, kind: str, detail: str = "") -> None:
        """Warn of a queue, unless it has been warned of in this way before."""
        known = self._known.get(queue, ())
        if kind not in known:
            self._known[queue] = (*known, kind)
            self._new.append(QueueWarning(queue, kind, detail))

    def tell(self, queue: str, kind: str, detail: str) -> None:
        """Warn of a queue; the caller knows that it has not done so before."""
        self._new.append(QueueWarning(queue, kind, detail))

    def forget(self, queue: str) -> None:
        """The queue is deleted."""
        self._known.pop(queue, None)

    def take(self) -> list[QueueWarning]:
        """Take them out."""
        new = self._new
        if new:
            self._new = []
        return new
