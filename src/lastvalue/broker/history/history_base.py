"""The base of a history: of the records that it has dropped, those that are still in force."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.history.history_moments import Checkpoints
from lastvalue.broker.history.records_in_force import RecordHead, RecordsInForce
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import AVAILABLE, REMOVED, Entry
from lastvalue.queues.keeper import Keeper


@final
class HistoryBase(Keeper):
    """Keeps the dropped records of a history queue that are in force, so its other records have a beginning.

    Cost of a record that is dropped: that of reading its annotations, and a few steps in tables.

    Attributes:
        records: those that are kept.
        checkpoints: what was in force after later records.
    """

    __slots__ = ("_contents", "_drops", "_last", "checkpoints", "records")

    def __init__(self, contents: Contents) -> None:
        super().__init__()
        self._contents = contents
        self._drops = False
        self._last: Entry | None = None
        self.checkpoints = Checkpoints()
        self.records = RecordsInForce()
        entry = contents.available_list.head
        while entry is not None and entry.is_kept:
            self.records.take(entry)
            self._count(entry)
            entry = entry.next

    @property
    def end(self) -> i64:
        """The sequence of the last record that was dropped, if any is kept; else 0."""
        if self.count <= 0:
            return 0
        oldest = self.oldest()
        return self._contents.sequence if oldest is None else oldest.sequence - 1

    @property
    def first_ms(self) -> i64:
        """When the oldest record behind the base happened, milliseconds since the epoch; 0 without one."""
        return _time_ms(self.oldest())

    @property
    def last_ms(self) -> i64:
        """When the last record behind the base happened, milliseconds since the epoch; 0 without one."""
        return 0 if self.oldest() is None else _time_ms(self._contents.available_list.tail)

    @property
    def single(self) -> i64:
        """How many records are behind the base."""
        return self._contents.available - max(0, self.count)

    def is_whole(self, queue: str) -> bool:
        """Whether it is known what a queue held at the time of the oldest record behind the base."""
        if self.count > 0:
            # A queue of which nothing was dropped has its beginning behind the base.
            return not self.records.lacks(queue)
        oldest = self.oldest()
        return self._contents.sequence == 0 or (oldest is not None and oldest.sequence == 1)

    def oldest(self) -> Entry | None:
        """See Keeper."""
        last = self._last
        if last is not None and last.state == AVAILABLE:
            return last.next
        # A consumer has taken it.
        entry = self._contents.available_list.head
        while entry is not None and entry.is_kept:
            self._last = entry
            entry = entry.next
        return entry

    def drop(self, entry: Entry, reason: Reason) -> None:
        """See Keeper."""
        oldest = self.oldest()
        while oldest is not None and oldest.sequence <= entry.sequence:
            self._drop(oldest, reason)
            oldest = self.oldest()
        if entry.state != REMOVED and not entry.is_kept:
            # A consumer has it, or had it while later ones were dropped.
            self._contents.remove(entry, reason)

    def kept(self, entry: Entry) -> None:
        """See Keeper."""
        # The older records that this one ends may have left already, or leave next.
        self.records.take(entry)
        self._count(entry)

    def left(self, entry: Entry) -> None:
        """See Keeper."""
        self.count -= 1
        self.size_bytes -= len(entry.encoded)
        if entry is self._last:
            self._last = None
        if not self._drops:
            self.records.forget(entry)

    def memory_bytes(self) -> i64:
        """See Keeper."""
        return self.records.memory_bytes() + self.checkpoints.memory_bytes()

    def _drop(self, entry: Entry, reason: Reason) -> None:
        contents = self._contents
        self.checkpoints.forget(entry.sequence)
        records = self.records
        in_force = records.take(entry)
        self._drops = True
        for ended in records.ended:
            before = ended.previous if ended is self._last and ended.state == AVAILABLE else self._last
            contents.remove(ended, reason)
            self._last = before
        self._drops = False
        if in_force:
            contents.keep_dropped(entry, reason)
            self._count(entry)
        else:
            contents.remove(entry, reason)

    def _count(self, entry: Entry) -> None:
        self.count += 1
        self.size_bytes += len(entry.encoded)
        self._last = entry


def _time_ms(entry: Entry | None) -> i64:
    head = RecordHead()
    if entry is not None:
        head.read(entry.encoded)
    return head.time_ms


def base_of(contents: Contents) -> HistoryBase | None:
    """The base of a history queue; None if the queue is not the history of another."""
    keeper = contents.keeper
    return keeper if isinstance(keeper, HistoryBase) else None


def adopt_base(contents: Contents) -> None:
    """Continue with the base that a queue has, which was restored or has followed another's."""
    head = contents.available_list.head
    if contents.keeper is not None or (head is not None and head.is_kept):
        contents.keeper = HistoryBase(contents)
