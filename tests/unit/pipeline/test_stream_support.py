"""lastvalue.pipeline.stream_support."""

from importlib.machinery import ModuleSpec

import pytest

from lastvalue.pipeline import stream_support
from lastvalue.pipeline.stream_support import StreamsUnsupportedError, check_stream_support
from pyspark_lastvalue import DefaultSource


def test_streams_are_refused_where_sources_are_not_told_how_much_to_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_stream_support()

    def find(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(stream_support, "find_spec", find)
    source = DefaultSource({"queue": "q"})
    with pytest.raises(StreamsUnsupportedError, match=r"need PySpark 4.2 or newer, and this is \d"):
        source.streamReader(source.schema())
    source.reader(source.schema())
