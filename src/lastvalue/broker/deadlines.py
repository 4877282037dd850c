"""Deadlines in one heap, so that a turn costs the same with 10 and with 100,000 queues."""

import heapq
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import NEVER

SLACK: Final = 64
"""The heap may always have this many outdated items; beyond, it is swept when most are outdated."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Deadline:
    """Something that becomes due at a time: a queue, a suspended link, a transaction's branch, a connection.

    Attributes:
        due_ms: when it is due, milliseconds since the epoch, or NEVER; `Deadlines.set` changes it.
        queued_ms, number: its item in the heap; only `Deadlines` uses them.
    """

    __slots__ = ("due_ms", "number", "queued_ms")

    def __init__(self) -> None:
        self.due_ms: i64 = NEVER
        self.queued_ms: i64 = NEVER
        self.number: i64 = 0

    def fall_due(self, now: i64) -> None:
        """The time has come; this is called for what is neither a queue nor a suspended link."""


@final
class Deadlines:
    """Deadlines in a heap, the soonest first.

    A deadline that becomes later keeps its item in the heap until that comes up, and gets another one then.
    So it costs nothing to move a deadline with every message. A sweep comes when most items are outdated.
    """

    __slots__ = ("_heap", "_numbers", "_set")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Deadline]] = []
        self._numbers: i64 = 0
        self._set: i64 = 0

    def __len__(self) -> int:
        """How many items the heap has, outdated ones included."""
        return len(self._heap)

    def set(self, deadline: Deadline, at_ms: i64) -> None:
        """Set the time at which it is due; NEVER removes the deadline."""
        before = deadline.due_ms
        if at_ms == before:
            return
        deadline.due_ms = at_ms
        if before == NEVER:
            self._set += 1
        if at_ms == NEVER:
            self._set -= 1
        if at_ms < deadline.queued_ms:
            self._push(deadline)
        self._sweep()

    def next(self) -> i64:
        """The time of the soonest deadline, or NEVER."""
        heap = self._heap
        while heap:
            at_ms, number, deadline = heap[0]
            if at_ms != deadline.queued_ms:
                heapq.heappop(heap)
            elif at_ms == deadline.due_ms:
                return at_ms
            else:
                deadline.queued_ms = deadline.due_ms
                if deadline.due_ms == NEVER:
                    heapq.heappop(heap)
                else:
                    heapq.heapreplace(heap, (deadline.due_ms, number, deadline))
        return NEVER

    def take_due(self, now: i64, most: i64 = -1) -> list[Deadline]:
        """The deadlines that are due now, soonest first; each is due again only after another `set`.

        Args:
            now: milliseconds since the epoch.
            most: how many at most; a negative number is all.
        """
        due: list[Deadline] = []
        while len(due) != most and self.next() <= now:
            deadline = heapq.heappop(self._heap)[2]
            deadline.due_ms = deadline.queued_ms = NEVER
            self._set -= 1
            due.append(deadline)
        self._sweep()
        return due

    def _push(self, deadline: Deadline) -> None:
        if deadline.number == 0:
            self._numbers += 1
            deadline.number = self._numbers
        deadline.queued_ms = deadline.due_ms
        heapq.heappush(self._heap, (deadline.due_ms, deadline.number, deadline))

    def _sweep(self) -> None:
        """Rebuild the heap with one item for each deadline, if most items are outdated."""
        if len(self._heap) <= 2 * self._set + SLACK:
            return
        present = {number: deadline for _, number, deadline in self._heap}
        self._heap = []
        for number, deadline in present.items():
            deadline.queued_ms = deadline.due_ms
            if deadline.due_ms != NEVER:
                self._heap.append((deadline.due_ms, number, deadline))
        heapq.heapify(self._heap)
