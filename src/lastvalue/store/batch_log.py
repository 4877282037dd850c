"""The interface of a log: where a journal's batches go, in order, and what follows each.

Files are one (`store/file_log.py`), a stream of a replicated log is another (`cluster/stream_log.py`).
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, Protocol

from lastvalue.store.segments import StoreError


@dataclass(slots=True)
class Commit:
    """A batch for a segment, and what follows it; not frozen, which would take three times as long to make.

    Attributes:
        obsolete: segments to delete once the batch is safe.
        done: called in the log's thread after all steps.
        failed: called there after each failed step, before it is tried again.
    """

    segment: int
    records: bytes
    obsolete: list[int] = field(default_factory=list)
    done: Callable[[], None] = lambda: None
    failed: Callable[[], None] = lambda: None


SYNC_BOUNDS_MS: Final = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
"""The times by which syncs are counted."""


@dataclass(frozen=True)
class Syncs:
    """How often the disk was synced, how long that took in all, and how long the last one, in seconds.

    Attributes:
        within: how many took at most that long, for each of SYNC_BOUNDS_MS.
    """

    count: int = 0
    total_s: float = 0.0
    last_s: float = 0.0
    within: tuple[int, ...] = (0,) * len(SYNC_BOUNDS_MS)


class SyncTimes:
    """Counts syncs; one thread adds, any other may ask."""

    def __init__(self) -> None:
        self._total_s = 0.0
        self._last_s = 0.0
        # By the shortest bound that each was within; the last number is of those that took longer than all.
        self._numbers = [0] * (len(SYNC_BOUNDS_MS) + 1)

    def add(self, took_s: float) -> None:
        """Count one."""
        self._total_s += took_s
        self._last_s = took_s
        self._numbers[bisect_left(SYNC_BOUNDS_MS, took_s * 1000)] += 1

    @property
    def syncs(self) -> Syncs:
        """What was counted so far."""
        *within, count = accumulate(self._numbers)
        return Syncs(count, self._total_s, self._last_s, tuple(within))


class BatchLog(Protocol):
    """An ordered log of batches, of which this process is the only writer; a thread of its own writes it."""

    @property
    def most_under_way(self) -> int:
        """How many batches it takes before it has answered the first of them."""
        ...

    @property
    def shared(self) -> bool:
        """Whether other processes read what is safe while this one writes."""
        ...

    @property
    def leads(self) -> bool:
        """Whether this process surely is the only writer now; while it is not, nothing may be served."""
        ...

    @property
    def ended(self) -> StoreError | None:
        """Why it will never take a batch again, or None."""
        ...

    @property
    def fault(self) -> OSError | None:
        """Why it cannot be written now, or None."""
        ...

    @property
    def bytes_per_s(self) -> float:
        """The speed of the last large batch; 0 before the first."""
        ...

    @property
    def syncs(self) -> Syncs:
        """How often batches were made safe, and how long that took."""
        ...

    @property
    def failures(self) -> int:
        """How often a write has failed."""
        ...

    @property
    def spare_bytes(self) -> int | None:
        """The room for compaction where there is none for messages; None if there is room."""
        ...

    def begin(self, segment: int) -> None:
        """Make ready for this segment, so that a log that cannot be written is noticed.

        Raises:
            OSError: it cannot be written; it is closed then.
        """
        ...

    def submit(self, commit: Commit) -> None:
        """Queue a commit behind the earlier ones; it is tried until it succeeds."""
        ...

    def close(self, last: Commit | None) -> None:
        """Carry out the queued commits and a last one, then end; give up where they keep failing."""
        ...
