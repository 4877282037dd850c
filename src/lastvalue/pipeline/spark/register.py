"""Registers the formats `lastvalue` and `lastvalue_replay` with a Spark session."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource


def register(session: "SparkSession") -> None:
    """Register the sources and sinks of lastvalue; `create_session` does it already.

    A thread that Python started must also call it before it writes with `format("lastvalue")`: see
    `activate`.
    """
    from lastvalue.pipeline.feeds.replay_source import ReplaySource  # noqa: PLC0415 - it imports Spark
    from pyspark_lastvalue import DefaultSource  # noqa: PLC0415 - it imports Spark, too

    _register(session, DefaultSource)
    _register(session, ReplaySource)
    activate(session)


def _register(session: "SparkSession", source: "type[DataSource]") -> None:
    from pyspark.errors import AnalysisException  # noqa: PLC0415 - an import of this module needs no Spark

    try:
        session.dataSource.register(source)
    except AnalysisException as fault:
        # PySpark 4.0 does not take a format again that it has found by the name of its module.
        if fault.getCondition() != "DATA_SOURCE_ALREADY_EXISTS":
            raise


def activate(session: "SparkSession") -> None:
    """Make the session this thread's active one, if the thread has none.

    To write in a format that is implemented in Python, Spark looks the format up in the active session. A
    thread that Python started has no active session, and Spark raises DATA_SOURCE_NOT_FOUND. Reading does not
    need it.
    """
    if type(session).getActiveSession() is None:
        # createDataFrame makes its session the active one.
        session.createDataFrame([], "nothing STRING")
