"""The demo's live table: one row per key, with counts and rates."""

import asyncio
import os
import shutil
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

_SCREEN_PERIOD_S: Final = 0.25
_LINE_PERIOD_S: Final = 2.0
_RATE_WINDOW_MS: Final = 3000
_VALUE_COLUMNS: Final = 12
"""Screen columns for a value."""
_OTHER_COLUMNS: Final = 30
"""Those for the key, the number of updates and the age."""
_CHROME_LINES: Final = 6
"""Screen lines for the table's frame, heading and counts."""


@dataclass(slots=True)
class Row:
    """The newest values of a key, how many updates they stand for, and when they came (ms)."""

    values: Mapping[str, object]
    updates: int
    seen_ms: int


class Rate:
    """The growth of a count per second, over the last seconds."""

    def __init__(self) -> None:
        self._points: deque[tuple[int, int]] = deque()

    def add(self, count: int, now: int) -> None:
        """Record the count's present value."""
        points = self._points
        points.append((now, count))
        while len(points) > 2 and points[1][0] <= now - _RATE_WINDOW_MS:
            points.popleft()

    def per_second(self) -> float:
        """The growth per second; 0 if there are too few values."""
        if len(self._points) < 2:
            return 0.0
        (first_ms, first), (last_ms, last) = self._points[0], self._points[-1]
        return (last - first) * 1000 / (last_ms - first_ms) if last_ms > first_ms else 0.0


class LiveTable:
    """One row per key, counts of updates read and messages delivered, and their rates."""

    def __init__(self, key: str, columns: Sequence[str]) -> None:
        self.read = 0
        self.delivered = 0
        self.phase = ""
        self._key = key
        self._columns = tuple(columns)
        self._rows: dict[object, Row] = {}
        self._rate_in = Rate()
        self._rate_out = Rate()

    @property
    def keys(self) -> int:
        """The number of keys with a row."""
        return len(self._rows)

    @property
    def ratio(self) -> float:
        """Updates read for each message delivered."""
        return self.read / self.delivered if self.delivered else 0.0

    def update(self, key: object, values: Mapping[str, object], updates: int, now: int) -> None:
        """Show a message that the subscriber got."""
        self.delivered += 1
        self._rows[key] = Row(values, updates, now)

    def tick(self, now: int) -> None:
        """Update the rates from the counts; call it a few times per second."""
        self._rate_in.add(self.read, now)
        self._rate_out.add(self.delivered, now)

    def line(self) -> str:
        """The counts on one line of at most 80 columns, unless they are very large."""
        return (
            f"{self.phase} {self.read:,} read ({self._rate_in.per_second():,.0f}/s), "
            f"{self.delivered:,} delivered ({self._rate_out.per_second():,.0f}/s), "
            f"{self.keys:,} keys, {self.ratio:.1f} : 1"
        )

    def render(self, size: os.terminal_size, now: int) -> RenderableType:
        """The table for a screen of that size: the keys that changed last, sorted by name.

        A narrow screen has the first of the values.
        """
        height = size.lines
        columns = self._columns[: max(1, (size.columns - _OTHER_COLUMNS) // _VALUE_COLUMNS)]
        table = Table(expand=True, pad_edge=False)
        table.add_column(self._key, style="bold")
        for column in columns:
            table.add_column(column, justify="right")
        table.add_column("updates", justify="right", style="cyan")
        table.add_column("age", justify="right", style="dim")
        for key in self._shown(max(1, height - _CHROME_LINES)):
            row = self._rows[key]
            cells = [_cell(row.values.get(column)) for column in columns]
            table.add_row(str(key), *cells, f"{row.updates:,}", f"{max(0, now - row.seen_ms) / 1000:.1f} s")
        return Group(Text(self.line(), no_wrap=True), table)

    def _shown(self, count: int) -> list[object]:
        """The keys that changed last, by the second, so that rows do not jump."""
        newest = sorted(self._rows, key=lambda key: (-(self._rows[key].seen_ms // 1000), str(key)))
        return sorted(newest[:count], key=str)


async def display(table: LiveTable) -> None:
    """Show the table until cancelled: live on a terminal, otherwise a line every few seconds."""
    console = Console()
    if not console.is_terminal:
        while True:
            await asyncio.sleep(_LINE_PERIOD_S)
            table.tick(now_ms())
            print(table.line(), flush=True)
    with Live(console=console, auto_refresh=False) as live:
        try:
            while True:
                table.tick(now_ms())
                live.update(table.render(_screen(1), now_ms()), refresh=True)
                await asyncio.sleep(_SCREEN_PERIOD_S)
        finally:
            # The last table leaves room on the screen for the summary.
            live.update(table.render(_screen(12), now_ms()), refresh=True)


def _screen(left_lines: int) -> os.terminal_size:
    """The terminal without some of its lines."""
    columns, lines = shutil.get_terminal_size()
    return os.terminal_size((columns, lines - left_lines))


def now_ms() -> int:
    """The time, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            # Two decimals for prices, four for positions.
            return f"{value:,.4f}".removesuffix("00")
        case _:
            return str(value)
