"""lastvalue.pipeline.running.bad_record: the first line of a file that Spark cannot read."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.running.bad_record import find_bad_record

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SCHEMA = "symbol STRING, sequence BIGINT"


@pytest.mark.parametrize(
    ("kind", "lines", "options", "line", "reason"),
    [
        ("csv", "# no row\nA,1\nA,x\n", {"comment": "#"}, 3, "column sequence: 'x' is not a BIGINT"),
        ("json", '{"symbol": "A"}\n\n{"sequence": "x"}\n', {}, 3, "column sequence: 'x' is not a BIGINT"),
    ],
)
def test_the_line_is_counted_from_the_beginning_of_the_file(
    spark: "SparkSession",
    tmp_path: Path,
    kind: str,
    lines: str,
    options: dict[str, str],
    line: int,
    reason: str,
) -> None:
    file = tmp_path / "rows"
    file.write_text(lines)
    bad = find_bad_record(spark, str(file), kind, SCHEMA, options)
    assert bad is not None
    assert (bad.file, bad.line, bad.reason) == (str(file), line, reason)


def test_a_file_whose_records_are_no_lines_has_none(spark: "SparkSession", tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    file.write_text('[{"sequence":\n"x"}]')
    assert find_bad_record(spark, str(file), "json", SCHEMA, {"multiLine": "true"}) is None


def test_a_file_that_fits_has_none(spark: "SparkSession", tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("A,1\n")
    assert find_bad_record(spark, str(file), "csv", SCHEMA, {}) is None
