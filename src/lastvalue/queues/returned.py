"""The entries that were released and are still there, in an order that can be searched."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.entry import Entry

RUN: Final = 512
"""Entries in a run before it is parted: what an insertion moves at most."""


@final
class Returned:
    """Entries newest first, in runs. None of them is empty.

    The oldest is last, because consumers take the oldest first.
    """

    __slots__ = ("runs",)

    def __init__(self) -> None:
        self.runs: list[list[Entry]] = []

    def entries(self) -> list[Entry]:
        """All of them, newest first."""
        return [entry for run in self.runs for entry in run]

    def add(self, entry: Entry) -> Entry | None:
        """Note an entry that came back; the newest of those that are older and came back, too."""
        runs = self.runs
        if not runs:
            runs.append([entry])
            return None
        index = self._run(entry.sequence)
        run = runs[index]
        place = _place(run, entry.sequence)
        run.insert(place, entry)
        older = run[place + 1] if place + 1 < len(run) else None
        if len(run) > RUN:
            runs.insert(index + 1, run[RUN >> 1 :])
            del run[RUN >> 1 :]
        return older

    def discard(self, entry: Entry) -> None:
        """Forget an entry that leaves the line, if it is one that came back."""
        runs = self.runs
        if not runs:
            return
        index: i64 = len(runs) - 1
        run = runs[index]
        if run[-1] is entry:
            run.pop()
        else:
            index = self._run(entry.sequence)
            run = runs[index]
            place = _place(run, entry.sequence)
            if place == len(run) or run[place] is not entry:
                return
            del run[place]
        if not run:
            del runs[index]

    def _run(self, sequence: i64) -> i64:
        """Where the first run is that reaches down to the sequence, else the last."""
        runs = self.runs
        low: i64 = 0
        high: i64 = len(runs) - 1
        while low < high:
            middle = (low + high) >> 1
            if runs[middle][-1].sequence > sequence:
                low = middle + 1
            else:
                high = middle
        return low


def _place(run: list[Entry], sequence: i64) -> i64:
    """Where in the run the first entry is that is not newer than the sequence, else its end."""
    low: i64 = 0
    high: i64 = len(run)
    while low < high:
        middle = (low + high) >> 1
        if run[middle].sequence > sequence:
            low = middle + 1
        else:
            high = middle
    return low
