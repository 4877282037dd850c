"""The progress of Spark on standard error: a bar on a terminal, otherwise a line per part of the work."""

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from pyspark.core.context import SparkContext

_PERIOD_S: Final = 0.2


class SparkProgress:
    """Shows each part of the work as it begins, with the tasks of its running stages.

    A context manager; a thread of its own watches Spark until the end of the block.
    """

    def __init__(self, context: "SparkContext", console: Console | None = None) -> None:
        self._tracker = context.statusTracker()
        self._console = Console(stderr=True) if console is None else console
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("tasks"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._bar = self._progress.add_task("starting", total=None)
        self._done = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="spark-progress", daemon=True)

    def enter(self, part: str) -> None:
        """Begin a part of the work."""
        if self._console.is_terminal:
            self._progress.reset(self._bar, description=part, total=None)
        else:
            self._console.print(part, soft_wrap=True)

    def __enter__(self) -> Self:
        self._progress.start()
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._watcher.join()
        self._progress.stop()

    def _watch(self) -> None:
        while not self._done.wait(_PERIOD_S):
            stages = [self._tracker.getStageInfo(stage) for stage in self._tracker.getActiveStageIds()]
            running = [stage for stage in stages if stage is not None]
            if running:
                self._progress.update(
                    self._bar,
                    completed=sum(stage.numCompletedTasks for stage in running),
                    total=sum(stage.numTasks for stage in running),
                )
