"""Make Spark know the formats `lastvalue` and `lastvalue_replay`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(session: "SparkSession") -> None:
    """Register the sources and sinks of lastvalue; a session of `create_session` has them already.

    A thread that Python began calls it, too, before it writes with `format("lastvalue")`: see `activate`.
    """
    # Here, so that importing this imports nothing of Spark.
    from lastvalue.pipeline.feeds.replay_source import ReplaySource  # noqa: PLC0415 - see above
    from pyspark_lastvalue import DefaultSource  # noqa: PLC0415 - see above

    session.dataSource.register(DefaultSource)
    session.dataSource.register(ReplaySource)
    activate(session)


def activate(session: "SparkSession") -> None:
    """Make a session the active one of this thread, where none is.

    Spark looks for a format to write with that is written in Python in the active session, and a thread that
    Python began has none: it says DATA_SOURCE_NOT_FOUND there. To read it takes the session that is asked.
    """
    if type(session).getActiveSession() is None:
        # The call that makes its session the active one.
        session.createDataFrame([], "nothing STRING")
