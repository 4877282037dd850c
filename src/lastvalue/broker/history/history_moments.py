"""The records of a history that were in force at a moment, found from checkpoints."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.history.records_in_force import RecordsInForce
from lastvalue.broker.long_commands import LOOKED_IN_A_STEP
from lastvalue.queues.entry import AVAILABLE, Entry

CHECKPOINT_RECORDS: Final = 10_000
"""After how many records there is a checkpoint, or after as many as are in force, if these are more."""

_COPY_BYTES: Final = 64
"""What a checkpoint takes for a record: its place in a table; the number is that of the other tables."""


@final
class Checkpoint:
    """What was in force after a record.

    Attributes:
        last: that record.
        time_ms: when it happened.
        in_force: the records in force, which nobody changes.
    """

    __slots__ = ("in_force", "last", "time_ms")

    def __init__(self, last: Entry, time_ms: i64, in_force: RecordsInForce) -> None:
        self.last = last
        self.time_ms: i64 = time_ms
        self.in_force = in_force


@final
class Checkpoints:
    """Checkpoints of a history, oldest first; who looks back makes them, and begins at the nearest one.

    All records of a checkpoint are on the history as long as its last one was not dropped.
    """

    __slots__ = ("_found", "_latest")

    def __init__(self) -> None:
        self._found: list[Checkpoint] = []
        # What was asked for last: who looks at the present asks for little more.
        self._latest: Checkpoint | None = None

    def before(self, time_ms: i64) -> Checkpoint | None:
        """The last checkpoint up to a moment."""
        place = bisect_right(self._found, time_ms, key=_time_ms)
        nearest = self._found[place - 1] if place > 0 else None
        latest = self._latest
        if latest is not None and latest.time_ms <= time_ms and _is_later(latest, nearest):
            nearest = latest
        return nearest if nearest is not None and is_single(nearest.last) else None

    def add(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint, if it is far enough behind all others."""
        self._latest = checkpoint
        distance = max(CHECKPOINT_RECORDS, checkpoint.in_force.count)
        if not self._found or checkpoint.last.sequence - self._found[-1].last.sequence >= distance:
            self._found.append(checkpoint)

    def forget(self, end: i64) -> None:
        """Records up to this one were dropped."""
        while self._found and self._found[0].last.sequence <= end:
            del self._found[0]
        if self._latest is not None and self._latest.last.sequence <= end:
            self._latest = None

    def memory_bytes(self) -> i64:
        """The memory that they take."""
        total: i64 = 0
        for each in self._found:
            total += each.in_force.count
        if self._latest is not None:
            total += self._latest.in_force.count
        return total * _COPY_BYTES


def _time_ms(checkpoint: Checkpoint) -> i64:
    return checkpoint.time_ms


def _is_later(checkpoint: Checkpoint, other: Checkpoint | None) -> bool:
    return other is None or checkpoint.last.sequence > other.last.sequence


@final
class HistoryMoment:
    """What is found of a moment.

    Attributes:
        in_force: the records in force then.
        last: the last record up to the moment, or None if all those are in the base.
        time_ms: when that one happened.
        is_lost: the history has dropped records faster than they could be read.
    """

    __slots__ = ("in_force", "is_lost", "last", "time_ms")

    def __init__(self, in_force: RecordsInForce) -> None:
        self.in_force = in_force
        self.is_lost = False
        self.last: Entry | None = None
        self.time_ms: i64 = 0

    def begin(self, checkpoint: Checkpoint) -> None:
        """Begin again at a checkpoint."""
        self.in_force = checkpoint.in_force.copy()
        self.last = checkpoint.last
        self.time_ms = checkpoint.time_ms

    def take(self, entry: Entry) -> None:
        """Take the next record, whose annotations are read."""
        self.time_ms = self.in_force.head.time_ms
        self.last = entry
        self.in_force.take_read(entry)

    def checkpoint(self, last: Entry) -> Checkpoint:
        """What is in force after the last record that was taken."""
        return Checkpoint(last, self.time_ms, self.in_force.copy())


def find_moment(
    entry: Entry | None, checkpoints: Checkpoints, time_ms: int, until: int, found: HistoryMoment
) -> Iterator[None]:
    """Find what was in force at the end of a millisecond, in steps.

    Cost: a copy of what was in force at the nearest checkpoint, and the records between it and the moment;
    without one, all records up to the moment. Checkpoints are added on the way.

    Args:
        entry: the oldest record of the history behind its base; `found` has what is in force before it.
        checkpoints: of the history.
        time_ms: the moment.
        until: the last record that counts.
        found: for what is found.
    """
    checkpoint = checkpoints.before(time_ms)
    if checkpoint is not None and checkpoint.last.sequence <= until:
        found.begin(checkpoint)
        entry = checkpoint.last.next
    taken = noted = 0
    while entry is not None and entry.sequence <= until:
        found.in_force.head.read(entry.encoded)
        if found.in_force.head.time_ms > time_ms:
            break
        found.take(entry)
        taken += 1
        if taken - noted >= max(CHECKPOINT_RECORDS, int(found.in_force.count)):
            noted = taken
            checkpoints.add(found.checkpoint(entry))
        if taken % LOOKED_IN_A_STEP == 0:
            yield
            if not is_single(entry):
                found.is_lost = True
        entry = None if found.is_lost else entry.next
    if taken and not found.is_lost and found.last is not None:
        checkpoints.add(found.checkpoint(found.last))


def is_single(entry: Entry) -> bool:
    """Whether a record is still there, and was not dropped."""
    return entry.state == AVAILABLE and not entry.is_kept
