"""Errors of lastvalue in Python processes of Spark, which Spark reports as a sentence instead of a trace."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from lastvalue.model.errors import LastvalueError

HIDE_TRACE: Final = "SPARK_HIDE_TRACEBACK"
"""The variable by which Spark decides in a process of its own what it reports of an error."""


@contextmanager
def hidden_trace() -> Iterator[None]:
    """Let Spark report an error that names its fault by its text alone; the process ends with it."""
    try:
        yield
    except LastvalueError:
        os.environ[HIDE_TRACE] = "1"
        raise
