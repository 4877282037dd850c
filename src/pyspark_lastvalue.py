"""The module in which Spark finds the format `lastvalue`.

When Spark looks up a format for the first time, it imports all top-level modules whose names start with
`pyspark_`. So this module imports source and sink only when they are used.
"""

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource
from pyspark.sql.types import StructType

from lastvalue.pipeline.hidden_trace import hidden_trace

if TYPE_CHECKING:
    from lastvalue.pipeline.sink.stream_writer import StreamWriter
    from lastvalue.pipeline.sink.writers import BatchWriter
    from lastvalue.pipeline.source.divided_reader import DividedStreamReader
    from lastvalue.pipeline.source.options import SourceOptions
    from lastvalue.pipeline.source.readers import BatchReader
    from lastvalue.pipeline.source.refused_stream_reader import RefusedStreamReader


class DefaultSource(DataSource):
    """The format `lastvalue`; see `pipeline.source.readers` and `pipeline.sink.writers`."""

    @classmethod
    def name(cls) -> str:
        """The name in `format(…)`."""
        return "lastvalue"

    @hidden_trace()
    def schema(self) -> StructType:
        """The columns of the source; refuses unknown options."""
        from lastvalue.pipeline.source.source_schema import source_schema

        options = self._source_options()
        return source_schema(effects=options.effects, columns=options.columns)

    @hidden_trace()
    def reader(self, schema: StructType) -> "BatchReader":
        """The reader of a batch."""
        from lastvalue.pipeline.source.readers import BatchReader

        self._check_schema(schema)
        return BatchReader(self._source_options())

    @hidden_trace()
    def streamReader(self, schema: StructType) -> "DividedStreamReader | RefusedStreamReader":  # noqa: N802 - Spark's
        """The reader of a stream."""
        from lastvalue.pipeline.source.refused_stream_reader import RefusedStreamReader
        from lastvalue.pipeline.stream_support import stream_refusal

        refusal = stream_refusal()
        if refusal is not None:
            return RefusedStreamReader(refusal)
        from lastvalue.pipeline.source.divided_reader import DividedStreamReader

        self._check_schema(schema)
        return DividedStreamReader(self._source_options())

    @hidden_trace()
    def writer(self, schema: StructType, overwrite: bool) -> "BatchWriter":  # noqa: FBT001 - Spark's signature
        """The writer of a batch."""
        from lastvalue.pipeline.sink.writers import LastvalueSink

        return LastvalueSink(self.options).writer(schema, overwrite)

    @hidden_trace()
    def streamWriter(self, schema: StructType, overwrite: bool) -> "StreamWriter":  # noqa: FBT001, N802 - Spark's
        """The writer of a stream."""
        from lastvalue.pipeline.sink.writers import LastvalueSink

        return LastvalueSink(self.options).streamWriter(schema, overwrite)

    def _source_options(self) -> "SourceOptions":
        from lastvalue.pipeline.source.options import parse_source_options

        return parse_source_options(self.options)

    def _check_schema(self, schema: StructType) -> None:
        from lastvalue.pipeline.source.options import InvalidSourceError

        if schema != self.schema():
            raise InvalidSourceError(
                "the columns of a queue are fixed: call load() without schema(...); "
                "the option 'columns' chooses among them"
            )
