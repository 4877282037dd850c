"""Registers the formats `lastvalue` and `lastvalue_replay` with a Spark session."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(session: "SparkSession") -> None:
    """Register the sources and sinks of lastvalue; `create_session` does it already.

    A thread that Python started must also call it before it writes with `format("lastvalue")`: see
    `activate`.
    """
    # Imported here, so that an import of this module imports nothing of Spark.
    from lastvalue.pipeline.feeds.replay_source import ReplaySource  # noqa: PLC0415 - see above
    from pyspark_lastvalue import DefaultSource  # noqa: PLC0415 - see above

    session.dataSource.register(DefaultSource)
    session.dataSource.register(ReplaySource)
    activate(session)


def activate(session: "SparkSession") -> None:
    """Make the session this thread's active one, if the thread has none.

    To write in a format that is implemented in Python, Spark looks the format up in the active session. A
    thread that Python started has no active session, and Spark raises DATA_SOURCE_NOT_FOUND. Reading does not
    need it.
    """
    if type(session).getActiveSession() is None:
        # createDataFrame makes its session the active one.
        session.createDataFrame([], "nothing STRING")
