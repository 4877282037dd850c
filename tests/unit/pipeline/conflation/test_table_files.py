"""Tables in files: their formats, and outputs that exist."""

from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.conflation.table_files import (
    Format,
    OutputExistsError,
    UnreadableTableError,
    check_output,
    format_of,
    reason,
    table_files,
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.parquet", Format.PARQUET),
        ("a.CSV.gz", Format.CSV),
        ("a.jsonl", Format.JSON),
        ("a.ndjson.zst", Format.JSON),
    ],
)
def test_a_name_stands_for_a_format(tmp_path: Path, name: str, kind: Format) -> None:
    (tmp_path / name).touch()
    assert format_of(tmp_path / name) is kind
    assert format_of(tmp_path) is kind


def test_names_of_several_formats_are_an_error(tmp_path: Path) -> None:
    for name in ("a.csv", "b.json"):
        (tmp_path / name).touch()
    with pytest.raises(UnreadableTableError, match="has csv and json files: name one format"):
        format_of(tmp_path)


def test_hidden_files_are_not_part_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "_temporary").mkdir()
    for name in ("b.csv", "a.csv", ".a.csv.crc", "_SUCCESS", "_temporary/c.csv"):
        (tmp_path / name).touch()
    assert [path.name for path in table_files(tmp_path)] == ["a.csv", "b.csv"]


def test_an_output_that_exists_must_be_overwritten_on_request(tmp_path: Path) -> None:
    check_output(tmp_path / "new", overwrite=False)
    check_output(tmp_path, overwrite=True)
    with pytest.raises(OutputExistsError, match="name another output, or overwrite it"):
        check_output(tmp_path, overwrite=False)


def test_a_reason_of_spark_is_one_line_without_its_class() -> None:
    assert reason(Exception("[PATH_NOT_FOUND] It is not there. SQLSTATE: 42K03\nmore")) == "It is not there."
