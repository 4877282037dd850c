"""Whether this PySpark can read streams of ours: docs/pipeline/versions.md has what each version can."""

from importlib.util import find_spec

from lastvalue.model.errors import LastvalueError


class StreamsUnsupportedError(LastvalueError):
    """This PySpark has no such stream for a source or a sink in Python."""


def stream_refusal() -> StreamsUnsupportedError | None:
    """The error for a Spark that does not limit what a source in Python reads: a stream is one batch."""
    if find_spec("pyspark.sql.streaming.datasource") is not None:
        return None
    from pyspark import __version__  # noqa: PLC0415 - a client without Spark imports this module, too

    return StreamsUnsupportedError(
        f"streams need PySpark 4.2 or newer, and this is {__version__}; spark.read reads a queue as it is"
    )


def check_stream_write_support() -> None:
    """Check that sinks in Python get the rows of a stream in columns.

    Raises:
        StreamsUnsupportedError: they do not.
    """
    from pyspark import __version__  # noqa: PLC0415 - a client without Spark imports this module, too
    from pyspark.sql import datasource  # noqa: PLC0415 - a client without Spark imports this module, too

    if not hasattr(datasource, "DataSourceStreamArrowWriter"):
        raise StreamsUnsupportedError(
            f"writeStream.format('lastvalue') needs PySpark 4.1 or newer, and this is {__version__}; "
            "lastvalue.pipeline.publish_stream writes a stream to a queue"
        )
