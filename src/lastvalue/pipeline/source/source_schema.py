"""The schema of the source: `client.arrow.record_batches` says what its columns are."""

from collections.abc import Sequence

from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from lastvalue.client.arrow.record_batches import schema_of
from lastvalue.pipeline.source.options import InvalidSourceError


def source_schema(*, effects: bool = False, columns: Sequence[str] = ()) -> StructType:
    """The columns of a queue's messages, or of the effects in its history; all of them, or those named.

    Raises:
        InvalidSourceError: a named column does not exist.
    """
    every = from_arrow_schema(schema_of(effects=effects))
    for name in columns:
        if name not in every.names:
            raise InvalidSourceError(f"columns has {name!r}; there are {', '.join(every.names)}")
    return StructType([every[name] for name in columns]) if columns else every
