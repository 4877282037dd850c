"""lastvalue.pipeline.stream_support."""

from importlib.machinery import ModuleSpec

import pytest
from pyspark.sql import datasource
from pyspark.sql.types import StringType, StructType

from lastvalue.pipeline import stream_support
from lastvalue.pipeline.stream_support import (
    StreamsUnsupportedError,
    check_stream_write_support,
    stream_refusal,
)
from pyspark_lastvalue import DefaultSource


def test_streams_are_refused_where_sources_are_not_told_how_much_to_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert stream_refusal() is None

    def find(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(stream_support, "find_spec", find)
    source = DefaultSource({"queue": "q"})
    with pytest.raises(StreamsUnsupportedError, match=r"need PySpark 4.2 or newer, and this is \d"):
        source.streamReader(source.schema()).initialOffset()
    source.reader(source.schema())


def test_the_stream_sink_is_refused_where_sinks_get_no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    check_stream_write_support()
    monkeypatch.delattr(datasource, "DataSourceStreamArrowWriter")
    with pytest.raises(StreamsUnsupportedError, match=r"needs PySpark 4.1 .* \d.*publish_stream writes"):
        DefaultSource({"queue": "q"}).streamWriter(StructType().add("body", StringType()), overwrite=False)
