"""The results of tasks, added up and written."""

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.sink.result import WriteResult


def test_the_result_of_a_batch_is_the_sum_of_its_tasks() -> None:
    parts = [WriteResult(3, repeated=1), WriteResult(2, rejected=4)]
    assert WriteResult.sum(parts) == WriteResult(5, repeated=1, rejected=4)
    assert WriteResult.sum([]) == WriteResult()


def test_a_report_replaces_an_earlier_one_in_one_step(tmp_path: Path) -> None:
    for rows in (1, 2):
        WriteResult(rows).write(tmp_path / "report.json")
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert json.loads((tmp_path / "report.json").read_text()) == {"rows": 2, "repeated": 0, "rejected": 0}
