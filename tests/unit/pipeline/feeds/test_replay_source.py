"""The replaying source, without Spark."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark")

from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows

from lastvalue.pipeline.feeds.replay_source import (
    InvalidReplayError,
    ReplayReader,
    ReplaySource,
    RowRange,
    Timetable,
    parse_replay_options,
)

SECOND_US = 1_000_000
START_US = 1_600_000_000_000_000


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now_us = 50 * SECOND_US

    def __call__(self) -> int:
        return self.now_us


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Ten rows, one a second, in row groups of three."""
    times = [START_US + second * SECOND_US for second in range(10)]
    table = pa.table({"at": pa.array(times, pa.timestamp("us", "UTC")), "value": list(range(10))})
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=3)
    return str(tmp_path / "rows.parquet")


def reader(path: str, clock: Clock, **options: str) -> ReplayReader:
    return ReplayReader(parse_replay_options({"path": path, "timeColumn": "at", **options}), clock)


def test_the_first_row_is_due_when_the_stream_starts(path: str) -> None:
    clock = Clock()
    source = reader(path, clock)
    end = source.latestOffset(source.initialOffset(), ReadAllAvailable())
    assert end == {"row": 1, "anchor_us": clock.now_us}


def test_rows_become_due_as_recorded(path: str) -> None:
    clock = Clock()
    source = reader(path, clock)
    first = source.latestOffset(source.initialOffset(), ReadAllAvailable())
    clock.now_us += 4 * SECOND_US
    assert source.latestOffset(first, ReadAllAvailable())["row"] == 5


def test_speed_makes_rows_due_earlier(path: str) -> None:
    clock = Clock()
    source = reader(path, clock, speed="2")
    first = source.latestOffset(source.initialOffset(), ReadAllAvailable())
    clock.now_us += 4 * SECOND_US
    assert source.latestOffset(first, ReadAllAvailable())["row"] == 9


def test_an_offset_with_nothing_more_due_is_the_same_offset(path: str) -> None:
    source = reader(path, Clock())
    first = source.latestOffset(source.initialOffset(), ReadAllAvailable())
    assert source.latestOffset(first, ReadAllAvailable()) is first


def test_a_micro_batch_takes_no_more_than_its_limit(path: str) -> None:
    clock = Clock()
    source = reader(path, clock, maxRowsPerBatch="2")
    first = source.latestOffset(source.initialOffset(), source.getDefaultReadLimit())
    clock.now_us += 9 * SECOND_US
    assert source.latestOffset(first, ReadMaxRows(2))["row"] == 3


def test_the_end_row_is_the_end(path: str) -> None:
    clock = Clock()
    source = reader(path, clock, endRow="4")
    first = source.latestOffset(source.initialOffset(), ReadAllAvailable())
    clock.now_us += 99 * SECOND_US
    last = source.latestOffset(first, ReadAllAvailable())
    assert last["row"] == 4
    assert source.latestOffset(last, ReadAllAvailable()) is last


def test_a_restarted_query_goes_on_with_the_row_it_had_reached_due_now(path: str) -> None:
    clock = Clock()
    source = reader(path, clock)
    end = source.latestOffset({"row": 5, "anchor_us": 7}, ReadAllAvailable())
    assert end == {"row": 6, "anchor_us": clock.now_us - 5 * SECOND_US}


@pytest.mark.parametrize(("first", "last"), [(0, 1), (0, 10), (2, 4), (3, 6), (9, 10)])
def test_a_range_of_rows_is_read_with_due_times(path: str, first: int, last: int) -> None:
    batches = reader(path, Clock(), speed="2").read(RowRange(first, last, anchor_us=1000))
    rows = pa.Table.from_batches(batches).to_pydict()
    assert rows["value"] == list(range(first, last))
    assert rows["due_us"] == [1000 + row * SECOND_US // 2 for row in range(first, last)]


def test_nothing_is_read_between_equal_offsets(path: str) -> None:
    offset = {"row": 3, "anchor_us": 0}
    assert reader(path, Clock()).partitions(offset, offset) == []


def test_the_schema_is_the_files_with_the_due_time(path: str) -> None:
    source = ReplaySource({"path": path, "timeColumn": "at", "dueColumn": "due"})
    assert source.schema().simpleString() == "struct<at:timestamp,value:bigint,due:bigint>"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"timeColumn": "at"}, "needs the option 'path'"),
        ({"path": "p"}, "needs the option 'timeColumn'"),
        ({"path": "p", "timeColumn": "at", "pace": "2"}, "has no option 'pace'"),
        ({"path": "p", "timeColumn": "at", "speed": "fast"}, "not a number"),
        ({"path": "p", "timeColumn": "at", "speed": "0"}, "more than 0"),
        ({"path": "p", "timeColumn": "at", "maxRowsPerBatch": "0"}, "more than 0"),
    ],
)
def test_options_that_cannot_be_are_named(options: dict[str, str], text: str) -> None:
    with pytest.raises(InvalidReplayError, match=text):
        parse_replay_options(options)


def test_a_file_that_is_not_sorted_by_time_is_refused(tmp_path: Path) -> None:
    times = pa.array([START_US + SECOND_US, START_US], pa.timestamp("us", "UTC"))
    pq.write_table(pa.table({"at": times}), tmp_path / "rows.parquet")
    with pytest.raises(InvalidReplayError, match="not sorted by 'at'"):
        Timetable(parse_replay_options({"path": str(tmp_path / "rows.parquet"), "timeColumn": "at"}))


def test_a_time_column_that_is_not_there_is_refused(path: str) -> None:
    with pytest.raises(InvalidReplayError, match="has no column 'when'"):
        Timetable(parse_replay_options({"path": path, "timeColumn": "when"}))
