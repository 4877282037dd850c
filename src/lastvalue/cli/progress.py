"""The progress of a long command, on a terminal's standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def show_progress(what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A function that shows how much of how much is done; without a terminal it shows nothing."""
    if not sys.stderr.isatty():
        yield _tell_nobody
        return
    # Imported here, so that short commands do not wait for it.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)

        def tell(done: int, of: int) -> None:
            progress.update(task, completed=done, total=of)

        yield tell


def _tell_nobody(done: int, of: int) -> None:
    """Show nothing."""
