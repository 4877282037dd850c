"""A running pipeline on standard error: a live table on a terminal, otherwise lines of changes."""

import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from rich.console import Console
from rich.live import Live
from rich.table import Table

if TYPE_CHECKING:
    from lastvalue.pipeline.running.status import PartStatus, RunStatus

_LINE_PERIOD_S: Final = 2.0


class PipelineDisplay:
    """Shows the status of a run as it changes; a context manager."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = Console(stderr=True) if console is None else console
        self._live = Live(console=self._console, auto_refresh=False)
        self._lines: dict[str, str] = {}
        self._states: dict[str, tuple[str, str]] = {}
        self._shown_s = -_LINE_PERIOD_S

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def show(self, status: "RunStatus") -> None:
        """Show the present status of a run."""
        if self._console.is_terminal:
            self._live.update(table(status), refresh=True)
            return
        now_s = time.monotonic()
        due = now_s - self._shown_s >= _LINE_PERIOD_S or status.state not in ("starting Spark", "running")
        for part in status.parts:
            # A change of state is shown at once, progress every few seconds.
            changed = self._states.get(part.name) != (part.state, part.error)
            text = line(part)
            if (changed or due) and self._lines.get(part.name) != text:
                self._lines[part.name] = text
                self._states[part.name] = (part.state, part.error)
                self._shown_s = now_s
                self._console.print(text, soft_wrap=True, markup=False, highlight=False)


def line(part: "PartStatus") -> str:
    """The status of a part, on one line."""
    cells = (f"{name} {text}" for name in _NUMBERS if (text := _text(part, name)) not in ("", "0"))
    fields = [f"{part.kind} {part.name}: {part.state}"]
    if part.period:
        fields.append(f"period {part.period}")
    fields += cells
    if part.error:
        fields.append(part.error)
    if part.trace:
        fields.append(f"trace in {part.trace}")
    return ", ".join(fields)


def table(status: "RunStatus") -> Table:
    """A table with a line for each part; numbers that are 0 everywhere have no column."""
    shown = Table(expand=True, pad_edge=False)
    names = [
        name
        for name in _NAMES
        if name not in _NUMBERS or any(_text(part, name) not in ("", "0") for part in status.parts)
    ]
    for name in names:
        shown.add_column(name.replace("_", " "), justify="right" if name in _NUMBERS else "left")
    for part in status.parts:
        shown.add_row(*(_text(part, name) for name in names))
    return shown


_NUMBERS: Final = (
    "rows",
    "rows_per_s",
    "published",
    "conflation",
    "rejected",
    "batch",
    "batch_ms",
    "end_to_end_ms",
    "lag",
    "restarts",
)
_NAMES: Final = ("name", "kind", "state", *_NUMBERS, "error")
"""The columns; they are called as the fields of the status."""


def _text(part: "PartStatus", name: str) -> str:
    match getattr(part, name):
        case None:
            return ""
        case float(number):
            return f"{number:,g}" if name == "conflation" else f"{number:,.0f}"
        case int(number):
            return f"{number:,} {part.lag_unit}" if name == "lag" else f"{number:,}"
        case text:
            return str(text)
