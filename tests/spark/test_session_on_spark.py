"""What the processes of a local session run on."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
import pyspark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

from lastvalue.pipeline.spark.python_daemon import PYTHON_DAEMON
from lastvalue.pipeline.spark.worker_start import start_worker

pytestmark = pytest.mark.spark


def _origins(_: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    daemon = Path("/proc", str(os.getppid()), "cmdline").read_text()
    yield pa.RecordBatch.from_pydict({"origin": [pyspark.__file__], "daemon": [daemon]})


def test_workers_are_forks_of_a_daemon_that_imports_spark_from_where_it_is_installed(
    spark: "SparkSession",
) -> None:
    (row,) = spark.range(0, 1, 1, 1).mapInArrow(_origins, "origin STRING, daemon STRING").collect()
    assert Path(row.origin).samefile(str(pyspark.__file__))
    assert PYTHON_DAEMON in row.daemon.split("\0")


def test_a_worker_starts_before_a_query_needs_it(spark: "SparkSession") -> None:
    tracker = spark.sparkContext.statusTracker()
    before = {*tracker.getJobIdsForGroup()}
    start_worker(spark).join()
    states = [tracker.getJobInfo(job) for job in {*tracker.getJobIdsForGroup()} - before]
    assert [state and state.status for state in states] == ["SUCCEEDED"]
