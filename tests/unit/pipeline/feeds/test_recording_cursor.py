"""Reading on in a recording, without Spark."""

from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.feeds import recording_cursor
from lastvalue.pipeline.feeds.recording_cursor import RecordingCursor, read_rows

START_US = 1_600_000_000_000_000
ROWS = 10_000


@pytest.fixture(autouse=True)
def _no_cursors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_cursor, "_cursors", [])


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Rows, one a second, in row groups of three thousand."""
    return written(tmp_path / "rows.parquet", first_value=0)


def written(path: Path, first_value: int) -> str:
    times = [START_US + row * 1_000_000 for row in range(ROWS)]
    values = list(range(first_value, first_value + ROWS))
    table = pa.table({"at": pa.array(times, pa.timestamp("us", "UTC")), "value": values})
    pq.write_table(table, path, row_group_size=3000)
    return str(path)


def values(path: str, first: int, last: int) -> list[int]:
    rows, _ = read_rows(path, "at", first, last)
    found: list[int] = rows["value"].to_pylist()
    return found


def queued_message() -> list[int]:
    return [cursor.row for cursor in recording_cursor._cursors]


@pytest.mark.parametrize("step", [1000, 2999, 4096, 7001, ROWS])
def test_ranges_one_after_the_other_are_all_rows_read_by_one_cursor(path: str, step: int) -> None:
    read = [values(path, first, min(ROWS, first + step)) for first in range(0, ROWS, step)]
    assert list(chain.from_iterable(read)) == list(range(ROWS))
    assert queued_message() == [ROWS]


def test_a_table_is_told_with_the_time_of_row_0(path: str) -> None:
    rows, began_us = read_rows(path, "at", 4000, 4001)
    assert rows["at"].cast(pa.int64()).to_pylist() == [START_US + 4000 * 1_000_000]
    assert began_us == START_US


def test_rows_between_are_passed_over(path: str) -> None:
    values(path, 0, 10)
    assert values(path, 5000, 5002) == [5000, 5001]
    assert queued_message() == [5002]


def test_rows_that_were_read_before_are_read_again(path: str) -> None:
    values(path, 0, 4000)
    assert values(path, 2000, 2002) == [2000, 2001]
    assert queued_message() == [4000, 2002]


def test_two_queries_on_one_recording_read_on_by_themselves(path: str) -> None:
    for first in range(0, 3000, 1000):
        assert values(path, first, first + 1000)[0] == first
        assert values(path, first + 6000, first + 7000)[0] == first + 6000
    assert queued_message() == [3000, 9000]


def test_the_cursors_used_last_are_kept(path: str) -> None:
    for first in (9000, 8000, 7000, 6000, 5000):
        values(path, first, first + 1)
    assert queued_message() == [8001, 7001, 6001, 5001]


def test_another_file_at_the_same_path_is_read_from_its_beginning(path: str, tmp_path: Path) -> None:
    values(path, 0, 10)
    Path(written(tmp_path / "other.parquet", first_value=50_000)).replace(path)
    assert values(path, 10, 12) == [50_010, 50_011]


def test_a_cursor_that_failed_is_not_kept(path: str) -> None:
    with pytest.raises(EOFError, match="ends 1 rows before"):
        read_rows(path, "at", ROWS - 1, ROWS + 1)
    assert queued_message() == []


def test_a_cursor_takes_its_rows_in_one_piece(path: str) -> None:
    rows = RecordingCursor(path, "at", 2500).take(2500, 8000)
    assert rows.column(1).num_chunks == 1
    assert rows["value"].to_pylist() == list(range(2500, 8000))
