"""The progress of queries on the status board."""

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.streaming.listener import StreamingQueryProgress

from lastvalue.pipeline.running.board_listener import copy_progress, lag_of
from lastvalue.pipeline.running.status import PartStatus, StatusBoard


def progress(batch: int, rows: int) -> StreamingQueryProgress:
    """The progress of the feed `ticks` after a micro-batch."""
    record = {
        "id": "00000000-0000-0000-0000-000000000001",
        "runId": "00000000-0000-0000-0000-000000000002",
        "name": "ticks",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "batchId": batch,
        "batchDuration": 250,
        "numInputRows": rows,
        "durationMs": {},
        "eventTime": {},
        "stateOperators": [],
        "sources": [],
        "sink": {"description": "", "numOutputRows": -1, "metrics": {}},
        "observedMetrics": {},
    }
    return StreamingQueryProgress.fromJson(json.loads(json.dumps(record)))


def test_a_micro_batch_counts_once(tmp_path: Path) -> None:
    board = StatusBoard(tmp_path / "status.json", "local[*]", [PartStatus("ticks", "feed")])
    for batch, rows in ((0, 5), (0, 5), (1, 3), (2, 0)):
        copy_progress(board, progress(batch, rows))
    part = board.part("ticks")
    assert (part.batch, part.rows, part.batch_ms) == (1, 8, 250)


def test_the_lag_is_what_the_sources_tell() -> None:
    assert lag_of([{"numFilesOutstanding": "3", "numBytesOutstanding": "900"}, {}]) == (3, "files")
    assert lag_of([{}]) == (None, "")
