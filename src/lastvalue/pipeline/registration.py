"""Make Spark know the formats `lastvalue` and `lastvalue_replay`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(session: "SparkSession") -> None:
    """Register the sources and sinks of lastvalue; a session of `create_session` has them already."""
    # Here, so that importing this imports nothing of Spark.
    from lastvalue.pipeline.replay import ReplaySource  # noqa: PLC0415 - see above
    from pyspark_lastvalue import DefaultSource  # noqa: PLC0415 - see above

    session.dataSource.register(DefaultSource)
    session.dataSource.register(ReplaySource)
