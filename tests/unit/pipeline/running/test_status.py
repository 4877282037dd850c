"""The status of a pipeline and its file."""

from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.running.status import (
    Backoff,
    PartStatus,
    State,
    StatusBoard,
    UnreadableStatusError,
    read_status,
)


def test_a_status_is_read_as_it_was_written(tmp_path: Path) -> None:
    board = StatusBoard(tmp_path / "status.json", "local[*]", [PartStatus("ticks", "feed")])
    board.update("ticks", state=State.FAILED, error="why", published=4)
    board.change("ticks", lambda known: known.after(7, 10, 250, 40.0))
    written = board.write(State.FAILED)
    assert read_status(tmp_path / "status.json") == written
    assert [path.name for path in tmp_path.iterdir()] == ["status.json"]
    (part,) = written.parts
    assert (part.batch, part.rows, part.batch_ms, part.rows_per_s, part.conflation) == (7, 10, 250, 40.0, 2.5)
    assert not written.healthy


def test_a_micro_batch_that_is_told_twice_counts_once() -> None:
    once = PartStatus("ticks", "feed").after(0, 10, 250, 40.0)
    assert once.after(0, 10, 250, 40.0) is once
    assert once.after(1, 5, 250, 40.0).rows == 15


def test_getting_further_forgets_the_last_error() -> None:
    part = PartStatus("ticks", "feed", error="why", restarts=3).after(0, 1, 1, 1.0)
    assert (part.error, part.restarts) == ("", 0)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "the pipeline has not run"),
        ("", "is not the status of a pipeline"),
        ("[]", "is not the status of a pipeline"),
        ('{"version": 9}', "another version"),
        ('{"version": 2, "parts": [{"state": "odd"}]}', "is not the status of a pipeline"),
    ],
)
def test_a_status_that_cannot_be_read_is_told(tmp_path: Path, content: str | None, fault: str) -> None:
    path = tmp_path / "status.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UnreadableStatusError, match=fault):
        read_status(path)


def test_restarts_wait_longer_each_time_and_end() -> None:
    backoff = Backoff(most=4, first_s=10.0, longest_s=60.0)
    waits = [backoff.failed(progressed=False) for _ in range(5)]
    assert waits == [10.0, 20.0, 40.0, 60.0, None]


def test_getting_further_begins_the_restarts_anew() -> None:
    backoff = Backoff(most=1, first_s=1.0)
    assert [backoff.failed(progressed=further) for further in (False, True, False)] == [1.0, 1.0, None]
