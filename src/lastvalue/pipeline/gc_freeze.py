"""Makes Spark's Python workers quicker between tasks."""

import gc
import os

_frozen: set[int] = set()


def spare_collector() -> None:
    """Take what is loaded by now out of the garbage collector's sight; to be called in a worker.

    Spark collects garbage in a Python worker after each task.
    With pandas and pyarrow loaded that takes tens of milliseconds, which the next micro-batch waits for.
    """
    if os.getpid() not in _frozen:
        _frozen.add(os.getpid())
        gc.collect()
        gc.freeze()
