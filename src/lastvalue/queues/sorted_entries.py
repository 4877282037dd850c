"""A sorted index of entries."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.entry import Entry, comes_after

RUN: Final = 512
"""The largest number of entries in a run, and so of those that an insertion moves."""


@final
class SortedEntries:
    """Entries in runs, last first; no run is empty.

    The first entry is at the end, because consumers take it first and popping the end is cheap.
    """

    __slots__ = ("runs",)

    def __init__(self) -> None:
        self.runs: list[list[Entry]] = []

    def entries(self) -> list[Entry]:
        """All entries, last first."""
        return [entry for run in self.runs for entry in run]

    def first(self) -> Entry | None:
        """The entry that comes before all others, or None."""
        runs = self.runs
        return runs[-1][-1] if runs else None

    def last(self) -> Entry | None:
        """The entry that comes after all others, or None."""
        runs = self.runs
        return runs[0][0] if runs else None

    def fill(self, entries: list[Entry]) -> None:
        """Replace the contents with these entries, which must be sorted last first."""
        self.runs = [entries[start : start + RUN] for start in range(0, len(entries), RUN)]

    def add(self, entry: Entry) -> Entry | None:
        """Add an entry; returns the one directly before it, or None."""
        runs = self.runs
        if not runs:
            runs.append([entry])
            return None
        index = self._run(entry.rank, entry.place)
        run = runs[index]
        place = _place(run, entry.rank, entry.place)
        run.insert(place, entry)
        before: Entry | None = None
        if place + 1 < len(run):
            before = run[place + 1]
        elif index + 1 < len(runs):
            before = runs[index + 1][0]
        if len(run) > RUN:
            runs.insert(index + 1, run[RUN >> 1 :])
            del run[RUN >> 1 :]
        return before

    def discard(self, entry: Entry) -> bool:
        """Remove an entry; returns false if it is not here."""
        runs = self.runs
        if not runs:
            return False
        index: i64 = len(runs) - 1
        run = runs[index]
        if run[-1] is entry:
            run.pop()
        else:
            index = self._run(entry.rank, entry.place)
            run = runs[index]
            place = _place(run, entry.rank, entry.place)
            if place == len(run) or run[place] is not entry:
                return False
            del run[place]
        if not run:
            del runs[index]
        return True

    def first_from(self, rank: bytes) -> Entry | None:
        """The first entry of this rank or a later one, or None."""
        return self.first_after(rank, -1)

    def first_after(self, rank: bytes, place: i64) -> Entry | None:
        """The first entry after this place, or None."""
        runs = self.runs
        if not runs:
            return None
        index = self._run(rank, place)
        run = runs[index]
        found = _place(run, rank, place)
        if found > 0:
            return run[found - 1]
        return runs[index - 1][-1] if index > 0 else None

    def _run(self, rank: bytes, place: i64) -> i64:
        """The index of the first run that reaches down to the place, else of the last run."""
        runs = self.runs
        low: i64 = 0
        high: i64 = len(runs) - 1
        while low < high:
            middle = (low + high) >> 1
            if comes_after(runs[middle][-1], rank, place):
                low = middle + 1
            else:
                high = middle
        return low


def _place(run: list[Entry], rank: bytes, place: i64) -> i64:
    """The index of the first entry in the run that does not come after the place, else the run's length."""
    low: i64 = 0
    high: i64 = len(run)
    while low < high:
        middle = (low + high) >> 1
        if comes_after(run[middle], rank, place):
            low = middle + 1
        else:
            high = middle
    return low
