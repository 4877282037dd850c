"""Shorter garbage collections in Spark's Python workers."""

import gc
import os

_frozen: set[int] = set()


def freeze_gc() -> None:
    """Exclude all objects that exist now from later garbage collections; call it in a worker.

    Spark collects garbage in a Python worker after each task. With pandas and pyarrow loaded a collection
    takes tens of milliseconds, for which the next micro-batch waits.
    """
    if os.getpid() not in _frozen:
        _frozen.add(os.getpid())
        gc.collect()
        gc.freeze()
