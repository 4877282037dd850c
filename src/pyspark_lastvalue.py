"""Lets Spark find the format `lastvalue` by itself.

At its first look-up of any format, Spark imports every top-level module whose name starts with pyspark_.
So what the sink needs is imported when it is used.
"""

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource
from pyspark.sql.types import StructType

if TYPE_CHECKING:
    from lastvalue.pipeline.sink import BatchWriter, StreamWriter


class DefaultSource(DataSource):
    """The sink of `lastvalue.pipeline.sink`."""

    @classmethod
    def name(cls) -> str:
        """What stands in `format(…)`."""
        return "lastvalue"

    def writer(self, schema: StructType, overwrite: bool) -> "BatchWriter":  # noqa: FBT001 - Spark's signature
        """The writer of a batch."""
        from lastvalue.pipeline.sink import LastvalueSink  # noqa: PLC0415 - see above

        return LastvalueSink(self.options).writer(schema, overwrite)

    def streamWriter(self, schema: StructType, overwrite: bool) -> "StreamWriter":  # noqa: FBT001, N802 - Spark's
        """The writer of a stream."""
        from lastvalue.pipeline.sink import LastvalueSink  # noqa: PLC0415 - see above

        return LastvalueSink(self.options).streamWriter(schema, overwrite)
