"""The stream of a format that this PySpark cannot have."""

from collections.abc import Iterator
from typing import Any, NoReturn

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from lastvalue.pipeline.hidden_trace import hidden_trace
from lastvalue.pipeline.stream_support import StreamsUnsupportedError


class RefusedStreamReader(DataSourceStreamReader):
    """Ends the query with the refusal.

    PySpark before 4.2 hides what `streamReader` raises behind an UnboundLocalError of its own, so the refusal
    waits for the first call.
    """

    def __init__(self, refusal: StreamsUnsupportedError) -> None:
        self._refusal = refusal

    def initialOffset(self) -> dict[str, Any]:
        """Where a new query would begin."""
        self._refuse()

    def latestOffset(self, *_: object) -> dict[str, Any]:
        """Where a query that continues would end."""
        self._refuse()

    def read(self, partition: InputPartition) -> Iterator[tuple[object, ...]]:
        """What a micro-batch that is repeated would read."""
        del partition
        self._refuse()

    @hidden_trace()
    def _refuse(self) -> NoReturn:
        raise self._refusal
