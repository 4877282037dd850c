"""lastvalue.pipeline.source.refused_stream_reader."""

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.datasource import InputPartition

from lastvalue.pipeline.source.refused_stream_reader import RefusedStreamReader
from lastvalue.pipeline.stream_support import StreamsUnsupportedError


def test_whatever_a_query_asks_first_is_refused() -> None:
    refusal = StreamsUnsupportedError("no streams")
    reader = RefusedStreamReader(refusal)
    asked = (reader.initialOffset, reader.latestOffset, lambda: reader.read(InputPartition(0)))
    for ask in asked:
        with pytest.raises(StreamsUnsupportedError) as caught:
            ask()
        assert caught.value is refusal
