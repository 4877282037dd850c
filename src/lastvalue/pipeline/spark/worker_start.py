"""The first Python worker of a session, started before a query needs it.

Spark starts the process from which it forks workers with the first task that runs Python, and loads the code
of its own that such a task needs.
"""

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from lastvalue.pipeline.job_name import job_name

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession


def start_worker(session: "SparkSession") -> threading.Thread:
    """Run a task of one row in a thread, which ends with it."""
    thread = threading.Thread(target=_run_task, args=(session,), name="worker-start", daemon=True)
    thread.start()
    return thread


def _run_task(session: "SparkSession") -> None:
    # The session may end first, in whatever state that leaves PySpark. A worker that does not start fails the
    # query that needs it, which says why.
    with suppress(Exception):
        row = session.range(0, 1, 1, 1)
        with job_name(row, "start a Python worker"):
            row.mapInArrow(_unchanged, "id BIGINT").collect()


def _unchanged(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    return batches
