"""Registers the formats `lastvalue` and `lastvalue_replay` with a Spark session."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource

_REGISTERING: Final = Lock()
"""Held while a format is registered, which sets the context's environment for a moment."""


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
        with _environment_for_threads(session):
            session.dataSource.register(source)
    except AnalysisException as fault:
        # PySpark 4.0 does not take a format again that it has found by the name of its module.
        if fault.getCondition() != "DATA_SOURCE_ALREADY_EXISTS":
            raise


@contextmanager
def _environment_for_threads(session: object) -> Iterator[None]:
    """Within it, what is registered gets the workers' environment in a map that threads may change at once.

    Spark adds to the map of a format from the thread of each query that reads it, while others send it to
    tasks. A `HashMap` may then have a wrong size for good, and no task can read it (OptionalDataException).
    A session of Spark Connect has no map here: its server makes one.
    """
    from pyspark.sql import SparkSession  # noqa: PLC0415 - an import of this module needs no Spark

    if not isinstance(session, SparkSession):
        yield
        return
    context = session.sparkContext
    java: Any = context._jvm  # noqa: SLF001 - no other way into Java
    with _REGISTERING:
        environment = context.environment
        # PySpark makes a HashMap of a dict, and passes a map of Java on.
        context.environment = java.java.util.concurrent.ConcurrentHashMap(environment)
        try:
            yield
        finally:
            context.environment = environment


def activate(session: "SparkSession") -> None:
    """Make the session this thread's active one, if the thread has none.

    To write in a format that is implemented in Python, Spark looks the format up in the active session. A
    thread that Python started has no active session, and Spark raises DATA_SOURCE_NOT_FOUND. Reading does not
    need it.
    """
    if type(session).getActiveSession() is None:
        # createDataFrame makes its session the active one.
        session.createDataFrame([], "nothing STRING")
