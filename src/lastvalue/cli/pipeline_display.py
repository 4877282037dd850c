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
        self._told_s = -_LINE_PERIOD_S

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
        due = now_s - self._told_s >= _LINE_PERIOD_S or status.state != "running"
        for part in status.parts:
            # A change of state is shown at once, progress every few seconds.
            changed = self._states.get(part.name) != (part.state, part.error)
            text = line(part)
            if (changed or due) and self._lines.get(part.name) != text:
                self._lines[part.name] = text
                self._states[part.name] = (part.state, part.error)
                self._told_s = now_s
                self._console.print(text, soft_wrap=True, markup=False, highlight=False)


def line(part: "PartStatus") -> str:
    """The status of a part, on one line."""
    parts = [f"{part.kind} {part.name}: {part.state}", f"read {part.rows:,}", f"published {part.published:,}"]
    if part.rows_per_s:
        parts.append(f"{part.rows_per_s:,.0f} rows/s")
    if part.batch is not None:
        parts.append(f"batch {part.batch} in {part.batch_ms} ms")
    if part.rejected:
        parts.append(f"rejected {part.rejected:,}")
    if part.lag:
        parts.append(f"behind {part.lag}")
    if part.error:
        parts.append(" ".join(part.error.split()))
    if part.trace:
        parts.append(f"trace in {part.trace}")
    return ", ".join(parts)


def table(status: "RunStatus") -> Table:
    """A table with a line for each part."""
    shown = Table(expand=True, pad_edge=False)
    for heading in (
        "part",
        "state",
        "read",
        "rows/s",
        "published",
        "ratio",
        "batch",
        "ms",
        "behind",
        "error",
    ):
        right = heading in ("read", "rows/s", "published", "ratio", "batch", "ms")
        shown.add_column(heading, justify="right" if right else "left")
    for part in status.parts:
        shown.add_row(
            f"{part.kind} {part.name}",
            part.state,
            f"{part.rows:,}",
            f"{part.rows_per_s:,.0f}",
            f"{part.published:,}",
            "" if part.conflation is None else f"{part.conflation:g}",
            "" if part.batch is None else str(part.batch),
            "" if part.batch_ms is None else str(part.batch_ms),
            part.lag,
            " ".join(part.error.split()),
        )
    return shown
