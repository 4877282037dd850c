"""Data files, and the actions of a commit on them."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from history_records import BEGIN, added

from lastvalue.history.columns import records_of, table_of
from lastvalue.history.data_file_writer import DataFileWriter, add_action, day_of, remove_action
from lastvalue.history.data_files import EFFECTS


def test_a_file_is_described_as_it_was_written(tmp_path: Path) -> None:
    records = [BEGIN, added(5, 86_400_123, 1)]
    file = DataFileWriter(str(tmp_path)).write(
        table_of(records, "h", 2), EFFECTS, "a/b", "1970-01-02", "name"
    )
    assert file.path == "kind=effects/queue_name=a%2Fb/stream=h%2F2/date=1970-01-02/name.parquet"
    assert (file.history, file.epoch, file.queue, file.rows) == ("h", 2, "a/b", 2)
    assert (file.first_offset, file.last_offset, file.first_ms, file.last_ms) == (1, 5, 1000, 86_400_123)
    assert file.size_bytes == (tmp_path / file.path).stat().st_size
    assert records_of(pq.read_table(tmp_path / file.path, partitioning=None)) == records
    action = add_action(file)
    assert json.loads(action.stats)["maxValues"]["time"] == "1970-01-02T00:00:00.123Z"
    assert action.partition_values == remove_action(file).partition_values
    assert action.partition_values["stream"] == "h/2"


def test_a_name_that_no_directory_can_have_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File name too long"):
        DataFileWriter(str(tmp_path)).write(
            table_of([BEGIN], "h", 1), EFFECTS, "q" * 300, "1970-01-02", "name"
        )


def test_a_day_is_that_of_utc() -> None:
    assert [day_of(time_ms) for time_ms in (0, 86_399_999, 86_400_000)] == [
        "1970-01-01", "1970-01-01", "1970-01-02",
    ]  # fmt: skip
