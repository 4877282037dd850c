"""The progress of queries on the status board."""

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.streaming.listener import StreamingQueryProgress

from lastvalue.pipeline.running.board_listener import copy_progress, end_to_end_ms, lag_of
from lastvalue.pipeline.running.status import PartStatus, StatusBoard


def progress(batch: int, rows: int, observed: dict[str, object] | None = None) -> StreamingQueryProgress:
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
        "observedMetrics": {} if observed is None else {"feed": observed},
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


def test_the_time_from_end_to_end_is_the_age_of_the_newest_row_when_the_micro_batch_has_ended() -> None:
    began_us = 1_767_225_600_000_000
    assert end_to_end_ms(progress(1, 5, {"newest_us": began_us - 100_000})) == 350
    # A clock that is ahead makes no row younger than new.
    assert end_to_end_ms(progress(1, 5, {"newest_us": began_us + 9_000_000})) == 0


@pytest.mark.parametrize("observed", [None, {"rows": 5}, {"rows": 0, "newest_us": None}])
def test_rows_without_a_time_have_no_age(observed: dict[str, object] | None) -> None:
    assert end_to_end_ms(progress(1, 5, observed)) is None
