"""Names of jobs; Spark keeps them by thread."""

from unittest.mock import Mock, call, create_autospec

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from lastvalue.pipeline.job_name import DESCRIPTION, job_name


def test_jobs_have_the_name_within_the_block_and_the_one_of_before_after_it() -> None:
    rows = Mock(sparkSession=create_autospec(SparkSession, instance=True))
    context = rows.sparkSession.sparkContext
    context.getLocalProperty.return_value = "of before"
    failing = job_name(rows, "publish")
    failing.__enter__()
    assert context.setLocalProperty.call_args == call(DESCRIPTION, "publish")
    assert not failing.__exit__(ValueError, ValueError("why"), None)
    assert context.setLocalProperty.call_args == call(DESCRIPTION, "of before")


def test_a_session_of_spark_connect_is_left_alone() -> None:
    rows = Mock(sparkSession=Mock(spec=[]))
    with job_name(rows, "publish"):
        assert not hasattr(rows.sparkSession, "sparkContext")
