"""Whether this PySpark can read streams of ours: docs/pipeline/versions.md has what each version can."""

from importlib.util import find_spec

from lastvalue.model.errors import LastvalueError


class StreamsUnsupportedError(LastvalueError):
    """This PySpark does not tell a source in Python how much to read."""


def check_stream_support() -> None:
    """Check that sources in Python are told how much to read, without which a stream is one batch of all.

    Raises:
        StreamsUnsupportedError: they are not.
    """
    if find_spec("pyspark.sql.streaming.datasource") is None:
        from pyspark import __version__  # noqa: PLC0415 - a client without Spark imports this module, too

        raise StreamsUnsupportedError(
            f"streams need PySpark 4.2 or newer, and this is {__version__}; spark.read reads a queue as it is"
        )
