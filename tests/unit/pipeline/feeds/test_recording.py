"""Recordings: written, cut by time, and their newest rows."""

from pathlib import Path

import pyarrow as pa
import pytest

from lastvalue.pipeline.feeds.recording import Recording, due_rows, newest_rows, write_recording

ROWS = pa.table(
    {
        "key": ["a", "b", "a", "a", "b"],
        "order": [1, 5, 3, 2, 5],
        "value": ["a1", "b5", "a3", "a2 is late", "b5 again"],
        "at": pa.array([0, 1_000_000, 2_000_000, 3_000_000, 4_000_000], pa.timestamp("us", "UTC")),
    }
)


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    write_recording(ROWS, tmp_path / "new" / "rows.parquet")
    return Recording(
        queue="q",
        path=tmp_path / "new" / "rows.parquet",
        key="key",
        order_by="order",
        time_column="at",
        rows=5,
        keys=2,
        speed=1.0,
        shown=("value",),
        origin="a test",
    )


@pytest.mark.parametrize(("span_s", "rows"), [(0, 1), (0.5, 1), (1, 2), (99, 5)])
def test_rows_are_due_by_their_time(recording: Recording, span_s: float, rows: int) -> None:
    assert due_rows(recording, span_s) == rows


def test_the_newest_row_of_a_key_has_its_greatest_order_value(recording: Recording) -> None:
    assert {key: (order, row["value"]) for key, (order, row) in newest_rows(recording, 4).items()} == {
        "a": (3, "a3"),
        "b": (5, "b5"),
    }


def test_of_equal_order_values_the_later_row_is_newest(recording: Recording) -> None:
    assert newest_rows(recording, 5)["b"][1]["value"] == "b5 again"


def test_only_the_first_rows_count(recording: Recording) -> None:
    assert newest_rows(recording, 1).keys() == {"a"}


def test_nothing_else_is_left_beside_the_file(recording: Recording) -> None:
    assert [file.name for file in recording.path.parent.iterdir()] == ["rows.parquet"]
