"""What a loss of power leaves of a table."""

from collections.abc import Callable
from pathlib import Path

import pytest
from history_records import BEGIN, added

from lastvalue.history.file_sync import make_directory
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.tables import HistoryTables


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("harm", [cut, empty, Path.unlink])
@pytest.mark.parametrize("what", ["_delta_log/*2.json", "kind=*/**/*.parquet"])
def test_a_newest_commit_that_is_not_whole_never_happened(
    tmp_path: Path, what: str, harm: Callable[[Path], None]
) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    before = set(tmp_path.glob(what))
    writer.append("h", 1, [added(2, 1001, 1)])
    (newest,) = set(tmp_path.glob(what)) - before
    harm(newest)
    again = TableWriter(tmp_path)
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [1]
    again.append("h", 1, [BEGIN, added(2, 1001, 1)])
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [1, 2]


@pytest.mark.parametrize("what", ["*.checkpoint.parquet", "_last_checkpoint"])
def test_a_checkpoint_that_is_not_whole_is_not_used(tmp_path: Path, what: str) -> None:
    writer = TableWriter(tmp_path)
    writer.append("h", 1, [BEGIN])
    writer.checkpoint()
    (harmed,) = (tmp_path / "_delta_log").glob(what)
    empty(harmed)
    TableWriter(tmp_path).append("h", 1, [added(2, 1001, 1)])
    assert [record.offset for record in HistoryTables(tmp_path).records("q")] == [1, 2]


def test_a_directory_in_the_place_of_a_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match="file"):
        make_directory(tmp_path / "file" / "deep")
