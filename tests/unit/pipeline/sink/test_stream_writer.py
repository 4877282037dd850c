"""lastvalue.pipeline.sink.stream_writer."""

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.sink.options import SinkOptions
from lastvalue.pipeline.sink.result import WriteResult
from lastvalue.pipeline.sink.stream_writer import StreamWriter


def test_each_micro_batch_is_reported_where_the_options_say(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    writer = StreamWriter(SinkOptions("q", report=str(report)))
    for number in (1, 2):
        writer.commit([WriteResult(number), None, WriteResult(3, repeated=1)], number)
    assert json.loads(report.read_text()) == {"rows": 5, "repeated": 1, "rejected": 0}
    StreamWriter(SinkOptions("q")).commit([WriteResult(1)], 3)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
