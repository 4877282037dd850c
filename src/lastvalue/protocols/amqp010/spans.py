"""Sets of command ids, as sorted runs with gaps between them."""

from typing import final

from mypy_extensions import i64


@final
class Spans:
    """A set of integers that mostly grows at its end."""

    __slots__ = ("runs",)

    def __init__(self) -> None:
        self.runs: list[tuple[int, int]] = []

    def __bool__(self) -> bool:
        return bool(self.runs)

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.runs)

    @property
    def edge(self) -> int:
        """The end of the first run, or -1."""
        return self.runs[0][1] if self.runs else -1

    def add(self, first: i64, last: i64) -> None:
        """Add the numbers from first to last."""
        runs = self.runs
        if not runs or runs[-1][1] + 1 < first:
            runs.append((first, last))
            return
        if runs[-1][1] + 1 == first:
            runs[-1] = (runs[-1][0], last)
            return
        before: list[tuple[int, int]] = []
        after: list[tuple[int, int]] = []
        for run in runs:
            if run[1] + 1 < first:
                before.append(run)
            elif last + 1 < run[0]:
                after.append(run)
            else:
                first = min(first, run[0])
                last = max(last, run[1])
        self.runs = [*before, (first, last), *after]

    def discard(self, first: i64, last: i64) -> None:
        """Remove the numbers from first to last."""
        left: list[tuple[int, int]] = []
        for run in self.runs:
            if run[1] < first or last < run[0]:
                left.append(run)
                continue
            if run[0] < first:
                left.append((run[0], first - 1))
            if last < run[1]:
                left.append((last + 1, run[1]))
        self.runs = left
